//! Bit permutes: each vector of the destination is made of windows of the source, whose bits move within their bytes.

use super::vector::Vector;
use crate::steps::{BitVector, BitWindow, Loop, WINDOW};

/// The operations of a vector of 16 bytes on its bits.
///
/// # Safety
/// The same as [`Vector`].
#[allow(dead_code, reason = "a target without vectors implements none")]
pub(crate) trait Bitwise: Vector {
    /// Returns a vector whose byte `i` is byte `table[i]` of `self`, or byte `i` of `others` if the table has
    /// [`NONE`](crate::steps::NONE) there. `others` must be 0 where the table has an index.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn taken(self, table: Self, others: Self) -> Self;

    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn and(self, other: Self) -> Self;

    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn xor(self, other: Self) -> Self;

    /// Moves bits towards the higher ones of each byte, or towards the lower ones by a number below 0. What bits beyond
    /// the end of a byte become is unspecified.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn shifted(self, by: i32) -> Self;

    /// Returns the first eight bytes, the first of them lowest.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn low(self) -> u64;
}

/// Makes a vector in each of several evenly spaced blocks.
///
/// # Safety
/// In every block, [`WINDOW`] bytes must be readable at the offset of each window from `from`, and the bytes of the
/// vector writable from `to` on. The sides must not overlap. The CPU must have the features of `V`, a vector of 16 bytes.
#[inline(always)]
pub(crate) unsafe fn permute_bits<V: Bitwise>(
    own: &BitVector,
    blocks: Loop,
    from: *const u8,
    to: *mut u8,
) {
    macro_rules! by_count {
        ($windows:ident: $($count:literal)*) => {
            match $windows.len() {
                // SAFETY: the caller's promise, and the number of windows.
                $($count => return unsafe { whole::<V, $count>(own, $windows, blocks, from, to) },)*
                _ => {}
            }
        };
    }
    if let Some(windows) = own.whole_bytes() {
        by_count!(windows: 1 2 3 4 5 6 8);
    }
    let (mut from, mut to, mut left) = (from, to, blocks.size);
    while left >= 4 {
        // SAFETY: the caller's promise for four blocks.
        unsafe { several::<V, 4>(own, blocks, from, to) };
        (from, to) =
            (from.wrapping_offset(4 * blocks.source), to.wrapping_offset(4 * blocks.destination));
        left -= 4;
    }
    for _ in 0..left {
        // SAFETY: the caller's promise for a block.
        unsafe { several::<V, 1>(own, blocks, from, to) };
        (from, to) = (from.wrapping_offset(blocks.source), to.wrapping_offset(blocks.destination));
    }
}

/// Makes a vector of whole bytes from `COUNT` windows. Tables stay in registers.
///
/// # Safety
/// The same as [`permute_bits`], for this number of windows.
#[inline(always)]
unsafe fn whole<V: Bitwise, const COUNT: usize>(
    own: &BitVector,
    windows: &[BitWindow],
    blocks: Loop,
    mut from: *const u8,
    mut to: *mut u8,
) {
    // SAFETY: the array has 16 bytes.
    let zeros = unsafe { V::load([0; WINDOW].as_ptr()) };
    // SAFETY: as above.
    let flip = unsafe { V::load(own.flip.as_ptr()) };
    let (mut tables, mut offsets) = ([zeros; COUNT], [0; COUNT]);
    for (i, window) in windows.iter().enumerate().take(COUNT) {
        // SAFETY: the array has 16 bytes.
        tables[i] = unsafe { V::load(window.table.as_ptr()) };
        offsets[i] = window.offset;
    }
    for _ in 0..blocks.size {
        let mut v = zeros;
        for i in 0..COUNT {
            // SAFETY: the window is readable in every block, by the caller's promise.
            let window = unsafe { V::load(from.wrapping_add(offsets[i])) };
            // SAFETY: the CPU has the features of `V`. Each byte comes from one window.
            v = unsafe { window.taken(tables[i], v) };
        }
        // SAFETY: as above.
        let v = unsafe { v.xor(flip) };
        // SAFETY: the bytes of the vector are writable in every block, by the caller's promise.
        unsafe { put_first(v, own.bytes, to) };
        (from, to) = (from.wrapping_offset(blocks.source), to.wrapping_offset(blocks.destination));
    }
}

/// Makes a vector of any parts in `COUNT` blocks, which share the loads of tables.
///
/// # Safety
/// The same as [`permute_bits`], for this number of blocks.
#[inline(always)]
unsafe fn several<V: Bitwise, const COUNT: usize>(
    own: &BitVector,
    blocks: Loop,
    from: *const u8,
    to: *mut u8,
) {
    // SAFETY: the array has 16 bytes.
    let zeros = unsafe { V::load([0; WINDOW].as_ptr()) };
    // SAFETY: as above.
    let mut all = [unsafe { V::load(own.flip.as_ptr()) }; COUNT];
    for part in &own.parts {
        let mut v = [zeros; COUNT];
        for window in &part.windows {
            // SAFETY: the array has 16 bytes.
            let table = unsafe { V::load(window.table.as_ptr()) };
            for (i, v) in v.iter_mut().enumerate() {
                let from = from.wrapping_offset(blocks.source * i as isize);
                // SAFETY: the window is readable in every block, by the caller's promise.
                let window = unsafe { V::load(from.wrapping_add(window.offset)) };
                // SAFETY: the CPU has the features of `V`. Each byte of a part comes from one window.
                *v = unsafe { window.taken(table, *v) };
            }
        }
        // SAFETY: the array has 16 bytes.
        let mask = unsafe { V::load(part.mask.as_ptr()) };
        for (all, v) in all.iter_mut().zip(v) {
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            let v = unsafe { v.shifted(part.shift) };
            // SAFETY: as above.
            let v = unsafe { v.and(mask) };
            // SAFETY: as above.
            *all = unsafe { all.xor(v) };
        }
    }
    let keeps = own.keep != [0; WINDOW];
    for (i, mut v) in all.into_iter().enumerate() {
        let to = to.wrapping_offset(blocks.destination * i as isize);
        if keeps {
            let old = match own.bytes {
                // SAFETY: the bytes of the vector are readable too.
                WINDOW => unsafe { V::load(to) },
                // SAFETY: as above.
                bytes => unsafe { V::load_part(to, bytes) },
            };
            // SAFETY: the array has 16 bytes.
            let keep = unsafe { V::load(own.keep.as_ptr()) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            let old = unsafe { old.and(keep) };
            // SAFETY: as above.
            v = unsafe { v.xor(old) };
        }
        // SAFETY: these bytes are writable in every block, by the caller's promise.
        unsafe { put_first(v, own.bytes, to) };
    }
}

/// Stores the first 1, 2, 4, 8 or 16 bytes.
///
/// # Safety
/// They must be writable. The CPU must have the features of `V`.
#[inline(always)]
unsafe fn put_first<V: Bitwise>(v: V, bytes: usize, to: *mut u8) {
    if bytes == WINDOW {
        // SAFETY: the caller's promise.
        return unsafe { v.store(to) };
    }
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let low = unsafe { v.low() };
    macro_rules! first {
        ($($count:literal $number:ty;)*) => {
            match bytes {
                // SAFETY: these bytes are writable, by the caller's promise.
                $($count => unsafe { to.cast::<[u8; $count]>().write((low as $number).to_le_bytes()) },)*
                _ => debug_assert!(false, "{bytes} bytes"),
            }
        };
    }
    first!(1 u8; 2 u16; 4 u32; 8 u64;);
}
