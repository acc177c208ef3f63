//! Tensors of two axes as matrices of `nalgebra`, and back, without a copy. The first axis counts rows, the second
//! columns.
//!
//! ```
//! use nalgebra::{Const, Matrix2x3, MatrixView};
//! use tensor_layout::adapters::{self, AdapterError};
//! use tensor_layout::{Tensor, layout};
//!
//! type Rows = layout!(MK<2, 3>, f32);
//!
//! let tensor: Tensor<Rows, _> = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into();
//! // The strides are types, as in the layout.
//! let fixed: MatrixView<f32, Const<2>, Const<3>, Const<3>, Const<1>> =
//!     adapters::nalgebra::static_view(&tensor);
//! assert_eq!(fixed, Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
//!
//! let matrix = Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
//! let same = adapters::nalgebra::tensor(&matrix, "MK")?;
//! assert_eq!(same[[1, 0]], 4.0);
//! # Ok::<(), AdapterError>(())
//! ```

use ::nalgebra::{
    Const, Dim, Dyn, IsContiguous, Matrix, MatrixView, MatrixViewMut, RawStorage, RawStorageMut,
    Scalar,
};
use layout_types::{Dynamic, Element, Layout, LayoutType, StaticLayout, UnitOf, WholeElement};

use super::axis_strides::{strided, strides};
use super::{AdapterError, error::Cause};
use crate::tensor::Tensor;

/// A matrix whose extents and strides are known at run time.
pub type View<'a, E> = MatrixView<'a, E, Dyn, Dyn, Dyn, Dyn>;

/// The mutable version of [`View`].
pub type ViewMut<'a, E> = MatrixViewMut<'a, E, Dyn, Dyn, Dyn, Dyn>;

/// A matrix whose extents and strides, in elements, are part of the type.
pub type StaticView<'a, E, const R: usize, const C: usize, const ROW: usize, const COLUMN: usize> =
    MatrixView<'a, E, Const<R>, Const<C>, Const<ROW>, Const<COLUMN>>;

/// Borrows the tensor as a matrix.
///
/// # Errors
/// - The layout has blocks or negative strides.
pub fn view<L, B>(tensor: &Tensor<L, B>) -> Result<View<'_, L::Element>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; 2]>,
    L::Element: WholeElement + Scalar,
    B: AsRef<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let ([rows, columns], [row, column]) = shape(&layout)?;
    let elements = &tensor.buffer()[layout.range()];
    Ok(View::from_slice_with_strides_generic(elements, rows, columns, row, column))
}

/// Borrows the tensor as a mutable matrix.
///
/// # Errors
/// - The layout has blocks or negative strides.
/// - Several coordinates share an element.
pub fn view_mut<L, B>(tensor: &mut Tensor<L, B>) -> Result<ViewMut<'_, L::Element>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; 2]>,
    L::Element: WholeElement + Scalar,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let ([rows, columns], [row, column]) = shape(&layout)?;
    if !layout.is_unique() {
        return Err(refused(&layout, "coordinates share elements", "relayout it to `MK`"));
    }
    let elements = &mut tensor.buffer_mut()[layout.range()];
    Ok(ViewMut::from_slice_with_strides_generic(elements, rows, columns, row, column))
}

/// Borrows the tensor as a matrix of `R` rows and `C` columns. `ROW` and `COLUMN` are the strides from one row, or
/// column, to the next, in elements. Numbers that differ from the layout's are a compile error, and so is a layout
/// without elements.
///
/// # Panics
/// If the buffer has become shorter since the tensor was made.
pub fn static_view<L, B, const R: usize, const C: usize, const ROW: usize, const COLUMN: usize>(
    tensor: &Tensor<L, B>,
) -> StaticView<'_, L::Element, R, C, ROW, COLUMN>
where
    L: StaticLayout<Coordinate = [usize; 2]>,
    L::Element: WholeElement + Scalar,
    B: AsRef<[UnitOf<L>]>,
{
    const { assert!(is_matrix(&L::LAYOUT, [R, C], [ROW, COLUMN]), "{}", OTHER_STRIDES) };
    let elements = &tensor.buffer()[const { L::LAYOUT.range() }];
    let (rows, columns) = (Const::<R>, Const::<C>);
    StaticView::from_slice_with_strides_generic(elements, rows, columns, Const, Const)
}

