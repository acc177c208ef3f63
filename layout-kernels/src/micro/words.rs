//! Moves in machine words, for CPUs without vectors.
//!
//! Four bytes of four rows are four words, transposed in registers; two units of two bytes likewise. Where a CPU takes
//! words at multiples of 4 only, what lies elsewhere is moved unit by unit.

use core::ops::Range;
use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

use super::copy;
use crate::steps::{Matrix, NONE, Permutation, Runs};

/// Whether this CPU takes words at any address.
const ANYWHERE: bool = cfg!(any(
    target_arch = "aarch64",
    target_arch = "powerpc64",
    target_arch = "s390x",
    target_arch = "wasm32",
    target_arch = "x86",
    target_arch = "x86_64",
    unaligned_words,
));

/// The bytes of a word.
const WORD: usize = size_of::<u32>();

/// Two words in which every second byte of one is exchanged for one of the other: a0 b0 a2 b2 and a1 b1 a3 b3. Four
/// operations, where masks and shifts take six.
#[inline(always)]
const fn swapped_bytes(a: u32, b: u32) -> [u32; 2] {
    let unlike = (a >> 8 ^ b) & 0x00ff_00ff;
    [a ^ unlike << 8, b ^ unlike]
}

/// The low halves of two words, and the high ones.
#[inline(always)]
const fn halves(a: u32, b: u32) -> [u32; 2] {
    [a & 0xffff | b << 16, a >> 16 | b & 0xffff_0000]
}

/// Keeps the compiler from mixing one block with the next: their words do not fit the registers together.
#[inline(always)]
fn done() {
    compiler_fence(SeqCst);
}

/// The same pointer, of which the compiler knows no more than that: it then stores words in pairs, which it does where
/// few follow each other.
#[inline(always)]
#[cfg_attr(
    target_arch = "arm",
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through it here")
)]
fn hidden(pointer: *mut u8) -> *mut u8 {
    #[cfg(target_arch = "arm")]
    let pointer = {
        let same: *mut u8;
        // SAFETY: a comment is no instruction, so everything stays as it is.
        unsafe {
            core::arch::asm!(
                "/* {0} */",
                inout(reg) pointer => same,
                options(nomem, nostack, preserves_flags)
            );
        }
        same
    };
    pointer
}

/// The word at the pointer, whose first byte is the lowest.
///
/// # Safety
/// Four readable bytes; without `ANYWHERE` at a multiple of 4.
#[inline(always)]
unsafe fn load<const ANYWHERE: bool>(from: *const u8) -> u32 {
    let from = from.cast::<u32>();
    debug_assert!(ANYWHERE || from.is_aligned(), "{from:?} is not aligned");
    // SAFETY: the caller's promise.
    u32::from_le(if ANYWHERE { unsafe { from.read_unaligned() } } else { unsafe { *from } })
}

/// Stores a word, the lowest byte first.
///
/// # Safety
/// Four writable bytes; without `ANYWHERE` at a multiple of 4.
#[inline(always)]
unsafe fn store<const ANYWHERE: bool>(word: u32, to: *mut u8) {
    let (word, to) = (word.to_le(), to.cast::<u32>());
    debug_assert!(ANYWHERE || to.is_aligned(), "{to:?} is not aligned");
    if ANYWHERE {
        // SAFETY: the caller's promise.
        unsafe { to.write_unaligned(word) }
    } else {
        // SAFETY: the caller's promise, by which the word is aligned.
        unsafe { to.write(word) }
    }
}

/// Transposes an even matrix.
///
/// # Safety
/// Every unit of the matrix is readable from `from` on and writable from `to` on, and the two sides do not overlap;
/// `WIDTH` is 1, 2, 4 or 8.
#[inline(always)]
pub(crate) unsafe fn transpose<const WIDTH: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
    let each = WORD.div_ceil(WIDTH);
    let places = matrix.row as usize | matrix.column as usize | from as usize | to as usize;
    let is_aligned = places % WORD == 0;
    // Aligned words that follow each other are one instruction to the compiler.
    let wants_alignment = !ANYWHERE || matrix.column == WORD as isize;
    if WIDTH >= WORD || matrix.rows < each || matrix.columns < each || !ANYWHERE && !is_aligned {
        let (rows, columns) = (0..matrix.rows, 0..matrix.columns);
        // SAFETY: the caller's promise.
        unsafe { units::<WIDTH>(matrix, rows, columns, from, to) }
    } else if wants_alignment && is_aligned {
        // SAFETY: the caller's promise, and all words are aligned.
        unsafe { blocks::<WIDTH, false>(matrix, from, to) }
    } else {
        // SAFETY: the caller's promise, and words may lie anywhere.
        unsafe { blocks::<WIDTH, true>(matrix, from, to) }
    }
}

