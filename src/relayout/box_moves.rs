//! Moves the boxes for which the plan keeps no moves: those of plans with many boxes, boxes with many loops, and
//! boxes between swizzles.

use bytemuck::Pod;

use layout_kernels::Move;
use layout_types::nests::{AffineNests, Nest};

use super::lowering::{lowered, moved_between};
use super::plan::Plan;
use super::swizzled_rows::{copy_elements, copy_groups};
use crate::buffers::{as_bytes, as_bytes_mut, copy_row};

/// The number of elements from which on a swizzled box is moved by a plan for each value of the bits that its swizzle
/// reads. Each plan takes about a microsecond.
const PLANNED: usize = 16 << 10;

/// Moves a box.
pub(super) fn move_box<U: Pod>(plan: &Plan, nest: &Nest, source: &[U], destination: &mut [U]) {
    if !nest.is_affine() {
        move_swizzled(plan, nest, source, destination);
    } else if !run(plan, lowered(nest, &plan.pair), source, destination) {
        move_rows(plan, nest, source, destination);
    }
}

/// How a box is moved whose offsets are swizzled after its loops.
#[allow(clippy::large_enum_variant, reason = "a relayout allocates nothing")]
pub(super) enum SwizzledPath {
    /// In groups of elements that the swizzles keep contiguous on both sides.
    Groups,
    /// As a nest without swizzles for each value of the bits that the swizzles read.
    Nests(AffineNests),
    /// Element by element.
    Elements,
}

impl SwizzledPath {
    pub(super) fn of(plan: &Plan, nest: &Nest) -> Self {
        let innermost = nest.levels().last();
        let are_runs = innermost.is_some_and(|level| level.source == 1 && level.destination == 1);
        if are_runs && plan.pair.source.element().per_byte() == 1 {
            return Self::Groups;
        }
        let count = nest.levels().iter().map(|level| level.size).product::<usize>();
        let nests = if count >= PLANNED { AffineNests::of(nest) } else { None };
        nests.map_or(Self::Elements, Self::Nests)
    }
}

fn move_swizzled<U: Pod>(plan: &Plan, nest: &Nest, source: &[U], destination: &mut [U]) {
    match SwizzledPath::of(plan, nest) {
        // SAFETY: the nest leads to offsets of coordinates. Both layouts keep these less than their lengths, and the
        // buffers have those lengths in units, here elements.
        SwizzledPath::Groups => unsafe { copy_groups(nest, source, destination) },
        SwizzledPath::Nests(nests) => nests.for_each(|nest| {
            if !run(plan, moved_between(&nest, &plan.pair), source, destination) {
                move_rows(plan, &nest, source, destination);
            }
        }),
        SwizzledPath::Elements if plan.pair.source.element().per_byte() > 1 => {
            move_rows(plan, nest, source, destination);
        }
        // SAFETY: as of groups.
        SwizzledPath::Elements => unsafe { copy_elements(nest, source, destination) },
    }
}

/// Runs a move, if a kernel can run it. Returns whether it did.
fn run<U: Pod>(plan: &Plan, of: Option<Move>, source: &[U], destination: &mut [U]) -> bool {
    let Some(Ok(mut own)) = of.map(|of| layout_kernels::Plan::new(&of)) else { return false };
    own.set_stores(plan.stores);
    let done = own.run(as_bytes(source), as_bytes_mut(destination));
    debug_assert!(done, "layouts keep the offsets of their elements below their lengths");
    true
}

/// Moves a box row by row.
fn move_rows<U: Pod>(plan: &Plan, nest: &Nest, source: &[U], destination: &mut [U]) {
    let elements = (plan.pair.source.element(), plan.pair.destination.element());
    let mut rows = nest.rows();
    while let Some(row) = rows.next() {
        if elements.0.per_byte() > 1 {
            row.copy_bits(elements, as_bytes(source), as_bytes_mut(destination));
        } else {
            // SAFETY: a row holds offsets of coordinates. Both layouts keep these less than their lengths, and the
            // buffers have those lengths in units, here elements.
            unsafe { copy_row(source, destination, row) }
        }
    }
}
