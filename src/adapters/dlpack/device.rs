//! Tensors in the memory of a device, which the host passes on without reading them.

use std::ffi::c_void;
use std::fmt;
use std::format;
use std::marker::PhantomData;

use ::dlpark::ffi::{DLDevice, DLDeviceType};
use ::dlpark::{AllocationDeleter, DlpackFlags, Managed, ManagedTensorBase, versioned};
use layout_types::{Dynamic, LayoutType, WholeElement};

use super::export::{ExportTarget, handed_over};
use super::import::{layout, valid};
use crate::adapters::{AdapterError, Cause};
use crate::tensor::{BufferIn, Space, Tensor};

/// A memory space of devices of one type, such as CUDA's. Each buffer says which of these devices holds it.
pub trait DeviceSpace: Space {
    /// The type of the devices, by DLPack's number.
    const DEVICE: DLDeviceType;
}

/// The location of a buffer of a device, in DLPack's terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceMemory {
    /// The number of the device among those of its type.
    pub device_id: i32,
    /// The address on the device, or a handle for devices that have none, such as OpenCL's.
    pub data: *mut c_void,
    /// The distance in bytes from `data` to the start of the buffer.
    pub byte_offset: u64,
    /// Whether the buffer must not be written.
    pub is_read_only: bool,
}

/// A buffer of a device that can be exported to DLPack.
///
/// # Safety
/// As long as the value lives, on any thread, [`memory`](Self::memory) is the location of [`BufferIn::bytes`] bytes of
/// the device. Only the owner of the value uses them; if `is_read_only` is set, others may read them. Moving the value
/// does not move the bytes.
pub unsafe trait DeviceBuffer<S: DeviceSpace>: BufferIn<S> {
    /// Returns the location of the bytes.
    fn memory(&self) -> DeviceMemory;
}

/// Exports a tensor in the memory of a device, with the type and the number of the device. It lives until its last
/// consumer drops it. DLPack exports memory and no streams: wait for the work of the device on the buffer first.
///
/// # Errors
/// The layout has blocks, so an axis has no single stride, or DLPack does not have its element type. The tensor is
/// dropped.
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
        Ok(ExportTarget { device, data, byte_offset, flags })
    })
}

/// Memory of a device that another library owns. It is returned when this is dropped.
pub struct ImportedDevice<S> {
    bytes: usize,
    memory: DeviceMemory,
    _owner: AllocationDeleter,
    space: PhantomData<fn() -> S>,
}

impl<S> fmt::Debug for ImportedDevice<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, memory, .. } = self;
        let mut fields = formatter.debug_struct("ImportedDevice");
        fields.field("bytes", bytes).field("memory", memory).finish_non_exhaustive()
    }
}

// SAFETY: the address is a number here, which is not read through, and the owner may be sent.
unsafe impl<S> Send for ImportedDevice<S> {}

// SAFETY: a shared reference gives out numbers alone.
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

/// Returns the tensor that `source` holds in the memory of a device, with these axes in its order. The tensor keeps
/// `source`. The host cannot read it: tensors in a [`Space`] give no access to elements.
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
/// The tensor is on a device of another type than the space's, has other elements or another rank, its strides make
/// elements overlap partially, or its elements begin before its memory. `source` is returned to its library.
///
/// # Safety
/// DLPack does not say how much memory there is, nor who else uses it. The memory that extents and strides of
/// `source` span is there on the device, and it is used by nobody else, or read by others alone if it may only be
/// read.
pub unsafe fn import_device<E: WholeElement, S: DeviceSpace, const RANK: usize>(
    source: Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, ImportedDevice<S>, S>, AdapterError> {
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
