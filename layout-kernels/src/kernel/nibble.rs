//! 4-bit elements, two of which share a byte, the even offset in the low half.
//!
//! A transpose takes two rows at a time. Of their bytes, the low halves are the bytes of the
//! columns of even number, the high halves those of the others:
//!
//! ```text
//! two rows          01 23 45 ..         even columns  0a 2c 4e ..
//!                   ab cd ef ..         odd columns   1b 3d 5f ..
//! ```
//!
//! So each half is a matrix of bytes in a scratch, and is transposed as one.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::copy::copy;
use super::loops::Loop;
use super::matrix::Matrix;
use super::offsets::Even;
use super::tile::tile;
use super::vector::Vector;

/// The bytes of a row in the scratch.
const LINE: usize = 64;

/// So many pairs of rows are not worth a tile.
const FEW: usize = 4;

/// The element at an offset that lies in the byte.
#[inline(always)]
const fn at(byte: u8, offset: isize) -> u8 {
    byte >> ((offset & 1) * 4) & 0xf
}

/// The byte with another element at an offset that lies in it.
#[inline(always)]
const fn with(byte: u8, offset: isize, element: u8) -> u8 {
    let shift = (offset & 1) * 4;
    byte & !(0xf << shift) | element << shift
}

/// Copies elements one by one.
///
/// # Safety
/// The byte of every step is readable at `from` and writable at `to`, and the two do not overlap.
#[inline(always)]
pub(super) unsafe fn strided(steps: Loop, from: *const u8, to: *mut u8) {
    let (mut source, mut destination) = (0isize, 0isize);
    for _ in 0..steps.size {
        // SAFETY: the byte of an element of the loop, by the caller's promise.
        let element = at(unsafe { *from.wrapping_offset(source >> 1) }, source);
        let to = to.wrapping_offset(destination >> 1);
        // SAFETY: as above.
        let byte = with(unsafe { *to }, destination, element);
        // SAFETY: as above.
        unsafe { *to = byte };
        source = source.wrapping_add(steps.source);
        destination = destination.wrapping_add(steps.destination);
    }
}

/// Transposes a matrix of 4-bit elements. Its rows are of even number; the bytes of a row lie
/// together in the source, and those of a column in the destination.
///
/// # Safety
/// - every element of the matrix is readable in the source and writable in the destination, and
///   the two do not overlap;
/// - all of `readable` is;
/// - it has at least `2 * V::BYTES` rows, or `V` has one lane;
/// - the CPU has the features of `V`;
/// - `BYTE` is 1.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const BYTE: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    // Two halves of a line for each pair of rows, as many as a tile has rows.
    let mut scratch = MaybeUninit::<[[V; LINE]; 2]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let halves_apart = V::BYTES * LINE;
    let pairs = matrix.rows.size / 2;
    let mut column = 0;
    while column < matrix.columns {
        let columns = (matrix.columns - column).min(2 * LINE);
        let mut pair = 0;
        while pair < pairs {
            // The last tile overlaps the one before it.
            let first = pair.min(pairs.saturating_sub(V::BYTES));
            let lines = if pairs <= FEW { pairs } else { V::BYTES };
            for i in 0..lines {
                // The last pair stands for those that are not there.
                let row = 2 * (first + i).min(pairs - 1) as isize;
                let from = source.wrapping_add(column / 2);
                let from = from.wrapping_offset(row * matrix.rows.stride);
                let to = scratch.wrapping_add(i * LINE);
                let rows = [from, from.wrapping_offset(matrix.rows.stride)];
                let to = [to, to.wrapping_add(halves_apart)];
                // SAFETY: bytes of two rows of the matrix, and lines of the scratch.
                unsafe { halves::<V>(rows, to, columns.div_ceil(2), &matrix.readable) };
            }
            for odd in 0..2 {
                let tiles = Tiles {
                    rows: pairs.min(V::BYTES),
                    columns: (columns + 1 - odd) / 2,
                    stride: 2 * matrix.destination_stride,
                };
                let from = scratch.wrapping_add(odd * halves_apart);
                let to = (column + odd) as isize * matrix.destination_stride;
                let to = destination.wrapping_offset(to).wrapping_add(first);
                if pairs <= FEW {
                    // SAFETY: the bytes of the scratch are those of every second column.
                    unsafe { tiles.one_by_one(from, to) };
                    continue;
                }
                // SAFETY: as above; there are as many rows as a tile has, and of each at least 16
                // bytes.
                unsafe { tiles.run::<V, BYTE>(from, to) };
            }
            pair += V::BYTES;
        }
        column += columns;
    }
}

/// [`transpose`] with two elements at a time, without vectors.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn pairs(matrix: &Matrix, source: *const u8, destination: *mut u8) {
    for column in 0..matrix.columns as isize {
        let from = source.wrapping_offset(column / 2);
        let to = destination.wrapping_offset(column * matrix.destination_stride);
        for pair in 0..matrix.rows.size / 2 {
            let from = from.wrapping_offset(2 * pair as isize * matrix.rows.stride);
            // SAFETY: the byte of an element of the matrix.
            let even = at(unsafe { *from }, column);
            // SAFETY: the byte of the same column in the next row.
            let odd = at(unsafe { *from.wrapping_offset(matrix.rows.stride) }, column);
            // SAFETY: the byte of both elements in the destination.
            unsafe { *to.wrapping_add(pair) = even | odd << 4 };
        }
    }
}

