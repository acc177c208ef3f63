//! Tensors in the memory of a device: the host passes them on and reads none.

use std::ffi::c_void;
use std::format;
use std::marker::PhantomData;

use ::dlpark::ffi::{DLDevice, DLDeviceType};
use ::dlpark::{AllocationDeleter, DlpackFlags, Managed, ManagedTensorBase, versioned};
use layout_types::{Dynamic, Element, LayoutType};

use super::export::{Target, handed_over};
use super::import::{layout, valid};
use crate::adapters::{AdapterError, Cause};
use crate::tensor::{BufferIn, Space, Tensor};

/// A memory space of devices of one type, such as CUDA's. Which of them holds a buffer, the buffer says.
pub trait DeviceSpace: Space {
    /// The type of the devices, by DLPack's number.
    const DEVICE: DLDeviceType;
}

/// Where a buffer of a device is, as DLPack says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceMemory {
    /// Which device of its type.
    pub device_id: i32,
    /// The address on the device, or a handle for devices that have none, such as OpenCL's.
    pub data: *mut c_void,
    /// How many bytes after `data` the buffer begins.
    pub byte_offset: u64,
    /// Whether nobody may change the buffer.
    pub is_read_only: bool,
}

/// A buffer of a device that DLPack can hand over.
///
/// # Safety
/// For as long as the value lives, on whichever thread, [`BufferIn::bytes`] bytes of the device are at
/// [`memory`](Self::memory), and nobody but who has the value changes them; nobody else reads them either, unless
/// `is_read_only`. Moving the value does not move the bytes.
pub unsafe trait DeviceBuffer<S: DeviceSpace>: BufferIn<S> {
    /// Where the bytes are.
    fn memory(&self) -> DeviceMemory;
}

/// Hands over a tensor in the memory of a device, in its type and number of device; it lives until the last consumer
/// is done with it. Work on the device that the buffer waits for is the caller's to finish: DLPack hands over
/// memory, not streams.
///
/// # Errors
/// A layout with blocks, so without one stride for each axis, or an element type that DLPack does
/// not have; the tensor is dropped then.
pub fn export_device<L, B, S>(tensor: Tensor<L, B, S>) -> Result<versioned::Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: DeviceBuffer<S> + Send + 'static,
    S: DeviceSpace + 'static,
{
    handed_over(tensor, |tensor| {
        // SAFETY: `handed_over` passes a pointer to a tensor that nobody else refers to.
        let tensor = unsafe { tensor.as_ref() };
        let DeviceMemory { device_id, data, byte_offset, is_read_only } = tensor.handle().memory();
        let flags = if is_read_only { DlpackFlags::READ_ONLY } else { DlpackFlags::empty() };
        let device = DLDevice { device_type: S::DEVICE, device_id };
        Ok(Target { device, data, byte_offset, flags })
    })
}

/// Memory of a device that others own, given back when this is dropped.
pub struct ImportedDevice<S> {
    bytes: usize,
    memory: DeviceMemory,
    _owner: AllocationDeleter,
    space: PhantomData<fn() -> S>,
}

// SAFETY: the address is a number here, which is not read through, and the owner may be sent.
unsafe impl<S> Send for ImportedDevice<S> {}

// SAFETY: behind a reference it gives out numbers.
unsafe impl<S> Sync for ImportedDevice<S> {}

impl<S: Space> BufferIn<S> for ImportedDevice<S> {
    fn bytes(&self) -> usize {
        self.bytes
    }
}

// SAFETY: `import_device`'s caller promised that the memory is there until the owner gives it back, which is when
// the value is dropped, and who else uses it.
unsafe impl<S: DeviceSpace> DeviceBuffer<S> for ImportedDevice<S> {
    fn memory(&self) -> DeviceMemory {
        self.memory
    }
}

/// The tensor that `source` holds in the memory of a device, with these axes in its order, which keeps `source` for
/// as long as it lives. The host cannot read it: a [`Space`] has no access to elements.
///
/// ```
/// use dlpark::ffi::{DLDevice, DLDeviceType, DLManagedTensorVersioned};
/// use dlpark::Managed;
/// use tensor_layout::adapters::{AdapterError, dlpack};
/// use tensor_layout::tensor::Space;
/// use tensor_layout::{Dynamic, Tensor};
///
/// struct Cuda;
/// impl Space for Cuda {}
/// impl dlpack::DeviceSpace for Cuda {
///     const DEVICE: DLDeviceType = DLDeviceType::CUDA;
/// }
///
/// type OnGpu = Tensor<Dynamic<f32, 4>, dlpack::ImportedDevice<Cuda>, Cuda>;
///
/// /// `batch` comes from PyTorch: `tensor.__dlpack__()`.
/// fn of_torch(batch: Managed<DLManagedTensorVersioned>) -> Result<OnGpu, AdapterError> {
///     // SAFETY: PyTorch describes memory that is there, and gives it to us alone.
///     unsafe { dlpack::import_device(batch, "NCHW") }
/// }
/// ```
///
/// # Errors
/// A tensor on a device of another type than the space's, of other elements, of another rank, with strides by which
/// elements overlap without being the same, or whose elements begin before its memory; `source` is given back then.
///
/// # Safety
/// DLPack does not say how much memory there is, nor who else uses it. The memory that extents and strides of
/// `source` span is there on the device, and it is used by nobody else, or read by others alone if it may only be
/// read.
pub unsafe fn import_device<E, S, const RANK: usize>(
    source: Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, ImportedDevice<S>, S>, AdapterError>
where
    E: Element<Unit = E>,
    S: DeviceSpace,
{
    let tensor = valid(&source)?;
    let DLDevice { device_type, device_id } = tensor.device();
    if device_type != S::DEVICE {
        return Err(unfit(
            format!("tensor lies on device type {}, not {}", device_type.0, S::DEVICE.0),
            "take it into a memory space of that type",
        ));
    }
    let layout = layout::<E, RANK>(&tensor, axes)?;
    let (bytes, mut byte_offset) = (layout.layout().bytes(), tensor.byte_offset());
    let data = tensor.data_ptr().cast_mut();
    if bytes > 0 {
        if data.is_null() {
            return Err(unfit("tensor has a null pointer".into(), "pass a valid tensor"));
        }
        // Negative strides lead below coordinate 0.
        let before = (layout.offset_of([0; RANK]) * size_of::<E>()) as u64;
        byte_offset = byte_offset.checked_sub(before).ok_or_else(|| {
            let problem = format!(
                "tensor has elements {before} bytes before byte {byte_offset} of its memory"
            );
            unfit(problem, "pass a tensor without negative strides")
        })?;
    }
    let is_read_only = source.flags().contains(DlpackFlags::READ_ONLY);
    let memory = DeviceMemory { device_id, data, byte_offset, is_read_only };
    let space = PhantomData;
    let buffer = ImportedDevice { bytes, memory, _owner: source.into_deleter(), space };
    Ok(Tensor::in_space(layout, buffer)?)
}

fn unfit(problem: std::string::String, remedy: &'static str) -> AdapterError {
    AdapterError(Cause::Other { library: "DLPack", problem, remedy })
}
