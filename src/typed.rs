//! Layouts as types: operations that make views, the parts of rows, divisibility as a bound, and the types that
//! [`layout!`](crate::layout) expands to.

pub use layout_types::typed::{
    Align, At, Axis, Block, Both, Broadcast, Coordinate, Extent, ExtentList, Flip, LaneArray,
    Lanes, Operation, Order, Overlap, Padded, Panels, Part, Parts, Pitch, Reduced, Rows, Runtime,
    RuntimePitch, Shift, Slice, Start, Stride, StridedBlock, Swizzle, SwizzleBytes, SwizzlePhases,
    Transpose, Viewed, Weighted, WholeBuffer, Window,
};

/// Adds the bounds that the layouts of a generic item need, so that a wrong extent is an error at its call, and
/// `cargo check` finds it.
///
/// For each [`layout!`](crate::layout) of a function, an `impl`, a struct, an enum or a trait, it looks for axes in
/// blocks whose extents are const parameters. Each gets a bound [`MultipleOf`], as if you had written it. Layouts with
/// option `pad` need none. Layouts of [`named_format!`](crate::named_format) and of type aliases are not seen.
///
/// ```
/// use tensor_layout::{Tensor, layout, typed::divisible};
///
/// #[divisible]
/// fn first_block<const C: usize>(tensor: &Tensor<layout!(NCHW4<1, C, 1, 1>, i8), &[i8]>) -> i8 {
///     tensor.buffer()[..4].iter().sum()
/// }
///
/// let elements: &[i8] = &[1; 8];
/// assert_eq!(first_block::<8>(&Tensor::new(elements).unwrap()), 4);
/// ```
///
/// With 6 channels in place of 8, the call is an error:
///
/// ```text
/// error[E0277]: axis 'C' has extent 6, which is not a multiple of its block 4
/// ```
///
/// A generic caller repeats the attribute, if its own layouts have the same blocks, or the bound.
#[cfg(feature = "typenum")]
pub use layout_macros::divisible;
#[cfg(feature = "typenum")]
pub use layout_types::typed::{MultipleOf, NoRemainder};
