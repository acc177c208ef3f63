//! Tensors as arrays of `ndarray`, and back, without a copy.
//!
//! ```
//! use ndarray::array;
//! use tensor_layout::adapters::{self, AdapterError};
//! use tensor_layout::{LayoutType, Tensor, layout};
//!
//! type Image = layout!(HWC<C = 3, H = 2, W = 4>, u8);
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

use std::ops::Range;
use std::string::ToString;
use std::vec::Vec;

use ::ndarray::{
    Array, ArrayBase, ArrayView, ArrayViewD, ArrayViewMut, ArrayViewMutD, Dim, Dimension,
    IntoDimension, IxDyn, RawData, ShapeBuilder, ShapeError, StrideShape,
};
use layout_types::{Dynamic, Element, Layout, LayoutType, UnitOf, WholeElement};

use super::axis_strides::{strided, strides};
use super::{AdapterError, error::Cause};
use crate::tensor::Tensor;

/// The dimensions of `RANK` axes; ndarray has up to 6.
type DimensionOf<const RANK: usize> = <[usize; RANK] as IntoDimension>::Dim;

/// Borrows the tensor as an array with its axes in coordinate order.
///
/// # Errors
/// The layout has blocks, so its axes have no single stride.
pub fn view<L, B, const RANK: usize>(
    tensor: &Tensor<L, B>,
) -> Result<ArrayView<'_, L::Element, DimensionOf<RANK>>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; RANK]>,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]>,
    [usize; RANK]: IntoDimension,
{
    let layout = tensor.layout();
    let elements = &tensor.buffer()[layout.range()];
    ArrayView::from_shape(shape(&layout)?, elements).map_err(|problem| refused(problem, &layout))
}

/// Borrows the tensor as a mutable array with its axes in coordinate order.
///
/// # Errors
/// - The layout has blocks, so its axes have no single stride.
/// - Several coordinates share an element, or interleave in a way that ndarray cannot distinguish from that.
pub fn view_mut<L, B, const RANK: usize>(
    tensor: &mut Tensor<L, B>,
) -> Result<ArrayViewMut<'_, L::Element, DimensionOf<RANK>>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; RANK]>,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
    [usize; RANK]: IntoDimension,
{
    let layout = tensor.layout();
    let elements = &mut tensor.buffer_mut()[layout.range()];
    ArrayViewMut::from_shape(shape(&layout)?, elements).map_err(|problem| refused(problem, &layout))
}

/// [`view`] with a rank known at run time, for layouts of any rank.
///
/// # Errors
/// The same as [`view`].
pub fn view_dyn<L, B>(tensor: &Tensor<L, B>) -> Result<ArrayViewD<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let elements = &tensor.buffer()[layout.range()];
    ArrayView::from_shape(shape_dyn(&layout)?, elements)
        .map_err(|problem| refused(problem, &layout))
}

/// [`view_mut`] with a rank known at run time, for layouts of any rank.
///
/// # Errors
/// The same as [`view_mut`].
pub fn view_mut_dyn<L, B>(
    tensor: &mut Tensor<L, B>,
) -> Result<ArrayViewMutD<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let elements = &mut tensor.buffer_mut()[layout.range()];
    ArrayViewMut::from_shape(shape_dyn(&layout)?, elements)
        .map_err(|problem| refused(problem, &layout))
}

/// Moves the tensor's buffer, including gaps, into an array without copying its elements.
///
/// # Errors
/// - In the cases of [`view_mut`].
/// - The elements of a view do not begin at the start of its buffer.
///
/// On an error, the tensor is dropped.
pub fn into_array<L, const RANK: usize>(
    tensor: Tensor<L, Vec<L::Element>>,
) -> Result<Array<L::Element, DimensionOf<RANK>>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; RANK]>,
    L::Element: WholeElement,
    [usize; RANK]: IntoDimension,
{
    let layout = tensor.layout();
    let start = layout.range().start;
    if start > 0 {
        let problem = std::format!(
            "cannot own layout `{layout}`, whose elements begin {start} elements after its buffer"
        );
        let remedy = "lend it with `view`, or relayout the tensor to one that begins at 0";
        return Err(AdapterError(Cause::Other { library: "ndarray", problem, remedy }));
    }
    let shape = shape(&layout)?;
    Array::from_shape_vec(shape, tensor.into_buffer()).map_err(|problem| refused(problem, &layout))
}

/// The memory of an array, including gaps. The tensor uses a part of it.
#[derive(Clone, Debug)]
pub struct ArrayBuffer<E> {
    elements: Vec<E>,
    used: Range<usize>,
}

impl<E> AsRef<[E]> for ArrayBuffer<E> {
    fn as_ref(&self) -> &[E] {
        &self.elements[self.used.clone()]
    }
}

impl<E> AsMut<[E]> for ArrayBuffer<E> {
    fn as_mut(&mut self) -> &mut [E] {
        &mut self.elements[self.used.clone()]
    }
}

