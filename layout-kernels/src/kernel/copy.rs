//! Runs and single units.

use super::loops::Loop;
use super::offsets::opaque;
use super::tile::put;
use super::vector::Vector;

/// The most bytes that are faster copied vector by vector than by a call of memcpy.
pub(super) const FEW_VECTORS: usize = 2048;

/// Copies `bytes` bytes, in whole lines of the destination past the caches if `stream` says so.
///
/// # Safety
/// As many readable bytes at `from` and writable ones at `to`, which do not overlap; with `stream`
/// as for [`Vector::stream`].
#[inline(always)]
pub(super) unsafe fn copy<V: Vector>(from: *const u8, to: *mut u8, bytes: usize, stream: bool) {
    if stream {
        // SAFETY: the caller's promise.
        unsafe { aligned::<V, true>(from, to, bytes) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { plain::<V>(from, to, bytes) }
    }
}

/// Copies the whole lines of the destination, with `STREAM` past the caches, and plainly what is
/// before and behind them: a line stored in part past the caches goes to memory twice.
///
/// # Safety
/// As [`copy`].
#[inline(always)]
pub(super) unsafe fn aligned<V: Vector, const STREAM: bool>(
    from: *const u8,
    to: *mut u8,
    bytes: usize,
) {
    // So few hold one whole line at most.
    if bytes < 128 {
        // SAFETY: the caller's promise.
        return unsafe { plain::<V>(from, to, bytes) };
    }
    let before = to.align_offset(64);
    let behind = (bytes - before) % 64;
    let whole = bytes - before - behind;
    // SAFETY: less than a line, and so a part of the bytes.
    unsafe { plain::<V::Lane>(from, to, before) };
    // SAFETY: a part of the bytes, which begins and ends at lines.
    unsafe {
        vectors::<V, STREAM, true>(from.wrapping_add(before), to.wrapping_add(before), whole)
    };
    let last = before + whole;
    // SAFETY: less than a line, and so a part of the bytes.
    unsafe { plain::<V::Lane>(from.wrapping_add(last), to.wrapping_add(last), behind) };
}

/// Copies whole vectors, with `STREAM` past the caches. With `KNOWN` the compiler may make of it
/// what it likes: straight lines, or a call of memcpy.
///
/// # Safety
/// As [`copy`], and `bytes` is a multiple of a vector's; with `STREAM`, `to` is so too.
#[inline(always)]
pub(super) unsafe fn vectors<V: Vector, const STREAM: bool, const KNOWN: bool>(
    from: *const u8,
    to: *mut u8,
    bytes: usize,
) {
    debug_assert!(bytes % V::BYTES == 0, "{bytes} bytes");
    debug_assert!(!STREAM || to as usize % V::BYTES == 0, "{to:?}");
    let mut at = 0;
    while at < bytes {
        // SAFETY: a part of the bytes.
        let v = unsafe { V::load(from.wrapping_add(at)) };
        // SAFETY: as above.
        unsafe { put::<V, STREAM>(v, to.wrapping_add(at)) };
        at += V::BYTES;
        if !KNOWN {
            at = opaque!(at);
        }
    }
}

/// # Safety
/// As [`copy`].
#[inline(always)]
unsafe fn plain<V: Vector>(from: *const u8, to: *mut u8, bytes: usize) {
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
        _ if bytes < V::BYTES && bytes >= V::Half::BYTES => {
            let last_at = bytes - V::Half::BYTES;
            // SAFETY: bytes >= V::Half::BYTES, so the first so many and the last so many lie inside.
            let first = unsafe { V::Half::load(from) };
            // SAFETY: as above.
            let last = unsafe { V::Half::load(from.wrapping_add(last_at)) };
            // SAFETY: as above.
            unsafe { first.store(to) };
            // SAFETY: as above.
            unsafe { last.store(to.wrapping_add(last_at)) };
        }
        _ if bytes >= V::BYTES && bytes <= FEW_VECTORS => {
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
