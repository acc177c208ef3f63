//! Runs a plan that is a value.

use layout_types::nests::Boxes;
use layout_types::plain::{self, Plain};
use layout_types::spec::{LayoutError, Rule};

#[cfg(not(target_os = "none"))]
use super::box_moves::run_swizzled;
use super::box_moves::{PlannedBoxes, move_box};
use super::plan::{Moves, Plan};
use crate::buffers::Lengths;

/// Evaluates an expression with a type of as many bytes as a unit of a plan, which needs no alignment. Elements of a
/// program's own may have other sizes, which are an error.
macro_rules! by_unit {
    ($unit:expr, |$U:ident| $call:expr) => {
        by_unit!($unit, $U, $call, 1 2 4 8 16)
    };
    ($unit:expr, $U:ident, $call:expr, $($size:literal)*) => {
        match $unit {
            $($size => {
                type $U = [u8; $size];
                $call;
                Ok(())
            })*
            needed => Err(LayoutError(Rule::UnitSize { needed, given: 1 })),
        }
    };
}

#[cfg(feature = "rayon")]
pub(super) use by_unit;

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

    /// [`run`](Self::run) over bytes, which need no alignment. Lengths count bytes, whatever the elements are.
    ///
    /// # Errors
    /// The length of a slice differs from that of its layout. Nothing is written then.
    #[doc(hidden)]
    pub fn run_bytes(&self, source: &[u8], destination: &mut [u8]) -> Result<(), LayoutError> {
        check_bytes(self, source, destination)?;
        #[cfg(not(target_os = "none"))]
        if let (Moves::Boxes([Some(only), None]), None) = (&self.moves, &self.padding) {
            // Few bytes move in less time than the choice of their units takes.
            if only.run(source, destination) {
                return Ok(());
            }
        }
        // SAFETY: the lengths are those of the plan, and so are the units.
        by_unit!(self.unit, |U| unsafe {
            move_all::<U>(self, plain::cast(source), plain::cast_mut(destination));
        })
    }
}

/// Returns an error unless slices have the bytes of the plan.
pub(super) fn check_bytes(
    plan: &Plan,
    source: &[u8],
    destination: &[u8],
) -> Result<(), LayoutError> {
    let Lengths { source: from, destination: to } = plan.lengths;
    let bytes = Lengths { source: from * plan.unit, destination: to * plan.unit };
    bytes.check(source.len(), destination.len())
}

/// Returns an error unless units have the size, and slices the lengths, of the plan.
#[inline]
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
        Moves::Swizzled(swizzled, block) => {
            // SAFETY: lengths and units are those of the plan, by the caller's promise. This is its box, with its
            // kernel.
            unsafe { run_swizzled(swizzled, block.as_ref(), source, destination) };
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
