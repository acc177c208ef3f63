//! Runs moves in two passes.

use core::mem::MaybeUninit;

use super::drive::{Stage, each, run_stage};
use super::scratch::Scratch;
use crate::isa::Isa;
use crate::plan::{Code, PASS_BLOCK, Pass, Passes};
use crate::steps::OuterLoop;

/// Runs a move in two passes.
///
/// # Safety
/// The same as [`run_bytes`](super::drive::run_bytes).
#[inline(never)]
pub(super) unsafe fn run(passes: &Passes, source: &[u8], destination: *mut u8) {
    // Only sets of other targets have none. The second pass reads what the first one wrote.
    if !passes.first.code.is_some() || !passes.second.code.is_some() {
        return;
    }
    let mut scratch = MaybeUninit::<Scratch<PASS_BLOCK>>::uninit();
    let from = source.as_ptr().wrapping_offset(passes.source);
    let to = destination.wrapping_offset(passes.destination);
    let [around, first, second] = passes.loops();
    let first = Ready { pass: &passes.first, code: &passes.first.code.code(), loops: first };
    let second = Ready { pass: &passes.second, code: &passes.second.code.code(), loops: second };
    let between = scratch.as_mut_ptr().cast();
    each(around, from, to, |from, to| {
        // SAFETY: the planner keeps every block inside both sides, and makes none longer than the scratch buffer.
        unsafe { block(passes, [&first, &second], from, between, to) }
    });
}

/// A pass with its code and loops.
struct Ready<'a> {
    pass: &'a Pass,
    code: &'a Code,
    loops: &'a [OuterLoop],
}

/// Moves a block by both passes. It is not inlined, since loops around it would repeat it.
///
/// # Safety
/// The block must be readable at `from` and writable at `between` and at `to`, and these must not overlap. The CPU must
/// have the instruction set of the passes.
#[inline(never)]
unsafe fn block(
    passes: &Passes,
    [first, second]: [&Ready<'_>; 2],
    from: *const u8,
    between: *mut u8,
    to: *mut u8,
) {
    // SAFETY: the block is readable, by the caller's promise.
    let own = unsafe { core::slice::from_raw_parts(from, passes.length) };
    // SAFETY: the block is writable there.
    unsafe { first.run(passes.isa, own, between) };
    // SAFETY: the first pass wrote all bytes of the block.
    let own = unsafe { core::slice::from_raw_parts(between, passes.block) };
    // SAFETY: as above.
    unsafe { second.run(passes.isa, own, to) };
}

impl Ready<'_> {
    /// Runs the pass from a slice to bytes that begin at `to`.
    ///
    /// # Safety
    /// The pass must fit `source` and the bytes that are writable at `to`. The two must not overlap. The CPU must have
    /// the instruction set.
    #[inline(never)]
    unsafe fn run(&self, isa: Isa, source: &[u8], to: *mut u8) {
        let Pass { source: first, step, destination, .. } = self.pass;
        let stage = Stage { isa, loops: self.loops, source: *first, step, code: self.code };
        // SAFETY: the caller's promise.
        unsafe { run_stage(&stage, source, to.wrapping_offset(*destination), false) }
    }
}
