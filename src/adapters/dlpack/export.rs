//! Tensors that are handed over.

use std::boxed::Box;
use std::ffi::c_void;
use std::ptr::NonNull;

use ::dlpark::ffi::DLDevice;
use ::dlpark::metadata::Dynamic as Metadata;
use ::dlpark::{DlpackFlags, Managed, ManagedTensorBase, legacy, versioned};
use layout_types::spec::{LayoutError, MAX_RANK, Name, Rule};
use layout_types::{Layout, LayoutType, UnitOf};

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
    handed_over(tensor, |tensor| {
        // SAFETY: `handed_over` passes a pointer to a tensor that nobody else refers to.
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
    handed_over(tensor, |mut tensor| {
        // SAFETY: as in `export`.
        let tensor = unsafe { tensor.as_mut() };
        let layout = tensor.layout();
        let units = tensor.buffer_mut();
        on_host::<L>(layout, units.as_mut_ptr(), units.len(), DlpackFlags::empty())
    })
}

/// What a DLPack tensor points at.
pub(super) struct Target {
    pub(super) device: DLDevice,
    pub(super) data: *mut c_void,
    /// From there to the storage of the layout.
    pub(super) byte_offset: u64,
    pub(super) flags: DlpackFlags,
}

/// Units in host memory.
fn on_host<L: LayoutType>(
    layout: Layout,
    units: *mut UnitOf<L>,
    given: usize,
    flags: DlpackFlags,
) -> Result<Target, AdapterError> {
    // A buffer may be another each time one looks.
    match layout.units() {
        needed if needed == given => {
            Ok(Target { device: DLDevice::CPU, data: units.cast(), byte_offset: 0, flags })
        }
        needed => {
            let buffer = Name::new("buffer");
            Err(LayoutError(Rule::BufferLength { buffer, needed, given }).into())
        }
    }
}

/// `target` finds what the tensor points at once it lies where it stays.
pub(super) fn handed_over<L, B, S, M>(
    tensor: Tensor<L, B, S>,
    target: impl FnOnce(NonNull<Tensor<L, B, S>>) -> Result<Target, AdapterError>,
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
        if layout.count() == 0 { 0 } else { layout.offset(&[0; MAX_RANK][..layout.rank()]) };
    initialized
        .set_data(target.data)
        .set_byte_offset(target.byte_offset + (first * size_of::<UnitOf<L>>()) as u64)
        .set_dtype(element)
        .set_device(target.device)
        .set_flags(target.flags)
        .map_err(|problem| refused(&problem))?;
    // SAFETY: the data lives as long as the owner, which is dropped with the last consumer. Extents
    // and strides are the layout's, so every element they lead to lies in the buffer. Without the
    // flag `READ_ONLY` the buffer gave the pointer for changes, and nobody else has it. For the memory of a device
    // that is the promise of `DeviceBuffer`.
    Ok(unsafe { initialized.finish() })
}