/// Transposes a matrix block by block, and unit by unit what is left of it.
///
/// # Safety
/// As [`transpose`], of at least a block; without `ANYWHERE` everything is a multiple of 4.
#[inline(always)]
unsafe fn blocks<const WIDTH: usize, const ANYWHERE: bool>(
    matrix: &Matrix,
    from: *const u8,
    to: *mut u8,
) {
    let each = WORD.div_ceil(WIDTH);
    let Matrix { rows, columns, column, .. } = *matrix;
    let (whole_rows, whole_columns) = (rows - rows % each, columns - columns % each);
    let (mut source, mut destination) = (from, to);
    let end = from.wrapping_add(whole_columns * WIDTH);
    while source != end {
        let mut row = 0;
        while row < whole_rows {
            // SAFETY: row + each <= rows, and as many columns are left, so the block is part of the matrix.
            unsafe { block::<WIDTH, ANYWHERE>(matrix, row, source, destination) };
            row += each;
        }
        source = source.wrapping_add(WORD);
        destination = destination.wrapping_offset(column.wrapping_mul(each as isize));
    }
    // SAFETY: rows of the matrix.
    unsafe { units::<WIDTH>(matrix, whole_rows..rows, 0..columns, from, to) };
    // SAFETY: columns of the matrix.
    unsafe { units::<WIDTH>(matrix, 0..whole_rows, whole_columns..columns, from, to) };
}

/// Transposes a block of words: rows from the given one on, and the columns at the pointers.
///
/// # Safety
/// As [`blocks`], and the block is part of the matrix; `WIDTH` is 1 or 2.
#[inline(always)]
unsafe fn block<const WIDTH: usize, const ANYWHERE: bool>(
    matrix: &Matrix,
    row: usize,
    from: *const u8,
    to: *mut u8,
) {
    let to = to.wrapping_add(row * WIDTH);
    macro_rules! row {
        ($i:literal) => {{
            let from = from.wrapping_offset(matrix.row.wrapping_mul((row + $i) as isize));
            // SAFETY: a word of a row of the block.
            unsafe { load::<ANYWHERE>(from) }
        }};
    }
    macro_rules! columns {
        ($($i:literal: $word:expr),*) => {$(
            let to = to.wrapping_offset(matrix.column.wrapping_mul($i));
            // SAFETY: a word of a column of the block.
            unsafe { store::<ANYWHERE>($word, to) };
        )*};
    }
    if WIDTH == 1 {
        let [low_ac, high_ac] = halves(row!(0), row!(2));
        let [low_bd, high_bd] = halves(row!(1), row!(3));
        let [first, second] = swapped_bytes(low_ac, low_bd);
        let [third, fourth] = swapped_bytes(high_ac, high_bd);
        {
            columns!(0: first);
        }
        {
            columns!(1: second);
        }
        {
            columns!(2: third);
        }
        {
            columns!(3: fourth);
        }
    } else {
        let [first, second] = halves(row!(0), row!(1));
        {
            columns!(0: first);
        }
        {
            columns!(1: second);
        }
    }
    done();
}

/// Moves some rows and columns of a matrix unit by unit.
///
/// # Safety
/// As [`transpose`], for these rows and columns, which are part of the matrix.
#[inline(always)]
unsafe fn units<const WIDTH: usize>(
    matrix: &Matrix,
    rows: Range<usize>,
    columns: Range<usize>,
    from: *const u8,
    to: *mut u8,
) {
    for column in columns {
        let from = from.wrapping_add(column * WIDTH);
        let to = to.wrapping_offset(matrix.column.wrapping_mul(column as isize));
        for row in rows.clone() {
            let from = from.wrapping_offset(matrix.row.wrapping_mul(row as isize));
            let to = to.wrapping_add(row * WIDTH).cast::<[u8; WIDTH]>();
            // SAFETY: a unit of the matrix; an array of bytes needs no alignment.
            unsafe { to.copy_from_nonoverlapping(from.cast(), 1) };
        }
    }
}