/// Borrows the matrix as a tensor. `axes` names the axes of rows and columns: `"MK"`.
///
/// nalgebra gives access to the memory of a matrix only if its type says that the matrix is contiguous: owned
/// matrices, and views of whole columns whose number of rows is part of the type. Copy other views with `clone_owned`
/// first.
///
/// # Errors
/// The number of axes is not two, or an axis is named twice.
pub fn tensor<'a, E, R, C, S>(
    matrix: &'a Matrix<E, R, C, S>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, 2>, &'a [E]>, AdapterError>
where
    E: WholeElement + Scalar,
    R: Dim,
    C: Dim,
    S: RawStorage<E, R, C> + IsContiguous,
{
    let layout = layout(axes, matrix.shape())?;
    Ok(Tensor::with_layout(layout, matrix.as_slice())?)
}

/// The mutable version of [`tensor`].
///
/// # Errors
/// The same as [`tensor`].
pub fn tensor_mut<'a, E, R, C, S>(
    matrix: &'a mut Matrix<E, R, C, S>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, 2>, &'a mut [E]>, AdapterError>
where
    E: WholeElement + Scalar,
    R: Dim,
    C: Dim,
    S: RawStorageMut<E, R, C> + IsContiguous,
{
    let layout = layout(axes, matrix.shape())?;
    Ok(Tensor::with_layout(layout, matrix.as_mut_slice())?)
}

const OTHER_STRIDES: &str = "extents or strides of the matrix are not those of the layout, or there are \
     no elements; write those of the layout, which `Layout::extents` and `Layout::strides` return, or use \
     `view`";

/// Whether the layout has these extents and strides, and at least one element.
const fn is_matrix(layout: &Layout, extents: [usize; 2], needed: [usize; 2]) -> bool {
    let Some(strides) = layout.strides() else { return false };
    let strides = strides.as_slice();
    layout_types::each!(axis, 0..2, {
        let extent = layout.extents()[axis];
        let same = strides[axis] >= 0 && strides[axis] as usize == needed[axis];
        if extent == 0 || extent != extents[axis] || !same {
            return false;
        }
    });
    true
}

/// Returns the extents and strides as nalgebra takes them.
fn shape(layout: &Layout) -> Result<([Dyn; 2], [Dyn; 2]), AdapterError> {
    let strides = strides(layout)?;
    let extents = [layout.extents()[0], layout.extents()[1]];
    let mut steps = [0; 2];
    for axis in 0..2 {
        steps[axis] = match usize::try_from(strides[axis]) {
            // nalgebra checks that the strides of an empty matrix fit its memory too.
            _ if layout.numel() == 0 => usize::from(axis == usize::from(extents[0] != 0)),
            _ if extents[axis] == 1 => 1,
            Ok(stride) => stride,
            Err(_) => return Err(refused(layout, "it has negative strides", FORWARD)),
        };
    }
    Ok((extents.map(Dyn), steps.map(Dyn)))
}

const FORWARD: &str = "relayout the tensor to a layout without them";

/// Returns the layout of contiguous columns.
fn layout<E: Element>(
    axes: &str,
    (rows, columns): (usize, usize),
) -> Result<Dynamic<E, 2>, AdapterError> {
    // A matrix has no more elements than memory, so no product of strides overflows.
    let steps = [1, rows.max(1) as isize];
    Ok(Dynamic::new(strided(axes, &[rows, columns], &steps, E::TYPE)?)?)
}

fn refused(layout: &Layout, problem: &str, remedy: &'static str) -> AdapterError {
    let problem = std::format!("does not take layout `{layout}`: {problem}");
    AdapterError(Cause::Other { library: "nalgebra", problem, remedy })
}
