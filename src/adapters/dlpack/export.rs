//! Tensors that are handed over.

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

/// Hands the tensor over, to be read only; it lives until the last consumer is done with it.
///
/// Its axes are in coordinate order, its strides are those of the layout, in elements.
///
/// # Errors
/// A layout with blocks, so without one stride for each axis, or an element type that DLPack does
/// not have; the tensor is dropped then.
pub fn export<L, B>(tensor: Tensor<L, B>) -> Result<versioned::Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + Send + 'static,
{
    let data = |tensor: NonNull<Tensor<L, B>>| {
        // SAFETY: `handed_over` passes a pointer to a tensor that nobody else refers to.
        let tensor = unsafe { tensor.as_ref() };
        let units = tensor.buffer();
        (units.as_ptr().cast_mut(), units.len())
    };
    handed_over(tensor, data, DlpackFlags::READ_ONLY)
}

/// Hands the tensor over, to be changed as well; it lives until the last consumer is done with it.
///
/// # Errors
/// As [`export`].
pub fn export_mut<L, B>(tensor: Tensor<L, B>) -> Result<versioned::Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]> + Send + 'static,
{
    changeable(tensor)
}

/// Hands the tensor over, to be changed as well, in the older struct, which has no version and cannot
/// say that a tensor may only be read.
///
/// # Errors
/// As [`export`].
pub fn export_legacy<L, B>(tensor: Tensor<L, B>) -> Result<legacy::Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]> + Send + 'static,
{
    changeable(tensor)
}

/// A tensor in memory of its own, which consumers point into.
///
/// Not a `Box`: moving that would claim the tensor for the box alone.
struct Owner<T>(NonNull<T>);

// SAFETY: it owns the value, as a `Box` does, which may be sent if the value may.
unsafe impl<T: Send> Send for Owner<T> {}

impl<T> Drop for Owner<T> {
    fn drop(&mut self) {
        // SAFETY: `handed_over` took the pointer out of a `Box`, and only this gives it back.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Hands the tensor over, to be changed as well, in either struct.
fn changeable<L, B, M>(tensor: Tensor<L, B>) -> Result<Managed<M>, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]> + Send + 'static,
    M: ManagedTensorBase,
{
    let data = |mut tensor: NonNull<Tensor<L, B>>| {
        // SAFETY: as in `export`.
        let tensor = unsafe { tensor.as_mut() };
        let units = tensor.buffer_mut();
        (units.as_mut_ptr(), units.len())
    };
    handed_over(tensor, data, DlpackFlags::empty())
}

/// `data` finds the first unit of the tensor's buffer, and how many there are.
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
    // A buffer may be another each time one looks.
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
    // SAFETY: the data lives as long as the owner, which is dropped with the last consumer. Extents
    // and strides are the layout's, so every element they lead to lies in the buffer. Without the
    // flag `READ_ONLY` the buffer gave the pointer for changes, and nobody else has it.
    Ok(unsafe { initialized.finish() })
}
