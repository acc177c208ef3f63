//! Runs a plan that is a value.

use layout_types::nests::Boxes;
#[cfg(not(target_os = "none"))]
use layout_types::plain;
use layout_types::plain::Plain;
use layout_types::spec::LayoutError;

#[cfg(not(target_os = "none"))]
use super::box_moves::run_swizzled;
use super::box_moves::{PlannedBoxes, move_box};
use super::plan::{Moves, Plan};

impl Plan {
    /// Moves a tensor from `source` to `destination`.
    ///
    /// Lengths count units: elements, or bytes for elements of less than a byte. The relayout fills the padding of the
    /// destination, ignores padding of the source, and leaves gaps between explicit strides unchanged.
    ///
    /// # Errors
    /// - The size of a unit differs from the plan's.
    /// - The length of a slice differs from that of its layout.
    ///
    /// On an error, nothing is written.
    pub fn run<U: Plain>(&self, source: &[U], destination: &mut [U]) -> Result<(), LayoutError> {
        check(self, source, destination)?;
        // SAFETY: `check` has compared the units and lengths with those of the plan.
        unsafe { move_all(self, source, destination) };
        Ok(())
    }
}

/// Returns an error unless units have the size, and slices the lengths, of the plan.
pub(super) fn check<S, D>(plan: &Plan, source: &[S], destination: &[D]) -> Result<(), LayoutError> {
    plan.check_unit(size_of::<S>())?;
    plan.check_unit(size_of::<D>())?;
    plan.check_lengths(source.len(), destination.len())
}

/// Fills the padding and moves all boxes.
///
/// # Safety
/// The lengths and the size of a unit must be those of the plan.
pub(super) unsafe fn move_all<U: Plain>(plan: &Plan, source: &[U], destination: &mut [U]) {
    debug_assert_eq!(source.len(), plan.pair.source().units());
    debug_assert_eq!(destination.len(), plan.pair.destination().units());
    plan.fill(destination);
    match &plan.moves {
        #[cfg(not(target_os = "none"))]
        Moves::Boxes(list) => {
            for plan in list.iter().flatten() {
                let done = plan.run(plain::as_bytes(source), plain::as_bytes_mut(destination));
                debug_assert!(done, "layouts keep the offsets of elements below their lengths");
            }
        }
        #[cfg(not(target_os = "none"))]
        Moves::Swizzled(own, block) => {
            // SAFETY: lengths and units are those of the plan, by the caller's promise. This is its box, with its
            // kernel.
            unsafe { run_swizzled(own, block.as_ref(), source, destination) };
        }
        // SAFETY: the caller's promise.
        Moves::Unknown | Moves::Static => unsafe { move_boxes(plan, source, destination) },
    }
}

/// Plans and moves all boxes. Not inlined, so that the plans of boxes are not on the stack where there is another.
///
/// # Safety
/// The same as [`move_all`].
#[inline(never)]
unsafe fn move_boxes<U: Plain>(plan: &Plan, source: &[U], destination: &mut [U]) {
    let mut planned = PlannedBoxes::default();
    let mut boxes = Boxes::new(&plan.pair, None);
    while let Some(nest) = boxes.next() {
        // SAFETY: the buffers have the lengths and units of the plan, whose box this is.
        unsafe { move_box(plan, nest, &mut planned, source, destination) };
    }
}
