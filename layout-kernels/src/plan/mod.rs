//! Plans: moves as data. In the order in which a plan is made:
//!
//! - [`byte_move`] describes a move, and [`nests`] simplifies it to a nest of loops.
//! - [`copies`] has copies of runs, [`tiling`] finds the matrix of a transpose, and [`shapes`] the vectors of a byte
//!   permute. [`machine`] estimates the time of all of them, and has the figures of all choices.
//! - [`permutes`] makes a byte permute: [`loads`] finds the windows of its loads, and [`tracing`] traces each unit from a
//!   load to its vector.
//! - [`choose`] decides which path the nest takes: the step, its stores, and what goes through a scratch buffer, in
//!   which blocks. [`code`] holds it with its kernels, and says which moves store non-temporally.
//! - Moves in blocks that fit a scratch buffer have one step before it and one after it: `two_passes` plans them for nests
//!   that every single step moves slowly, [`sub_byte`] for transposes of elements of less than a byte, besides their other
//!   moves.
//! - `bit_moves` traces bits from the source to vectors of the destination, within the loops of `bit_loops`, and `block_words` and
//!   `traced_squares` find squares and words among them.
//! - [`reasons`] says how a plan moves, why, and about how long it takes.

#[cfg(all(feature = "alloc", feature = "records"))]
mod bit_loops;
#[cfg(all(feature = "alloc", feature = "records"))]
mod bit_moves;
#[cfg(all(feature = "alloc", feature = "records"))]
mod block_words;
mod byte_move;
mod choose;
mod code;
mod copies;
mod loads;
mod machine;
mod nests;
mod permutes;
mod reasons;
mod shapes;
mod sub_byte;
mod tiling;
#[cfg(all(feature = "alloc", feature = "records"))]
mod traced_squares;
mod tracing;
#[cfg(vectors)]
mod two_passes;

#[cfg(all(feature = "alloc", feature = "records"))]
pub use bit_loops::BitLoops;
#[cfg(all(feature = "alloc", feature = "records"))]
pub use bit_moves::BitPermute;
pub use byte_move::{Error, Move, Padding, Side};
use choose::{Candidates, planned};
pub use code::Stores;
pub(crate) use code::{
    Blocked, BytePlan, Direct, First, PackedCode, Packing, Pass, PlainCode, Streamed,
    StreamedTiles, TilePath,
};
pub(crate) use nests::Nest;
pub use reasons::{Choice, Reasons};
pub(crate) use sub_byte::{Path, Reversed, SCRATCH, Words};
#[cfg(vectors)]
pub(crate) use two_passes::PASS_BLOCK;

use crate::isa::Isa;
use crate::steps::{Step, SubByte};

