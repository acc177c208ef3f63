//! What a set of kernels is: one function for each [`Code`](super::job::Code).

use core::ops::Range;

use super::look_ups::LookUps;
use super::loops::Loop;
use super::matrix::{self, ColumnGroups, Matrix};
use super::offsets::{Even, Offsets, Table};
use super::pad::{self, Pad};
use super::shuffle::{self, Shuffle};
use super::shuffle_vectors;
use super::vector::Vector;
use super::{column_groups, copy, interleave, narrow, nibble, squares, staged, transpose};

/// A set of kernels: any [`Vector`] makes one, and so do whole words. Each function is inlined into
/// one that enables the CPU features of the set.
pub(super) trait Set: Sized {
    /// The bytes of a vector, or of a word.
    const BYTES: usize;

    /// The set with half as long vectors, or this one where there is none.
    type Half: Set;

    /// The set with vectors of one lane, or this one.
    type Lane: Set;

    /// # Safety
    /// As [`copy::copy`].
    unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize, stream: bool);

    /// # Safety
    /// As [`copy::vectors`].
    unsafe fn vectors<const STREAM: bool, const KNOWN: bool>(
        from: *const u8,
        to: *mut u8,
        bytes: usize,
    );

    /// # Safety
    /// As [`copy::strided`].
    #[inline(always)]
    unsafe fn strided<const UNIT: usize>(steps: Loop, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { copy::strided::<UNIT>(steps, from, to) }
    }

    /// # Safety
    /// As [`transpose::transpose`].
    unsafe fn tiles<const UNIT: usize, O: Offsets>(
        matrix: &Matrix,
        offsets: O,
        from: *const u8,
        to: *mut u8,
    );

    /// Tiles of a matrix that wants staging; only sets of long vectors are asked for it.
    ///
    /// # Safety
    /// As [`staged::transpose`].
    #[inline(always)]
    unsafe fn staged_tiles<const UNIT: usize, O: Offsets>(
        matrix: &Matrix,
        offsets: O,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { Self::tiles::<UNIT, O>(matrix, offsets, from, to) }
    }

    /// Squares; only sets of long vectors are asked for it.
    ///
    /// # Safety
    /// As [`squares::transpose`].
    #[inline(always)]
    unsafe fn squares<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { Self::tiles::<UNIT, _>(matrix, Even(matrix.rows.stride), from, to) }
    }

    /// # Safety
    /// As [`column_groups::transpose`].
    #[inline(always)]
    unsafe fn grouped_columns<const UNIT: usize>(
        matrix: &Matrix,
        groups: ColumnGroups,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { column_groups::group_by_group::<Self, UNIT>(matrix, groups, from, to) }
    }

    /// # Safety
    /// As [`narrow::few_columns`].
    unsafe fn few_columns<const UNIT: usize>(
        matrix: &Matrix,
        table: &Table,
        from: *const u8,
        to: *mut u8,
    );

    /// # Safety
    /// As [`narrow::few_rows`].
    unsafe fn few_rows<const UNIT: usize>(
        matrix: &Matrix,
        table: &Table,
        from: *const u8,
        to: *mut u8,
    );

    /// # Safety
    /// As [`matrix::units`], of all rows and columns.
    #[inline(always)]
    unsafe fn units<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        let (rows, columns) = (0..matrix.rows.count(), 0..matrix.columns);
        // SAFETY: the caller's promise.
        unsafe { matrix::units::<UNIT>(matrix, rows, columns, from, to) }
    }

    /// The bytes of a vector that looks up; 0 where none does.
    const LOOKS_UP: usize = 0;

    /// # Safety
    /// As [`shuffle_vectors::shuffle`], with look-ups for vectors of [`LOOKS_UP`](Self::LOOKS_UP) bytes.
    #[inline(always)]
    unsafe fn shuffle(
        shuffle: &Shuffle,
        runs: Loop,
        _: &LookUps,
        _: Range<*const u8>,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { shuffle::runs_by_unit::<Self>(shuffle, runs, from, to) }
    }

    /// # Safety
    /// As [`interleave::interleave`].
    unsafe fn interleave<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8);

    /// # Safety
    /// As [`interleave::deinterleave`].
    unsafe fn deinterleave<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8);

    /// # Safety
    /// As [`nibble::transpose`].
    unsafe fn nibbles<const BYTE: usize>(matrix: &Matrix, from: *const u8, to: *mut u8);

    /// # Safety
    /// As [`pad::words`].
    #[inline(always)]
    unsafe fn pad(pad: Pad, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { pad::words(pad, from, to) }
    }
}

impl<V: Vector> Set for V {
    const BYTES: usize = V::BYTES;
    type Half = V::Half;
    type Lane = V::Lane;

    #[inline(always)]
    unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize, stream: bool) {
        // SAFETY: the caller's promise.
        unsafe { copy::copy::<V>(from, to, bytes, stream) }
    }

    #[inline(always)]
    unsafe fn vectors<const STREAM: bool, const KNOWN: bool>(
        from: *const u8,
        to: *mut u8,
        bytes: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { copy::vectors::<V, STREAM, KNOWN>(from, to, bytes) }
    }

    #[inline(always)]
    unsafe fn tiles<const UNIT: usize, O: Offsets>(
        matrix: &Matrix,
        offsets: O,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { transpose::transpose::<V, UNIT, O>(matrix, offsets, from, to) }
    }

    #[inline(always)]
    unsafe fn staged_tiles<const UNIT: usize, O: Offsets>(
        matrix: &Matrix,
        offsets: O,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { staged::transpose::<V, UNIT, O>(matrix, offsets, from, to) }
    }

    #[inline(always)]
    unsafe fn squares<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { squares::transpose::<V, UNIT>(matrix, from, to) }
    }

    #[inline(always)]
    unsafe fn grouped_columns<const UNIT: usize>(
        matrix: &Matrix,
        groups: ColumnGroups,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { column_groups::transpose::<V, UNIT>(matrix, groups, from, to) }
    }

    #[inline(always)]
    unsafe fn few_columns<const UNIT: usize>(
        matrix: &Matrix,
        table: &Table,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { narrow::few_columns::<V, UNIT>(matrix, table, from, to) }
    }

    #[inline(always)]
    unsafe fn few_rows<const UNIT: usize>(
        matrix: &Matrix,
        table: &Table,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { narrow::few_rows::<V, UNIT>(matrix, table, from, to) }
    }

    const LOOKS_UP: usize = if V::Mixer::MIXES { <V::Mixer as Vector>::BYTES } else { 0 };

    #[inline(always)]
    unsafe fn shuffle(
        shuffle: &Shuffle,
        runs: Loop,
        look_ups: &LookUps,
        readable: Range<*const u8>,
        from: *const u8,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise.
        unsafe { shuffle_vectors::shuffle::<V>(shuffle, runs, look_ups, readable, from, to) }
    }

    #[inline(always)]
    unsafe fn interleave<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { interleave::interleave::<V, UNIT>(matrix, from, to) }
    }

    #[inline(always)]
    unsafe fn deinterleave<const UNIT: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { interleave::deinterleave::<V, UNIT>(matrix, from, to) }
    }

    #[inline(always)]
    unsafe fn nibbles<const BYTE: usize>(matrix: &Matrix, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { nibble::transpose::<V, BYTE>(matrix, from, to) }
    }
}
