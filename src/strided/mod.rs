//! Copies between strided arrays: slices, a shape and strides, without layouts or tensors.
//!
//! An engine that holds pointers, shapes and strides copies with one call. Strides have any sign, a source may have
//! strides of 0, and the kernels are those of every relayout:
//!
//! ```
//! use tensor_layout::strided;
//!
//! // Transposes 2 rows of 3: the source has strides 3 and 1, the destination 1 and 2.
//! let rows = [1u16, 2, 3, 4, 5, 6];
//! let mut columns = [0; 6];
//! strided::copy(&[2, 3], (&rows, 0, &[3, 1]), (&mut columns, 0, &[1, 2]))?;
//! assert_eq!(columns, [1, 4, 2, 5, 3, 6]);
//!
//! // The same with the rows in the opposite order: the first element is `rows[3]`.
//! strided::copy(&[2, 3], (&rows, 3, &[-3, 1]), (&mut columns, 0, &[1, 2]))?;
//! assert_eq!(columns, [4, 1, 5, 2, 6, 3]);
//! # Ok::<(), strided::StridedError>(())
//! ```
//!
//! A [`StridedCopy`] is the plan of a copy, made once and run any number of times. It takes elements of any number of
//! bytes, of 1, 2 and 4 bits, and strides in bytes.
//!
//! - `strided_loops` makes loops of axes, and checks them; `error` has what can be wrong with them.
//! - `plan` has the plan, `parallel` runs it on several threads, and `unit_copies` copies small arrays without one.

mod error;
#[cfg(feature = "rayon")]
mod parallel;
mod plan;
mod strided_loops;
mod unit_copies;

pub use error::StridedError;
pub use layout_kernels::Side;
pub use plan::StridedCopy;

use layout_types::plain::Plain;
use strided_loops::{StridedLoops, StridedSide};

/// Copies `shape` elements from one array to another. A side is a slice, the position in it of the element whose indices
/// are all 0, and a stride for each axis, in elements.
///
/// Axes may have any order, and up to 32 of them several elements. A stride of 0 in the source repeats its elements. If the
/// same copy is made many times, [`StridedCopy`] saves the time of planning.
///
/// # Errors
/// - A list of strides has another length than the shape.
/// - An element lies before or after the slice.
/// - Elements of the destination overlap, or its strides interleave on so many axes that a search does not find out.
/// - More than 32 axes have several elements.
///
/// On an error, nothing is written.
///
/// ```
/// use tensor_layout::strided;
///
/// // Repeats a row of the source in each row of the destination.
/// let mut rows = [0u8; 6];
/// strided::copy(&[2, 3], (&[7, 8, 9], 0, &[0, 1]), (&mut rows, 0, &[3, 1]))?;
/// assert_eq!(rows, [7, 8, 9, 7, 8, 9]);
///
/// let error = strided::copy(&[2, 3], (&[7, 8], 0, &[0, 1]), (&mut rows, 0, &[3, 1])).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the source has 2 bytes, and its last element ends at byte 3; give a longer slice or a smaller shape",
/// );
/// # Ok::<(), strided::StridedError>(())
/// ```
pub fn copy<T: Plain>(
    shape: &[usize],
    source: (&[T], usize, &[isize]),
    destination: (&mut [T], usize, &[isize]),
) -> Result<(), StridedError> {
    let loops = plan::loops_of(
        shape,
        (size_of::<T>(), size_of::<T>()),
        (source.1, source.2),
        (destination.1, destination.2),
    )?;
    StridedCopy::of_one_run(loops).run(source.0, destination.0)
}
