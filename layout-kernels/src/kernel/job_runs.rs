//! Runs of jobs: the outer loops around the kernel of each code.

use super::LINE;
use super::copy::FEW_VECTORS;
use super::job::{Job, Kernel};
use super::look_ups::LookUps;
use super::loops::Loop;
use super::nibble;
use super::offsets::{Offsets, Table, opaque};
use super::set::Set;
use super::shuffle;

/// The bytes of a source that the second level cache may still hold; tests have none to spare.
const CACHED: usize = if cfg!(test) { 0 } else { 1 << 20 };

/// Runs the body with pointers to every pass of the outer loops. No function with a closure: one
/// that is not inlined would not have the CPU features of its caller.
macro_rules! each {
    ($job:ident, $source:ident, $destination:ident, |$from:ident, $to:ident| $body:expr) => {{
        const { assert!(Job::CAPACITY == 10) };
        let $from = $source.as_ptr().wrapping_add($job.source);
        let $to = $destination.wrapping_add($job.destination);
        each!(@ $job, $from, $to, $body, 0 1 2 3 4 5 6 7 8 9);
    }};
    (@ $job:ident, $from:ident, $to:ident, $body:expr,) => { $body };
    (@ $job:ident, $from:ident, $to:ident, $body:expr, $level:literal $($faster:literal)*) => {{
        let (mut from, mut to) = ($from, $to);
        for _ in 0..$job.outer[$level].size {
            let ($from, $to) = (from, to);
            each!(@ $job, $from, $to, $body, $($faster)*);
            from = from.wrapping_offset($job.outer[$level].source);
            to = to.wrapping_offset($job.outer[$level].destination);
        }
    }};
}

/// Runs a job of copies.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `S`.
#[inline(always)]
pub(super) unsafe fn copies<S: Set, const KNOWN: bool>(
    job: &Job,
    source: &[u8],
    destination: *mut u8,
) {
    let Kernel::Copy(bytes) = job.kernel else { return };
    let stream = job.stores.go_past();
    // What copies have in common is not asked anew for each of them. Words have but one way to copy.
    let lines = S::BYTES > 4 && stream && job.moves_lines();
    let sorted;
    // What the caches hold, as a scratch, may be read in any order.
    let job = if lines && source.len() > CACHED {
        sorted = job.by_source();
        &sorted
    } else {
        job
    };
    if lines && (destination as usize + job.destination) % LINE == 0 {
        each!(job, source, destination, |from, to| {
            // SAFETY: the bytes are part of the job and of no other copy of it, by the caller's promise;
            // they are whole lines, and so vectors; `Stores::finish` follows.
            unsafe { S::vectors::<true, true>(from, to, bytes) }
        });
    } else if S::BYTES > 4 && !stream && bytes % S::BYTES == 0 && bytes <= FEW_VECTORS {
        each!(job, source, destination, |from, to| {
            // SAFETY: the bytes are part of the job, by the caller's promise, and whole vectors.
            unsafe { S::vectors::<false, KNOWN>(from, to, bytes) }
        });
    } else {
        each!(job, source, destination, |from, to| {
            // SAFETY: the bytes are part of the job, by the caller's promise.
            unsafe { S::copy(from, to, bytes, stream) }
        });
    }
}

/// Runs a job of shuffles, with look-ups for the vectors of `S`.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `S`.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through them here")
)]
pub(super) unsafe fn shuffles<S: Set>(
    job: &Job,
    look_ups: &LookUps,
    source: &[u8],
    destination: *mut u8,
) {
    let Kernel::Shuffle(shuffle) = &job.kernel else { return };
    let [.., runs] = job.outer;
    let mut around = *job;
    around.outer[Job::CAPACITY - 1] = Loop::ONCE;
    each!(around, source, destination, |from, to| {
        let (from, to) = (opaque!(from), opaque!(to));
        let readable = source.as_ptr_range();
        // SAFETY: the units are part of the job, by the caller's promise.
        unsafe { S::shuffle(shuffle, runs, look_ups, readable, from, to) }
    })
}

/// Runs a job of shuffles unit by unit: straight lines of code, where it is known.
///
/// # Safety
/// As [`Job::run`].
#[inline(always)]
pub(super) unsafe fn shuffles_by_unit<S: Set, const UNIT: usize>(
    job: &Job,
    source: &[u8],
    destination: *mut u8,
) {
    let Kernel::Shuffle(shuffle) = &job.kernel else { return };
    each!(job, source, destination, |from, to| {
        // SAFETY: the units are part of the job, by the caller's promise.
        unsafe { shuffle::by_unit::<S, UNIT>(shuffle, shuffle.steps.size, from, to) }
    })
}

/// Runs a job of single units.
///
/// # Safety
/// As [`Job::run`].
#[inline(always)]
pub(super) unsafe fn strided<S: Set, const UNIT: usize>(
    job: &Job,
    source: &[u8],
    destination: *mut u8,
) {
    let Kernel::Strided(steps) = job.kernel else { return };
    each!(job, source, destination, |from, to| {
        // SAFETY: the units are part of the job, by the caller's promise.
        unsafe { S::strided::<UNIT>(steps, from, to) }
    })
}

