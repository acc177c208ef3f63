//! Halves of bytes: 4-bit elements.

use core::mem::MaybeUninit;

use crate::steps::Halves;

/// The halves of pairs of rows. The compiler makes vectors of the loop.
///
/// # Safety
/// The bytes of all rows are readable from `from` on, and twice those of one row of each pair writable from `to` on.
#[inline(always)]
pub(crate) unsafe fn halves(of: &Halves, from: *const u8, to: *mut u8) {
    let Halves { pairs, bytes, row, pair } = *of;
    for i in 0..pairs {
        let first = from.wrapping_offset(pair.wrapping_mul(i as isize));
        let (low, high) = (to.wrapping_add(i * bytes), to.wrapping_add((pairs + i) * bytes));
        // SAFETY: a row.
        let first = unsafe { core::slice::from_raw_parts(first, bytes) };
        // SAFETY: the other row of the pair.
        let second = unsafe {
            core::slice::from_raw_parts(
                from.wrapping_offset(pair.wrapping_mul(i as isize).wrapping_add(row)),
                bytes,
            )
        };
        // SAFETY: the row's part of the low halves, which nothing else uses meanwhile.
        let low = unsafe { core::slice::from_raw_parts_mut(low.cast::<MaybeUninit<u8>>(), bytes) };
        // SAFETY: as above, of the high halves, which are behind all low ones.
        let high =
            unsafe { core::slice::from_raw_parts_mut(high.cast::<MaybeUninit<u8>>(), bytes) };
        let both = first.iter().zip(second).zip(low.iter_mut().zip(high));
        for ((a, b), (low, high)) in both {
            low.write(a & 0xf | b << 4);
            high.write(a >> 4 | b & 0xf0);
        }
    }
}
