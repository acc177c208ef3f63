//! Tensors as arrays of `ndarray`, and back, without a copy.
//!
//! ```
//! use ndarray::array;
//! use tensor_layout::adapters::{self, AdapterError};
//! use tensor_layout::{LayoutType, Tensor, layout};
//!
//! type Image = layout!(HWC<3, 2, 4>, u8);
//!
//! let image = Tensor::<Image, _>::new(std::array::from_fn::<_, { Image::LEN }, _>(|i| i as u8))?;
//! let view = adapters::ndarray::view(&image)?; // axes in coordinate order: C, H, W
//! assert_eq!(view[[2, 1, 3]], image[[2, 1, 3]]);
//!
//! let matrix = array![[1.0, 2.0], [3.0, 4.0]];
//! let tensor = adapters::ndarray::tensor(matrix.t(), "MK")?;
//! assert_eq!(tensor.layout().to_string(), "MK<2, 2>, f64, strides = [1, 2]");
//! # Ok::<(), AdapterError>(())
//! ```

use std::string::ToString;

use ::ndarray::{
    ArrayBase, ArrayView, ArrayViewMut, Dim, Dimension, IntoDimension, RawData, ShapeBuilder,
    ShapeError, StrideShape,
};
use layout_types::{Dynamic, Element, Layout, LayoutType, UnitOf};

use super::{AdapterError, error::Cause};
use crate::tensor::Tensor;

/// The dimensions of `RANK` axes; ndarray has them up to 6.
type Axes<const RANK: usize> = <[usize; RANK] as IntoDimension>::Dim;

/// The tensor as an array, its axes in coordinate order.
///
/// # Errors
/// A layout with blocks, so without one stride for each axis.
pub fn view<L, B, const RANK: usize>(
    tensor: &Tensor<L, B>,
) -> Result<ArrayView<'_, L::Element, Axes<RANK>>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; RANK]>,
    L::Element: Element<Unit = L::Element>,
    B: AsRef<[UnitOf<L>]>,
    [usize; RANK]: IntoDimension,
{
    let layout = tensor.layout();
    let elements = &tensor.buffer()[layout.range()];
    ArrayView::from_shape(shape(&layout)?, elements).map_err(|problem| refused(problem, &layout))
}

/// The tensor as an array that can be changed, its axes in coordinate order.
///
/// # Errors
/// A layout with blocks, so without one stride for each axis, or one in which coordinates share
/// an element or interleave in ways that ndarray does not tell from that.
pub fn view_mut<L, B, const RANK: usize>(
    tensor: &mut Tensor<L, B>,
) -> Result<ArrayViewMut<'_, L::Element, Axes<RANK>>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; RANK]>,
    L::Element: Element<Unit = L::Element>,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
    [usize; RANK]: IntoDimension,
{
    let layout = tensor.layout();
    let elements = &mut tensor.buffer_mut()[layout.range()];
    ArrayViewMut::from_shape(shape(&layout)?, elements).map_err(|problem| refused(problem, &layout))
}

/// The array as a tensor with these axes, in the array's order: `"NCHW"`.
///
/// # Errors
/// An array with gaps or shared elements, another number of axes or an axis that stands twice.
pub fn tensor<'a, E, const RANK: usize>(
    array: ArrayView<'a, E, Dim<[usize; RANK]>>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError>
where
    E: Element<Unit = E>,
    Dim<[usize; RANK]>: Dimension,
{
    let layout = layout(&array, axes)?;
    match array.to_slice_memory_order() {
        Some(elements) => Ok(Tensor::with_layout(layout, elements)?),
        None if array.is_empty() => Ok(Tensor::with_layout(layout, &[][..])?),
        None => Err(gaps(&layout)),
    }
}

/// The array as a tensor that can be changed, with these axes in the array's order.
///
/// # Errors
/// As [`tensor`].
pub fn tensor_mut<'a, E, const RANK: usize>(
    array: ArrayViewMut<'a, E, Dim<[usize; RANK]>>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError>
where
    E: Element<Unit = E>,
    Dim<[usize; RANK]>: Dimension,
{
    let layout = layout(&array, axes)?;
    let is_empty = array.is_empty();
    match array.into_slice_memory_order() {
        Some(elements) => Ok(Tensor::with_layout(layout, elements)?),
        None if is_empty => Ok(Tensor::with_layout(layout, &mut [][..])?),
        None => Err(gaps(&layout)),
    }
}

/// Extents and strides as ndarray takes them: a negative stride wraps.
fn shape<const RANK: usize>(layout: &Layout) -> Result<StrideShape<Axes<RANK>>, AdapterError>
where
    [usize; RANK]: IntoDimension,
{
    let Some(strides) = layout.strides() else {
        return Err(AdapterError(Cause::Blocked { layout: layout.to_string() }));
    };
    let (mut extents, mut wrapped) = ([0; RANK], [0; RANK]);
    for axis in 0..RANK {
        extents[axis] = layout.extents()[axis];
        // ndarray takes any other stride of an empty array for one that leaves it.
        wrapped[axis] = if layout.count() == 0 { 0 } else { strides[axis] as usize };
    }
    Ok(extents.into_dimension().strides(wrapped.into_dimension()))
}

/// The layout of an array whose elements lie side by side.
fn layout<S, E, const RANK: usize>(
    array: &ArrayBase<S, Dim<[usize; RANK]>>,
    axes: &str,
) -> Result<Dynamic<E, RANK>, AdapterError>
where
    S: RawData<Elem = E>,
    E: Element,
    Dim<[usize; RANK]>: Dimension,
{
    let layout = Layout::from_strides(axes, array.shape(), array.strides(), E::TYPE)?;
    Ok(Dynamic::new(layout)?)
}

fn gaps(layout: &impl LayoutType) -> AdapterError {
    AdapterError(Cause::Gaps { layout: layout.layout().to_string() })
}

fn refused(problem: ShapeError, layout: &Layout) -> AdapterError {
    AdapterError(Cause::Ndarray { problem: problem.to_string(), layout: layout.to_string() })
}
