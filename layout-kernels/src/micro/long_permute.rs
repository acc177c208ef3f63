//! Permutes of whole bytes in long vectors, several of which share what they load.

use super::vector::Vector;
use crate::steps::{BitGroup, LONG, Loop, NOWHERE};

/// A vector of 64 bytes, with a byte permute of two registers.
///
/// # Safety
/// The same as [`Vector`].
#[allow(dead_code, reason = "few targets have one")]
pub(crate) trait LongPermute: Vector {
    /// The form of a table after loading.
    type Table: Copy;

    /// Loads a window of 64 bytes, or of 32 that are followed by zeros.
    ///
    /// # Safety
    /// The window must be readable. The CPU must have the features of the type.
    unsafe fn window<const WIDE: bool>(from: *const u8) -> Self;

    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn table(bytes: &[u8; LONG]) -> Self::Table;

    /// Returns a vector whose byte `i` is byte `table[i]` of both vectors, or 0 if the table has [`NOWHERE`] there. The
    /// last byte of `other` must be 0 unless windows are wide.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn taken<const WIDE: bool>(self, other: Self, table: Self::Table) -> Self;

    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn xor(self, other: Self) -> Self;
}

/// Makes the vectors of a group in each of several evenly spaced blocks.
///
/// # Safety
/// In every block the windows of each source must be readable from `from` on, and the bytes of each vector writable
/// from `to` on. The sides must not overlap. The CPU must have the features of `V`.
#[allow(dead_code, reason = "few targets have long vectors")]
#[inline(always)]
pub(crate) unsafe fn permute_long<V: LongPermute>(
    own: &BitGroup,
    blocks: Loop,
    from: *const u8,
    to: *mut u8,
) {
    macro_rules! by_shape {
        ($wide:literal: $($sources:literal $vectors:literal),*) => {
            match (own.sources.len(), own.vectors.len()) {
                $(($sources, $vectors) => {
                    // SAFETY: the caller's promise, and the shape of the group.
                    unsafe { permuted::<V, $wide, $sources, $vectors>(own, blocks, from, to) }
                })*
                shape => debug_assert!(false, "a group of {shape:?}"),
            }
        };
    }
    match own.is_wide {
        false => by_shape! {
            false: 1 1, 1 2, 1 3, 1 4, 2 1, 2 2, 2 3, 2 4, 3 1, 3 2, 3 3, 3 4, 4 1, 4 2, 4 3, 4 4,
            5 1, 6 1, 7 1, 8 1
        },
        true => by_shape! {
            true: 1 1, 1 2, 1 3, 1 4, 2 1, 2 2, 2 3, 2 4, 3 1, 3 2, 3 3, 3 4, 4 1, 4 2, 4 3, 4 4
        },
    }
}

/// [`permute_long`] for windows of this size, and these numbers of sources and vectors. Tables stay in registers.
///
/// # Safety
/// The same as [`permute_long`], for a group of this shape.
#[allow(dead_code, reason = "few targets have long vectors")]
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn permuted<V: LongPermute, const WIDE: bool, const SOURCES: usize, const VECTORS: usize>(
    own: &BitGroup,
    blocks: Loop,
    mut from: *const u8,
    mut to: *mut u8,
) {
    // SAFETY: the array has 64 bytes, and the CPU has the features of `V`.
    let zeros = unsafe { V::load([0; LONG].as_ptr()) };
    // SAFETY: as above.
    let nothing = unsafe { V::table(&[NOWHERE; LONG]) };
    let (mut tables, mut flips) = ([[nothing; SOURCES]; VECTORS], [zeros; VECTORS]);
    let mut places = [(0, 0); VECTORS];
    for (v, vector) in own.vectors.iter().enumerate().take(VECTORS) {
        // SAFETY: as above.
        flips[v] = unsafe { V::load(vector.flip.as_ptr()) };
        places[v] = (vector.destination, vector.bytes);
        for (table, of) in tables[v].iter_mut().zip(&vector.tables) {
            // SAFETY: as above.
            *table = unsafe { V::table(of) };
        }
    }
    let mut windows = [[0; 2]; SOURCES];
    windows.iter_mut().zip(&own.sources).for_each(|(windows, of)| *windows = *of);
    for _ in 0..blocks.size {
        let mut sources = [[zeros; 2]; SOURCES];
        for i in 0..SOURCES {
            // SAFETY: the windows are readable in every block, by the caller's promise.
            sources[i][0] = unsafe { V::window::<WIDE>(from.wrapping_add(windows[i][0])) };
            // SAFETY: as above.
            sources[i][1] = unsafe { V::window::<WIDE>(from.wrapping_add(windows[i][1])) };
        }
        for v in 0..VECTORS {
            let mut made = flips[v];
            for i in 0..SOURCES {
                let [first, second] = sources[i];
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let taken = unsafe { first.taken::<WIDE>(second, tables[v][i]) };
                // SAFETY: as above. Each byte comes from one source.
                made = unsafe { made.xor(taken) };
            }
            let to = to.wrapping_add(places[v].0);
            match places[v].1 {
                // SAFETY: the bytes of the vector are writable in every block, by the caller's promise.
                LONG => unsafe { made.store(to) },
                // SAFETY: as above.
                bytes => unsafe { made.store_part(to, bytes) },
            }
        }
        (from, to) = (from.wrapping_offset(blocks.source), to.wrapping_offset(blocks.destination));
    }
}
