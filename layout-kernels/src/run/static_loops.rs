//! Static moves as plain loops with constant bounds and strides, which the compiler vectorizes. A build for one
//! instruction set with vectors runs them where its plan would copy short units one by one.

use core::marker::PhantomData;

use super::static_moves::{Own, Simplified, StaticMove};
use crate::isa::Compiled;
use crate::plan::{BytePlan, Nest, Padding, Stores};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::sets::store_padded;
use crate::steps::{Copies, Loop, Step};

/// The largest number of loops.
const MOST_LOOPS: usize = 4;

/// The maximal number of bytes of a unit.
const MOST_UNIT: usize = 16;

/// The maximal number of bytes moved: what the second-level cache holds. Kernels copy more in blocks.
const MOST_BYTES: usize = 256 << 10;

/// The maximal number of iterations of a loop that comes inside all others.
const SHORT: usize = 4;

/// A static move as loops, the first one fastest.
pub(super) struct PlainMove<M>(PhantomData<M>);

impl<M: StaticMove> PlainMove<M> {
    /// Whether the move is run by plain loops. A build with debug assertions rarely optimizes them.
    #[cfg_attr(
        all(target_arch = "x86_64", feature = "std"),
        allow(dead_code, reason = "for tests alone")
    )]
    pub(super) const IS_CHOSEN: bool = Self::FITS && cfg!(vectors) && !cfg!(debug_assertions);

    /// Whether the plan would copy units one by one, and there are loops enough.
    pub(super) const FITS: bool = match Own::<M, Compiled>::BYTES {
        Some(BytePlan { step: Step::Copies(Copies { runs, .. }), bytes, .. }) => {
            !matches!(M::STORES, Stores::NonTemporal)
                && runs.bytes <= MOST_UNIT
                && *bytes <= MOST_BYTES
                && Simplified::<M>::NEST.count <= MOST_LOOPS
        }
        _ => false,
    };

    const NEST: Nest = ordered(Simplified::<M>::NEST);

    /// The padding after groups, the bytes of a group before it, and the number of loops that make up a group.
    pub(super) const PADDING: Option<(Padding, usize, usize)> = match Self::NEST.padding {
        None => None,
        Some((padding, moved)) => {
            let (mut bytes, mut loops) = (Self::NEST.unit, 0);
            while bytes < moved {
                bytes *= Self::NEST.loops[loops].size;
                loops += 1;
            }
            Some((padding, moved, loops))
        }
    };

    /// The fill, if the first loop pads pixels of three bytes to four.
    const PIXELS: Option<u8> = match (Self::PADDING, Self::NEST.unit, Self::NEST.loops[0]) {
        (Some((Padding { group: 4, fill }, _, 0)), 3, Loop { source: 3, destination: 4, .. })
            if cfg!(target_endian = "little") =>
        {
            Some(fill[3])
        }
        _ => None,
    };

    /// Whether the loops fill padding.
    #[cfg_attr(
        all(target_arch = "x86_64", feature = "std"),
        allow(dead_code, reason = "for tests alone")
    )]
    pub(super) const PADS: bool = Self::IS_CHOSEN && Self::PADDING.is_some();

    /// Runs the move. Returns false, without moving anything, if a side is too short.
    #[inline]
    pub(super) fn run(source: &[u8], destination: &mut [u8]) -> bool {
        let (from, to) = const { (Self::NEST.source, Self::NEST.destination) };
        if source.len() < const { Self::NEST.source_range.1 as usize }
            || destination.len() < const { Self::NEST.destination_range.1 as usize }
        {
            return false;
        }
        let from = source.as_ptr().wrapping_offset(from);
        let to = destination.as_mut_ptr().wrapping_offset(to);
        // SAFETY: both sides hold the ranges of the nest, whose first unit begins here, and a mutably borrowed slice
        // overlaps no other.
        unsafe { PlainLoops::<M, MOST_LOOPS>::run(from, to) };
        true
    }
}

/// Puts the shortest loop first, as one writes loops over the channels of a pixel. Those that make up groups with
/// padding are the first ones already.
const fn ordered(mut nest: Nest) -> Nest {
    let mut i = 1;
    while nest.padding.is_none() && i < nest.count {
        if nest.loops[i].size <= SHORT && nest.loops[i].size < nest.loops[0].size {
            (nest.loops[0], nest.loops[i]) = (nest.loops[i], nest.loops[0]);
        }
        i += 1;
    }
    nest
}

/// The first `COUNT` loops. Those that a move does not have are of one iteration.
struct PlainLoops<M, const COUNT: usize>(PhantomData<M>);

impl<M: StaticMove> PlainLoops<M, 0> {
    /// Copies a unit.
    ///
    /// # Safety
    /// The unit must be readable at `from` and writable at `to`, and so must its padding if groups are units. The sides
    /// must not overlap.
    #[inline(always)]
    unsafe fn run(from: *const u8, to: *mut u8) {
        match const { (PlainMove::<M>::NEST.unit, PlainMove::<M>::PADDING) } {
            // SAFETY: the caller's promise; units are shorter than groups.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (unit, Some((Padding { group, fill }, _, 0))) if unit % 4 == 0 && group % 16 == 0 => unsafe {
                pad_words(unit, (group, fill), from, to)
            },
            _ => {
                // SAFETY: the caller's promise.
                unsafe { copy::<M>(from, to) };
                // SAFETY: as above.
                unsafe { fill::<M, 0>(to) };
            }
        }
    }
}

