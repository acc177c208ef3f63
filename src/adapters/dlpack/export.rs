//! Exports tensors to DLPack.

use std::boxed::Box;
use std::ffi::c_void;
use std::ptr::NonNull;

use ::dlpark::ffi::DLDevice;
use ::dlpark::metadata::Dynamic as Metadata;
use ::dlpark::{DlpackFlags, Managed, ManagedTensorBase, legacy, versioned};
use layout_types::spec::{LayoutError, MAX_RANK, Rule};
use layout_types::{Layout, LayoutType, UnitOf};

use super::super::axis_strides::strides;
use super::{name, refused};
use crate::adapters::AdapterError;
use crate::tensor::Tensor;

/// Exports the tensor for reading. It lives until its last consumer drops it.
///
/// Its axes are in coordinate order. Its strides are those of the layout, in elements.
///
/// # Errors
/// - The layout has blocks, so its axes have no single stride.
/// - DLPack does not have the element type.
///
/// On an error, the tensor is dropped.
pub fn export<L, B>(tensor: Tensor<L, B>) -> Result<versioned::Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + Send + 'static,
{
    handed_over(tensor, |tensor| {
        // SAFETY: `handed_over` passes a pointer to a tensor to which no other reference exists.
        let tensor = unsafe { tensor.as_ref() };
        let units = tensor.buffer();
        on_host::<L>(
            tensor.layout(),
            units.as_ptr().cast_mut(),
            units.len(),
            DlpackFlags::READ_ONLY,
        )
    })
}

/// Exports the tensor for reading and writing. It lives until its last consumer drops it.
///
/// # Errors
/// The same as [`export`].
pub fn export_mut<L, B>(tensor: Tensor<L, B>) -> Result<versioned::Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]> + Send + 'static,
{
    changeable(tensor)
}

/// Exports the tensor for reading and writing in the legacy struct, which has no version and cannot mark a tensor as
/// read-only.
///
/// # Errors
/// The same as [`export`].
pub fn export_legacy<L, B>(tensor: Tensor<L, B>) -> Result<legacy::Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]> + Send + 'static,
{
    changeable(tensor)
}

/// A tensor in an allocation of its own, into which consumers point.
///
/// It is not a `Box`, since moving a `Box` asserts that nothing else points to its contents.
struct Owner<T>(NonNull<T>);

// SAFETY: an owner owns its value, as a `Box` does, which can be sent if the value can.
unsafe impl<T: Send> Send for Owner<T> {}

impl<T> Drop for Owner<T> {
    fn drop(&mut self) {
        // SAFETY: `handed_over` took the pointer out of a `Box`, and only `drop` gives it back.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Exports the tensor for reading and writing, in either struct.
fn changeable<L, B, M>(tensor: Tensor<L, B>) -> Result<Managed<M>, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]> + Send + 'static,
    M: ManagedTensorBase,
{
    handed_over(tensor, |mut tensor| {
        // SAFETY: the same proof as in `export`.
        let tensor = unsafe { tensor.as_mut() };
        let layout = tensor.layout();
        let units = tensor.buffer_mut();
        on_host::<L>(layout, units.as_mut_ptr(), units.len(), DlpackFlags::empty())
    })
}

/// The memory that a DLPack tensor points at.
pub(super) struct ExportTarget {
    pub(super) device: DLDevice,
    pub(super) data: *mut c_void,
    /// From there to the storage of the layout.
    pub(super) byte_offset: u64,
    pub(super) flags: DlpackFlags,
}

/// Returns the target of units in host memory, or an error for a buffer of another length than the layout's.
fn on_host<L: LayoutType>(
    layout: Layout,
    units: *mut UnitOf<L>,
    given: usize,
    flags: DlpackFlags,
) -> Result<ExportTarget, AdapterError> {
    // The length is checked at this one call, since a buffer may return another slice at each call.
    match layout.units() {
        needed if needed == given => {
            Ok(ExportTarget { device: DLDevice::CPU, data: units.cast(), byte_offset: 0, flags })
        }
        needed => Err(LayoutError(Rule::BufferLength { buffer: "buffer", needed, given }).into()),
    }
}

/// Exports a tensor. `target` returns its memory once the tensor has its final address.
pub(super) fn handed_over<L, B, S, M>(
    tensor: Tensor<L, B, S>,
    target: impl FnOnce(NonNull<Tensor<L, B, S>>) -> Result<ExportTarget, AdapterError>,
) -> Result<Managed<M>, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: Send + 'static,
    S: 'static,
    M: ManagedTensorBase,
{
    let layout = tensor.layout();
    let strides = strides(&layout)?;
    let element = name(&layout)?;
    let metadata = Metadata::new(layout.extents(), &*strides);
    let prepared = metadata.prepare_as().map_err(|problem| refused(&problem))?;
    let tensor = NonNull::from(Box::leak(Box::new(tensor)));
    let owner = Owner(tensor);
    let target = target(tensor)?;
    let mut initialized = prepared.initialize(Box::new(owner));
    let first =
        if layout.numel() == 0 { 0 } else { layout.offset(&[0; MAX_RANK][..layout.rank()]) };
    initialized
        .set_data(target.data)
        .set_byte_offset(target.byte_offset + (first * size_of::<UnitOf<L>>()) as u64)
        .set_dtype(element)
        .set_device(target.device)
        .set_flags(target.flags)
        .map_err(|problem| refused(&problem))?;
    // SAFETY: the data lives as long as the owner, which is dropped with the last consumer. Extents and strides are
    // those of the layout, so every element lies in the buffer. Without the flag `READ_ONLY`, the pointer comes from
    // a mutable borrow of the buffer, and no other reference to it exists. Buffers of devices promise the same:
    // `DeviceBuffer`.
    Ok(unsafe { initialized.finish() })
}
