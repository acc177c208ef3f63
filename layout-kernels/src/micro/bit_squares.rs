//! Squares of words whose bits move within their vectors, in as many blocks at once as a vector has lanes.

use core::array;

use super::bit_permute::Bitwise;
use super::vector::{Permute, shuffled};
use crate::steps::{BitSquares, Loop, SquarePart, WINDOW};

/// Moves squares of bits in each of several evenly spaced blocks.
///
/// # Safety
/// In every block, 16 bytes must be readable at the place of each vector from `from` on, and the bytes of each vector
/// writable at its place from `to` on. The sides must not overlap. The CPU must have the features of `V`.
#[inline(always)]
pub(crate) unsafe fn move_bit_squares<V: Bitwise<Half: Permute>>(
    own: &BitSquares,
    blocks: Loop,
    from: *const u8,
    to: *mut u8,
) {
    macro_rules! by_side {
        ($($side:literal: $count:literal $width:literal)*) => {
            match own.side {
                // SAFETY: the caller's promise, and the side of the squares.
                $($side => unsafe { of_side::<V, $count, $width>(own, blocks, from, to) },)*
                _ => debug_assert!(false, "{own:?}"),
            }
        };
    }
    by_side!(2: 4 8 4: 4 4 8: 8 2 16: 16 1);
}

/// Moves `COUNT` vectors of words of `WIDTH` bytes.
///
/// # Safety
/// The same as [`move_bit_squares`].
#[inline(always)]
unsafe fn of_side<V: Bitwise<Half: Permute>, const COUNT: usize, const WIDTH: usize>(
    own: &BitSquares,
    blocks: Loop,
    from: *const u8,
    to: *mut u8,
) {
    let Some(flips) = own.flip.first_chunk::<COUNT>() else { return };
    const { assert!(V::BYTES <= 2 * WINDOW, "two halves are all lanes") };
    // SAFETY: the array is as long as the longest vector.
    let zeros = unsafe { V::load([0; 64].as_ptr()) };
    // Copies, since stores could change what is borrowed.
    let (sources, places, bytes, mut first) = (own.from, own.to, own.bytes, 0);
    while first < blocks.size {
        // Lanes after the last block move it again.
        let steps: [isize; 4] = array::from_fn(|i| (first + i).min(blocks.size - 1) as isize);
        let starts = steps.map(|step| from.wrapping_offset(step * blocks.source));
        let ends = steps.map(|step| to.wrapping_offset(step * blocks.destination));
        let mut v = [zeros; COUNT];
        for (v, place) in v.iter_mut().zip(&sources) {
            // SAFETY: the vector is readable in every block, by the caller's promise.
            *v = unsafe { V::load_lanes(starts.map(|start| start.wrapping_add(*place))) };
        }
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let mut v = unsafe { rearranged(v, &own.before) };
        macro_rules! shuffles {
            ($($least:literal)*) => {$(if const { WINDOW / WIDTH > $least } {
                // SAFETY: as above.
                v = unsafe { shuffled::<V, COUNT, WIDTH>(v) };
            })*};
        }
        shuffles!(1 2 4 8);
        // SAFETY: as above.
        let v = unsafe { rearranged(v, &own.after) };
        macro_rules! store {
            ($($i:literal)*) => {$(if const { $i < COUNT } {
                // SAFETY: the array is as long as the longest vector.
                let flip = unsafe { V::load(flips[$i % COUNT].as_ptr()) };
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let own = unsafe { v[$i % COUNT].xor(flip) };
                // SAFETY: as above.
                let (low, high) = unsafe { own.halves() };
                // SAFETY: the bytes are writable in every block, by the caller's promise.
                unsafe { put(low, bytes, ends[0].wrapping_add(places[$i])) };
                if const { V::BYTES > WINDOW } {
                    // SAFETY: as above.
                    unsafe { put(high, bytes, ends[1].wrapping_add(places[$i])) };
                }
            })*};
        }
        store!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        first += V::BYTES / WINDOW;
    }
}

/// Moves bits within each vector.
///
/// # Safety
/// The CPU must have the features of `V`.
#[inline(always)]
unsafe fn rearranged<V: Bitwise, const COUNT: usize>(
    v: [V; COUNT],
    parts: &[SquarePart],
) -> [V; COUNT] {
    if parts.is_empty() {
        return v;
    }
    // SAFETY: the array is as long as the longest vector.
    let mut all = [unsafe { V::load([0; 64].as_ptr()) }; COUNT];
    for part in parts {
        let Some(vectors) = part.vectors.first_chunk::<COUNT>() else { continue };
        macro_rules! each {
            ($v:ident => $moved:expr) => {
                for i in 0..COUNT {
                    // SAFETY: the CPU has the features of `V`, by the caller's promise.
                    let table = unsafe { V::table(&vectors[i].0) };
                    // SAFETY: as above. Bytes without an index have no bits.
                    let $v = unsafe { v[i].permuted(table) };
                    // SAFETY: the array is as long as the longest vector.
                    let mask = unsafe { V::load(vectors[i].1.as_ptr()) };
                    // SAFETY: the CPU has the features of `V`, by the caller's promise.
                    let own = unsafe { $moved.and(mask) };
                    // SAFETY: as above.
                    all[i] = unsafe { all[i].xor(own) };
                }
            };
        }
        match part.shift {
            0 => each!(v => v),
            _ => each!(v => v.shifted(part.shift)),
        }
    }
    all
}

/// Stores the first bytes of a lane, at least eight.
///
/// # Safety
/// They must be writable. The CPU must have the features of `V`, a vector of 16 bytes.
#[inline(always)]
unsafe fn put<V: Permute>(v: V, bytes: usize, to: *mut u8) {
    match bytes {
        // SAFETY: the caller's promise, in each arm.
        WINDOW => unsafe { v.store(to) },
        // SAFETY: as above.
        _ => unsafe { v.store_most(to, bytes) },
    }
}