/// A planned move: plain data, which [`run`](Self::run) can carry out any number of times.
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
    /// [`Error`] lists what can be wrong with the move.
    pub fn new(of: &Move) -> Result<Self, Error> {
        Self::for_isa(of, Isa::best())
    }

    /// Plans a move for an instruction set, also in const evaluation.
    ///
    /// # Errors
    /// The same as [`new`](Self::new).
    pub const fn for_isa(of: &Move, isa: Isa) -> Result<Self, Error> {
        Self::for_part(of, isa, 0, 1)
    }

    /// Plans part `index` of `parts` of a move. The parts have disjoint destinations, so that each can run on a
    /// thread of its own. Some parts may be empty.
    ///
    /// # Errors
    /// The same as [`new`](Self::new).
    ///
    /// # Panics
    /// If `index` is not less than `parts`.
    pub const fn for_part(of: &Move, isa: Isa, index: usize, parts: usize) -> Result<Self, Error> {
        assert!(index < parts, "`index` is not less than `parts`; parts count from 0");
        let mut own = Self::nothing();
        match own.set_part(of, isa, (index, parts)) {
            Ok(()) => Ok(own),
            Err(error) => Err(error),
        }
    }

    /// A plan that moves nothing. Inlined, since a constant would be copied whole.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) const fn nothing() -> Self {
        let path = Path::Bytes(BytePlan::nothing());
        Self { path, source_end: 0, destination_end: 0, stores: Stores::Auto }
    }

    /// [`for_isa`](Self::for_isa), made in `place`, which has no plan if there is an error. With vectors, a plan takes
    /// 3 KiB, and copying it takes a good part of the time that planning takes.
    ///
    /// ```
    /// use layout_kernels::{Isa, Loop, Move, Plan};
    ///
    /// let every_second = Move::new(&[Loop::new(8, 1, 2)], 1);
    /// let mut place = None;
    /// Plan::set(&mut place, &every_second, Isa::best())?;
    /// assert_eq!(place.map(|plan| plan.bytes()), Some(8));
    /// # Ok::<(), layout_kernels::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`new`](Self::new).
    pub const fn set(place: &mut Option<Self>, of: &Move, isa: Isa) -> Result<(), Error> {
        Self::set_nothing(place);
        let set = match place {
            Some(plan) => plan.set_part(of, isa, (0, 1)),
            None => Ok(()),
        };
        if set.is_err() {
            *place = None;
        }
        set
    }

    /// Sets a plan that moves nothing, so that no copy of it is on the stack while a move is planned.
    #[inline]
    const fn set_nothing(place: &mut Option<Self>) {
        *place = Some(Self::nothing());
    }

    /// Plans a part of a move, in place of a plan that moves nothing.
    #[inline(never)]
    const fn set_part(&mut self, of: &Move, isa: Isa, part: (usize, usize)) -> Result<(), Error> {
        let mut nest = Nest::NOTHING;
        match nest.set(of) {
            Ok(()) => self.set_nest(&nest, of.elements, isa, part),
            Err(error) => Err(error),
        }
    }

    /// [`set_part`](Self::set_part) of a simplified move of bytes, or of elements of less than a byte.
    pub(crate) const fn set_nest(
        &mut self,
        nest: &Nest,
        elements: Option<SubByte>,
        isa: Isa,
        (index, parts): (usize, usize),
    ) -> Result<(), Error> {
        let (source_end, destination_end) =
            (nest.source_range.1 as usize, nest.destination_range.1 as usize);
        if let Some(elements) = elements {
            if let Err(error) = self.path.set_elements(nest, elements, isa, (index, parts)) {
                return Err(error);
            }
            let per_byte = elements.per_byte();
            self.source_end = source_end.div_ceil(per_byte);
            self.destination_end = destination_end.div_ceil(per_byte);
            return Ok(());
        }
        (self.source_end, self.destination_end) = (source_end, destination_end);
        self.set_bytes(nest, isa, (index, parts));
        Ok(())
    }

    /// [`set_nest`](Self::set_nest) of a move of bytes. Not inlined, so that the candidates are not on the stack while
    /// other moves are planned.
    #[inline(never)]
    const fn set_bytes(&mut self, nest: &Nest, isa: Isa, (index, parts): (usize, usize)) {
        let own = if parts > 1 { &nest.part(index, parts) } else { nest };
        let mut all = Candidates::NONE;
        all.set(own, planned(isa), usize::MAX);
        #[cfg(vectors)]
        {
            let cost = all.least();
            if two_passes::may_be_tried(own, isa, cost) && self.set_passes(own, isa, cost) {
                return;
            }
        }
        if let Path::Bytes(plan) = &mut self.path {
            plan.set(own, isa, &all);
        }
    }

    /// Plans two passes for a nest, if they cost less than `cost`. Returns whether they do.
    #[cfg(vectors)]
    #[inline(never)]
    const fn set_passes(&mut self, nest: &Nest, isa: Isa, cost: usize) -> bool {
        let mut trials = two_passes::Trials::NONE;
        if !trials.find(nest, isa, cost) {
            return false;
        }
        self.path.set_no_passes();
        if let Path::Blocked(blocked) = &mut self.path {
            if trials.set(nest, isa, blocked) {
                return true;
            }
        }
        self.path.set_no_bytes();
        false
    }

    /// Returns the minimal length of the source in bytes.
    pub const fn source_len(&self) -> usize {
        self.source_end
    }

    /// Returns the minimal length of the destination in bytes.
    pub const fn destination_len(&self) -> usize {
        self.destination_end
    }

    /// Returns the number of bytes that the plan moves.
    #[inline]
    pub const fn bytes(&self) -> usize {
        match &self.path {
            Path::Bytes(plan) => plan.bytes,
            Path::Blocked(blocked) => blocked.bytes,
            Path::Reversed(reversed) => reversed.plan.bytes,
            Path::Words(words) => words.nest.bytes,
            Path::Elements(nest, of) => nest.bytes.div_ceil(of.per_byte()),
        }
    }

    /// Whether stores are non-temporal: the kernel has such stores, and [`Stores`] asks for them.
    #[inline]
    pub(crate) fn is_streamed(&self) -> bool {
        let Path::Bytes(plan) = &self.path else { return false };
        self.stores.stream(plan.bytes) && plan.streamed.is_some()
    }

    /// Returns the same plan with other stores than [`Stores::Auto`] chooses.
    #[must_use]
    pub const fn with_stores(mut self, stores: Stores) -> Self {
        self.set_stores(stores);
        self
    }

    /// [`with_stores`](Self::with_stores), in place.
    pub const fn set_stores(&mut self, stores: Stores) {
        if self.stores as u8 == stores as u8 {
            return;
        }
        self.stores = stores;
        if let Path::Bytes(plan) = &mut self.path {
            plan.set_streamed(stores);
        }
    }

    /// Whether the plan fills the padding of its move. If not, it leaves those bytes unchanged.
    pub const fn pads(&self) -> bool {
        let Path::Bytes(plan) = &self.path else { return false };
        matches!(&plan.pass.step, Step::Permute(own) if own.pads)
    }

    /// Whether the plan permutes one vector, which takes less time than any loop over its units.
    pub fn is_one_vector(&self) -> bool {
        match &self.path {
            Path::Bytes(BytePlan {
                pass: Pass { step: Step::Permute(step), .. }, loops, ..
            }) => step.is_once() && loops.as_slice().is_empty(),
            _ => false,
        }
    }

    /// Returns the instruction set that the plan was made for.
    #[inline]
    pub const fn isa(&self) -> Isa {
        match &self.path {
            Path::Bytes(plan) => plan.isa,
            Path::Blocked(blocked) => blocked.isa,
            Path::Reversed(reversed) => reversed.plan.isa,
            Path::Words(_) | Path::Elements(..) => Isa::Portable,
        }
    }

    /// Whether slices of these lengths in bytes hold the move, and the CPU has the instruction set.
    #[inline]
    pub fn fits(&self, source: usize, destination: usize) -> bool {
        source >= self.source_end
            && destination >= self.destination_end
            && self.isa().is_available()
    }
}
