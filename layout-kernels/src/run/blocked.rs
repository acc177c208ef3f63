//! Runs moves in blocks that fit a scratch buffer.

use core::mem::MaybeUninit;

use super::drive::{Stage, run_stage};
use super::each::each;
use super::scratch::Scratch;
use crate::isa::Isa;
#[cfg(vectors)]
use crate::plan::PASS_BLOCK;
use crate::plan::{Blocked, First, Pass, SCRATCH};
use crate::steps::OuterLoop;

/// Runs a move in blocks.
///
/// # Safety
/// The same as [`run_bytes`](super::drive::run_bytes).
pub(super) unsafe fn run(blocked: &Blocked, source: &[u8], destination: *mut u8) {
    match blocked.first {
        // SAFETY: the caller's promise, and the planner makes no block longer than the scratch buffer.
        First::Planes(..) => unsafe { run_in::<SCRATCH>(blocked, source, destination) },
        #[cfg(vectors)]
        // SAFETY: as above.
        First::Pass { .. } => unsafe { run_in::<PASS_BLOCK>(blocked, source, destination) },
    }
}

/// [`run`] with a scratch buffer of `BYTES` bytes.
///
/// # Safety
/// The same as [`run`], and a block must not be longer than the scratch buffer.
#[inline(never)]
unsafe fn run_in<const BYTES: usize>(blocked: &Blocked, source: &[u8], destination: *mut u8) {
    let mut scratch = MaybeUninit::<Scratch<BYTES>>::uninit();
    let from = source.as_ptr().wrapping_offset(blocked.source);
    let to = destination.wrapping_offset(blocked.destination);
    let [around, ..] = blocked.loops();
    let between = scratch.as_mut_ptr().cast();
    each(around, from, to, |from, to| {
        // SAFETY: the planner keeps every block inside both sides, and the scratch buffer holds it.
        unsafe { block(blocked, from, between, to) }
    });
}

/// Moves a block by both steps. It is not inlined, since loops around it would repeat it.
///
/// # Safety
/// The block must be readable at `from` and writable at `between` and at `to`, and these must not overlap. The CPU must
/// have the instruction set of the steps.
#[inline(never)]
unsafe fn block(blocked: &Blocked, from: *const u8, between: *mut u8, to: *mut u8) {
    let (isa, loops) = (blocked.isa, blocked.loops());
    match &blocked.first {
        // SAFETY: the bytes of these rows are readable, and the scratch buffer holds their planes.
        First::Planes(planes, kernel) => unsafe { kernel(planes, from, between) },
        #[cfg(vectors)]
        First::Pass { pass, length, .. } => {
            // SAFETY: the block is readable, by the caller's promise.
            let own = unsafe { core::slice::from_raw_parts(from, *length) };
            // SAFETY: the block is writable there.
            unsafe { run_pass(pass, (isa, loops[1]), own, between) };
        }
    }
    // SAFETY: the first step, which has a kernel, wrote all bytes of the block.
    let own = unsafe { core::slice::from_raw_parts(between, blocked.block) };
    // SAFETY: as above.
    unsafe { run_pass(&blocked.second, (isa, loops[2]), own, to) };
}

/// Runs a pass from a slice to bytes that begin at `to`.
///
/// # Safety
/// The pass must fit `source` and the bytes that are writable at `to`. The two must not overlap. The CPU must have the
/// instruction set.
#[inline(never)]
unsafe fn run_pass(pass: &Pass, (isa, loops): (Isa, &[OuterLoop]), source: &[u8], to: *mut u8) {
    let stage = Stage {
        isa,
        loops,
        source: pass.source,
        step: &pass.step,
        plain: &pass.code,
        streamed: None,
    };
    // SAFETY: the caller's promise.
    unsafe { run_stage(&stage, source, to.wrapping_offset(pass.destination)) }
}
