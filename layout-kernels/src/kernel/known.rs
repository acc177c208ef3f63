//! Jobs that are known at compile time: their kernels are compiled with literal bounds.

use core::marker::PhantomData;

use super::LINE;
use super::job::{Code, Job, Kernel};
use super::job_runs::{
    UNROLLED, copies, deinterleaves, few_columns, few_rows, grouped_columns, interleaves, nibbles,
    pads, shuffles, shuffles_by_unit, strided, strided_nibbles, tiles, units,
};
use super::look_ups::{LONGEST, LookUps};
use super::offsets::{Known, Table};
use super::set::Set;

/// The most bytes of a shuffle whose units straight lines of code move sooner than look-ups do.
const TINY: usize = 2 * LINE;

// What would be steps of longer shuffles is tiny: known jobs make none.
const _: () = assert!(TINY >= LONGEST);

/// A job as a type.
pub trait KnownJob {
    /// The job.
    const JOB: Job;
}

/// The most bytes that a job moves with code of its own. Above, literal bounds gain little, and
/// code costs room and time to compile.
const SMALL: usize = 16 << 10;

/// The same for interleaves of four rows of 8 or 16 bits, where the second level cache holds both sides, if they are
/// few or of few vectors: of such literal bounds make straight lines, which take a tenth less on a Zen 5.
const SMALL_INTERLEAVES: usize = 448 << 10;

/// Whether a job gets code of its own where there are several sets of kernels.
pub(super) const fn is_small(job: &Job) -> bool {
    let most = match job.kernel {
        Kernel::Interleave { rows, columns } if rows.size == 4 && job.unit <= 2 => {
            let are_few = job.outer[Job::CAPACITY - 1].size <= UNROLLED;
            let is_straight = are_few || columns.size * job.unit < 8 * LINE;
            if is_straight && UNROLLED > 0 { SMALL_INTERLEAVES } else { SMALL }
        }
        _ => SMALL,
    };
    job.bytes() <= most
}

/// Whether the compiler makes something better of a job's matrix than kernels do, with vectors of so many bytes. As
/// measured on a Zen 5: of 16 and 32 bits four rows of a lane and a half or less; of 8 too, of a line and most of
/// another, which would be two vectors a row, one over the other; and of 16 bits eight rows of eight or nine.
const fn is_left_to_the_compiler(job: &Job, bytes: usize) -> bool {
    let Some((rows, columns)) = job.rows_and_columns() else { return false };
    let (row, column) = (columns.size * job.unit, rows.count() * job.unit);
    let good = match rows.count() {
        4 if row <= 24 => matches!(job.unit, 2 | 4),
        4 => job.unit <= 4 && LINE + LINE / 2 < row && row < 2 * LINE,
        8 => job.unit == 2 && row <= 18,
        _ => false,
    };
    let lies_together = columns.destination == column as isize;
    let is_other =
        matches!(job.kernel, Kernel::TransposeNibbles { .. } | Kernel::ColumnGroups { .. });
    bytes == LINE && good && lies_together && !is_other
}

/// Runs the job with the kernels of `S`, or with shorter vectors if its own are too long for it.
/// Only the kernel that the job names is compiled.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `S`.
#[inline(always)]
pub(super) unsafe fn run<J: KnownJob, S: Set>(source: &[u8], destination: *mut u8) {
    if const { S::BYTES <= J::JOB.longest_vector() || is_left_to_the_compiler(&J::JOB, S::BYTES) } {
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

/// What of a job and a set the choice of code needs, each evaluated once.
struct Chosen<J, S>(PhantomData<(J, S)>);

impl<J: KnownJob, S: Set> Chosen<J, S> {
    /// The code. A number, not the value of an enum: a branch by an integer constant is the one that the
    /// compiler follows before it looks for functions to compile.
    const CODE: u8 = match is_left_to_the_compiler(&J::JOB, S::BYTES) {
        true => Code::Units as u8,
        false => J::JOB.code() as u8,
    };

    const UNIT: usize = J::JOB.unit;

    /// Whether it is a shuffle of so few bytes that straight lines of code move its units.
    const IS_TINY: bool = match &J::JOB.kernel {
        Kernel::Shuffle(shuffle) => shuffle.bytes() <= TINY,
        _ => false,
    };

    /// Empty where the code takes none.
    const TABLE: &'static Table = &match J::JOB.code() {
        Code::Tiles | Code::GroupTiles | Code::FewColumns | Code::FewRows => J::JOB.table(S::BYTES),
        _ => Table::NONE,
    };

    /// None where the code looks up nothing.
    const LOOK_UPS: &'static LookUps = &J::JOB.look_ups(S::LOOKS_UP);
}

/// # Safety
/// As [`run`], and a vector is not too long for the job, or one lane.
#[inline(always)]
unsafe fn run_with<J: KnownJob, S: Set>(source: &[u8], destination: *mut u8) {
    let job = const { &J::JOB };
    macro_rules! by_unit {
        ($run:ident [$($known:literal)?] $arguments:tt) => {
            by_unit!(@ $run [$($known)?] $arguments 1 2 4 8 16)
        };
        (@ $run:ident $known:tt $arguments:tt $($unit:literal)*) => {
            match Chosen::<J, S>::UNIT {
                $($unit => by_unit!(@@ $run $known $arguments $unit),)*
                _ => {}
            }
        };
        (@@ $run:ident [$($known:literal)?] $arguments:tt $unit:literal) => {
            // SAFETY: the caller's promise.
            unsafe { $run::<S, $unit $(, $known)?> $arguments }
        };
    }
    macro_rules! by_code {
        ($($code:ident => $run:expr;)*) => {{
            #[expect(non_upper_case_globals, reason = "the names of the codes")]
            mod number {
                $(pub(super) const $code: u8 = crate::kernel::job::Code::$code as u8;)*
            }
            // No code is left out.
            const _: fn(Code) = |code| match code {
                $(Code::$code => {})*
            };
            match Chosen::<J, S>::CODE {
                $(number::$code => $run,)*
                _ => {}
            }
        }};
    }
    by_code! {
        // SAFETY: the caller's promise.
        Copies => unsafe { copies::<S, true>(job, source, destination) };
        // SAFETY: the caller's promise.
        Nibbles => unsafe { nibbles::<S, 1, true>(job, source, destination) };
        // SAFETY: the caller's promise.
        StridedNibbles => unsafe { strided_nibbles(job, source, destination) };
        // SAFETY: the caller's promise.
        Pads => unsafe { pads::<S>(job, source, destination) };
        Shuffles => if const { Chosen::<J, S>::IS_TINY } {
            by_unit!(shuffles_by_unit [] (job, source, destination))
        } else {
            // SAFETY: the caller's promise.
            unsafe { shuffles::<S>(job, Chosen::<J, S>::LOOK_UPS, source, destination) }
        };
        Strided => by_unit!(strided [] (job, source, destination));
        Tiles => by_unit!(tiles [true] (job, Known(Chosen::<J, S>::TABLE), source, destination));
        GroupTiles => by_unit!(tiles [true] (job, Known(Chosen::<J, S>::TABLE), source, destination));
        ColumnGroups => by_unit!(grouped_columns [true] (job, source, destination));
        FewColumns => by_unit!(few_columns [true] (job, Chosen::<J, S>::TABLE, source, destination));
        FewRows => by_unit!(few_rows [true] (job, Chosen::<J, S>::TABLE, source, destination));
        Units => by_unit!(units [true] (job, source, destination));
        Interleaves => by_unit!(interleaves [true] (job, source, destination));
        Deinterleaves => by_unit!(deinterleaves [true] (job, source, destination));
    }
}
