//! Copies of units one by one, and loops over offsets.

use layout_kernels::{Loop, SubByte};

use super::StridedLoops;
use super::error::MAX_AXES;

/// Calls `call` with the offsets of each iteration of the loops, the first loop fastest.
pub(super) fn each(loops: &[Loop], start: (isize, isize), mut call: impl FnMut((isize, isize))) {
    if loops.is_empty() {
        return call(start);
    }
    let mut counts = [0; MAX_AXES];
    let (mut from, mut to) = start;
    loop {
        call((from, to));
        let mut done = true;
        for (outer_loop, count) in loops.iter().zip(&mut counts) {
            *count += 1;
            if *count < outer_loop.size {
                (from, to) = (from + outer_loop.source, to + outer_loop.destination);
                done = false;
                break;
            }
            // Back to the first iteration of this loop.
            let steps = (*count - 1) as isize;
            (from, to) = (from - steps * outer_loop.source, to - steps * outer_loop.destination);
            *count = 0;
        }
        if done {
            return;
        }
    }
}

/// Copies all units, of any number of bytes.
///
/// # Safety
/// All units of the loops must be readable at their offsets from `source` and writable at those from `destination`. The
/// two must not overlap.
pub(super) unsafe fn copy_units(loops: &StridedLoops, source: *const u8, destination: *mut u8) {
    match loops.unit {
        // SAFETY: the caller's promise.
        1 => unsafe { copy_each::<1>(loops, source, destination) },
        // SAFETY: the caller's promise.
        2 => unsafe { copy_each::<2>(loops, source, destination) },
        // SAFETY: the caller's promise.
        4 => unsafe { copy_each::<4>(loops, source, destination) },
        // SAFETY: the caller's promise.
        8 => unsafe { copy_each::<8>(loops, source, destination) },
        unit => each(loops.loops(), (loops.source, loops.destination), |(from, to)| {
            // SAFETY: the unit is one of the source.
            let from = unsafe { source.offset(from) };
            // SAFETY: the unit is one of the destination.
            let to = unsafe { destination.offset(to) };
            // SAFETY: both have `unit` bytes, which do not overlap.
            unsafe { core::ptr::copy_nonoverlapping(from, to, unit) };
        }),
    }
}

/// [`copy_units`] of `UNIT` bytes.
///
/// # Safety
/// The same.
unsafe fn copy_each<const UNIT: usize>(
    loops: &StridedLoops,
    source: *const u8,
    destination: *mut u8,
) {
    // Most small copies have two loops at most, and these take no counters.
    let (inner, middle, outer) = match loops.loops() {
        [inner, middle, outer @ ..] => (*inner, *middle, outer),
        [inner] => (*inner, Loop::ONCE, &[][..]),
        [] => (Loop::ONCE, Loop::ONCE, &[][..]),
    };
    let run = |(mut from, mut to): (isize, isize)| {
        for _ in 0..inner.size {
            // SAFETY: the unit is one of the source.
            let unit = unsafe { source.offset(from) }.cast::<[u8; UNIT]>();
            // SAFETY: its bytes are readable, and bytes need no alignment.
            let unit = unsafe { unit.read() };
            // SAFETY: the unit is one of the destination.
            let place = unsafe { destination.offset(to) }.cast::<[u8; UNIT]>();
            // SAFETY: its bytes are writable, and bytes need no alignment.
            unsafe { place.write(unit) };
            (from, to) = (from.wrapping_add(inner.source), to.wrapping_add(inner.destination));
        }
    };
    each(outer, (loops.source, loops.destination), |(mut from, mut to)| {
        for _ in 0..middle.size {
            run((from, to));
            (from, to) = (from.wrapping_add(middle.source), to.wrapping_add(middle.destination));
        }
    });
}

/// Copies all elements of less than a byte.
///
/// # Safety
/// The bytes of all elements must be readable at their offsets from `source` and writable at those from `destination`.
/// The two must not overlap.
pub(super) unsafe fn copy_elements(
    loops: &StridedLoops,
    of: SubByte,
    source: *const u8,
    destination: *mut u8,
) {
    let (per_byte, bits) = (of.per_byte() as isize, 8 / of.per_byte() as isize);
    each(loops.loops(), (loops.source, loops.destination), |(from, to)| {
        // SAFETY: the element is one of the source.
        let byte = unsafe { source.offset(from / per_byte) };
        // SAFETY: its byte is readable.
        let byte = unsafe { byte.read() };
        let mask = u8::MAX >> (8 - bits);
        let element = byte >> (from % per_byte * bits) & mask;
        // SAFETY: the element is one of the destination.
        let place = unsafe { destination.offset(to / per_byte) };
        let shift = to % per_byte * bits;
        // SAFETY: its byte is readable and writable.
        let rest = unsafe { place.read() } & !(mask << shift);
        // SAFETY: its byte is writable.
        unsafe { place.write(rest | element << shift) };
    });
}
