//! Moves a box whose move is planned when it runs. Also moves boxes between swizzles.

use bytemuck::Pod;

use layout_kernels::Move;
use layout_types::nests::Nest;

use super::lowering::lowered;
use super::plan::Plan;
use super::swizzled::{SwizzledMove, copy_elements};
use crate::buffers::{as_bytes, as_bytes_mut, copy_row};

/// Moves a box of a plan.
///
/// # Safety
/// The lengths and the size of a unit must be those of the plan.
pub(super) unsafe fn move_box<U: Pod>(
    plan: &Plan,
    nest: &Nest,
    source: &[U],
    destination: &mut [U],
) {
    if !nest.is_affine() {
        // SAFETY: the caller's promise.
        unsafe { move_swizzled(plan, nest, source, destination) };
    } else if !run(plan, lowered(nest, &plan.pair), source, destination) {
        // SAFETY: the caller's promise.
        unsafe { move_rows(plan, nest, source, destination) };
    }
}

/// Moves a box between swizzles that is planned now.
///
/// # Safety
/// The same as [`move_box`].
unsafe fn move_swizzled<U: Pod>(plan: &Plan, nest: &Nest, source: &[U], destination: &mut [U]) {
    let between = |of: Option<Move>| match of {
        Some(of) => layout_kernels::Plan::new(&of).ok().map(Some),
        None => Some(None),
    };
    let found = SwizzledMove::of(nest, &plan.pair)
        .and_then(|(own, of)| between(of).map(|kernel| (own, kernel)));
    match found {
        // SAFETY: lengths and units are those of the plan, by the caller's promise. This is its box, with its kernel.
        Some((own, kernel)) => unsafe {
            run_swizzled(&own, kernel.as_ref(), source, destination);
        },
        // SAFETY: the caller's promise.
        None if plan.pair.source.element().per_byte() > 1 => unsafe {
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
pub(super) unsafe fn run_swizzled<U: Pod>(
    own: &SwizzledMove,
    kernel: Option<&layout_kernels::Plan>,
    source: &[U],
    destination: &mut [U],
) {
    // SAFETY: the box has offsets of coordinates. Both layouts keep these less than their lengths, and the buffers have
    // those lengths.
    unsafe { own.run(kernel, as_bytes(source), as_bytes_mut(destination)) }
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
///
/// # Safety
/// The same as [`move_box`].
unsafe fn move_rows<U: Pod>(plan: &Plan, nest: &Nest, source: &[U], destination: &mut [U]) {
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
