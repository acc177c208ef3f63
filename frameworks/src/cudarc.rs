//! Buffers of CUDA as a memory space. A tensor in it has a layout, and host code cannot read its elements.
//!
//! ```no_run
//! use cudarc::driver::CudaContext;
//! use tensor_layout::{Tensor, layout};
//! use tensor_layout_frameworks::cudarc as adapter;
//!
//! type Image = layout!(NHWC<N = 1, C = 3, H = 224, W = 224>, u8);
//! type Packed = layout!(NCHW4<1, 3, 224, 224>, u8, pad); // what a kernel of dp4a reads
//!
//! let stream = CudaContext::new(0)?.default_stream();
//! let image = Tensor::<Image>::zeroed();
//! let on_gpu = adapter::upload(&stream, &image.to_layout::<Packed>()?)?;
//! // A kernel takes `on_gpu.handle()`; `on_gpu.get([0; 4])` does not compile.
//! let back = adapter::download(&stream, &on_gpu)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(unsafe_code, reason = "the promise about the memory of a buffer")]

use std::sync::Arc;

use ::cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError};
use ::dlpark::ffi::DLDeviceType;
use ::dlpark::versioned::Dlpack;
use tensor_layout::adapters::dlpack::{self, DeviceBuffer, DeviceMemory, DeviceSpace};
use tensor_layout::tensor::{BufferIn, Space};
use tensor_layout::{LayoutType, Tensor, UnitOf};

use crate::{AdapterError, refused};

/// The memory of NVIDIA's GPUs.
#[derive(Clone, Copy, Debug)]
pub struct Cuda;

impl Space for Cuda {}

impl DeviceSpace for Cuda {
    const DEVICE: DLDeviceType = DLDeviceType::CUDA;
}

impl<U> BufferIn<Cuda> for CudaSlice<U> {
    fn bytes(&self) -> usize {
        self.num_bytes()
    }
}

// SAFETY: a `CudaSlice` owns `num_bytes` bytes at its address, on any thread, until it is dropped.
unsafe impl<U> DeviceBuffer<Cuda> for CudaSlice<U> {
    fn memory(&self) -> DeviceMemory {
        let (address, _record) = self.device_ptr(self.stream());
        DeviceMemory {
            device_id: self.ordinal() as i32,
            data: std::ptr::without_provenance_mut(address as usize),
            byte_offset: 0,
            is_read_only: false,
        }
    }
}

/// A tensor over units of CUDA.
pub type OnGpu<L> = Tensor<L, CudaSlice<UnitOf<L>>, Cuda>;

/// Copies the tensor to the GPU of a stream, including padding and gaps.
///
/// # Errors
/// The driver returns an error.
pub fn upload<L, B>(
    stream: &Arc<CudaStream>,
    tensor: &Tensor<L, B>,
) -> Result<OnGpu<L>, AdapterError>
where
    L: LayoutType + Clone,
    UnitOf<L>: DeviceRepr,
    B: AsRef<[UnitOf<L>]>,
{
    let buffer = stream.clone_htod(tensor.buffer()).map_err(failed)?;
    Ok(Tensor::in_space(tensor.layout_type().clone(), buffer)?)
}

/// Copies the tensor to the host, including padding and gaps, and waits for the copy.
///
/// # Errors
/// The driver returns an error.
pub fn download<L>(
    stream: &Arc<CudaStream>,
    tensor: &OnGpu<L>,
) -> Result<Tensor<L, Vec<UnitOf<L>>>, AdapterError>
where
    L: LayoutType + Clone,
    UnitOf<L>: DeviceRepr,
{
    let units = stream.clone_dtoh(tensor.handle()).map_err(failed)?;
    stream.synchronize().map_err(failed)?;
    Ok(Tensor::with_layout(tensor.layout_type().clone(), units)?)
}

/// Waits until the stream has ended all its work, and exports the tensor over DLPack, without a copy.
///
/// # Errors
/// - The driver returns an error.
/// - [`dlpack::export_device`] returns an error.
pub fn export<L>(tensor: OnGpu<L>) -> Result<Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
{
    tensor.handle().stream().synchronize().map_err(failed)?;
    dlpack::export_device(tensor)
}

fn failed(problem: DriverError) -> AdapterError {
    refused("CUDA", problem, "check the device with `nvidia-smi`")
}
