//! Kernels of whole machine words, for CPUs without vectors.
//!
//! Four bytes of four rows are four words; transposed in registers they are stored as four words
//! again. Where a CPU takes words at multiples of 4 only, what lies elsewhere is moved unit by
//! unit; and so is everything where the program is compiled for size, as a plain loop would.

#![allow(dead_code, reason = "not every target has this set")]

#[cfg(target_arch = "arm")]
use core::arch::asm;
use core::sync::atomic::Ordering::SeqCst;
use core::sync::atomic::compiler_fence;

use super::loops::Loop;
use super::matrix::{self, Matrix};
use super::offsets::{Offsets, Table};
use super::pad::{self, Pad};
use super::set::Set;
use super::{copy, nibble};

/// The set of these kernels. `ANYWHERE` says whether the CPU takes words at any address.
pub(super) struct Words<const ANYWHERE: bool>;

/// Whether this CPU does.
pub(super) const ANYWHERE: bool = cfg!(any(
    target_arch = "aarch64",
    target_arch = "powerpc64",
    target_arch = "s390x",
    target_arch = "wasm32",
    target_arch = "x86",
    target_arch = "x86_64",
    unaligned_words,
));

/// Whether everything is moved unit by unit, which takes the least code.
const SMALL: bool = cfg!(small_code);

/// The bytes of a word.
const WORD: usize = size_of::<u32>();

/// The low halves of two words, and the high ones.
#[inline(always)]
const fn halves(a: u32, b: u32) -> [u32; 2] {
    [a & 0xffff | b << 16, a >> 16 | b & 0xffff_0000]
}

/// Two words in which every second byte of one is exchanged for one of the other: a0 b0 a2 b2 and
/// a1 b1 a3 b3. Four operations, where masks and shifts take six.
#[inline(always)]
const fn swapped_bytes(a: u32, b: u32) -> [u32; 2] {
    let unlike = (a >> 8 ^ b) & 0x00ff_00ff;
    [a ^ unlike << 8, b ^ unlike]
}

/// Keeps the compiler from mixing one tile with the next: their words do not fit the registers
/// together.
#[inline(always)]
fn done() {
    compiler_fence(SeqCst);
}

/// Moves a unit as one or more numbers.
///
/// # Safety
/// A readable and a writable unit, which lie where such a number may.
#[inline(always)]
unsafe fn number<N: Copy, const UNIT: usize>(from: *const u8, to: *mut u8) {
    debug_assert!(from.cast::<N>().is_aligned(), "{from:?} is not aligned");
    debug_assert!(to.cast::<N>().is_aligned(), "{to:?} is not aligned");
    // SAFETY: the caller's promise.
    unsafe { to.cast::<N>().copy_from_nonoverlapping(from.cast(), UNIT / size_of::<N>()) }
}

/// The same pointer, of which the compiler knows no more than that: it then stores words in pairs,
/// which it does where few follow each other.
#[inline(always)]
fn opaque<T>(pointer: *mut T) -> *mut T {
    #[cfg(target_arch = "arm")]
    let pointer = {
        let same: *mut T;
        // SAFETY: a comment is no instruction, so everything stays as it is.
        unsafe {
            asm!("/* {0} */", inout(reg) pointer => same, options(nomem, nostack, preserves_flags));
        }
        same
    };
    pointer
}

/// Pads four pixels, three words of them to four.
///
/// # Safety
/// As [`pad::words`] for four pixels, which begin at multiples of a word.
#[inline(always)]
unsafe fn four_pixels(pad: Pad, from: *const [u32; 3], to: *mut [u32; 4]) {
    debug_assert!(from.is_aligned(), "{from:?} is not aligned");
    debug_assert!(to.is_aligned(), "{to:?} is not aligned");
    // SAFETY: the caller's promise.
    let [first, second, third] = unsafe { *from }.map(u32::from_le);
    let fill = pad.word(0);
    // Each is a bit field that goes into a word, which Arm has an instruction for.
    let pixels = [
        first & 0x00ff_ffff | fill,
        first >> 24 | second << 8 & 0x00ff_ff00 | fill,
        second >> 16 | third << 16 & 0x00ff_0000 | fill,
        third >> 8 | fill,
    ];
    // SAFETY: the caller's promise.
    unsafe { *to = pixels.map(u32::to_le) };
    done();
}

impl<const ANYWHERE: bool> Words<ANYWHERE> {
    /// Whether numbers of `bytes` bytes may lie at places that are all sums of these.
    #[inline(always)]
    fn may_lie<const N: usize>(places: [usize; N], bytes: usize) -> bool {
        ANYWHERE || places.iter().all(|place| place % bytes == 0)
    }

    /// [`may_lie`](Self::may_lie) for the units of a matrix.
    #[inline(always)]
    fn may_lie_in(matrix: &Matrix, bytes: usize, from: *const u8, to: *mut u8) -> bool {
        let (rows, stride) = (matrix.rows, matrix.destination_stride);
        let [row, group, column] =
            [rows.stride, rows.group_stride, stride].map(|stride| stride as usize);
        Self::may_lie([from as usize, to as usize, row, group, column], bytes)
    }

