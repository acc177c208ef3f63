//! Tensors of two axes as matrices of faer, and back, without a copy. The first axis counts rows, the second columns.
//!
//! ```
//! use faer::Mat;
//! use tensor_layout::{Tensor, layout};
//! use tensor_layout_frameworks::{AdapterError, faer as adapter};
//!
//! type A = layout!(MK<2, 3>, f64); // contiguous rows
//! type B = layout!(NK<K = 3, N = 2>, f64, align(N = 64)); // each column begins a cache line
//!
//! let a = Tensor::<A>::from_fn(|[m, k]| (3 * m + k) as f64);
//! let mut b = Tensor::<B>::zeroed();
//! // A matrix of faer's own has gaps that are not initialized. Copy it once, into a tensor that faer sees.
//! adapter::view_mut(&mut b)?.copy_from(Mat::<f64>::identity(3, 2));
//! assert_eq!(adapter::view(&a)? * adapter::view(&b)?, adapter::view(&a)?.subcols(0, 2));
//! # Ok::<(), AdapterError>(())
//! ```
#![allow(unsafe_code, reason = "faer takes any strides by a pointer alone")]

use std::slice;

use ::faer::{MatMut, MatRef};
use tensor_layout::adapters::strides;
use tensor_layout::{Dynamic, Element, Layout, LayoutType, Tensor, UnitOf, WholeElement};

use crate::{AdapterError, refused};

/// Borrows the tensor as a matrix.
///
/// # Errors
/// The layout has blocks or a swizzle, so an axis has no single stride.
pub fn view<L, B>(tensor: &Tensor<L, B>) -> Result<MatRef<'_, L::Element>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; 2]>,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let ([rows, columns], [row, column], first) = shape(&layout)?;
    let elements = &tensor.buffer()[layout.range()];
    let first = elements.as_ptr().wrapping_add(first);
    // SAFETY: `layout.range()` holds the offset of every coordinate, and the matrix has the extents and strides of the
    // layout. So every element of the matrix lies in `elements`, which is initialized and stays borrowed as long as the
    // matrix. Without elements, the pointer is aligned and points into the slice or past its end.
    Ok(unsafe { MatRef::from_raw_parts(first, rows, columns, row, column) })
}

/// Borrows the tensor as a mutable matrix.
///
/// # Errors
/// - The layout has blocks or a swizzle, so an axis has no single stride.
/// - Several coordinates share an element.
pub fn view_mut<L, B>(tensor: &mut Tensor<L, B>) -> Result<MatMut<'_, L::Element>, AdapterError>
where
    L: LayoutType<Coordinate = [usize; 2]>,
    L::Element: WholeElement,
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
    // SAFETY: the same proof as in `view`. The elements are borrowed mutably, and no two coordinates share one.
    Ok(unsafe { MatMut::from_raw_parts_mut(first, rows, columns, row, column) })
}

/// Borrows the matrix as a tensor. `axes` names the axes of rows and columns: `"MK"`.
///
/// # Errors
/// - The number of axes is not two, or an axis is named twice.
/// - The matrix has gaps between its columns or rows. faer does not initialize the gaps of its own matrices, which have
///   none only if each column fills whole cache lines.
pub fn tensor<'a, E>(
    matrix: MatRef<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, 2>, &'a [E]>, AdapterError>
where
    E: WholeElement,
{
    let (layout, before) =
        dense::<E>(matrix.shape(), [matrix.row_stride(), matrix.col_stride()], axes)?;
    let lowest = matrix.as_ptr().wrapping_sub(before);
    // SAFETY: `dense` found that the units of the layout are exactly the elements of the matrix. The lowest of them is
    // `before` elements below the first, and the matrix borrows them for `'a`.
    let elements = unsafe { slice::from_raw_parts(lowest, layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// The mutable version of [`tensor`].
///
/// # Errors
/// The same as [`tensor`].
pub fn tensor_mut<'a, E>(
    matrix: MatMut<'a, E>,
    axes: &str,
) -> Result<Tensor<Dynamic<E, 2>, &'a mut [E]>, AdapterError>
where
    E: WholeElement,
{
    let (layout, before) =
        dense::<E>(matrix.shape(), [matrix.row_stride(), matrix.col_stride()], axes)?;
    let lowest = matrix.as_ptr_mut().wrapping_sub(before);
    // SAFETY: the same proof as in `tensor`. The matrix borrowed the elements mutably, and this function consumes it.
    let elements = unsafe { slice::from_raw_parts_mut(lowest, layout.units()) };
    Ok(Tensor::with_layout(layout, elements)?)
}

/// Returns the extents, the strides, and the distance from the lowest element to that of coordinate 0.
fn shape(layout: &Layout) -> Result<([usize; 2], [isize; 2], usize), AdapterError> {
    let strides = strides(layout)?;
    let extents = [layout.extents()[0], layout.extents()[1]];
    let first = match layout.numel() {
        0 => 0,
        _ => layout.offset(&[0, 0]) - layout.range().start,
    };
    Ok((extents, [strides[0], strides[1]], first))
}

/// Returns the layout of a matrix without gaps, and the number of elements below its first one.
fn dense<E: Element>(
    (rows, columns): (usize, usize),
    strides: [isize; 2],
    axes: &str,
) -> Result<(Dynamic<E, 2>, usize), AdapterError> {
    let layout = Layout::from_strides(axes, &[rows, columns], &strides, E::TYPE)?;
    let distinct = |extent, stride| if stride == 0 { usize::from(extent > 0) } else { extent };
    // No matrix has more elements than memory.
    let elements = distinct(rows, strides[0]) * distinct(columns, strides[1]);
    if layout.numel() > 0 && layout.len() != elements {
        let problem = format!("matrix of layout `{layout}` has gaps, which may be uninitialized");
        return Err(refused(
            "faer",
            problem,
            "copy it with `view_mut(&mut tensor)?.copy_from(matrix)`",
        ));
    }
    let before = if layout.numel() == 0 { 0 } else { layout.offset(&[0, 0]) };
    Ok((Dynamic::new(layout)?, before))
}
