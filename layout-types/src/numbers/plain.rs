//! Types of which every bit pattern is a value, and slices of them as slices of others, in const evaluation too.
//!
//! ```
//! use tensor_layout::plain;
//!
//! let words = [1u32, 2];
//! assert_eq!(plain::as_bytes(&words).len(), 8);
//! assert_eq!(plain::try_cast::<u32, u16>(&words).map(<[u16]>::len), Some(4));
//! assert_eq!(plain::try_cast::<u8, u16>(&[0; 3]), None); // not whole values
//! ```
//!
//! `bytemuck` has the same for run time. Its impls for 16-bit floats bring a derive macro with a parser of its own, so it
//! is a feature, for a program's own types.

#![expect(unsafe_code, reason = "only the author of a type can say which bit patterns are values")]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use layout_core::spec::{LayoutError, Rule};

/// A type without padding, of which every bit pattern is a value: Rust's integers and floats, 16-bit floats, and this
/// library's element types of whole bytes. With feature `bytemuck`, every type that is `bytemuck::Pod`. This trait is
/// sealed.
///
/// # Safety
/// The type has no padding and no interior mutability, holds no pointers, and every bit pattern is a value of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may have bit patterns that are not values of it",
    label = "not a plain type",
    note = "numbers are plain types; for a type of your own, derive `bytemuck::Pod` and enable feature `bytemuck` of tensor-layout"
)]
pub unsafe trait Plain: Copy + sealed::Plain + 'static {}

pub(super) mod sealed {
    pub trait Plain {}
}

#[cfg(feature = "bytemuck")]
impl<T: bytemuck::Pod> sealed::Plain for T {}

#[cfg(feature = "bytemuck")]
// SAFETY: the author of `T` promises the same.
unsafe impl<T: bytemuck::Pod> Plain for T {}

/// Makes numbers and short arrays of bytes plain types, unless feature `bytemuck` does so.
macro_rules! numbers {
    ($($(#[$when:meta])? $type:ty)*) => {$(
        #[cfg(not(feature = "bytemuck"))]
        $(#[$when])?
        impl sealed::Plain for $type {}

        #[cfg(not(feature = "bytemuck"))]
        $(#[$when])?
        // SAFETY: a number has no padding, and every bit pattern is one.
        unsafe impl Plain for $type {}
    )*};
}

numbers! {
    [u8; 1] [u8; 2] [u8; 4] [u8; 8] [u8; 16]
    i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64
    #[cfg(feature = "half")] half::f16
    #[cfg(feature = "half")] half::bf16
}

/// Makes a transparent wrapper of a plain number a plain type.
macro_rules! wrapper {
    ($({$($generics:tt)*})? $name:ty) => {
        #[cfg(not(feature = "bytemuck"))]
        impl $(<$($generics)*>)? $crate::numbers::plain::sealed::Plain for $name {}

        #[cfg(not(feature = "bytemuck"))]
        #[expect(unsafe_code, reason = "only its author can say which bit patterns are values")]
        // SAFETY: a transparent wrapper of an integer; every bit pattern is a value.
        unsafe impl $(<$($generics)*>)? $crate::numbers::plain::Plain for $name {}

        #[cfg(feature = "bytemuck")]
        #[expect(unsafe_code, reason = "only its author can say which bit patterns are values")]
        // SAFETY: a transparent wrapper of an integer, for which zero is a value.
        unsafe impl $(<$($generics)*>)? bytemuck::Zeroable for $name {}

        #[cfg(feature = "bytemuck")]
        #[expect(unsafe_code, reason = "only its author can say which bit patterns are values")]
        // SAFETY: a transparent wrapper of an integer; every bit pattern is a value.
        unsafe impl $(<$($generics)*>)? bytemuck::Pod for $name {}
    };
}

pub(super) use wrapper;

/// Returns the value whose bytes are all 0.
#[inline(always)]
pub const fn zero<T: Plain>() -> T {
    // SAFETY: every bit pattern is a value of `T`.
    unsafe { core::mem::zeroed() }
}

/// Returns a list of zeros. Its length comes from a layout, whose padding and alignments no file bounds.
///
/// # Errors
/// Memory cannot be allocated.
#[cfg(feature = "alloc")]
pub fn zeros<T: Plain>(count: usize) -> Result<Vec<T>, LayoutError> {
    let mut zeros = Vec::new();
    let reserved = zeros.try_reserve_exact(count);
    let (bytes, align) = (count.saturating_mul(size_of::<T>()), align_of::<T>());
    reserved.map_err(|_| LayoutError(Rule::Allocation { bytes, align }))?;
    zeros.resize(count, zero());
    Ok(zeros)
}

/// Returns the value whose lowest bits are `bits`, or 0 if it is wider than `bits`.
pub const fn from_bits<T: Plain>(bits: u64) -> T {
    let bytes = bits.to_ne_bytes();
    let size = size_of::<T>();
    if size > bytes.len() {
        return zero();
    }
    let start = if cfg!(target_endian = "big") { bytes.len() - size } else { 0 };
    let low = bytes.split_at(start).1.as_ptr();
    // SAFETY: `size` bytes follow `low` in the array, since start + size is at most its length. Every bit pattern is a
    // value of `T`. The read needs no alignment.
    unsafe { low.cast::<T>().read_unaligned() }
}

/// Returns values as bytes.
#[inline(always)]
pub const fn as_bytes<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: the pointer and the size are those of a slice. Bytes need no alignment. `T` has no padding, so all bytes
    // are initialized.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The mutable version of [`as_bytes`].
#[inline(always)]
pub const fn as_bytes_mut<T: Plain>(values: &mut [T]) -> &mut [u8] {
    let size = size_of_val(values);
    // SAFETY: the pointer and the size are those of a slice, which stays mutably borrowed as long as the result.
    // Bytes need no alignment. `T` has no padding, and any bytes are values of it.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size) }
}

/// Returns values as values of a type of the same size and alignment.
///
/// # Panics
/// If size or alignment differ. Plans exist only between equal element types, so this does not happen.
#[inline(always)]
pub const fn same<A: Plain, B: Plain>(values: &[A]) -> &[B] {
    assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>());
    // SAFETY: the pointer and the length are those of a slice. Both types have the same size and alignment. Any bytes
    // are values of `B`.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// The mutable version of [`same`].
///
/// # Panics
/// The same as [`same`].
#[inline(always)]
pub const fn same_mut<A: Plain, B: Plain>(values: &mut [A]) -> &mut [B] {
    assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>());
    // SAFETY: the pointer and the length are those of a slice, which stays mutably borrowed as long as the result.
    // Both types have the same size and alignment. Any bytes are values of either.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()) }
}

/// Returns the bytes of values as values of another type. `None` if they are not whole ones, or do not begin at a
/// multiple of its alignment.
#[inline(always)]
pub fn try_cast<A: Plain, B: Plain>(values: &[A]) -> Option<&[B]> {
    let count = count_of::<A, B>(values)?;
    // SAFETY: the pointer and the size, `count` values of `B`, are those of a slice, which begins at a multiple of the
    // alignment of `B`. `A` has no padding, and any bytes are values of `B`.
    Some(unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), count) })
}

