//! Tensors that others hand over.

use std::format;
use std::ptr::NonNull;
use std::slice;
use std::string::ToString;
use std::vec::Vec;

use ::dlpark::ffi::DLDeviceType;
use ::dlpark::{AllocationDeleter, Managed, ManagedTensorBase, TensorMut, TensorRef};
use layout_types::spec::Rule;
use layout_types::{Dynamic, Element, Layout, LayoutError, LayoutType};

use super::{name, refused};
use crate::adapters::{AdapterError, Cause};
use crate::tensor::Tensor;

/// The tensor that `source` holds, with these axes in its order: `"NCHW"`. An axis of stride 0 is
/// broadcast.
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
    source: &'a Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    let tensor = valid(source)?;
    let (layout, lowest) = found::<E, RANK>(&tensor, axes)?;
    // SAFETY: the layout's elements begin at `lowest`, which is aligned, and span as many units. The
    // caller promises that this memory is there and that nobody writes to it.
    let elements = unsafe { slice::from_raw_parts(lowest.as_ptr(), layout.units()) };
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
    destination: &'a mut Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    let tensor = valid_mut(destination)?;
    let (layout, lowest) = found::<E, RANK>(&tensor, axes)?;
    // SAFETY: as in `import`; the tensor may be changed, and the caller promises that nobody else
    // uses the memory.
    let elements = unsafe { slice::from_raw_parts_mut(lowest.as_ptr(), layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// Memory of others, to be read, which is given back when this is dropped.
pub struct Imported<E> {
    elements: NonNull<[E]>,
    _owner: AllocationDeleter,
}

// SAFETY: it is a `&[E]` and an owner that may be sent.
unsafe impl<E: Sync> Send for Imported<E> {}

// SAFETY: it gives out `&[E]` and nothing else.
unsafe impl<E: Sync> Sync for Imported<E> {}

impl<E> AsRef<[E]> for Imported<E> {
    fn as_ref(&self) -> &[E] {
        // SAFETY: `import_owned` found the elements aligned, and its caller promised that they are
        // there, and that nobody writes to them until the owner is dropped.
        unsafe { self.elements.as_ref() }
    }
}

/// The tensor that `source` holds, with these axes in its order, which keeps `source` for as long as
/// it lives.
///
/// # Errors
/// As [`import`]; `source` is given back then.
///
/// # Safety
/// As [`import`].
pub unsafe fn import_owned<E, const RANK: usize>(
    source: Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, Imported<E>>, AdapterError>
where
    E: Element<Unit = E>,
{
    let (layout, lowest) = found::<E, RANK>(&valid(&source)?, axes)?;
    Ok(Tensor::with_layout(layout, imported(source, &layout, lowest))?)
}

/// Memory of others, to be changed, which is given back when this is dropped.
pub struct ImportedMut<E>(Imported<E>);

// SAFETY: it is a `&mut [E]` and an owner that may be sent.
unsafe impl<E: Send> Send for ImportedMut<E> {}

// SAFETY: behind a reference it gives out `&[E]` and nothing else.
unsafe impl<E: Sync> Sync for ImportedMut<E> {}

impl<E> AsRef<[E]> for ImportedMut<E> {
    fn as_ref(&self) -> &[E] {
        self.0.as_ref()
    }
}

impl<E> AsMut<[E]> for ImportedMut<E> {
    fn as_mut(&mut self) -> &mut [E] {
        // SAFETY: as in `Imported`; the tensor may be changed, and `import_owned_mut`'s caller
        // promised that nobody else uses the memory.
        unsafe { self.0.elements.as_mut() }
    }
}

/// The tensor that `destination` holds, to be changed, with these axes in its order, which keeps
/// `destination` for as long as it lives.
///
/// # Errors
/// As [`import_mut`]; `destination` is given back then.
///
/// # Safety
/// As [`import_mut`].
pub unsafe fn import_owned_mut<E, const RANK: usize>(
    mut destination: Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, ImportedMut<E>>, AdapterError>
where
    E: Element<Unit = E>,
{
    let (layout, lowest) = found::<E, RANK>(&*valid_mut(&mut destination)?, axes)?;
    Ok(Tensor::with_layout(layout, ImportedMut(imported(destination, &layout, lowest)))?)
}

/// The elements with the one who gives them back.
fn imported<E: Element<Unit = E>, const RANK: usize>(
    source: Managed<impl ManagedTensorBase>,
    layout: &Dynamic<E, RANK>,
    lowest: NonNull<E>,
) -> Imported<E> {
    let elements = NonNull::slice_from_raw_parts(lowest, layout.units());
    Imported { elements, _owner: source.into_deleter() }
}

pub(super) fn valid(
    source: &Managed<impl ManagedTensorBase>,
) -> Result<TensorRef<'_>, AdapterError> {
    source.validate().map_err(|problem| refused(&problem))
}

fn valid_mut(source: &mut Managed<impl ManagedTensorBase>) -> Result<TensorMut<'_>, AdapterError> {
    source.validate_mut().map_err(|problem| refused(&problem))
}

/// Devices whose memory the host can read, as NumPy takes them.
const HOST: [DLDeviceType; 4] =
    [DLDeviceType::CPU, DLDeviceType::CUDAHOST, DLDeviceType::ROCMHOST, DLDeviceType::CUDAMANAGED];

/// The layout of a tensor of elements `E` in host memory, and where its storage begins.
fn found<E: Element<Unit = E>, const RANK: usize>(
    tensor: &TensorRef<'_>,
    axes: &str,
) -> Result<(Dynamic<E, RANK>, NonNull<E>), AdapterError> {
    let device = tensor.device().device_type;
    if !HOST.contains(&device) {
        return Err(AdapterError(Cause::Other {
            library: "DLPack",
            problem: format!("tensor lies on device type {}, which the host cannot read", device.0),
            remedy: "copy it to the host, or take it into a memory space with `import_device`",
        }));
    }
    let layout = layout::<E, RANK>(tensor, axes)?;
    let lowest = lowest::<E, RANK>(tensor, &layout)?;
    Ok((layout, lowest))
}

/// The layout of a tensor of elements `E`.
pub(super) fn layout<E: Element, const RANK: usize>(
    tensor: &TensorRef<'_>,
    axes: &str,
) -> Result<Dynamic<E, RANK>, AdapterError> {
    let shape: Option<Vec<usize>> = tensor.shape().iter().map(|&n| n.try_into().ok()).collect();
    let strides = tensor.strides_or_compact().map_err(|problem| refused(&problem))?;
    let strides: Option<Vec<isize>> = strides.iter().map(|&n| n.try_into().ok()).collect();
    let (Some(shape), Some(strides)) = (shape, strides) else {
        return Err(AdapterError(Cause::Dlpack {
            problem: "an extent or stride does not fit in `usize`".to_string(),
        }));
    };
    let layout = Layout::from_strides(axes, &shape, &strides, E::TYPE)?;
    if !tensor.dtype().matches(name(&layout)?) {
        let given = super::text(tensor.dtype());
        return Err(AdapterError::element("DLPack tensor", given, &layout));
    }
    Ok(Dynamic::new(layout)?)
}

/// Where the layout's storage begins: below coordinate 0 where strides are negative.
fn lowest<E: Element<Unit = E>, const RANK: usize>(
    tensor: &TensorRef<'_>,
    layout: &Dynamic<E, RANK>,
) -> Result<NonNull<E>, AdapterError> {
    if layout.units() == 0 {
        return Ok(NonNull::dangling());
    }
    // SAFETY: `TensorRef` found the metadata readable, and the address is in the tensor's memory.
    let first = unsafe { tensor.offset_bytes_ptr() }.map_err(|problem| refused(&problem))?;
    let (address, needed) = (first.addr(), align_of::<E>());
    if address % needed != 0 {
        let address = address as u64;
        return Err(LayoutError(Rule::BufferAlignment { address, needed }).into());
    }
    // Of `units` elements, whose bytes `isize` counts; none of them wraps around the address space.
    let before = layout.offset_of([0; RANK]);
    let behind = (layout.units() - before) * size_of::<E>();
    let start = first.addr().checked_sub(before * size_of::<E>());
    if start.is_none() || first.addr().checked_add(behind - 1).is_none() {
        let problem = "its strides lead past either end of the address space".to_string();
        return Err(AdapterError(Cause::Dlpack { problem }));
    }
    let lowest = first.cast::<E>().wrapping_sub(before).cast_mut();
    NonNull::new(lowest).ok_or_else(|| {
        AdapterError(Cause::Dlpack { problem: "its strides lead to address 0".to_string() })
    })
}
