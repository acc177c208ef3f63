//! Jobs that are known at compile time: their kernels are compiled with literal bounds.

use super::job::{Job, Kernel, copies, deinterleaves, groups_at, interleaves, strided, transposes};
use super::tile::Table;
use super::vector::Vector;

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

/// Runs the job with vectors of type `V`. Only the kernel that it names is compiled.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn run<J: KnownJob, V: Vector>(source: &[u8], destination: *mut u8) {
    let job = const { &J::JOB };
    macro_rules! by_unit {
        ($run:ident $arguments:tt) => { by_unit!(@ $run $arguments 1 2 4 8 16) };
        (@ $run:ident $arguments:tt $($unit:literal)*) => {$(
            if const { J::JOB.unit == $unit } {
                // SAFETY: the caller's promise.
                unsafe { $run::<V, $unit> $arguments }
            }
        )*};
    }
    if const { matches!(J::JOB.kernel, Kernel::Copy(_)) } {
        // SAFETY: the caller's promise.
        unsafe { copies::<V>(job, source, destination) }
    } else if const { matches!(J::JOB.kernel, Kernel::Transpose { .. }) } {
        by_unit!(transposes(job, source, destination));
    } else if const { matches!(J::JOB.kernel, Kernel::Groups { .. }) } {
        let table = const { &Table::of(&J::JOB.kernel, V::BYTES / J::JOB.unit) };
        by_unit!(groups_at(job, table, source, destination));
    } else if const { matches!(J::JOB.kernel, Kernel::Interleave { .. }) } {
        by_unit!(interleaves(job, source, destination));
    } else if const { matches!(J::JOB.kernel, Kernel::Deinterleave { .. }) } {
        by_unit!(deinterleaves(job, source, destination));
    } else {
        by_unit!(strided(job, source, destination));
    }
}