/// The mutable version of [`try_cast`].
#[inline(always)]
pub fn try_cast_mut<A: Plain, B: Plain>(values: &mut [A]) -> Option<&mut [B]> {
    let count = count_of::<A, B>(values)?;
    // SAFETY: as in `try_cast`; the slice stays mutably borrowed as long as the result, and any bytes are values of
    // either type.
    Some(unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), count) })
}

/// Returns the number of values of `B` that the bytes of values of `A` are, if they are whole ones at a multiple of
/// their alignment.
#[inline(always)]
fn count_of<A, B>(values: &[A]) -> Option<usize> {
    let (bytes, size, align) = (size_of_val(values), size_of::<B>(), align_of::<B>());
    let is_aligned = align <= align_of::<A>() || values.as_ptr().addr() % align == 0;
    (size > 0 && bytes % size == 0 && is_aligned).then(|| bytes / size)
}

/// [`try_cast`] for types of which it is known that it succeeds.
///
/// # Panics
/// If it does not.
#[inline(always)]
#[track_caller]
pub fn cast<A: Plain, B: Plain>(values: &[A]) -> &[B] {
    try_cast(values).expect("whole values of the other type at a multiple of its alignment")
}

/// The mutable version of [`cast`].
///
/// # Panics
/// The same as [`cast`].
#[inline(always)]
#[track_caller]
pub fn cast_mut<A: Plain, B: Plain>(values: &mut [A]) -> &mut [B] {
    try_cast_mut(values).expect("whole values of the other type at a multiple of its alignment")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Casts beside the bytes of each value, at every offset.
    #[test]
    fn casts_are_of_whole_aligned_values() {
        let words: [u32; 3] = [0x0403_0201, 0x0807_0605, 0x0c0b_0a09].map(u32::to_le);
        let bytes = as_bytes(&words);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        for first in 0..=12 {
            for end in first..=12 {
                let part = &bytes[first..end];
                let is_whole = first % 4 == 0 && end % 4 == 0;
                let expected = is_whole.then(|| &words[first / 4..end / 4]);
                let is_empty = first == end && first % 4 != 0;
                assert!(is_empty || try_cast::<u8, u32>(part) == expected, "{first}..{end}");
            }
        }
        assert_eq!(try_cast::<u32, u64>(&words), None);
        assert_eq!(cast::<u32, u16>(&words).len(), 6);
    }

    #[test]
    fn values_have_the_lowest_bits() {
        assert_eq!(from_bits::<u8>(0x1234), 0x34);
        assert_eq!(from_bits::<u64>(u64::MAX), u64::MAX);
        assert_eq!(from_bits::<f32>(0x3f80_0000), 1.0);
        assert_eq!(from_bits::<u128>(1), 0);
    }
}
