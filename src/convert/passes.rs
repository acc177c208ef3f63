//! Cuts a conversion into passes, box by box.

use layout_kernels::{Isa, Stores};
use layout_types::nests::{Boxes, Pair};

use super::cut::Cut;
use super::pass::Pass;

/// The maximal number of passes that a plan keeps.
pub(super) const FEW: usize = 4;

/// The passes of a conversion, in order.
///
/// Law: every coordinate is in exactly one tile of one pass.
pub(super) struct Passes<'a> {
    boxes: Boxes<'a>,
    pair: &'a Pair,
    stores: Stores,
    isa: Isa,
    cut: Option<Cut>,
}

impl<'a> Passes<'a> {
    pub(super) const fn new(
        pair: &'a Pair,
        parameters: Option<usize>,
        stores: Stores,
        isa: Isa,
    ) -> Self {
        Self { boxes: Boxes::new(pair, parameters), pair, stores, isa, cut: None }
    }

    /// Returns all passes, if there are at most [`FEW`].
    pub(super) const fn few(mut self) -> Option<[Option<Pass>; FEW]> {
        // Kernels move and convert tiles of plain loops, without swizzles.
        if self.pair.is_swizzled() {
            return None;
        }
        let mut few = [None; FEW];
        let mut i = 0;
        while let Some(pass) = self.next() {
            if i == FEW {
                return None;
            }
            few[i] = Some(pass);
            i += 1;
        }
        Some(few)
    }

    /// Returns the next pass.
    pub(super) const fn next(&mut self) -> Option<Pass> {
        if self.cut.is_none() {
            let Some(nest) = self.boxes.next() else { return None };
            self.cut = Some(Cut::of(nest, self.pair, self.stores, self.isa));
        }
        let Some(cut) = &mut self.cut else { return None };
        let pass = cut.next();
        if cut.is_empty() {
            self.cut = None;
        }
        Some(pass)
    }
}

/// Returns the number of passes in a list.
pub(super) const fn count(few: &[Option<Pass>; FEW]) -> usize {
    let mut count = 0;
    while count < FEW && few[count].is_some() {
        count += 1;
    }
    count
}
