//! Planes: rows of elements of less than a byte, rearranged so that each byte has elements of one column.

use core::array;
use core::mem::MaybeUninit;

use super::offsets::opaque;
use crate::steps::Planes;

/// Makes the planes of groups of rows.
///
/// # Safety
/// The bytes of all rows must be readable at `from`, and the same number of bytes writable at `to`.
#[inline(always)]
pub(crate) unsafe fn planes(of: &Planes, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise, in each arm.
    match of.of.per_byte() {
        // SAFETY: as above.
        8 => unsafe { of_rows::<8>(of, from, to) },
        // SAFETY: as above.
        4 => unsafe { of_rows::<4>(of, from, to) },
        // SAFETY: as above.
        _ => unsafe { of_rows::<2>(of, from, to) },
    }
}

/// [`planes`] with the instructions that every CPU of the target has.
///
/// # Safety
/// The same as [`planes`].
#[inline(never)]
pub(crate) unsafe fn baseline(of: &Planes, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { planes(of, from, to) }
}

/// Makes the planes of groups of `ROWS` rows, the number of elements in a byte.
///
/// # Safety
/// The same as [`planes`].
#[inline(always)]
unsafe fn of_rows<const ROWS: usize>(of: &Planes, from: *const u8, to: *mut u8) {
    let Planes { of, groups, bytes, row, group } = *of;
    for i in 0..groups {
        let first = from.wrapping_offset(group.wrapping_mul(i as isize));
        let rows: [&[u8]; ROWS] = array::from_fn(|k| {
            let own = first.wrapping_offset(row.wrapping_mul(k as isize));
            // SAFETY: it is a row.
            unsafe { core::slice::from_raw_parts(own, bytes) }
        });
        // Opaque, so that this stays a loop: its body is long, and vectorized.
        for column in 0..opaque!(ROWS) {
            let plane = to.wrapping_add((column * groups + i) * bytes).cast::<MaybeUninit<u8>>();
            // SAFETY: it is the group's part of a plane, which nothing else uses at the same time.
            let plane = unsafe { core::slice::from_raw_parts_mut(plane, bytes) };
            let (shift, mask) = (of.source_shift(column), of.mask());
            for (j, byte) in plane.iter_mut().enumerate() {
                let mut own = 0;
                for (k, row) in rows.iter().enumerate() {
                    let element = row.get(j).map_or(0, |byte| byte >> shift & mask);
                    own |= element << of.destination_shift(k);
                }
                byte.write(own);
            }
        }
    }
}
