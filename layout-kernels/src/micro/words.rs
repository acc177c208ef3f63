//! Moves in machine words, for CPUs without vectors, and planes: rows of elements of less than a byte, rearranged so
//! that each byte has elements of one column.
//!
//! Four words hold four bytes of each of four rows and are transposed in registers. Two units of two bytes work the
//! same way. If a CPU can only access words at multiples of 4, unaligned data is moved unit by unit.

use core::array;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

use super::copy;
use super::offsets::opaque;
use crate::steps::{Matrix, NONE, Permutation, Planes, Runs};

/// Whether this CPU can access words at any address.
const HAS_UNALIGNED_WORDS: bool = cfg!(any(
    target_arch = "aarch64",
    target_arch = "powerpc64",
    target_arch = "s390x",
    target_arch = "wasm32",
    target_arch = "x86",
    target_arch = "x86_64",
    unaligned_words,
));

/// The number of bytes of a word.
const WORD: usize = size_of::<u32>();

/// Exchanges every second byte of two words: a0 b0 a2 b2 and a1 b1 a3 b3. It takes four operations; masks and shifts
/// would take six.
#[inline(always)]
const fn swapped_bytes(a: u32, b: u32) -> [u32; 2] {
    let unlike = (a >> 8 ^ b) & 0x00ff_00ff;
    [a ^ unlike << 8, b ^ unlike]
}

/// Returns the low halves of two words, and their high halves.
#[inline(always)]
const fn halves(a: u32, b: u32) -> [u32; 2] {
    [a & 0xffff | b << 16, a >> 16 | b & 0xffff_0000]
}

/// Keeps the compiler from mixing one block with the next: the words of both do not fit the registers.
#[inline(always)]
fn done() {
    compiler_fence(SeqCst);
}

/// Returns the same pointer, opaque to the optimizer. The compiler then stores words in pairs, as it does if few
/// stores follow one another.
#[inline(always)]
#[cfg_attr(
    target_arch = "arm",
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through it here")
)]
fn opaque(pointer: *mut u8) -> *mut u8 {
    #[cfg(target_arch = "arm")]
    let pointer = {
        let same: *mut u8;
        // SAFETY: a comment is not an instruction, so it changes nothing.
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

/// Loads the word at the pointer. Its first byte is the lowest.
///
/// # Safety
/// Four bytes must be readable. Without `UNALIGNED`, the pointer must be a multiple of 4.
#[inline(always)]
unsafe fn load<const UNALIGNED: bool>(from: *const u8) -> u32 {
    let from = from.cast::<u32>();
    debug_assert!(UNALIGNED || from.is_aligned(), "{from:?} is not aligned");
    // SAFETY: the caller's promise.
    u32::from_le(if UNALIGNED { unsafe { from.read_unaligned() } } else { unsafe { *from } })
}

/// Stores a word, lowest byte first.
///
/// # Safety
/// Four bytes must be writable. Without `UNALIGNED`, the pointer must be a multiple of 4.
#[inline(always)]
unsafe fn store<const UNALIGNED: bool>(word: u32, to: *mut u8) {
    let (word, to) = (word.to_le(), to.cast::<u32>());
    debug_assert!(UNALIGNED || to.is_aligned(), "{to:?} is not aligned");
    if UNALIGNED {
        // SAFETY: the caller's promise.
        unsafe { to.write_unaligned(word) }
    } else {
        // SAFETY: the caller's promise; without `UNALIGNED`, the pointer is aligned.
        unsafe { to.write(word) }
    }
}

/// Transposes an evenly spaced matrix.
///
/// # Safety
/// Every unit of the matrix must be readable at `from` and writable at `to`. The two sides must not overlap. `WIDTH`
/// must be 1, 2, 4 or 8.
#[inline(always)]
pub(crate) unsafe fn transpose<const WIDTH: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
    let each = WORD.div_ceil(WIDTH);
    let addresses = matrix.row as usize | matrix.column as usize | from as usize | to as usize;
    let is_aligned = addresses % WORD == 0;
    // The compiler merges consecutive words into one instruction that needs alignment.
    let wants_alignment = !HAS_UNALIGNED_WORDS || matrix.column == WORD as isize;
    if WIDTH >= WORD
        || matrix.rows < each
        || matrix.columns < each
        || !HAS_UNALIGNED_WORDS && !is_aligned
    {
        let (rows, columns) = (0..matrix.rows, 0..matrix.columns);
        // SAFETY: the caller's promise.
        unsafe { units::<WIDTH>(matrix, rows, columns, from, to) }
    } else if wants_alignment && is_aligned {
        // SAFETY: the caller's promise, and all words are aligned.
        unsafe { blocks::<WIDTH, false>(matrix, from, to) }
    } else {
        // SAFETY: the caller's promise, and words may have any address.
        unsafe { blocks::<WIDTH, true>(matrix, from, to) }
    }
}

/// Transposes a matrix block by block. The rest is moved unit by unit.
///
/// # Safety
/// The same as [`transpose`], for at least one block. Without `UNALIGNED`, all addresses and strides must be multiples
/// of 4.
#[inline(always)]
unsafe fn blocks<const WIDTH: usize, const UNALIGNED: bool>(
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
            // SAFETY: row + each <= rows, and at least `each` columns are left, so the block is part of the matrix.
            unsafe { block::<WIDTH, UNALIGNED>(matrix, row, source, destination) };
            row += each;
        }
        source = source.wrapping_add(WORD);
        destination = destination.wrapping_offset(column.wrapping_mul(each as isize));
    }
    // SAFETY: these are rows of the matrix.
    unsafe { units::<WIDTH>(matrix, whole_rows..rows, 0..columns, from, to) };
    // SAFETY: these are columns of the matrix.
    unsafe { units::<WIDTH>(matrix, 0..whole_rows, whole_columns..columns, from, to) };
}