/// Runs that are one number of type `T`, also where numbers may not lie anywhere.
///
/// # Safety
/// As [`copy::ones`].
#[inline(always)]
pub(crate) unsafe fn ones<T: Copy>(runs: &Runs, from: *const u8, to: *mut u8) {
    let Runs { inner, outer, .. } = *runs;
    let strides = inner.source | inner.destination | outer.source | outer.destination;
    let places = strides as usize | from as usize | to as usize;
    if ANYWHERE || cfg!(small_code) || places % align_of::<T>() != 0 {
        // SAFETY: the caller's promise.
        return unsafe { copy::ones::<T>(runs, from, to) };
    }
    copy::each_run!(runs, from, to, |source, destination| {
        // SAFETY: a run, which is aligned.
        let value = unsafe { *source.cast::<T>() };
        // SAFETY: as above.
        unsafe { *destination.cast::<T>() = value };
    });
}

/// Pads groups to four bytes: the only permutation without vectors.
///
/// # Safety
/// In every iteration of the rounds the bytes that are moved are readable, and four writable; the sides do not overlap.
#[inline(always)]
pub(crate) unsafe fn pad(permutation: &Permutation, from: *const u8, to: *mut u8) {
    let Permutation { inner, next, outer, .. } = *permutation;
    debug_assert!(permutation.parts == 1 && permutation.valid == WORD, "{permutation:?}");
    let pixels = inner.source == 3 && inner.destination == WORD as isize && moved(permutation) == 3;
    for i in 0..outer.count {
        let (source, destination) = outer.at(i);
        let (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
        for i in 0..next.count {
            let (source, destination) = next.at(i);
            let (mut from, mut to) =
                (from.wrapping_offset(source), to.wrapping_offset(destination));
            let mut left = inner.count;
            let is_aligned = (from as usize | to as usize) % WORD == 0;
            if pixels && is_aligned && !cfg!(small_code) {
                macro_rules! four {
                    ($($once:literal)*) => {$(
                        let _ = $once;
                        // SAFETY: four pixels, which begin at words.
                        unsafe { four_pixels(permutation, from.cast(), to.cast()) };
                        from = hidden(from.wrapping_add(12).cast_mut());
                        to = hidden(to.wrapping_add(16));
                    )*};
                }
                for _ in 0..left / 16 {
                    four!(0 1 2 3);
                }
                for _ in 0..left % 16 / 4 {
                    four!(0);
                }
                left %= 4;
            }
            for _ in 0..left {
                // SAFETY: a group.
                unsafe { group(permutation, from, to) };
                from = hidden(from.wrapping_offset(inner.source).cast_mut());
                to = hidden(to.wrapping_offset(inner.destination));
            }
        }
    }
}

/// How many bytes of a group are moved.
#[inline(always)]
const fn moved(permutation: &Permutation) -> usize {
    match permutation.tables[0] {
        [_, NONE, ..] => 1,
        [_, _, NONE, ..] => 2,
        _ => 3,
    }
}

/// Pads four pixels of three bytes, three words of them to four.
///
/// # Safety
/// As [`pad`], for four groups.
#[inline(always)]
unsafe fn four_pixels(permutation: &Permutation, from: *const [u32; 3], to: *mut [u32; 4]) {
    debug_assert!(from.is_aligned() && to.is_aligned(), "{from:?}, {to:?}");
    // SAFETY: the caller's promise.
    let [first, second, third] = unsafe { *from }.map(u32::from_le);
    let fill = (permutation.fill[3] as u32) << 24;
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

/// Pads a group of one to three bytes.
///
/// # Safety
/// As [`pad`], for a group.
#[inline(always)]
unsafe fn group(permutation: &Permutation, from: *const u8, to: *mut u8) {
    let [_, second, third, fourth, ..] = permutation.fill;
    macro_rules! store {
        ([$($own:ident),*] $($fill:ident),*) => {{
            // SAFETY: the bytes of the group; an array of them needs no alignment.
            let [$($own),*] = unsafe { *from.cast() };
            // SAFETY: four bytes; an array of them needs no alignment.
            unsafe { *to.cast::<[u8; WORD]>() = [$($own,)* $($fill),*] };
        }};
    }
    match moved(permutation) {
        1 => store!([a] second, third, fourth),
        2 => store!([a, b] third, fourth),
        _ => store!([a, b, c] fourth),
    }
}

#[cfg(test)]
mod tests {
    use super::{halves, swapped_bytes};

    #[test]
    fn four_words_transpose() {
        let row =
            |i: u32| u32::from_le_bytes([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3].map(|b| b as u8));
        let [a, b] = swapped_bytes(row(0), row(1));
        let [c, d] = swapped_bytes(row(2), row(3));
        let ([first, third], [second, fourth]) = (halves(a, c), halves(b, d));
        let columns = [first, second, third, fourth].map(u32::to_le_bytes);
        assert_eq!(columns, [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]);
    }
}
