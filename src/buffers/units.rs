//! Units of buffers as bytes, also in const evaluation, in which bytemuck does not work.

use bytemuck::Pod;

/// Returns a unit whose lowest bits are `bits`, or 0 if the unit is wider than `bits`.
pub(crate) const fn unit_from_bits<U: Pod>(bits: u64) -> U {
    let bytes = bits.to_ne_bytes();
    let size = size_of::<U>();
    if size > bytes.len() {
        // SAFETY: `U` is `Pod`, so zero is a valid value.
        return unsafe { core::mem::zeroed() };
    }
    let start = if cfg!(target_endian = "big") { bytes.len() - size } else { 0 };
    let low = bytes.split_at(start).1.as_ptr();
    // SAFETY: `size` bytes follow `low` in the array, since start + size is at most its length. `U` is `Pod`, so any
    // bit pattern is a valid value. The read needs no alignment.
    unsafe { low.cast::<U>().read_unaligned() }
}

/// Returns the units as bytes.
pub(crate) const fn as_bytes<U: Pod>(units: &[U]) -> &[u8] {
    // SAFETY: the pointer and the size are those of a slice. Bytes need no alignment. `U` is `Pod`, so it has no
    // padding and all bytes are initialized.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// Returns the units as mutable bytes.
pub(crate) const fn as_bytes_mut<U: Pod>(units: &mut [U]) -> &mut [u8] {
    let size = size_of_val(units);
    // SAFETY: the pointer and the size are those of a slice, which stays mutably borrowed as long as the result.
    // Bytes need no alignment. `U` is `Pod`, so it has no padding, and any bytes are valid values.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size) }
}

/// Returns the units as units of another type with the same size and alignment.
///
/// # Panics
/// If size or alignment differ. Plans exist only between equal element types, so this does not happen.
pub(crate) const fn same_units<A: Pod, B: Pod>(units: &[A]) -> &[B] {
    assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>());
    // SAFETY: the pointer and the length are those of a slice. Both units have the same size and alignment. `B` is
    // `Pod`, so any bytes are valid values.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// The mutable version of [`same_units`].
///
/// # Panics
/// The same as [`same_units`].
pub(crate) const fn same_units_mut<A: Pod, B: Pod>(units: &mut [A]) -> &mut [B] {
    assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>());
    // SAFETY: the pointer and the length are those of a slice, which stays mutably borrowed as long as the result.
    // Both units have the same size and alignment. Both types are `Pod`, so any bytes are valid values of either.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), units.len()) }
}