/// Transposes a block of words: the rows from the given one on, and the columns at the pointers.
///
/// # Safety
/// The same as [`blocks`]. The block must be part of the matrix. `WIDTH` must be 1 or 2.
#[inline(always)]
unsafe fn block<const WIDTH: usize, const UNALIGNED: bool>(
    matrix: &Matrix,
    row: usize,
    from: *const u8,
    to: *mut u8,
) {
    let to = to.wrapping_add(row * WIDTH);
    macro_rules! row {
        ($i:literal) => {{
            let from = from.wrapping_offset(matrix.row.wrapping_mul((row + $i) as isize));
            // SAFETY: it is a word of a row of the block.
            unsafe { load::<UNALIGNED>(from) }
        }};
    }
    macro_rules! columns {
        ($($i:literal: $word:expr),*) => {$({
            let to = to.wrapping_offset(matrix.column.wrapping_mul($i));
            // SAFETY: it is a word of a column of the block.
            unsafe { store::<UNALIGNED>($word, to) };
        })*};
    }
    if WIDTH == 1 {
        let [low_ac, high_ac] = halves(row!(0), row!(2));
        let [low_bd, high_bd] = halves(row!(1), row!(3));
        let [first, second] = swapped_bytes(low_ac, low_bd);
        let [third, fourth] = swapped_bytes(high_ac, high_bd);
        columns!(0: first, 1: second, 2: third, 3: fourth);
    } else {
        let [first, second] = halves(row!(0), row!(1));
        columns!(0: first, 1: second);
    }
    done();
}

/// Moves some rows and columns of a matrix unit by unit.
///
/// # Safety
/// The same as [`transpose`], for these rows and columns, which must be part of the matrix.
#[inline(always)]
pub(super) unsafe fn units<const WIDTH: usize>(
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
            // SAFETY: it is a unit of the matrix; an array of bytes needs no alignment.
            unsafe { to.copy_from_nonoverlapping(from.cast(), 1) };
        }
    }
}

