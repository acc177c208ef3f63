//! About how long a plan takes: the estimates that it was chosen by, and the time that memory takes.

use super::blocked::First;
use super::byte_move::Move;
use super::machine as t;
use super::nests::Nest;
use super::shapes::{Candidates, cheapest, planned};
use super::{Path, Plan};
use crate::steps::Step;

impl Plan {
    /// Returns about how many cycles one run of the plan takes. The plan must be one of `of`.
    ///
    /// The estimate serves to compare plans: that of another path is some tens of percent off, and a CPU with slower memory
    /// takes several times as long for large moves.
    pub fn cycles(&self, of: &Move) -> u64 {
        let bytes = self.bytes() as u64;
        let steps = self.cycles_of_kib(of);
        let memory = memory(self.bytes().saturating_mul(2));
        CALL + bytes.saturating_mul(steps.max(memory) as u64) / 1024
    }

    /// The cycles that the steps take for each KiB of the destination in the first-level cache.
    fn cycles_of_kib(&self, of: &Move) -> usize {
        let nest = Nest::new(of).unwrap_or(Nest::NOTHING);
        let plan = match &self.path {
            Path::Bytes(plan) => plan,
            Path::Blocked(own) => {
                return match own.first {
                    First::Planes(ref of, _) => planes(own.block.max(1), of.bytes.max(1)),
                    #[cfg(vectors)]
                    First::Pass { cost, .. } => cost,
                };
            }
            Path::Reversed(_) => return REVERSED,
            Path::Words(_) => return WORDS,
            Path::Elements(nest, of) => {
                let elements = 1024 * 8 / of.bits();
                return match nest.unit < of.per_byte() {
                    true => elements * ELEMENT,
                    false => elements * RUN_OF_ELEMENTS / nest.unit,
                };
            }
        };
        let mut candidates = Candidates::NONE;
        candidates.set(&nest, planned(self.isa()), usize::MAX);
        let known = match plan.step {
            Step::Copies(_) => candidates.copies,
            Step::Tiles(_) => candidates.tiling.cost,
            Step::Permute(_) => {
                cheapest(&candidates.shapes).map_or(usize::MAX, |of| candidates.shapes[of].cost)
            }
        };
        match known {
            usize::MAX => t::copy(nest.unit.max(1), 64),
            known => known,
        }
    }
}

/// What a call of a plan takes besides its steps, in cycles.
const CALL: u64 = 30;

/// Returns the cycles that memory takes for each KiB of the destination, if source and destination together have `bytes`
/// bytes: those of a copy from the cache of the level that they fit into.
const fn memory(bytes: usize) -> usize {
    match bytes {
        _ if bytes <= 32 << 10 => 0,
        _ if bytes <= 1 << 20 => 50,
        _ if bytes < t::NON_TEMPORAL.0 => 110,
        _ => 250,
    }
}

/// Returns the cost of elements of less than a byte that are moved as planes, in blocks of `bytes` bytes, from rows of
/// `row` bytes.
const fn planes(bytes: usize, row: usize) -> usize {
    150 + 1024 * 60 / bytes + 1024 * 25 / row
}

/// The costs of elements of less than a byte that move in words, or in bytes with the order of elements reversed, and the
/// cycles of an element and of a run of them that moves alone.
const WORDS: usize = 700;
const REVERSED: usize = 100;
const ELEMENT: usize = 6;
const RUN_OF_ELEMENTS: usize = 80;
