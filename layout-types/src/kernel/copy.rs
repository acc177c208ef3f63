//! Runs and single units.

use super::loops::Loop;
use super::vector::Vector;

/// Copies `bytes` bytes.
///
/// # Safety
/// As many readable bytes at `from` and writable ones at `to`, which do not overlap.
#[inline(always)]
pub(super) unsafe fn copy<V: Vector>(from: *const u8, to: *mut u8, bytes: usize, stream: bool) {
    macro_rules! ends {
        ($unit:ty) => {{
            // SAFETY: bytes >= the size of the unit, so the first and the last lie inside; the
            // reads and writes ask for no alignment.
            let first = unsafe { from.cast::<$unit>().read_unaligned() };
            let last_at = bytes - size_of::<$unit>();
            // SAFETY: as above.
            let last = unsafe { from.wrapping_add(last_at).cast::<$unit>().read_unaligned() };
            // SAFETY: as above.
            unsafe { to.cast::<$unit>().write_unaligned(first) };
            // SAFETY: as above.
            unsafe { to.wrapping_add(last_at).cast::<$unit>().write_unaligned(last) };
        }};
    }
    match bytes {
        0 => {}
        1 => ends!(u8),
        2..4 => ends!(u16),
        4..8 => ends!(u32),
        8..16 => ends!(u64),
        16..=32 => ends!(u128),
        // Whole lines only: a line written in part goes to memory twice.
        _ if stream && (to as usize | bytes) % 64 == 0 => {
            let mut at = 0;
            while at < bytes {
                // SAFETY: at + V::BYTES <= bytes, a multiple of 64.
                let v = unsafe { V::load(from.wrapping_add(at)) };
                // SAFETY: as above, and `to` is a multiple of 64.
                unsafe { v.stream(to.wrapping_add(at)) };
                at += V::BYTES;
            }
        }
        // A call of memcpy costs more than so few vectors.
        _ if bytes >= V::BYTES && bytes <= 2048 => {
            let mut at = 0;
            while at < bytes {
                let from_end = bytes - V::BYTES;
                let start = if at < from_end { at } else { from_end };
                // SAFETY: start + V::BYTES <= bytes.
                let v = unsafe { V::load(from.wrapping_add(start)) };
                // SAFETY: as above.
                unsafe { v.store(to.wrapping_add(start)) };
                at += V::BYTES;
            }
        }
        // SAFETY: the caller's promise.
        _ => unsafe { core::ptr::copy_nonoverlapping(from, to, bytes) },
    }
}

/// Copies units one by one.
///
/// # Safety
/// The unit of every step is readable at `from` and writable at `to`, and the two do not overlap.
#[inline(always)]
pub(super) unsafe fn strided<const UNIT: usize>(steps: Loop, from: *const u8, to: *mut u8) {
    for i in 0..steps.size as isize {
        let from = from.wrapping_offset(i * steps.source).cast::<[u8; UNIT]>();
        let to = to.wrapping_offset(i * steps.destination).cast::<[u8; UNIT]>();
        // SAFETY: a unit of the loop, by the caller's promise.
        let unit = unsafe { *from };
        // SAFETY: as above.
        unsafe { *to = unit };
    }
}