/// Copies runs that are one number of type `T`, also on CPUs that need aligned numbers.
///
/// # Safety
/// The same as [`copy::ones`].
#[inline(always)]
pub(crate) unsafe fn ones<T: Copy>(runs: &Runs, from: *const u8, to: *mut u8) {
    let Runs { inner, outer, .. } = *runs;
    let strides = inner.source | inner.destination | outer.source | outer.destination;
    let addresses = strides as usize | from as usize | to as usize;
    if HAS_UNALIGNED_WORDS || cfg!(small_code) || addresses % align_of::<T>() != 0 {
        // SAFETY: the caller's promise.
        return unsafe { copy::ones::<T>(runs, from, to) };
    }
    copy::each_run!(runs, from, to, |source, destination| {
        // SAFETY: it is a run, and it is aligned.
        let value = unsafe { *source.cast::<T>() };
        // SAFETY: as above.
        unsafe { *destination.cast::<T>() = value };
    });
}

/// Pads groups to four bytes: the only byte permute without vectors.
///
/// # Safety
/// In every iteration of the loops, the moved bytes must be readable and four bytes writable. The sides must not
/// overlap.
#[inline(always)]
pub(crate) unsafe fn pad(permutation: &Permutation, from: *const u8, to: *mut u8, _: bool) {
    let Permutation { inner, next, outer, .. } = *permutation;
    debug_assert!(permutation.loads == 1 && permutation.valid == WORD, "{permutation:?}");
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
                        // SAFETY: these are four pixels, which begin at multiples of 4.
                        unsafe { four_pixels(permutation, from.cast(), to.cast()) };
                        from = opaque(from.wrapping_add(12).cast_mut());
                        to = opaque(to.wrapping_add(16));
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
                // SAFETY: it is a group.
                unsafe { group(permutation, from, to) };
                from = opaque(from.wrapping_offset(inner.source).cast_mut());
                to = opaque(to.wrapping_offset(inner.destination));
            }
        }
    }
}

/// Returns the number of bytes of a group that are moved.
#[inline(always)]
const fn moved(permutation: &Permutation) -> usize {
    match permutation.tables[0] {
        [_, NONE, ..] => 1,
        [_, _, NONE, ..] => 2,
        _ => 3,
    }
}

/// Pads four pixels of three bytes: three words become four.
///
/// # Safety
/// The same as [`pad`], for four groups.
#[inline(always)]
unsafe fn four_pixels(permutation: &Permutation, from: *const [u32; 3], to: *mut [u32; 4]) {
    debug_assert!(from.is_aligned() && to.is_aligned(), "{from:?}, {to:?}");
    // SAFETY: the caller's promise.
    let [first, second, third] = unsafe { *from }.map(u32::from_le);
    let fill = (permutation.fill[3] as u32) << 24;
    // Each byte goes into a bit field of a word, for which Arm has an instruction.
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
/// The same as [`pad`], for one group.
#[inline(always)]
unsafe fn group(permutation: &Permutation, from: *const u8, to: *mut u8) {
    let [_, second, third, fourth, ..] = permutation.fill;
    macro_rules! store {
        ([$($own:ident),*] $($fill:ident),*) => {{
            // SAFETY: these are the bytes of the group; an array of bytes needs no alignment.
            let [$($own),*] = unsafe { *from.cast() };
            // SAFETY: four bytes are writable; an array of bytes needs no alignment.
            unsafe { *to.cast::<[u8; WORD]>() = [$($own,)* $($fill),*] };
        }};
    }
    match moved(permutation) {
        1 => store!([a] second, third, fourth),
        2 => store!([a, b] third, fourth),
        _ => store!([a, b, c] fourth),
    }
}

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
pub(crate) unsafe fn baseline_planes(of: &Planes, from: *const u8, to: *mut u8) {
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
                    // SAFETY: a row has as many bytes as the plane. With a check, the compiler vectorizes the loop in
                    // some programs alone.
                    let byte = unsafe { row.get_unchecked(j) };
                    own |= (byte >> shift & mask) << of.destination_shift(k);
                }
                byte.write(own);
            }
        }
    }
}
