//! The possible steps for a nest, with their costs.

use super::copies::cost_of_copies;
use super::nests::Nest;
use super::shapes::{KINDS, best_shapes};
use super::shared::Costed;
use super::thresholds as t;
use super::tiling::Tiling;
use crate::isa::Isa;
use crate::steps::least;

/// Returns the instruction set for which a step is chosen. Without vectors the tables are too small for plans of other
/// instruction sets, which could not run anyway.
pub(super) const fn planned(isa: Isa) -> Isa {
    if cfg!(vectors) { isa } else { Isa::Portable }
}

/// The possible steps for a nest, with their costs. The cost is `usize::MAX` if a step is impossible.
#[derive(Clone, Copy)]
pub(super) struct Candidates {
    pub(super) copies: usize,
    pub(super) tiling: Tiling,
    pub(super) shapes: [Costed; KINDS],
}

impl Candidates {
    /// Whether costs are compared. If not, runs are copied.
    pub(super) const fn are_compared(nest: &Nest, isa: Isa) -> bool {
        is_padded(nest, isa) || nest.count > 0 && nest.unit < t::ALWAYS_COPIED
    }

    /// No step is possible.
    pub(super) const NONE: Self =
        Self { copies: usize::MAX, tiling: Tiling::NONE, shapes: [Costed::NONE; KINDS] };

    /// Returns the least cost.
    #[cfg(vectors)]
    pub(super) const fn least(&self) -> usize {
        let mut cost = least(self.copies, self.tiling.cost);
        let mut i = 0;
        while i < KINDS {
            cost = least(cost, self.shapes[i].cost);
            i += 1;
        }
        cost
    }

    /// Finds the candidates for a nest, in place of none. If costs are not compared, there are none. Steps that cost
    /// `limit` or more may be left out.
    #[inline(never)]
    pub(super) const fn set(&mut self, nest: &Nest, isa: Isa, limit: usize) {
        if !Self::are_compared(nest, isa) {
            return;
        }
        let copies = cost_of_copies(nest, isa);
        self.tiling = Tiling::of(nest, isa, isa.lane());
        let bytes = if isa.lane() == 16 { self.tiling.other_least(nest.unit) } else { 0 };
        if bytes > 0 {
            let other = Tiling::of(nest, isa, bytes);
            if other.cost < self.tiling.cost {
                self.tiling = other;
            }
        }
        // The cost of copies does not limit vectors that fill padding.
        let limit = if copies < limit && nest.padding.is_none() { copies } else { limit };
        let limit = least(self.tiling.cost, limit);
        best_shapes(nest, isa, limit, &mut self.shapes);
        self.copies = if self.pads() { usize::MAX } else { copies };
    }

    /// Whether a byte permute fills padding.
    const fn pads(&self) -> bool {
        let mut i = 0;
        while i < KINDS && !self.shapes[i].shape.pads {
            i += 1;
        }
        i < KINDS
    }
}

/// Whether a byte permute may fill padding.
const fn is_padded(nest: &Nest, isa: Isa) -> bool {
    nest.padding.is_some() && isa.permute() > 0
}

/// Returns the cheapest vector that is possible.
pub(super) const fn cheapest(shapes: &[Costed; KINDS]) -> Option<usize> {
    let (mut best, mut i) = (0, 1);
    while i < KINDS {
        if shapes[i].cost < shapes[best].cost {
            best = i;
        }
        i += 1;
    }
    if shapes[best].cost == usize::MAX { None } else { Some(best) }
}