/// Moves the array into a tensor without copying its elements. `axes` names the axes in the array's order. The array
/// may have gaps.
///
/// # Errors
/// The number of axes differs from the array's, or an axis is named twice. The array is dropped then.
///
/// ```
/// use ndarray::{Array2, s};
/// use tensor_layout::adapters::{self, AdapterError};
///
/// let matrix = Array2::from_shape_fn((3, 4), |(m, k)| (10 * m + k) as i32);
/// let columns = matrix.slice_move(s![.., 1..3]);
/// let tensor = adapters::ndarray::from_array(columns, "MK")?;
/// assert_eq!(tensor.layout().to_string(), "MK<3, 2>, i32, pitch(M = 16)");
/// assert_eq!(tensor[[2, 1]], 22);
/// # Ok::<(), AdapterError>(())
/// ```
pub fn from_array<E, const RANK: usize>(
    array: Array<E, Dim<[usize; RANK]>>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, ArrayBuffer<E>>, AdapterError>
where
    E: WholeElement,
    Dim<[usize; RANK]>: Dimension,
{
    let layout = layout(&array, axes)?;
    let (elements, first) = array.into_raw_vec_and_offset();
    // With negative strides, the first element of the array is not the first in memory.
    let used = match first {
        Some(first) if layout.units() > 0 => {
            let start = first - layout.offset_of([0; RANK]);
            start..start + layout.units()
        }
        _ => 0..0,
    };
    Ok(Tensor::with_layout(layout, ArrayBuffer { elements, used })?)
}

/// [`tensor`] of an array whose rank is known at run time, up to 12.
///
/// # Errors
/// - In the cases of [`tensor`].
/// - The rank of the array is not `RANK`.
pub fn tensor_dyn<'a, E: WholeElement, const RANK: usize>(
    array: ArrayViewD<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError> {
    borrowed(array, axes)
}

/// [`tensor_mut`] of an array whose rank is known at run time, up to 12.
///
/// # Errors
/// The same as [`tensor_dyn`].
pub fn tensor_mut_dyn<'a, E: WholeElement, const RANK: usize>(
    array: ArrayViewMutD<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError> {
    borrowed_mut(array, axes)
}

/// Borrows the array as a tensor. `axes` names the axes in the array's order: `"NCHW"`.
///
/// # Errors
/// - The array has gaps or shared elements.
/// - The number of axes differs from the array's, or an axis is named twice.
pub fn tensor<'a, E, const RANK: usize>(
    array: ArrayView<'a, E, Dim<[usize; RANK]>>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError>
where
    E: WholeElement,
    Dim<[usize; RANK]>: Dimension,
{
    borrowed(array, axes)
}

fn borrowed<'a, E: WholeElement, D: Dimension, const RANK: usize>(
    array: ArrayView<'a, E, D>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError> {
    let layout = layout(&array, axes)?;
    match array.to_slice_memory_order() {
        Some(elements) => Ok(Tensor::with_layout(layout, elements)?),
        None if array.is_empty() => Ok(Tensor::with_layout(layout, &[][..])?),
        None => Err(gaps(&layout)),
    }
}

/// Borrows the array as a mutable tensor. `axes` names the axes in the array's order.
///
/// # Errors
/// The same as [`tensor`].
pub fn tensor_mut<'a, E, const RANK: usize>(
    array: ArrayViewMut<'a, E, Dim<[usize; RANK]>>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError>
where
    E: WholeElement,
    Dim<[usize; RANK]>: Dimension,
{
    borrowed_mut(array, axes)
}

fn borrowed_mut<'a, E: WholeElement, D: Dimension, const RANK: usize>(
    array: ArrayViewMut<'a, E, D>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError> {
    let layout = layout(&array, axes)?;
    let is_empty = array.is_empty();
    match array.into_slice_memory_order() {
        Some(elements) => Ok(Tensor::with_layout(layout, elements)?),
        None if is_empty => Ok(Tensor::with_layout(layout, &mut [][..])?),
        None => Err(gaps(&layout)),
    }
}

/// Returns the extents and strides as ndarray takes them: a negative stride wraps.
fn shape<const RANK: usize>(layout: &Layout) -> Result<StrideShape<DimensionOf<RANK>>, AdapterError>
where
    [usize; RANK]: IntoDimension,
{
    let (mut extents, mut wrapped) = ([0; RANK], [0; RANK]);
    extents.copy_from_slice(layout.extents());
    wrapped.copy_from_slice(&wrapped_strides(layout)?);
    Ok(extents.into_dimension().strides(wrapped.into_dimension()))
}

/// [`shape`] for any rank.
fn shape_dyn(layout: &Layout) -> Result<StrideShape<IxDyn>, AdapterError> {
    Ok(IxDyn(layout.extents()).strides(IxDyn(&wrapped_strides(layout)?)))
}

/// Returns a stride for each axis.
fn wrapped_strides(layout: &Layout) -> Result<Vec<usize>, AdapterError> {
    let strides = strides(layout)?;
    // ndarray rejects any other stride of an empty array as out of bounds.
    let wrap = |stride: &isize| if layout.numel() == 0 { 0 } else { *stride as usize };
    Ok(strides.iter().map(wrap).collect())
}

/// Returns the layout of an array.
fn layout<S: RawData<Elem = E>, E: Element, D: Dimension, const RANK: usize>(
    array: &ArrayBase<S, D>,
    axes: &str,
) -> Result<Dynamic<E, RANK>, AdapterError> {
    let layout = strided(axes, array.shape(), array.strides(), E::TYPE)?;
    Ok(Dynamic::new(layout)?)
}

fn gaps(layout: &impl LayoutType) -> AdapterError {
    AdapterError(Cause::Gaps { layout: layout.layout().to_string() })
}

fn refused(problem: ShapeError, layout: &Layout) -> AdapterError {
    AdapterError(Cause::Ndarray { problem: problem.to_string(), layout: layout.to_string() })
}