/// The bytes of one half of a few rows, [`LINE`] bytes apart in the scratch.
struct Tiles {
    rows: usize,
    columns: usize,
    /// From one column to the next in the destination.
    stride: isize,
}

impl Tiles {
    /// Transposes them byte by byte.
    ///
    /// # Safety
    /// Every byte of the rows and columns is readable and writable.
    #[inline(always)]
    unsafe fn one_by_one(&self, from: *const u8, to: *mut u8) {
        for row in 0..self.rows {
            let from = from.wrapping_add(row * LINE);
            let mut to = to.wrapping_add(row);
            for column in 0..self.columns {
                // SAFETY: a byte of the row.
                let byte = unsafe { *from.wrapping_add(column) };
                // SAFETY: a byte of the column.
                unsafe { *to = byte };
                to = to.wrapping_offset(self.stride);
            }
        }
    }

    /// Transposes them.
    ///
    /// # Safety
    /// - `V::BYTES` rows are readable, and of each the bytes of the columns, or 16 if they are fewer;
    /// - the bytes of `rows` rows are writable in each column;
    /// - the CPU has the features of `V`, and `BYTE` is 1.
    #[inline(always)]
    unsafe fn run<V: Vector, const BYTE: usize>(&self, from: *const u8, to: *mut u8) {
        let rows = Even(LINE as isize);
        let mut column = 0;
        while column < self.columns {
            // The last tile overlaps the one before it.
            let first = column.min(self.columns.saturating_sub(16));
            let from = from.wrapping_add(first);
            let to = to.wrapping_offset(first as isize * self.stride);
            column += 16;
            if self.rows == V::BYTES && self.columns >= 16 {
                // SAFETY: a tile of the matrix.
                unsafe { tile::<V, BYTE, false, _>(rows, from, to, self.stride) };
                continue;
            }
            let mut whole = MaybeUninit::<[V; 16]>::uninit();
            let whole = whole.as_mut_ptr().cast::<u8>();
            // SAFETY: 16 bytes of as many rows as a tile has, which fits the scratch.
            unsafe { tile::<V, BYTE, false, _>(rows, from, whole, V::BYTES as isize) };
            for i in 0..self.columns.min(16) {
                let to = to.wrapping_offset(i as isize * self.stride);
                // SAFETY: the rows of a column, which the tile has written.
                unsafe { copy::<V>(whole.wrapping_add(i * V::BYTES), to, self.rows, false) };
            }
        }
    }
}

/// The low and the high halves of two rows of up to [`LINE`] bytes, at least 16 of each.
///
/// # Safety
/// - `length` bytes of both rows are readable, and so is all of `readable`;
/// - a line at both destinations is writable;
/// - the CPU has the features of `V`.
#[inline(always)]
unsafe fn halves<V: Vector>(
    rows: [*const u8; 2],
    to: [*mut u8; 2],
    length: usize,
    readable: &Range<*const u8>,
) {
    if length >= V::BYTES {
        // SAFETY: the caller's promise.
        unsafe { halves_by::<V>(rows, to, length) }
    } else if length >= 16 {
        // SAFETY: the caller's promise.
        unsafe { halves_by::<V::Lane>(rows, to, length) }
    } else if readable.end as usize - rows[0] as usize >= 16
        && readable.end as usize - rows[1] as usize >= 16
    {
        // SAFETY: 16 bytes of the source, and less than a line.
        unsafe { halves_by::<V::Lane>(rows, to, 16) }
    } else {
        let mut copies = [[0; 16]; 2];
        for (copy, row) in copies.iter_mut().zip(rows) {
            // SAFETY: `length` bytes are readable, and fewer than 16.
            unsafe { row.copy_to_nonoverlapping(copy.as_mut_ptr(), length) };
        }
        // SAFETY: 16 bytes of the copies, and less than a line.
        unsafe { halves_by::<V::Lane>([copies[0].as_ptr(), copies[1].as_ptr()], to, 16) }
    }
}

/// The low and the high halves of `length` bytes of two rows, one vector at a time.
///
/// # Safety
/// As many readable bytes in each row, no fewer than a vector has, and writable ones at both
/// destinations; and the CPU has the features of `V`.
#[inline(always)]
unsafe fn halves_by<V: Vector>(rows: [*const u8; 2], to: [*mut u8; 2], length: usize) {
    let mut at = 0;
    while at < length {
        // The last vector overlaps the one before it.
        let start = at.min(length - V::BYTES);
        // SAFETY: start + V::BYTES <= length.
        let first = unsafe { V::load(rows[0].wrapping_add(start)) };
        // SAFETY: as above.
        let second = unsafe { V::load(rows[1].wrapping_add(start)) };
        // SAFETY: the caller's promise.
        let [low, high] = unsafe { first.halves(second) };
        // SAFETY: start + V::BYTES <= length.
        unsafe { low.store(to[0].wrapping_add(start)) };
        // SAFETY: as above.
        unsafe { high.store(to[1].wrapping_add(start)) };
        at += V::BYTES;
    }
}
