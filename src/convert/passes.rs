//! The passes of a conversion, one for each box.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use layout_kernels::{Isa, Stores};
use layout_types::nests::{Boxes, Pair};

use super::pass::Pass;

/// The maximal number of passes that a plan keeps.
pub(super) const FEW: usize = 4;

/// The passes of a conversion, in order.
///
/// Law: every coordinate is in a tile of one pass.
pub(super) struct Passes<'a> {
    boxes: Boxes<'a>,
    pair: &'a Pair,
    stores: Stores,
    isa: Isa,
}

impl<'a> Passes<'a> {
    /// Not inlined, so that the passes are made in the caller's place: they take 3 KiB.
    #[inline(never)]
    pub(super) const fn new(
        pair: &'a Pair,
        parameters: Option<usize>,
        stores: Stores,
        isa: Isa,
    ) -> Self {
        Self { boxes: Boxes::new(pair, parameters), pair, stores, isa }
    }

    /// Returns all passes, if there are at most [`FEW`]: for constants, since they take 28 KiB.
    pub(super) const fn few(mut self) -> Option<[Option<Pass>; FEW]> {
        // Kernels move and convert tiles of plain loops, without swizzles.
        if self.pair.is_swizzled() {
            return None;
        }
        let mut few = [None; FEW];
        let mut pass = Pass::ONE;
        let mut i = 0;
        while self.set_next(&mut pass) {
            if i == FEW {
                return None;
            }
            few[i] = Some(pass);
            i += 1;
        }
        Some(few)
    }

    /// Returns all passes, if there are at most [`FEW`] and there is memory for them. If not, the list is empty.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    pub(super) fn kept(mut self) -> Vec<Pass> {
        let mut kept = Vec::new();
        while !self.pair.is_swizzled() {
            if kept.len() > FEW || kept.try_reserve(1).is_err() {
                return Vec::new();
            }
            push_one(&mut kept);
            if !kept.last_mut().is_some_and(|pass| self.set_next(pass)) {
                kept.pop();
                break;
            }
        }
        kept
    }

    /// Sets the next pass in place, since it takes 7 KiB. Returns false if there is none. Not inlined, so that the loops
    /// that lead to a pass are not on the stack while it runs.
    #[inline(never)]
    pub(super) const fn set_next(&mut self, pass: &mut Pass) -> bool {
        let Some(nest) = self.boxes.next() else { return false };
        pass.set(nest, self.pair, self.stores, self.isa);
        true
    }
}

/// Adds a pass in a function of its own, so that no copy of it is on the stack while it is planned.
#[cfg(feature = "alloc")]
#[inline]
fn push_one(passes: &mut Vec<Pass>) {
    passes.push(Pass::ONE);
}

/// Returns the number of passes in a list.
pub(super) const fn count(few: &[Option<Pass>; FEW]) -> usize {
    let mut count = 0;
    while count < FEW && few[count].is_some() {
        count += 1;
    }
    count
}