    /// The word at the pointer, whose first byte is the lowest.
    ///
    /// # Safety
    /// Four readable bytes, where a word may lie.
    #[inline(always)]
    unsafe fn load(from: *const u8) -> u32 {
        debug_assert!(Self::may_lie([from as usize], WORD), "{from:?} is not aligned");
        let from = from.cast::<u32>();
        // SAFETY: the caller's promise; a word that may not lie anywhere is aligned.
        u32::from_le(if ANYWHERE { unsafe { from.read_unaligned() } } else { unsafe { *from } })
    }

    /// Stores a word, the lowest byte first.
    ///
    /// # Safety
    /// Four writable bytes, where a word may lie.
    #[inline(always)]
    unsafe fn store(word: u32, to: *mut u8) {
        debug_assert!(Self::may_lie([to as usize], WORD), "{to:?} is not aligned");
        let (word, to) = (word.to_le(), to.cast::<u32>());
        if ANYWHERE {
            // SAFETY: the caller's promise.
            unsafe { to.write_unaligned(word) }
        } else {
            // SAFETY: the caller's promise, by which the word is aligned.
            unsafe { to.write(word) }
        }
    }

    /// One tile: as many rows as columns, a word of each. The columns begin at the pointers.
    ///
    /// # Safety
    /// As [`all`](Self::all): the tile is part of the matrix, and words may lie in it.
    #[inline(always)]
    unsafe fn tile<const UNIT: usize>(matrix: &Matrix, row: usize, from: *const u8, to: *mut u8) {
        let (to, stride) = (to.wrapping_add(row * UNIT), matrix.destination_stride);
        macro_rules! row {
            ($row:literal) => {{
                // SAFETY: a word of a row of the tile.
                unsafe { Self::load(from.wrapping_offset(matrix.rows.offset(row + $row))) }
            }};
        }
        macro_rules! store_columns {
            ($($column:literal: $word:expr),*) => {$(
                // SAFETY: a column of the tile.
                unsafe { Self::store($word, to.wrapping_offset($column * stride)) };
            )*};
        }
        if UNIT == 1 {
            let [low_ac, high_ac] = halves(row!(0), row!(2));
            let [low_bd, high_bd] = halves(row!(1), row!(3));
            let [first, second] = swapped_bytes(low_ac, low_bd);
            let [third, fourth] = swapped_bytes(high_ac, high_bd);
            store_columns!(0: first, 1: second, 2: third, 3: fourth);
        } else {
            let [first, second] = halves(row!(0), row!(1));
            store_columns!(0: first, 1: second);
        }
        done();
    }

    /// Transposes a matrix tile by tile, and unit by unit what is left of it.
    ///
    /// # Safety
    /// As [`transpose`](super::transpose::transpose).
    #[inline(always)]
    unsafe fn all<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        let step = WORD / UNIT.min(WORD);
        let (rows, columns) = (matrix.rows.count(), matrix.columns);
        let too_small = step == 1 || rows < step || columns < step;
        if SMALL || too_small || !Self::may_lie_in(matrix, WORD, from, to) {
            // SAFETY: the caller's promise.
            return unsafe { Self::numbers::<UNIT>(matrix, from, to) };
        }
        // Two aligned words that follow each other are one instruction to the compiler.
        let follow = matrix.destination_stride == WORD as isize;
        if ANYWHERE && follow && Words::<false>::may_lie_in(matrix, WORD, from, to) {
            // SAFETY: the caller's promise.
            return unsafe { Words::<false>::all::<UNIT>(matrix, from, to) };
        }
        let (whole_rows, whole_columns) = (rows / step * step, columns / step * step);
        let (mut source, mut destination) = (from, to);
        for _ in 0..columns / step {
            let mut row = 0;
            while row < whole_rows {
                // SAFETY: row + step <= rows and as many columns are left, so the tile is part of
                // the matrix, in which words may lie.
                unsafe { Self::tile::<UNIT>(matrix, row, source, destination) };
                row += step;
            }
            source = source.wrapping_add(WORD);
            destination = destination.wrapping_offset(step as isize * matrix.destination_stride);
        }
        if whole_rows < rows {
            // SAFETY: rows of the matrix.
            unsafe { matrix::units::<UNIT>(matrix, whole_rows..rows, 0..columns, from, to) };
        }
        if whole_columns < columns {
            // SAFETY: columns of the matrix.
            unsafe {
                matrix::units::<UNIT>(matrix, 0..whole_rows, whole_columns..columns, from, to)
            };
        }
    }

    /// Transposes a matrix unit by unit, as numbers where such may lie.
    ///
    /// # Safety
    /// As [`all`](Self::all).
    #[inline(always)]
    unsafe fn numbers<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        macro_rules! as_numbers {
            ($number:ty) => {
                for column in 0..matrix.columns {
                    let from = from.wrapping_add(column * UNIT);
                    let to = to.wrapping_offset(column as isize * matrix.destination_stride);
                    for row in 0..matrix.rows.count() {
                        let from = from.wrapping_offset(matrix.rows.offset(row));
                        // SAFETY: a unit of the matrix, in which such numbers may lie.
                        unsafe { number::<$number, UNIT>(from, to.wrapping_add(row * UNIT)) };
                    }
                }
            };
        }
        // Where words lie anywhere, bytes that are moved together are words to the compiler.
        if ANYWHERE || SMALL || UNIT == 1 || !Self::may_lie_in(matrix, UNIT.min(WORD), from, to) {
            // SAFETY: the caller's promise.
            unsafe {
                matrix::units::<UNIT>(matrix, 0..matrix.rows.count(), 0..matrix.columns, from, to)
            }
        } else if UNIT == 2 {
            as_numbers!(u16);
        } else {
            as_numbers!(u32);
        }
    }
}

