//! Plans: moves as data, in the order in which they are made.
//!
//! [`nests`]: a move, simplified. [`choose`]: the step of a nest: copies of runs, a transpose of the matrix that
//! [`tiling`] finds, or a byte permute, whose vectors [`shapes`] finds and whose tables [`loads`] makes, and [`outputs`]
//! where the same loads make several.
//! [`byte_plan`]: the step as a plan. [`sub_byte`]: the paths of elements of less than a byte, [`within_words`] that of
//! those that stay within a word. [`reasons`]: what a plan was chosen by.

mod byte_plan;
mod choose;
mod loads;
mod nests;
mod outputs;
mod print;
mod reasons;
mod shapes;
mod sub_byte;
#[cfg(test)]
mod tests;
mod tiling;
mod within_words;

pub(crate) use byte_plan::BytePlan;
pub use byte_plan::Stores;
pub(crate) use nests::Nest;
pub use nests::{Error, Move, Padding};
pub use reasons::{Choice, Reasons};
pub(crate) use sub_byte::{Groups, Path, Reversed, SCRATCH};
pub(crate) use within_words::Words;

use crate::isa::Isa;
use crate::sets::Code;

/// A move that was planned: plain data, which [`run`](Self::run) carries out any number of times.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) path: Path,
    pub(crate) source_end: usize,
    pub(crate) destination_end: usize,
    stores: Stores,
}

impl Plan {
    /// Plans a move for this machine.
    ///
    /// # Errors
    /// [`Error`] says what is wrong with the move.
    pub fn new(of: &Move) -> Result<Self, Error> {
        Self::for_isa(of, Isa::best())
    }

    /// Plans a move for an instruction set, also in const evaluation.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub const fn for_isa(of: &Move, isa: Isa) -> Result<Self, Error> {
        Self::for_part(of, isa, 0, 1)
    }

    /// Plans part `index` of `parts` of a move: disjoint parts of the destination, for a thread each. Some parts may be
    /// empty.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// If `index` is not less than `parts`.
    pub const fn for_part(of: &Move, isa: Isa, index: usize, parts: usize) -> Result<Self, Error> {
        assert!(index < parts, "a part that is one of all parts");
        let nest = match Nest::new(of) {
            Ok(nest) => nest,
            Err(error) => return Err(error),
        };
        let (mut source_end, mut destination_end) =
            (nest.source_range.1 as usize, nest.destination_range.1 as usize);
        if let Some(elements) = of.elements {
            let per_byte = elements.per_byte();
            source_end = source_end.div_ceil(per_byte);
            destination_end = destination_end.div_ceil(per_byte);
            return match sub_byte::path(&nest, elements, isa, index, parts) {
                Ok(path) => Ok(Self { path, source_end, destination_end, stores: Stores::Auto }),
                Err(error) => Err(error),
            };
        }
        // In place: a plan is large, and boards have little memory.
        let path = Path::Bytes(BytePlan::NOTHING);
        let mut made = Ok(Self { path, source_end, destination_end, stores: Stores::Auto });
        if let Ok(Self { path: Path::Bytes(plan), .. }) = &mut made {
            let own = if parts > 1 { &nest.part(index, parts) } else { &nest };
            if !plan.set(own, isa) {
                made = Err(Error::TooManyLoops);
            }
        }
        made
    }

    /// The bytes that the source must have.
    pub const fn source_len(&self) -> usize {
        self.source_end
    }

    /// The bytes that the destination must have.
    pub const fn destination_len(&self) -> usize {
        self.destination_end
    }

    /// The bytes that the plan moves.
    #[inline]
    pub const fn bytes(&self) -> usize {
        match &self.path {
            Path::Bytes(plan) => plan.bytes,
            Path::Reversed(reversed) => reversed.plan.bytes,
            Path::Words(words) => words.nest.bytes,
            Path::Groups(groups) => groups.nest_bytes,
            Path::Elements(nest, of) => nest.bytes.div_ceil(of.per_byte()),
        }
    }

    /// Whether stores are non-temporal: a kernel has such stores, and both sides together are more than a share of the
    /// last level cache.
    #[inline]
    pub(crate) fn is_streamed(&self) -> bool {
        let Path::Bytes(plan) = &self.path else { return false };
        self.stores.stream(plan.bytes) && plan.code.may_stream(plan.isa)
    }

    /// The same plan with other stores than [`Stores::Auto`] chooses.
    #[must_use]
    pub const fn with_stores(mut self, stores: Stores) -> Self {
        self.set_stores(stores);
        self
    }

    /// [`with_stores`](Self::with_stores) in place.
    pub const fn set_stores(&mut self, stores: Stores) {
        if self.stores as u8 == stores as u8 {
            return;
        }
        self.stores = stores;
        if let Path::Bytes(plan) = &mut self.path {
            plan.code = Code::of(&plan.step, plan.isa, stores.may_stream(plan.bytes));
        }
    }

    /// Whether the plan fills the padding of its move; if not, it leaves those bytes as they are.
    pub const fn pads(&self) -> bool {
        matches!(&self.path, Path::Bytes(plan) if plan.pads)
    }

    /// The instruction set that the plan was made for.
    #[inline]
    pub const fn isa(&self) -> Isa {
        match &self.path {
            Path::Bytes(plan) => plan.isa,
            Path::Reversed(reversed) => reversed.plan.isa,
            Path::Groups(groups) => groups.plan.isa,
            Path::Words(_) | Path::Elements(..) => Isa::Portable,
        }
    }

    /// Whether sides of so many bytes hold the move, and the CPU has the instruction set.
    #[inline]
    pub fn fits(&self, source: usize, destination: usize) -> bool {
        source >= self.source_end
            && destination >= self.destination_end
            && self.isa().is_available()
    }
}
