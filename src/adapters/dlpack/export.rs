//! Exports tensors to DLPack.

use std::boxed::Box;
use std::ptr::NonNull;

use ::dlpark::ffi::DLDevice;
use ::dlpark::metadata::Dynamic as Metadata;
use ::dlpark::{DlpackFlags, Managed, ManagedTensorBase, legacy, versioned};
use layout_types::spec::{LayoutError, MAX_RANK, Name, Rule};
use layout_types::{LayoutType, UnitOf};

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
    let data = |tensor: NonNull<Tensor<L, B>>| {
        // SAFETY: `handed_over` passes a pointer to a tensor to which no other reference exists.
        let tensor = unsafe { tensor.as_ref() };
        let units = tensor.buffer();
        (units.as_ptr().cast_mut(), units.len())
    };
    handed_over(tensor, data, DlpackFlags::READ_ONLY)
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
    let data = |mut tensor: NonNull<Tensor<L, B>>| {
        // SAFETY: the same proof as in `export`.
        let tensor = unsafe { tensor.as_mut() };
        let units = tensor.buffer_mut();
        (units.as_mut_ptr(), units.len())
    };
    handed_over(tensor, data, DlpackFlags::empty())
}

/// Exports a tensor. `data` returns its first unit and the number of units.
fn handed_over<L, B, M>(
    tensor: Tensor<L, B>,
    data: impl FnOnce(NonNull<Tensor<L, B>>) -> (*mut UnitOf<L>, usize),
    flags: DlpackFlags,
) -> Result<Managed<M>, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + Send + 'static,
    M: ManagedTensorBase,
{
    let layout = tensor.layout();
    let strides = strides(&layout)?;
    let element = name(&layout)?;
    let metadata = Metadata::new(layout.extents(), &*strides);
    let prepared = metadata.prepare_as().map_err(|problem| refused(&problem))?;
    let tensor = NonNull::from(Box::leak(Box::new(tensor)));
    let owner = Owner(tensor);
    // `data` is called once, since a buffer may return another slice at each call.
    let (data, given) = data(tensor);
    if given != layout.units() {
        let (buffer, needed) = (Name::new("buffer"), layout.units());
        return Err(LayoutError(Rule::BufferLength { buffer, needed, given }).into());
    }
    let mut initialized = prepared.initialize(Box::new(owner));
    let first =
        if layout.count() == 0 { 0 } else { layout.offset(&[0; MAX_RANK][..layout.rank()]) };
    initialized
        .set_data(data.cast())
        .set_byte_offset((first * size_of::<UnitOf<L>>()) as u64)
        .set_dtype(element)
        .set_device(DLDevice::CPU)
        .set_flags(flags)
        .map_err(|problem| refused(&problem))?;
    // SAFETY: the data lives as long as the owner, which is dropped with the last consumer. Extents and strides are
    // those of the layout, so every element lies in the buffer. Without the flag `READ_ONLY`, the pointer comes from
    // a mutable borrow of the buffer, and no other reference to it exists.
    Ok(unsafe { initialized.finish() })
}
