//! Tensors over DLPack, the interface between deep-learning frameworks, without a copy.
//!
//! ```
//! use tensor_layout::adapters::{AdapterError, dlpack};
//! use tensor_layout::{Tensor, layout};
//!
//! type Image = layout!(NHWC<1, 3, 2, 4>, u8);
//!
//! let image = Tensor::<Image, _>::new(vec![7; Image::LEN])?;
//! let exported = dlpack::export_mut(image)?; // axes in coordinate order: N, C, H, W
//!
//! // SAFETY: `exported` was made by the line above, and nobody else has it.
//! let same = unsafe { dlpack::import::<u8, 4>(&exported, "NCHW") }?;
//! assert_eq!(same[[0, 2, 1, 3]], 7);
//! # Ok::<(), AdapterError>(())
//! ```

use std::boxed::Box;
use std::ptr::NonNull;
use std::string::ToString;
use std::vec::Vec;
use std::{format, slice};

use ::dlpark::DlpackFlags;
use ::dlpark::ffi::{DLDataType, DLDevice, DLDeviceType};
use ::dlpark::metadata::Dynamic as Metadata;
use ::dlpark::tensor::TensorRef;
use ::dlpark::versioned::Dlpack;
use layout_types::spec::{LayoutError, MAX_RANK, Name};
use layout_types::{Dynamic, Element, ElementType, Layout, LayoutType, Tensor, UnitOf};

use super::AdapterError;

/// What DLPack calls the element types.
const NAMES: [(ElementType, DLDataType); 14] = [
    (ElementType::I8, DLDataType::I8),
    (ElementType::U8, DLDataType::U8),
    (ElementType::I16, DLDataType::I16),
    (ElementType::U16, DLDataType::U16),
    (ElementType::I32, DLDataType::I32),
    (ElementType::U32, DLDataType::U32),
    (ElementType::I64, DLDataType::I64),
    (ElementType::U64, DLDataType::U64),
    (ElementType::F16, DLDataType::F16),
    (ElementType::BF16, DLDataType::BF16),
    (ElementType::F32, DLDataType::F32),
    (ElementType::F64, DLDataType::F64),
    (ElementType::F8E4M3, DLDataType::F8E4M3FN),
    (ElementType::F8E5M2, DLDataType::F8E5M2),
];