/// Runs a job of single 4-bit elements.
///
/// # Safety
/// As [`Job::run`].
#[inline(always)]
pub(super) unsafe fn strided_nibbles(job: &Job, source: &[u8], destination: *mut u8) {
    let Kernel::StridedNibbles(steps) = job.kernel else { return };
    each!(job, source, destination, |from, to| {
        // SAFETY: the elements are part of the job, by the caller's promise.
        unsafe { nibble::strided(steps, from, to) }
    })
}

/// Runs a job of pixels that are padded.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `S`.
#[inline(always)]
pub(super) unsafe fn pads<S: Set>(job: &Job, source: &[u8], destination: *mut u8) {
    let Kernel::Pad(pad) = job.kernel else { return };
    each!(job, source, destination, |from, to| {
        // SAFETY: the pixels are part of the job, by the caller's promise.
        unsafe { S::pad(pad, from, to) }
    })
}

macro_rules! matrix_jobs {
    ($(
        $(#[$about:meta])*
        $name:ident($($offsets:ident: $type:ty)?), |$matrix:ident, $from:ident, $to:ident| $run:expr;
    )*) => {$(
        $(#[$about])*
        ///
        /// # Safety
        /// As [`Job::run`], and the CPU has the features of `S`.
        #[inline(always)]
        #[cfg_attr(
            target_arch = "x86_64",
            expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through them here")
        )]
        pub(super) unsafe fn $name<S: Set, const UNIT: usize, const KNOWN: bool>(
            job: &Job,
            $($offsets: $type,)?
            source: &[u8],
            destination: *mut u8,
        ) {
            let Some($matrix) = job.matrix(source) else { return };
            each!(job, source, destination, |$from, $to| {
                // The compiler would keep sums of these for all parts of the matrix, on the stack, and
                // add to each in these loops. Small loops that it knows are unrolled.
                let ($from, $to) =
                    if KNOWN { ($from, $to) } else { (opaque!($from), opaque!($to)) };
                // SAFETY: the matrix is part of the job, by the caller's promise.
                unsafe { $run }
            });
        }
    )*};
}

matrix_jobs! {
    /// Runs a job of transposes of rows that begin at `offsets` from the first of a tile.
    tiles(offsets: impl Offsets), |matrix, from, to|
        S::tiles::<UNIT, _>(&matrix, offsets, from, to);
    /// Runs a job of transposes that [want staging](Job::wants_staging).
    staged_tiles(offsets: impl Offsets), |matrix, from, to|
        S::staged_tiles::<UNIT, _>(&matrix, offsets, from, to);
    /// Runs a job of transposes of columns in groups.
    grouped_columns(), |matrix, from, to| if let Some(groups) = matrix.column_groups {
        S::grouped_columns::<UNIT>(&matrix, groups, from, to)
    };
    /// Runs a job of transposes that [are squares](Job::is_of_squares).
    squares(), |matrix, from, to| S::squares::<UNIT>(&matrix, from, to);
    /// Runs a job of transposes of few columns.
    few_columns(table: &Table), |matrix, from, to|
        S::few_columns::<UNIT>(&matrix, table, from, to);
    /// Runs a job of transposes of few rows.
    few_rows(table: &Table), |matrix, from, to|
        S::few_rows::<UNIT>(&matrix, table, from, to);
    /// Runs a job of transposes of few rows and columns.
    units(), |matrix, from, to| S::units::<UNIT>(&matrix, from, to);
    /// Runs a job of interleaves the other way.
    deinterleaves(), |matrix, from, to| S::deinterleave::<UNIT>(&matrix, from, to);
    /// Runs a job of transposes of 4-bit elements.
    nibbles(), |matrix, from, to| S::nibbles::<UNIT>(&matrix, from, to);
}

/// Up to how many known interleaves have code of their own each, 700 bytes; none where a program is to be small.
pub(super) const UNROLLED: usize = if cfg!(small_code) { 0 } else { 16 };

/// Runs a job of interleaves.
///
/// The CPU reads ahead for each instruction, and reads on where it did the last time. A loop over matrices throws it
/// off at each of them, so a few known ones are straight lines of code: those of 56 x 56 pixels of bytes took a tenth
/// less so on a Zen 5.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `S`.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through them here")
)]
pub(super) unsafe fn interleaves<S: Set, const UNIT: usize, const KNOWN: bool>(
    job: &Job,
    source: &[u8],
    destination: *mut u8,
) {
    let Some(matrix) = job.matrix(source) else { return };
    let [.., matrices] = job.outer;
    if !(KNOWN && S::BYTES == LINE && matrices.size <= UNROLLED) {
        each!(job, source, destination, |from, to| {
            let (from, to) = if KNOWN { (from, to) } else { (opaque!(from), opaque!(to)) };
            // SAFETY: the matrix is part of the job, by the caller's promise.
            unsafe { S::interleave::<UNIT>(&matrix, from, to) }
        });
        return;
    }
    let mut around = *job;
    around.outer[Job::CAPACITY - 1] = Loop::ONCE;
    each!(around, source, destination, |from, to| {
        macro_rules! matrices {
            ($($i:literal)*) => {
                const { assert!(UNROLLED <= [$($i),*].len()) };
                $(
                    if $i < matrices.size {
                        let from = from.wrapping_offset($i * matrices.source);
                        let to = to.wrapping_offset($i * matrices.destination);
                        // SAFETY: one of the matrices, which are part of the job, by the caller's promise.
                        unsafe { S::interleave::<UNIT>(&matrix, from, to) }
                    }
                )*
            };
        }
        matrices!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    });
}
