//! Tensors of two axes as matrices of faer, and back, without a copy: the first axis counts rows, the second columns.
//!
//! ```
//! use faer::Mat;
//! use tensor_layout::{Tensor, layout};
//! use tensor_layout_frameworks::{AdapterError, faer as adapter};
//!
//! type A = layout!(MK<2, 3>, f64); // rows side by side
//! type B = layout!(NK<K = 3, N = 2>, f64, align(N = 64)); // columns, each from a cache line on
//!
//! let a = Tensor::<A>::from_fn(|[m, k]| (3 * m + k) as f64);
//! let mut b = Tensor::<B>::zeroed();
//! // faer's matrices have gaps that are not initialized: copy them once, into a tensor that faer sees.
//! adapter::view_mut(&mut b)?.copy_from(Mat::<f64>::identity(3, 2));
//! assert_eq!(adapter::view(&a)? * adapter::view(&b)?, adapter::view(&a)?.subcols(0, 2));
//! # Ok::<(), AdapterError>(())
//! ```
#![allow(unsafe_code, reason = "faer takes any strides by a pointer alone")]

use std::slice;

use ::faer::{MatMut, MatRef};
use tensor_layout::adapters::strides;
use tensor_layout::{Dynamic, Element, Layout, LayoutType, Tensor, UnitOf};

use crate::{AdapterError, refused};

/// The tensor as a matrix.
///
/// # Errors
/// A layout with blocks or a swizzle, so without one stride for each axis.
pub fn view<L, B>(tensor: &Tensor<L, B>) -> Result<MatRef<'_, L::Element>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; 2]>,
    L::Element: Element<Unit = L::Element>,
    B: AsRef<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let ([rows, columns], [row, column], first) = shape(&layout)?;
    let elements = &tensor.buffer()[layout.range()];
    let first = elements.as_ptr().wrapping_add(first);
    // SAFETY: `layout.range()` holds the offset of every coordinate, and extents and strides are those of the layout,
    // so that every element of the matrix lies in `elements`, which is borrowed for as long as the matrix, is
    // initialized and is changed by nobody; without elements, the pointer is one into or past the slice, aligned.
    Ok(unsafe { MatRef::from_raw_parts(first, rows, columns, row, column) })
}

/// The tensor as a matrix that can be changed.
///
/// # Errors
/// As [`view`], and a layout whose coordinates share elements.
pub fn view_mut<L, B>(tensor: &mut Tensor<L, B>) -> Result<MatMut<'_, L::Element>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; 2]>,
    L::Element: Element<Unit = L::Element>,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let ([rows, columns], [row, column], first) = shape(&layout)?;
    if !layout.is_unique() {
        let problem = format!("does not take layout `{layout}`: coordinates share elements");
        return Err(refused("faer", problem, "relayout it to `MK`"));
    }
    let elements = &mut tensor.buffer_mut()[layout.range()];
    let first = elements.as_mut_ptr().wrapping_add(first);
    // SAFETY: as in `view`; the elements are borrowed mutably, and no two coordinates share one.
    Ok(unsafe { MatMut::from_raw_parts_mut(first, rows, columns, row, column) })
}

/// The matrix as a tensor with these axes, rows first: `"MK"`.
///
/// # Errors
/// Another number of axes than two; an axis that stands twice; gaps between the columns or rows, which faer leaves
/// uninitialized in matrices of its own unless their number of rows is a multiple of a cache line.
pub fn tensor<'a, E>(
    matrix: MatRef<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, 2>, &'a [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    let (layout, before) =
        dense::<E>(matrix.shape(), [matrix.row_stride(), matrix.col_stride()], axes)?;
    let lowest = matrix.as_ptr().wrapping_sub(before);
    // SAFETY: `dense` found that the layout's units are the elements of the matrix and nothing else, the lowest of
    // them `before` elements below the first; the matrix borrows them for `'a`.
    let elements = unsafe { slice::from_raw_parts(lowest, layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// [`tensor`], to be changed.
///
/// # Errors
/// As [`tensor`].
pub fn tensor_mut<'a, E>(
    matrix: MatMut<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, 2>, &'a mut [E]>, AdapterError>
where
    E: Element<Unit = E>,
{
    let (layout, before) =
        dense::<E>(matrix.shape(), [matrix.row_stride(), matrix.col_stride()], axes)?;
    let lowest = matrix.as_ptr_mut().wrapping_sub(before);
    // SAFETY: as in `tensor`; the matrix, which is gone, borrowed them mutably.
    let elements = unsafe { slice::from_raw_parts_mut(lowest, layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// Extents, strides, and where coordinate 0 is, from the lowest element on.
fn shape(layout: &Layout) -> Result<([usize; 2], [isize; 2], usize), AdapterError> {
    let strides = strides(layout)?;
    let extents = [layout.extents()[0], layout.extents()[1]];
    let first = match layout.count() {
        0 => 0,
        _ => layout.offset(&[0, 0]) - layout.range().start,
    };
    Ok((extents, [strides[0], strides[1]], first))
}

/// The layout of a matrix without gaps, and how many elements lie below its first.
fn dense<E: Element>(
    (rows, columns): (usize, usize),
    strides: [isize; 2],
    axes: &str,
) -> Result<(Dynamic<E, 2>, usize), AdapterError> {
    let layout = Layout::from_strides(axes, &[rows, columns], &strides, E::TYPE)?;
    let distinct = |extent, stride| if stride == 0 { usize::from(extent > 0) } else { extent };
    // No matrix has more elements than memory.
    let elements = distinct(rows, strides[0]) * distinct(columns, strides[1]);
    if layout.count() > 0 && layout.len() != elements {
        let problem = format!("matrix of layout `{layout}` has gaps, which may be uninitialized");
        return Err(refused(
            "faer",
            problem,
            "copy it with `view_mut(&mut tensor)?.copy_from(matrix)`",
        ));
    }
    let before = if layout.count() == 0 { 0 } else { layout.offset(&[0, 0]) };
    Ok((Dynamic::new(layout)?, before))
}