/// Hands the tensor over, to be read only; it lives until the last consumer is done with it.
///
/// # Errors
/// A layout with blocks, so without one stride for each axis, or an element type that DLPack does
/// not have.
pub fn export<L, B>(tensor: Tensor<L, B>) -> Result<Dlpack, AdapterError>
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
pub fn export_mut<L, B>(tensor: Tensor<L, B>) -> Result<Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]> + Send + 'static,
{
    let data = |mut tensor: NonNull<Tensor<L, B>>| {
        // SAFETY: as in `export`.
        let tensor = unsafe { tensor.as_mut() };
        let units = tensor.buffer_mut();
        (units.as_mut_ptr(), units.len())
    };
    handed_over(tensor, data, DlpackFlags::empty())
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

/// `data` finds the first unit of the tensor's buffer, and how many there are.
fn handed_over<L, B>(
    tensor: Tensor<L, B>,
    data: impl FnOnce(NonNull<Tensor<L, B>>) -> (*mut UnitOf<L>, usize),
    flags: DlpackFlags,
) -> Result<Dlpack, AdapterError>
where
    L: LayoutType + Send + 'static,
    B: AsRef<[UnitOf<L>]> + Send + 'static,
{
    let layout = tensor.layout().layout();
    let Some(strides) = layout.strides() else {
        return Err(AdapterError::Blocked { layout: layout.to_string() });
    };
    let element = name(&layout)?;
    let metadata = Metadata::new(layout.extents(), &strides[..layout.rank()]);
    let prepared = metadata.prepare().map_err(|problem| refused(&problem))?;
    let tensor = NonNull::from(Box::leak(Box::new(tensor)));
    let owner = Owner(tensor);
    // A buffer may be another each time one looks.
    let (data, given) = data(tensor);
    if given != layout.units() {
        let (buffer, needed) = (Name::new("buffer"), layout.units());
        return Err(LayoutError::BufferLength { buffer, needed, given }.into());
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

/// The tensor that `source` holds, with these axes in its order: `"NCHW"`.
///
/// # Errors
/// A tensor on another device, of other elements, of another rank, with strides by which elements
/// overlap without being the same, or not aligned for its elements.
///
/// # Safety
/// DLPack does not say how much memory there is, nor who else uses it. The memory that extents and
/// strides of `source` span, gaps between elements included, is initialised, and nobody writes to
/// it while the tensor lives.
pub unsafe fn import<'a, E, const RANK: usize>(
    source: &'a Dlpack,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    let tensor = source.validate().map_err(|problem| refused(&problem))?;
    let layout = layout::<E, RANK>(&tensor, axes)?;
    let lowest = lowest::<E, RANK>(&tensor, &layout)?;
    // SAFETY: the layout's elements begin at `lowest`, which is aligned, and span as many units. The
    // caller promises that this memory is there and that nobody writes to it.
    let elements = unsafe { slice::from_raw_parts(lowest, layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// The tensor that `destination` holds, to be changed, with these axes in its order.
///
/// # Errors
/// As [`import`], and a tensor that may only be read.
///
/// # Safety
/// As [`import`], and nobody else reads that memory either.
pub unsafe fn import_mut<'a, E, const RANK: usize>(
    destination: &'a mut Dlpack,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    let tensor = destination.validate_mut().map_err(|problem| refused(&problem))?;
    let layout = layout::<E, RANK>(&tensor, axes)?;
    let lowest = lowest::<E, RANK>(&tensor, &layout)?.cast_mut();
    // SAFETY: as in `import`; the tensor may be changed, and the caller promises that nobody else
    // uses the memory.
    let elements = unsafe { slice::from_raw_parts_mut(lowest, layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// The layout of a tensor of elements `E` in host memory.
fn layout<E: Element, const RANK: usize>(
    tensor: &TensorRef<'_>,
    axes: &str,
) -> Result<Dynamic<E, RANK>, AdapterError> {
    if tensor.device().device_type != DLDeviceType::CPU {
        let problem = format!("memory of device {:?}", tensor.device().device_type);
        return Err(AdapterError::Dlpack { problem });
    }
    let shape: Option<Vec<usize>> = tensor.shape().iter().map(|&n| n.try_into().ok()).collect();
    let strides = tensor.strides_or_compact().map_err(|problem| refused(&problem))?;
    let strides: Option<Vec<isize>> = strides.iter().map(|&n| n.try_into().ok()).collect();
    let (Some(shape), Some(strides)) = (shape, strides) else {
        return Err(AdapterError::Dlpack {
            problem: "an extent or stride past `usize`".to_string(),
        });
    };
    let layout = Layout::from_strides(axes, &shape, &strides, E::TYPE)?;
    if !tensor.dtype().matches(name(&layout)?) {
        let given = format!("{:?}", tensor.dtype());
        return Err(AdapterError::element("DLPack tensor", given, &layout));
    }
    Ok(Dynamic::new(layout)?)
}

/// Where the layout's storage begins: below coordinate 0 where strides are negative.
fn lowest<E: Element<Unit = E>, const RANK: usize>(
    tensor: &TensorRef<'_>,
    layout: &Dynamic<E, RANK>,
) -> Result<*const E, AdapterError> {
    if layout.units() == 0 {
        return Ok(NonNull::dangling().as_ptr());
    }
    // SAFETY: `TensorRef` found the metadata readable, and the address is in the tensor's memory.
    let first = unsafe { tensor.offset_bytes_ptr() }.map_err(|problem| refused(&problem))?;
    let past = first.addr() % align_of::<E>();
    if past != 0 {
        let needed = align_of::<E>();
        return Err(LayoutError::BufferAlignment { needed, past }.into());
    }
    Ok(first.cast::<E>().wrapping_sub(layout.offset_of([0; RANK])))
}

/// What DLPack calls the elements of `layout`.
fn name(layout: &Layout) -> Result<DLDataType, AdapterError> {
    let found = NAMES.iter().find(|(element, _)| *element == layout.element());
    found.map(|(_, name)| *name).ok_or_else(|| AdapterError::no_element("DLPack tensor", layout))
}

fn refused(problem: &dyn std::error::Error) -> AdapterError {
    AdapterError::Dlpack { problem: problem.to_string() }
}
