//! Jobs that are known at compile time: their kernels are compiled with literal bounds.

use super::job::{
    Code, Job, copies, deinterleaves, few_columns, few_rows, interleaves, nibbles, pads, strided,
    strided_nibbles, tiles, units,
};
use super::set::Set;

/// A job as a type.
pub(crate) trait KnownJob {
    const JOB: Job;
}

/// The most bytes that a job moves with code of its own. Above, literal bounds gain little, and
/// code costs room and time to compile.
const SMALL: usize = 16 << 10;

/// Whether a job gets code of its own where there are several sets of kernels.
pub(super) const fn is_small(job: &Job) -> bool {
    job.bytes() <= SMALL
}

/// Runs the job with the kernels of `S`, or with shorter vectors if its own are too long for it.
/// Only the kernel that the job names is compiled.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `S`.
#[inline(always)]
pub(super) unsafe fn run<J: KnownJob, S: Set>(source: &[u8], destination: *mut u8) {
    if const { S::BYTES <= J::JOB.longest_vector() } {
        // SAFETY: the caller's promise.
        unsafe { run_with::<J, S>(source, destination) }
    } else if const { <S::Half as Set>::BYTES <= J::JOB.longest_vector() } {
        // SAFETY: the caller's promise, which a CPU with `S` keeps for its half.
        unsafe { run_with::<J, S::Half>(source, destination) }
    } else {
        // SAFETY: as above.
        unsafe { run_with::<J, S::Lane>(source, destination) }
    }
}

/// # Safety
/// As [`run`], and a vector is not too long for the job, or one lane.
#[inline(always)]
unsafe fn run_with<J: KnownJob, S: Set>(source: &[u8], destination: *mut u8) {
    let job = const { &J::JOB };
    macro_rules! by_unit {
        ($run:ident $arguments:tt) => { by_unit!(@ $run $arguments 1 2 4 8 16) };
        (@ $run:ident $arguments:tt $($unit:literal)*) => {$(
            if const { J::JOB.unit == $unit } {
                // SAFETY: the caller's promise.
                unsafe { $run::<S, $unit> $arguments }
            }
        )*};
    }
    macro_rules! is {
        ($code:ident) => {
            const { matches!(J::JOB.code(), Code::$code) }
        };
    }
    let table = const { &J::JOB.table(S::BYTES) };
    if is!(Copies) {
        // SAFETY: the caller's promise.
        unsafe { copies::<S>(job, source, destination) }
    } else if is!(Nibbles) {
        // SAFETY: the caller's promise.
        unsafe { nibbles::<S, 1>(job, source, destination) }
    } else if is!(StridedNibbles) {
        // SAFETY: the caller's promise.
        unsafe { strided_nibbles(job, source, destination) }
    } else if is!(Pads) {
        // SAFETY: the caller's promise.
        unsafe { pads::<S>(job, source, destination) }
    } else if is!(Strided) {
        by_unit!(strided(job, source, destination));
    } else if is!(Tiles) || is!(GroupTiles) {
        by_unit!(tiles(job, table, source, destination));
    } else if is!(FewColumns) {
        by_unit!(few_columns(job, table, source, destination));
    } else if is!(FewRows) {
        by_unit!(few_rows(job, table, source, destination));
    } else if is!(Units) {
        by_unit!(units(job, source, destination));
    } else if is!(Interleaves) {
        by_unit!(interleaves(job, source, destination));
    } else {
        by_unit!(deinterleaves(job, source, destination));
    }
}
