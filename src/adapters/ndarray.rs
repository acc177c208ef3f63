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

use std::ops::Range;
use std::string::ToString;
use std::vec::Vec;

use ::ndarray::{
    Array, ArrayBase, ArrayView, ArrayViewD, ArrayViewMut, ArrayViewMutD, Dim, Dimension,
    IntoDimension, IxDyn, RawData, ShapeBuilder, ShapeError, StrideShape,
};
use layout_types::{Dynamic, Element, Layout, LayoutType, UnitOf};

use super::{AdapterError, axis_strides::strides, error::Cause};
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

/// [`view`] with the number of axes known at run time, for layouts of any number.
///
/// # Errors
/// As [`view`].
pub fn view_dyn<L, B>(tensor: &Tensor<L, B>) -> Result<ArrayViewD<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element>,
    B: AsRef<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let elements = &tensor.buffer()[layout.range()];
    ArrayView::from_shape(shape_dyn(&layout)?, elements)
        .map_err(|problem| refused(problem, &layout))
}

/// [`view_mut`] with the number of axes known at run time, for layouts of any number.
///
/// # Errors
/// As [`view_mut`].
pub fn view_mut_dyn<L, B>(
    tensor: &mut Tensor<L, B>,
) -> Result<ArrayViewMutD<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element>,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let elements = &mut tensor.buffer_mut()[layout.range()];
    ArrayViewMut::from_shape(shape_dyn(&layout)?, elements)
        .map_err(|problem| refused(problem, &layout))
}

/// The array that takes over the tensor's elements, gaps included, where they are.
///
/// # Errors
/// As [`view_mut`], and a view whose elements do not begin where its buffer does. The tensor is gone
/// then.
pub fn into_array<L, const RANK: usize>(
    tensor: Tensor<L, Vec<L::Element>>,
) -> Result<Array<L::Element, Axes<RANK>>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; RANK]>,
    L::Element: Element<Unit = L::Element>,
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

/// The memory of an array, gaps included, of which a tensor uses a part.
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

/// The tensor that takes over an array's elements where they are, with these axes in the array's order.
/// The array may have gaps, which nothing else can use.
///
/// # Errors
/// Another number of axes than the array's, or an axis that stands twice. The array is gone then.
///
/// ```
/// use ndarray::{Array2, s};
/// use tensor_layout::adapters::{self, AdapterError};
///
/// let matrix = Array2::from_shape_fn((3, 4), |(m, k)| (10 * m + k) as i32);
/// let columns = matrix.slice_move(s![.., 1..3]);
/// let tensor = adapters::ndarray::from_array(columns, "MK")?;
/// assert_eq!(tensor.layout().to_string(), "MK<3, 2>, i32, strides = [4, 1]");
/// assert_eq!(tensor[[2, 1]], 22);
/// # Ok::<(), AdapterError>(())
/// ```
pub fn from_array<E, const RANK: usize>(
    array: Array<E, Dim<[usize; RANK]>>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, ArrayBuffer<E>>, AdapterError>
where
    E: Element<Unit = E>,
    Dim<[usize; RANK]>: Dimension,
{
    let layout = layout(&array, axes)?;
    let (elements, first) = array.into_raw_vec_and_offset();
    // The first element of the array is not the first in memory where strides are negative.
    let used = match first {
        Some(first) if layout.units() > 0 => {
            let start = first - layout.offset_of([0; RANK]);
            start..start + layout.units()
        }
        _ => 0..0,
    };
    Ok(Tensor::with_layout(layout, ArrayBuffer { elements, used })?)
}

/// [`tensor`] of an array whose number of axes run time knows, up to 8.
///
/// # Errors
/// As [`tensor`], and an array of another number of axes than `RANK`.
pub fn tensor_dyn<'a, E, const RANK: usize>(
    array: ArrayViewD<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    borrowed(array, axes)
}

/// [`tensor_mut`] of an array whose number of axes run time knows, up to 8.
///
/// # Errors
/// As [`tensor_dyn`].
pub fn tensor_mut_dyn<'a, E, const RANK: usize>(
    array: ArrayViewMutD<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    borrowed_mut(array, axes)
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
    borrowed(array, axes)
}

fn borrowed<'a, E, D, const RANK: usize>(
    array: ArrayView<'a, E, D>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a [E]>, AdapterError>
where
    E: Element<Unit = E>,
    D: Dimension,
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
    borrowed_mut(array, axes)
}

fn borrowed_mut<'a, E, D, const RANK: usize>(
    array: ArrayViewMut<'a, E, D>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, &'a mut [E]>, AdapterError>
where
    E: Element<Unit = E>,
    D: Dimension,
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
    let (mut extents, mut wrapped) = ([0; RANK], [0; RANK]);
    extents.copy_from_slice(layout.extents());
    wrapped.copy_from_slice(&wrapped_strides(layout)?);
    Ok(extents.into_dimension().strides(wrapped.into_dimension()))
}

/// [`shape`] of any number of axes.
fn shape_dyn(layout: &Layout) -> Result<StrideShape<IxDyn>, AdapterError> {
    Ok(IxDyn(layout.extents()).strides(IxDyn(&wrapped_strides(layout)?)))
}

/// A stride for each axis.
fn wrapped_strides(layout: &Layout) -> Result<Vec<usize>, AdapterError> {
    let strides = strides(layout)?;
    // ndarray takes any other stride of an empty array for one that leaves it.
    let wrap = |stride: &isize| if layout.count() == 0 { 0 } else { *stride as usize };
    Ok(strides.iter().map(wrap).collect())
}

/// The layout of an array.
fn layout<S, E, D, const RANK: usize>(
    array: &ArrayBase<S, D>,
    axes: &str,
) -> Result<Dynamic<E, RANK>, AdapterError>
where
    S: RawData<Elem = E>,
    E: Element,
    D: Dimension,
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
