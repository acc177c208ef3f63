//! Moves a box whose move is planned when it runs. Also moves boxes between swizzles.

use layout_kernels::{Isa, Loop, Move, Stores};
use layout_types::nests::Nest;
use layout_types::plain::{self, Plain};

use super::lowering::{is_moved_by_rows, lowered};
use super::plan::Plan;
use super::swizzled::{SwizzledMove, copy_elements};
use crate::buffers::copy_row;

/// Moves a box of a plan.
///
/// # Safety
/// The box must be one of the plan. The lengths and the size of a unit must be those of the plan.
pub(super) unsafe fn move_box<U: Plain>(
    plan: &Plan,
    nest: &Nest,
    planned: &mut PlannedBoxes,
    source: &[U],
    destination: &mut [U],
) {
    if !nest.is_affine() {
        // SAFETY: the caller's promise.
        unsafe { move_swizzled(plan, nest, source, destination) };
    } else if is_moved_by_rows(nest, plan.pair.source().element()) {
        // SAFETY: the caller's promise.
        unsafe { move_longest_rows(plan, nest, source, destination) };
    } else if !run(plan, lowered(nest, &plan.pair), planned, source, destination) {
        // SAFETY: the caller's promise.
        unsafe { move_rows(plan, nest, source, destination) };
    }
}

/// [`move_rows`] along the longest loop. Not inlined, since a board's stack should not hold the copy of the box while
/// another box is planned.
///
/// # Safety
/// The same as [`move_box`].
#[inline(never)]
unsafe fn move_longest_rows<U: Plain>(
    plan: &Plan,
    nest: &Nest,
    source: &[U],
    destination: &mut [U],
) {
    // SAFETY: the caller's promise, and the box has the same elements in another order.
    unsafe { move_rows(plan, &nest.with_longest_rows(), source, destination) };
}

/// Moves a box between swizzles that is planned now. Not inlined, so that the stack does not hold its plan while another
/// box is planned or moved.
///
/// # Safety
/// The same as [`move_box`].
#[inline(never)]
unsafe fn move_swizzled<U: Plain>(plan: &Plan, nest: &Nest, source: &[U], destination: &mut [U]) {
    let mut kernel = None;
    let found = SwizzledMove::of(nest, &plan.pair);
    // In place: a plan takes 3 KiB.
    let found = found.as_ref().filter(|(_, of)| match of {
        Some(of) => layout_kernels::Plan::set(&mut kernel, of, Isa::best()).is_ok(),
        None => true,
    });
    match found {
        // SAFETY: lengths and units are those of the plan, by the caller's promise. This is its box, with its kernel.
        Some((moved, _)) => unsafe { run_swizzled(moved, kernel.as_ref(), source, destination) },
        // SAFETY: the caller's promise.
        None if plan.pair.source().element().per_byte() > 1 => unsafe {
            move_rows(plan, nest, source, destination);
        },
        // SAFETY: the nest leads to offsets of coordinates. Both layouts keep these less than their lengths, and the
        // buffers have those lengths in units, here elements.
        None => unsafe { copy_elements(nest, source, destination) },
    }
}

/// Moves a box between swizzles.
///
/// # Safety
/// Both buffers must have the lengths of the layouts of the box, and their units. `kernel` must be a plan of the move
/// that [`SwizzledMove::of`] returned with `own`.
pub(super) unsafe fn run_swizzled<U: Plain>(
    swizzled: &SwizzledMove,
    kernel: Option<&layout_kernels::Plan>,
    source: &[U],
    destination: &mut [U],
) {
    // SAFETY: the box has offsets of coordinates. Both layouts keep these less than their lengths, and the buffers have
    // those lengths.
    unsafe { swizzled.run(kernel, plain::as_bytes(source), plain::as_bytes_mut(destination)) }
}

/// The plans of the last two boxes that differ in more than where they begin. Where blocks of one size become blocks of
/// another, boxes of few kinds follow one another many times: those of 60 channels from blocks of 4 to blocks of 6 are
/// 20 boxes of two kinds.
#[derive(Default)]
pub(super) struct PlannedBoxes {
    moves: [Option<Move>; KEPT],
    plans: [Option<layout_kernels::Plan>; KEPT],
    next: usize,
}

/// A board has no room for two plans.
const KEPT: usize = if cfg!(target_os = "none") { 1 } else { 2 };

impl PlannedBoxes {
    /// Returns the plan of a move, unless it has none.
    fn plan(&mut self, of: &Move, stores: Stores) -> Option<&layout_kernels::Plan> {
        let known = self.moves.iter().position(|known_move| known_move.as_ref() == Some(of));
        let at = known.unwrap_or(self.next);
        let place = self.plans.get_mut(at)?;
        if known.is_none() {
            self.next = (at + 1) % KEPT;
            *self.moves.get_mut(at)? = None;
            layout_kernels::Plan::set(place, of, Isa::best()).ok()?;
            place.as_mut()?.set_stores(stores);
            *self.moves.get_mut(at)? = Some(*of);
        }
        place.as_ref()
    }
}

/// Returns a move that begins at the first byte that it reads and the first one that it writes, and the offsets of
/// these bytes. Elements of less than a byte and padding stay where they are.
fn at_first_bytes(of: &Move) -> (Move, (usize, usize)) {
    if of.is_of_elements() || of.padding.is_some() {
        return (*of, (0, 0));
    }
    let before = |stride: fn(&Loop) -> isize| -> usize {
        let back = |level: &Loop| stride(level).min(0).unsigned_abs() * (level.size - 1);
        of.loops().iter().map(back).sum()
    };
    let before = (before(|level| level.source), before(|level| level.destination));
    let mut moved = *of;
    (moved.source, moved.destination) = before;
    (moved, (of.source - before.0, of.destination - before.1))
}

/// Runs a move, if a kernel can run it. Returns whether it did.
fn run<U: Plain>(
    plan: &Plan,
    of: Option<Move>,
    planned: &mut PlannedBoxes,
    source: &[U],
    destination: &mut [U],
) -> bool {
    let Some((of, (from, to))) = of.map(|of| at_first_bytes(&of)) else { return false };
    let (source, destination) =
        (plain::as_bytes(source).get(from..), plain::as_bytes_mut(destination).get_mut(to..));
    let (Some(source), Some(destination)) = (source, destination) else { return false };
    let Some(kernel) = planned.plan(&of, plan.stores) else { return false };
    let done = kernel.run(source, destination);
    debug_assert!(done, "layouts keep the offsets of their elements below their lengths");
    true
}

/// Moves a box row by row.
///
/// # Safety
/// The same as [`move_box`].
unsafe fn move_rows<U: Plain>(plan: &Plan, nest: &Nest, source: &[U], destination: &mut [U]) {
    let elements = (plan.pair.source().element(), plan.pair.destination().element());
    let are_bits = elements.0.per_byte() > 1;
    let mut rows = nest.rows();
    while let Some(row) = rows.next() {
        if are_bits {
            row.copy_bits(elements, plain::as_bytes(source), plain::as_bytes_mut(destination));
        } else {
            // SAFETY: a row holds offsets of coordinates. Both layouts keep these less than their lengths, and the
            // buffers have those lengths in units, here elements.
            unsafe { copy_row(source, destination, row) }
        }
    }
}
