//! Units, what buffers are made of, as bytes: in const evaluation too, where bytemuck cannot.

use bytemuck::Pod;

/// A unit whose lowest bits are `bits`; 0 for a unit wider than those.
pub(crate) const fn unit_from_bits<U: Pod>(bits: u64) -> U {
    let bytes = bits.to_ne_bytes();
    let size = size_of::<U>();
    if size > bytes.len() {
        // SAFETY: `U` is `Pod`, of which zero is a value.
        return unsafe { core::mem::zeroed() };
    }
    let start = if cfg!(target_endian = "big") { bytes.len() - size } else { 0 };
    let low = bytes.split_at(start).1.as_ptr();
    // SAFETY: `size` bytes follow `low` in the array, since start + size is at most its length;
    // any bit pattern is a value of `U`, which is `Pod`; and the read asks for no alignment.
    unsafe { low.cast::<U>().read_unaligned() }
}

/// The units as bytes.
pub(crate) const fn as_bytes<U: Pod>(units: &[U]) -> &[u8] {
    // SAFETY: the pointer and the size are those of a slice; bytes need no alignment, and a `Pod`
    // type has no padding, so that all of them are initialised.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// The units as bytes.
pub(crate) const fn as_bytes_mut<U: Pod>(units: &mut [U]) -> &mut [u8] {
    let size = size_of_val(units);
    // SAFETY: the pointer and the size are those of a slice, borrowed for as long as the result;
    // bytes need no alignment, a `Pod` type has no padding, and any bytes are values of it.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size) }
}

/// Units of the same size and alignment as another type.
///
/// # Panics
/// If they are not: a plan is made only between equal element types.
pub(crate) const fn same_units<A: Pod, B: Pod>(units: &[A]) -> &[B] {
    assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>());
    // SAFETY: the pointer and the length are those of a slice; both units have the same size and
    // alignment; and any bytes are a value of `B`, which is `Pod`.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// [`same_units`], to be changed.
///
/// # Panics
/// As [`same_units`].
pub(crate) const fn same_units_mut<A: Pod, B: Pod>(units: &mut [A]) -> &mut [B] {
    assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>());
    // SAFETY: the pointer and the length are those of a slice, borrowed for as long as the
    // result; both units have the same size and alignment; and any bytes are a value of either
    // type, since both are `Pod`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), units.len()) }
}
