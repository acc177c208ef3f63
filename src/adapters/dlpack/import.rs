//! Imports tensors from DLPack.

use std::fmt;
use std::format;
use std::ptr::NonNull;
use std::slice;
use std::string::ToString;
use std::vec::Vec;

use ::dlpark::ffi::DLDeviceType;
use ::dlpark::{AllocationDeleter, Managed, ManagedTensorBase, TensorMut, TensorRef};
use layout_types::spec::Rule;
use layout_types::{Dynamic, Element, LayoutError, LayoutType, WholeElement};

use super::{name, refused};
use crate::adapters::axis_strides::strided;
use crate::adapters::{AdapterError, Cause};
use crate::tensor::Tensor;

/// Returns the tensor in `source`, which keeps the memory. `"NCHW"` names its axes in its order. An axis of stride 0
/// is broadcast.
///
/// # Errors
/// - The tensor is on a device whose memory the host cannot read.
/// - Its element type or rank differ.
/// - Its strides make elements overlap without being equal.
/// - It is not aligned for its elements.
///
/// # Safety
/// DLPack does not say how large the memory is, nor who else uses it. The caller promises that:
///
/// - The memory that the extents and strides of `source` span is initialized, including gaps between elements.
/// - Nobody writes to it while the tensor lives.
pub unsafe fn import<'a, E: WholeElement, const RANK: usize>(
    source: &'a Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError> {
    let tensor = valid(source)?;
    let (layout, lowest) = found::<E, RANK>(&tensor, axes)?;
    // SAFETY: the layout's elements begin at `lowest`, which is aligned, and span `layout.units()` units. The caller
    // promises that this memory is initialized and that nobody writes to it.
    let elements = unsafe { slice::from_raw_parts(lowest.as_ptr(), layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// Returns the mutable tensor in `destination`, which keeps the memory. `axes` names the axes in its order.
///
/// # Errors
/// - In the cases of [`import`].
/// - The tensor is read-only.
///
/// # Safety
/// The same as [`import`]. Also, nobody else may read the memory while the tensor lives.
pub unsafe fn import_mut<'a, E: WholeElement, const RANK: usize>(
    destination: &'a mut Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError> {
    let tensor = valid_mut(destination)?;
    let (layout, lowest) = found::<E, RANK>(&tensor, axes)?;
    // SAFETY: the same proof as in `import`. The tensor is not read-only, and the caller promises that nobody else
    // uses the memory.
    let elements = unsafe { slice::from_raw_parts_mut(lowest.as_ptr(), layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// Imported memory for reading. It is given back to its owner on drop.
pub struct Imported<E> {
    elements: NonNull<[E]>,
    _owner: AllocationDeleter,
}

// SAFETY: it consists of a `&[E]` and an owner that can be sent.
unsafe impl<E: Sync> Send for Imported<E> {}

// SAFETY: it gives access to a `&[E]` alone.
unsafe impl<E: Sync> Sync for Imported<E> {}

impl<E> fmt::Debug for Imported<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elements = self.elements.len();
        formatter.debug_struct("Imported").field("elements", &elements).finish_non_exhaustive()
    }
}

impl<E> AsRef<[E]> for Imported<E> {
    fn as_ref(&self) -> &[E] {
        // SAFETY: `import_owned` checked that the elements are aligned. Its caller promised that they are initialized
        // and that nobody writes to them until the owner is dropped.
        unsafe { self.elements.as_ref() }
    }
}

/// Returns the tensor in `source`. `axes` names the axes in its order. The tensor keeps `source` alive.
///
/// # Errors
/// In the cases of [`import`]. The error returns `source` as well.
///
/// # Safety
/// The same as [`import`].
pub unsafe fn import_owned<E: WholeElement, const RANK: usize>(
    source: Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, Imported<E>>, AdapterError> {
    let (layout, lowest) = found::<E, RANK>(&valid(&source)?, axes)?;
    Ok(Tensor::with_layout(layout, imported(source, &layout, lowest))?)
}

/// Imported memory for reading and writing. It is given back to its owner on drop.
#[derive(Debug)]
pub struct ImportedMut<E>(Imported<E>);

// SAFETY: it consists of a `&mut [E]` and an owner that can be sent.
unsafe impl<E: Send> Send for ImportedMut<E> {}

// SAFETY: a shared reference to it gives access to a `&[E]` alone.
unsafe impl<E: Sync> Sync for ImportedMut<E> {}

impl<E> AsRef<[E]> for ImportedMut<E> {
    fn as_ref(&self) -> &[E] {
        self.0.as_ref()
    }
}

impl<E> AsMut<[E]> for ImportedMut<E> {
    fn as_mut(&mut self) -> &mut [E] {
        // SAFETY: the same proof as in `Imported`. The tensor is not read-only, and the caller of `import_owned_mut`
        // promised that nobody else uses the memory.
        unsafe { self.0.elements.as_mut() }
    }
}

/// Returns the mutable tensor in `destination`. `axes` names the axes in its order. The tensor keeps `destination`
/// alive.
///
/// # Errors
/// In the cases of [`import_mut`]. The error returns `destination` as well.
///
/// # Safety
/// The same as [`import_mut`].
pub unsafe fn import_owned_mut<E: WholeElement, const RANK: usize>(
    mut destination: Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, ImportedMut<E>>, AdapterError> {
    let (layout, lowest) = found::<E, RANK>(&*valid_mut(&mut destination)?, axes)?;
    Ok(Tensor::with_layout(layout, ImportedMut(imported(destination, &layout, lowest)))?)
}

/// Returns the elements together with their owner.
fn imported<E: WholeElement, const RANK: usize>(
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

/// The devices whose memory the host can read, as in NumPy.
const HOST: [DLDeviceType; 4] =
    [DLDeviceType::CPU, DLDeviceType::CUDAHOST, DLDeviceType::ROCMHOST, DLDeviceType::CUDAMANAGED];

/// Returns the layout of a tensor of elements `E` in host memory, and the start of its storage.
fn found<E: WholeElement, const RANK: usize>(
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

/// Returns the layout of a tensor of elements `E`.
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
    let layout = strided(axes, &shape, &strides, E::TYPE)?;
    if !tensor.dtype().matches(name(&layout)?) {
        let given = super::text(tensor.dtype());
        return Err(AdapterError::element("DLPack tensor", given, &layout));
    }
    Ok(Dynamic::new(layout)?)
}

/// Returns the start of the layout's storage. It lies before coordinate 0 if strides are negative.
fn lowest<E: WholeElement, const RANK: usize>(
    tensor: &TensorRef<'_>,
    layout: &Dynamic<E, RANK>,
) -> Result<NonNull<E>, AdapterError> {
    if layout.units() == 0 {
        return Ok(NonNull::dangling());
    }
    // SAFETY: `TensorRef` checked that the metadata is readable, and the address is inside the tensor's memory.
    let first = unsafe { tensor.offset_bytes_ptr() }.map_err(|problem| refused(&problem))?;
    let (address, needed) = (first.addr(), align_of::<E>());
    if address % needed != 0 {
        let address = address as u64;
        return Err(LayoutError(Rule::BufferAlignment { address, needed }).into());
    }
    // The size of `units` elements fits `isize`, so their addresses do not wrap around.
    let before = layout.offset_of([0; RANK]);
    let after = (layout.units() - before) * size_of::<E>();
    let start = first.addr().checked_sub(before * size_of::<E>());
    // The end of a slice, one past its last byte, is an address too.
    if start.is_none() || first.addr().checked_add(after).is_none() {
        let problem = "its strides lead past either end of the address space".to_string();
        return Err(AdapterError(Cause::Dlpack { problem }));
    }
    let lowest = first.cast::<E>().wrapping_sub(before).cast_mut();
    NonNull::new(lowest).ok_or_else(|| {
        AdapterError(Cause::Dlpack { problem: "its strides lead to address 0".to_string() })
    })
}