/// The kernels that are one here: words take any matrix alike, wherever its rows begin.
macro_rules! as_one {
    ($($name:ident $([$offsets:ident: $bound:path])? ($($rows:ty)?)),* $(,)?) => {$(
        #[inline(always)]
        unsafe fn $name<const UNIT: usize $(, $offsets: $bound)?>(
            matrix: &Matrix,
            $(_: $rows,)?
            from: *const u8,
            to: *mut u8,
        ) {
            // SAFETY: the caller's promise.
            unsafe { Self::all::<UNIT>(matrix, from, to) }
        }
    )*};
}

impl<const ANYWHERE: bool> Set for Words<ANYWHERE> {
    const BYTES: usize = WORD;
    type Half = Self;
    type Lane = Self;

    #[inline(always)]
    unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize, _: bool) {
        if !ANYWHERE && Self::may_lie([from as usize, to as usize, bytes], WORD) {
            // SAFETY: the caller's promise, and both were found to be aligned.
            unsafe { to.cast::<u32>().copy_from_nonoverlapping(from.cast(), bytes / WORD) }
        } else {
            // SAFETY: the caller's promise.
            unsafe { to.copy_from_nonoverlapping(from, bytes) }
        }
    }

    #[inline(always)]
    unsafe fn vectors<const STREAM: bool, const KNOWN: bool>(
        from: *const u8,
        to: *mut u8,
        bytes: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { Self::copy(from, to, bytes, STREAM) }
    }

    #[inline(always)]
    unsafe fn strided<const UNIT: usize>(steps: Loop, from: *const u8, to: *mut u8) {
        let places =
            [from as usize, to as usize, steps.source as usize, steps.destination as usize];
        if ANYWHERE || UNIT < WORD || !Self::may_lie(places, WORD) {
            // SAFETY: the caller's promise.
            return unsafe { copy::strided::<UNIT>(steps, from, to) };
        }
        for i in 0..steps.size as isize {
            let from = from.wrapping_offset(i * steps.source);
            let to = to.wrapping_offset(i * steps.destination);
            // SAFETY: a unit of the loop, where words may lie.
            unsafe { number::<u32, UNIT>(from, to) };
        }
    }

    as_one! {
        tiles[O: Offsets](O), few_columns(&Table), few_rows(&Table), units(), interleave(),
        deinterleave(),
    }

    #[inline(always)]
    unsafe fn pad(pad: Pad, from: *const u8, to: *mut u8) {
        if SMALL {
            // SAFETY: the caller's promise.
            return unsafe { pad::bytes(pad, 0..pad.pixels, from, to) };
        }
        if !Words::<false>::may_lie([from as usize, to as usize], WORD) {
            if ANYWHERE {
                // SAFETY: the caller's promise.
                return unsafe { pad::words(pad, from, to) };
            }
            // SAFETY: the caller's promise.
            return unsafe { pad::bytes(pad, 0..pad.pixels, from, to) };
        }
        let (mut source, mut destination) = (from.cast_mut().cast(), to.cast());
        macro_rules! four {
            ($($once:literal)*) => {$(
                let _ = $once;
                // SAFETY: four of the pixels, which begin at words.
                unsafe { four_pixels(pad, source, destination) };
                source = opaque(source.wrapping_add(1));
                destination = opaque(destination.wrapping_add(1));
            )*};
        }
        for _ in 0..pad.pixels / 16 {
            four!(0 1 2 3);
        }
        for _ in 0..pad.pixels % 16 / 4 {
            four!(0);
        }
        // SAFETY: the pixels that are left.
        unsafe { pad::bytes(pad, pad.pixels / 4 * 4..pad.pixels, from, to) };
    }

    #[inline(always)]
    unsafe fn nibbles<const BYTE: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { nibble::pairs(matrix, from, to) }
    }
}
