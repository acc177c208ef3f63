//! Tensors of static layouts from buffers. The conversion cannot fail if a type states the length of the buffer.
//! Also tensors whose bytes are part of the program: what `include_tensor!` expands to.

use super::Tensor;
use crate::buffers::{Aligned, Alignment, PowerOfTwo, check_promised};
use core::marker::PhantomData;
use layout_types::plain::Plain;
use layout_types::spec::LayoutError;
use layout_types::{StaticLayout, UnitOf};

/// Makes it a compile error if a buffer of this length and alignment does not fit the layout.
macro_rules! promised {
    ($layout:ident, $units:expr, $align:expr, moves = $moves:literal) => {
        const {
            if let Err(error) = check_promised::<$layout>($units, $align, $moves) {
                error.panic()
            }
        }
    };
}

/// Makes a tensor of an array. These are compile errors:
///
/// - The length of the array differs from the layout's.
/// - The layout requires an alignment, which a plain array does not have; use [`tensor!`](crate::tensor!).
///
/// The array passes through the stack, so this is for small tensors; see the [guide](crate::guide::stack_and_heap).
///
/// ```
/// use tensor_layout::{Tensor, layout};
///
/// type Image = layout!(NHWC<N = 1, C = 2, H = 1, W = 2>, u8);
///
/// let image: Tensor<Image, _> = [1, 2, 3, 4].into();
/// assert_eq!(image[[0, 1, 0, 1]], 4);
/// let pixels = [1, 2, 3, 4];
/// assert_eq!(Tensor::<Image, _>::from(&pixels), image);
/// ```
impl<L: StaticLayout, const UNITS: usize> From<[UnitOf<L>; UNITS]>
    for Tensor<L, [UnitOf<L>; UNITS]>
{
    #[inline]
    fn from(buffer: [UnitOf<L>; UNITS]) -> Self {
        promised!(L, UNITS, align_of::<UnitOf<L>>(), moves = true);
        Self { layout: L::VALUE, buffer, space: PhantomData }
    }
}

/// Makes a tensor that borrows an array. These are compile errors:
///
/// - The length of the array differs from the layout's.
/// - The layout requires an alignment; use [`Tensor::new`], which checks the address.
impl<'a, L: StaticLayout, const UNITS: usize> From<&'a [UnitOf<L>; UNITS]>
    for Tensor<L, &'a [UnitOf<L>; UNITS]>
{
    #[inline]
    fn from(buffer: &'a [UnitOf<L>; UNITS]) -> Self {
        promised!(L, UNITS, align_of::<UnitOf<L>>(), moves = false);
        Self { layout: L::VALUE, buffer, space: PhantomData }
    }
}

/// Makes a tensor that mutably borrows an array. The compile errors are those of `&[_; _]`.
impl<'a, L: StaticLayout, const UNITS: usize> From<&'a mut [UnitOf<L>; UNITS]>
    for Tensor<L, &'a mut [UnitOf<L>; UNITS]>
{
    #[inline]
    fn from(buffer: &'a mut [UnitOf<L>; UNITS]) -> Self {
        promised!(L, UNITS, align_of::<UnitOf<L>>(), moves = false);
        Self { layout: L::VALUE, buffer, space: PhantomData }
    }
}

/// Makes a tensor of an aligned array. A length other than the layout's and a smaller alignment are compile errors.
impl<L, const ALIGN: usize, const UNITS: usize> From<Aligned<ALIGN, [UnitOf<L>; UNITS]>>
    for Tensor<L, Aligned<ALIGN, [UnitOf<L>; UNITS]>>
where
    L: StaticLayout,
    Alignment<ALIGN>: PowerOfTwo,
{
    #[inline]
    fn from(buffer: Aligned<ALIGN, [UnitOf<L>; UNITS]>) -> Self {
        promised!(L, UNITS, align_of::<Aligned<ALIGN, [UnitOf<L>; UNITS]>>(), moves = true);
        Self { layout: L::VALUE, buffer, space: PhantomData }
    }
}

/// Makes a tensor of an array on the heap. The compile errors are those of `&[_; _]`.
#[cfg(feature = "alloc")]
impl<L: StaticLayout, const UNITS: usize> From<alloc::boxed::Box<[UnitOf<L>; UNITS]>>
    for Tensor<L, alloc::boxed::Box<[UnitOf<L>]>>
{
    #[inline]
    fn from(buffer: alloc::boxed::Box<[UnitOf<L>; UNITS]>) -> Self {
        promised!(L, UNITS, align_of::<UnitOf<L>>(), moves = false);
        Self { layout: L::VALUE, buffer, space: PhantomData }
    }
}

/// [`Tensor::new`] for buffers whose length is known only at run time.
macro_rules! try_from {
    ($($(#[$attribute:meta])* $({$lifetime:lifetime})? $buffer:ty;)*) => {$(
        /// Calls [`Tensor::new`]. A length other than the layout's, or another alignment, is an error.
        $(#[$attribute])*
        impl<$($lifetime,)? L: StaticLayout> TryFrom<$buffer> for Tensor<L, $buffer> {
            type Error = LayoutError;

            fn try_from(buffer: $buffer) -> Result<Self, LayoutError> {
                Self::new(buffer)
            }
        }
    )*};
}

try_from! {
    {'a} &'a [UnitOf<L>];
    {'a} &'a mut [UnitOf<L>];
    #[cfg(feature = "alloc")]
    alloc::boxed::Box<[UnitOf<L>]>;
    #[cfg(feature = "alloc")]
    alloc::vec::Vec<UnitOf<L>>;
}

/// Bytes with the alignment of the unit `U`.
#[repr(C)]
pub struct Included<U, const BYTES: usize> {
    aligned: [U; 0],
    bytes: [u8; BYTES],
}

impl<U: Plain, const BYTES: usize> Included<U, BYTES> {
    /// Wraps these bytes.
    pub const fn new(bytes: [u8; BYTES]) -> Self {
        Self { aligned: [], bytes }
    }
}

/// Returns the tensor of layout `L` in these bytes, which are in the target's byte order. A number of bytes or units
/// other than the layout's is a compile error.
pub const fn included<L: StaticLayout, const BYTES: usize, const UNITS: usize>(
    included: &'static Included<UnitOf<L>, BYTES>,
) -> Tensor<L, &'static [UnitOf<L>; UNITS]> {
    const {
        assert!(L::LAYOUT.bytes() == BYTES && L::LAYOUT.units() == UNITS);
        assert!(UNITS * size_of::<UnitOf<L>>() == BYTES);
    }
    let bytes = included.bytes.as_ptr();
    // SAFETY: the check above found that the array has the size of the units. `Included` is `repr(C)`, aligned for
    // units, and its first field is an empty array of units, so the bytes begin aligned. Units are `Plain`, so any
    // bytes are valid units.
    let buffer = unsafe { &*bytes.cast::<[UnitOf<L>; UNITS]>() };
    Tensor { layout: L::VALUE, buffer, space: PhantomData }
}
