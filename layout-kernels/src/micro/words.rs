//! Transposes in machine words, for CPUs without vectors.
//!
//! Four bytes of four rows are four words, transposed in registers; two units of two bytes likewise. Where a CPU takes
//! words at multiples of 4 only, what lies elsewhere is moved unit by unit.

use super::offsets::{Columns, Rows};
use super::tile::Matrix;

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

/// Two words in which every second byte of one is exchanged for one of the other: a0 b0 a2 b2 and a1 b1 a3 b3.
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

/// Transposes `matrix`.
///
/// # Safety
/// Every unit of the matrix is readable from `from` on and writable from `to` on, and the two sides do not overlap;
/// `WIDTH` is 1, 2, 4 or 8.
#[inline(always)]
pub(crate) unsafe fn transpose<const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
) {
    let each = WORD / WIDTH;
    let strides = matrix.row as usize | matrix.column as usize | from as usize | to as usize;
    let is_aligned = R::IS_EVEN && C::IS_EVEN && strides % WORD == 0;
    let tall = matrix.rows >= each && matrix.columns >= each;
    let (mut whole_rows, mut whole_columns) = (0, 0);
    if WIDTH < WORD && tall && (ANYWHERE || is_aligned) {
        whole_rows = matrix.rows - matrix.rows % each;
        whole_columns = matrix.columns - matrix.columns % each;
    }
    let mut row = 0;
    while row < whole_rows {
        let mut column = 0;
        while column < whole_columns {
            // SAFETY: a block of the matrix, whose words are aligned or may lie anywhere.
            unsafe { block::<WIDTH, R, C>(rows, columns, (row, column), from, to) };
            column += each;
        }
        row += each;
    }
    // What is no block: the last columns of all rows, and the last rows.
    for row in 0..matrix.rows {
        let first = if row < whole_rows { whole_columns } else { 0 };
        // SAFETY: a row of the matrix.
        let from = unsafe { rows.first(from, row) };
        for column in first..matrix.columns {
            // SAFETY: a column of the matrix.
            let to = unsafe { columns.first(to, column) };
            let from = from.wrapping_add(column * WIDTH).cast::<[u8; WIDTH]>();
            let to = to.wrapping_add(row * WIDTH).cast::<[u8; WIDTH]>();
            // SAFETY: a unit of the matrix; an array of bytes needs no alignment.
            unsafe { from.copy_to_nonoverlapping(to, 1) };
        }
    }
}

/// Transposes a block of words.
///
/// # Safety
/// As [`transpose`], for `4 / WIDTH` rows and columns from the given ones on; `WIDTH` is 1 or 2.
#[inline(always)]
unsafe fn block<const WIDTH: usize, R: Rows, C: Columns>(
    rows: R,
    columns: C,
    (row, column): (usize, usize),
    from: *const u8,
    to: *mut u8,
) {
    let load = |i: usize| {
        // SAFETY: a row of the block.
        let from = unsafe { rows.first(from, row + i) };
        let from = from.wrapping_add(column * WIDTH).cast::<u32>();
        // SAFETY: a word of the row. Where words may not lie anywhere they are aligned, and so are read as one.
        u32::from_le(if ANYWHERE { unsafe { from.read_unaligned() } } else { unsafe { *from } })
    };
    let store = |i: usize, word: u32| {
        // SAFETY: a column of the block.
        let to = unsafe { columns.first(to, column + i) };
        let to = to.wrapping_add(row * WIDTH).cast::<u32>();
        if ANYWHERE {
            // SAFETY: a word of the column.
            unsafe { to.write_unaligned(word.to_le()) }
        } else {
            // SAFETY: as above, and aligned.
            unsafe { *to = word.to_le() }
        }
    };
    if WIDTH == 1 {
        let [a, b] = swapped_bytes(load(0), load(1));
        let [c, d] = swapped_bytes(load(2), load(3));
        let ([first, third], [second, fourth]) = (halves(a, c), halves(b, d));
        store(0, first);
        store(1, second);
        store(2, third);
        store(3, fourth);
    } else {
        let [first, second] = halves(load(0), load(1));
        store(0, first);
        store(1, second);
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