/// Copies a unit of whole words and fills the padding after it, vector by vector. The compiler joins single words to
/// vectors in some programs alone.
///
/// # Safety
/// The unit must be readable at `from` and the group writable at `to`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
unsafe fn pad_words(unit: usize, (group, fill): (usize, [u8; 8]), from: *const u8, to: *mut u8) {
    let [a, b, c, d, e, f, g, h] = fill;
    let fill = [[a, b, c, d], [e, f, g, h]].map(f32::from_ne_bytes);
    for at in (0..group).step_by(16) {
        let (from, words) = (from.wrapping_add(at), unit.saturating_sub(at) / 4);
        // SAFETY: these words are the unit's, and a group is a number of vectors, by the caller's promise.
        unsafe { store_padded(from, words, fill, to.wrapping_add(at)) };
    }
}

/// Pads four pixels of three bytes: three words become four.
///
/// # Safety
/// 12 bytes must be readable at `from`, and 16 writable at `to`.
#[inline(always)]
unsafe fn pad_pixels(fill: u8, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise; the read needs no alignment.
    let [first, second, third] = unsafe { from.cast::<[u32; 3]>().read_unaligned() };
    let pixels = [first, first >> 24 | second << 8, second >> 16 | third << 16, third >> 8];
    let pixels = pixels.map(|pixel| pixel & 0x00ff_ffff | u32::from(fill) << 24);
    // SAFETY: the caller's promise.
    unsafe { to.cast::<[u32; 4]>().write_unaligned(pixels) };
}

/// Copies a unit: a float, where it has the size of one, since the compiler vectorizes few loops over integers. A copy
/// of a float has the same bits.
///
/// # Safety
/// The unit must be readable at `from` and writable at `to`. The sides must not overlap.
#[inline(always)]
unsafe fn copy<M: StaticMove>(from: *const u8, to: *mut u8) {
    match const { PlainMove::<M>::NEST.unit } {
        // SAFETY: the caller's promise.
        4 => unsafe { copy_one::<f32>(from, to) },
        // SAFETY: as above.
        8 => unsafe { copy_one::<f64>(from, to) },
        // SAFETY: as above; bytes need no alignment.
        unit => unsafe { from.copy_to_nonoverlapping(to, unit) },
    }
}

/// Copies a number.
///
/// # Safety
/// It must be readable at `from` and writable at `to`.
#[inline(always)]
unsafe fn copy_one<T>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise; the read needs no alignment.
    let value = unsafe { from.cast::<T>().read_unaligned() };
    // SAFETY: as above.
    unsafe { to.cast::<T>().write_unaligned(value) };
}

macro_rules! loops {
    ($($count:literal around $inner:literal;)*) => {$(
        impl<M: StaticMove> PlainLoops<M, $count> {
            /// Runs the loops.
            ///
            /// # Safety
            /// Every unit must be readable and writable, as far from `from` and `to` as the loops say, and so must
            /// padding. The sides must not overlap.
            #[inline(always)]
            unsafe fn run(from: *const u8, to: *mut u8) {
                let Loop { size, source, destination } = const { PlainMove::<M>::NEST.loops[$inner] };
                let first = match const { ($inner, PlainMove::<M>::PIXELS) } {
                    (0, Some(fill)) => {
                        for i in 0..size / 4 {
                            let (from, to) = (from.wrapping_add(12 * i), to.wrapping_add(16 * i));
                            // SAFETY: four iterations of the loop begin here.
                            unsafe { pad_pixels(fill, from, to) };
                        }
                        size as isize / 4 * 4
                    }
                    _ => 0,
                };
                for i in first..size as isize {
                    // Offsets within the sides, which the compiler takes for evenly spaced, and vectorizes.
                    // SAFETY: each iteration of a loop begins with a unit, which is readable.
                    let from = unsafe { from.offset(i * source) };
                    // SAFETY: as above, writable.
                    let to = unsafe { to.offset(i * destination) };
                    // SAFETY: the iterations of a loop begin where the nest says.
                    unsafe { PlainLoops::<M, $inner>::run(from, to) };
                }
                // SAFETY: the caller's promise.
                unsafe { fill::<M, $count>(to) };
            }
        }
    )*};
}

loops! {
    1 around 0;
    2 around 1;
    3 around 2;
    4 around 3;
}

/// Fills the padding of a group that begins at `to`, if a group has `COUNT` loops.
///
/// # Safety
/// The group must be writable with its padding.
#[inline(always)]
unsafe fn fill<M: StaticMove, const COUNT: usize>(to: *mut u8) {
    match const { PlainMove::<M>::PADDING } {
        Some((Padding { group, fill }, moved, loops)) if loops == COUNT => {
            for i in moved..group {
                // SAFETY: the caller's promise.
                unsafe { *to.wrapping_add(i) = fill[i % 8] };
            }
        }
        _ => {}
    }
}
