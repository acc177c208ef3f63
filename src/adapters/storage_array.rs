//! The memory of a layout as an array, for files, inference engines and frameworks, which describe arrays and no
//! layouts: with one dimension for each axis and block, or for each axis.

use std::string::ToString;
use std::vec::Vec;

use layout_types::spec::{LayoutError, Rule};
use layout_types::{Layout, LayoutType, UnitOf};

use super::{AdapterError, error::Cause};
use crate::tensor::Tensor;

/// Returns the tensor as an array in C order: the sizes of its axes and blocks, slowest first, and its units.
///
/// An engine that takes a shape and a slice takes these. `NHWC<N = 1, C = 3, H = 4, W = 6>` is an array of 1 x 4 x 6 x 3,
/// and `NCHW4c<1, 8, 4, 6>` one of 1 x 2 x 4 x 6 x 4; engines have the sizes in the order in which their model
/// declares its axes. A unit is an element, or a byte for elements of less than a byte.
///
/// # Errors
/// The storage of the layout is not an array: it has gaps, shared elements, negative strides or a swizzle.
///
/// ```
/// use tensor_layout::adapters::{self, AdapterError};
/// use tensor_layout::{Tensor, layout};
///
/// type Input = layout!(NCHW<1, 3, 4, 6>, f32);
/// type Mask = layout!(NHWC<N = 1, C = 2, H = 4, W = 6>, f32);
///
/// /// What an engine does: it takes a shape and a slice, and returns a shape and a slice.
/// fn run(shape: &[usize], elements: &[f32]) -> ([usize; 4], Vec<f32>) {
///     assert_eq!(shape, [1, 3, 4, 6]);
///     ([1, 4, 6, 2], elements[..48].to_vec())
/// }
///
/// let input = Tensor::<Input>::from_fn(|[_, c, h, w]| (100 * c + 10 * h + w) as f32);
/// let (shape, elements) = adapters::storage(&input)?;
/// let (shape, elements) = run(&shape, elements);
/// let mask = adapters::from_storage(Mask::default(), &shape, &elements[..])?;
/// assert_eq!(mask[[0, 1, 0, 2]], 5.0);
/// // Planes have the same length and another shape.
/// assert!(adapters::from_storage(Mask::default(), &[1, 2, 4, 6], &elements[..]).is_err());
/// # Ok::<(), AdapterError>(())
/// ```
pub fn storage<L, B>(tensor: &Tensor<L, B>) -> Result<(Vec<usize>, &[UnitOf<L>]), AdapterError>
where
    L: LayoutType,
    B: AsRef<[UnitOf<L>]>,
{
    Ok((storage_shape(&tensor.layout())?, tensor.buffer()))
}

/// [`storage`] for writing.
///
/// # Errors
/// The same as [`storage`].
pub fn storage_mut<L: LayoutType, B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>>(
    tensor: &mut Tensor<L, B>,
) -> Result<(Vec<usize>, &mut [UnitOf<L>]), AdapterError> {
    Ok((storage_shape(&tensor.layout())?, tensor.buffer_mut()))
}

/// Returns the tensor of `layout` over an array in C order of this shape, without a copy. It is the inverse of
/// [`storage`]. If the blocks of each axis are neighbors, the array may also have one dimension for each axis:
/// `O32o2o/32 I<256, 8>` takes an array of 256 x 8, whose rows are in another order.
///
/// # Errors
/// - The shape differs from that of the layout's storage, its axes and blocks slowest first, and from that of its axes.
/// - [`Tensor::with_layout`] returns an error.
pub fn from_storage<L: LayoutType, B: AsRef<[UnitOf<L>]>>(
    layout: L,
    shape: &[usize],
    buffer: B,
) -> Result<Tensor<L, B>, AdapterError> {
    check_shape(&layout.layout(), shape)?;
    Ok(Tensor::with_layout(layout, buffer)?)
}

/// Returns the shape of the storage of `layout` as an array: the sizes of its axes and blocks, slowest first.
///
/// # Errors
/// The same as [`storage`].
pub fn storage_shape(layout: &Layout) -> Result<Vec<usize>, AdapterError> {
    let sizes = layout.digits().iter().map(|digit| digit.size).collect();
    if layout.len() == 0 {
        return Ok(sizes);
    }
    if layout.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "an array" }).into());
    }
    let mut room = 1;
    for digit in layout.digits().iter().rev() {
        if digit.size > 1 && digit.stride != room as isize {
            return Err(AdapterError(Cause::NoArray { layout: layout.to_string() }));
        }
        room *= digit.size;
    }
    // Elements of blocks that a view leaves out belong to other views; they are not padding.
    let others = layout.numel() != room && !layout.has_padding();
    match room == layout.len() && !others {
        true => Ok(sizes),
        false => Err(AdapterError(Cause::NoArray { layout: layout.to_string() })),
    }
}

/// Returns the shape of the layout's memory as an array with one dimension for each axis, slowest first, or `None`
/// if blocks of an axis lie apart or an axis is padded. Blocks may change the order of the coordinates of their axis.
///
/// Extents play no part, but for those that make padding: a block of extent 1 lies apart as others do.
///
/// # Errors
/// The same as [`storage`].
fn axes_shape(layout: &Layout, storage: &[usize]) -> Option<Vec<usize>> {
    let (mut shape, mut axes) = (Vec::new(), Vec::new());
    for (digit, size) in layout.digits().iter().zip(storage) {
        match shape.last_mut() {
            Some(extent) if axes.last() == Some(&digit.axis) => *extent *= size,
            _ if axes.contains(&digit.axis) => return None,
            _ => {
                shape.push(*size);
                axes.push(digit.axis);
            }
        }
    }
    (layout.numel() == layout.len()).then_some(shape)
}

/// Returns the shape of the array that a file holds: one dimension for each axis, slowest first. `remedy` is the
/// function that writes the storage.
///
/// # Errors
/// - The same as [`storage`].
/// - Blocks of an axis lie apart, or an axis is padded.
#[cfg(any(feature = "npy", feature = "safetensors"))]
pub(super) fn file_shape(
    layout: &Layout,
    remedy: &'static str,
) -> Result<Vec<usize>, AdapterError> {
    let storage = storage_shape(layout)?;
    axes_shape(layout, &storage)
        .ok_or_else(|| AdapterError(Cause::NoAxes { storage, remedy, layout: layout.to_string() }))
}

/// Whether the first axis is the fastest and the last the slowest.
#[cfg(feature = "npy")]
pub(super) fn is_fortran(layout: &Layout) -> bool {
    let digits = layout.digits();
    let axes = digits.iter().filter(|digit| digit.size > 1).map(|digit| digit.axis);
    axes.is_sorted_by(|slower, faster| slower > faster)
}

/// Returns an error unless an array with these axes, slowest first, is the memory of `layout`: its axes, or its axes
/// and blocks.
pub(super) fn check_shape(layout: &Layout, given: &[usize]) -> Result<(), AdapterError> {
    let storage = storage_shape(layout)?;
    let axes = axes_shape(layout, &storage);
    if storage == given || axes.as_deref() == Some(given) {
        return Ok(());
    }
    Err(AdapterError(Cause::Shape {
        given: given.to_vec(),
        needed: axes.unwrap_or(storage),
        layout: layout.to_string(),
    }))
}
