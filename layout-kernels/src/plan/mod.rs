//! Plans: moves as data, in the order in which they are made.
//!
//! [`round`]: loops around a step. [`permute`]: tables of byte permutes. [`thresholds`]: every measured figure.
//! [`choose`]: the step of a nest. [`tiles`]: the matrix that tiles transpose.

mod choose;
pub(crate) mod permute;
pub(crate) mod round;
pub(crate) mod thresholds;
mod tiles;

pub(crate) use choose::balanced;
pub use thresholds::LINE;

use crate::code::Code;
use crate::drive;
use crate::isa::Isa;
use crate::micro::copy::Runs;
use crate::nest::{Error, Move, Nest};
use crate::nibble::{self, Pairs};
use permute::Permutation;
use round::Rounds;

/// The most offsets of a table. Words have none, and boards no room for them.
pub(crate) const MAX_OFFSETS: usize = if cfg!(vectors) { 128 } else { 1 };

/// A move that was planned: plain data, which [`run`](Self::run) carries out any number of times.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) path: Path,
    pub(crate) source_end: usize,
    pub(crate) destination_end: usize,
    stores: Stores,
}

/// How a move is carried out.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum Path {
    /// As bytes.
    Bytes(BytePlan),
    /// 4-bit elements, two rows at a time.
    Pairs(Pairs),
    /// 4-bit elements one by one.
    Elements(Nest),
}

/// A step, and rounds around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BytePlan {
    pub(crate) isa: Isa,
    /// Where the first unit of the rounds begins.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    pub(crate) bytes: usize,
    pub(crate) pads: bool,
    pub(crate) rounds: Rounds,
    pub(crate) step: Step,
    pub(crate) code: Code,
}

/// Whether whole lines are stored past the caches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stores {
    /// Where both sides together are more than a share of the last level cache.
    #[default]
    Auto,
    /// Never.
    Cached,
    /// Where the instruction set and the alignment allow it.
    NonTemporal,
}

impl Stores {
    /// Whether kernels have such stores.
    const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

    /// [`Auto`](Self::Auto) for a job of several plans, where source and destination of all together have so many
    /// bytes, in const evaluation too: the last level cache is taken for a small one.
    pub const fn of(bytes: usize) -> Self {
        if Self::ANY && bytes >= thresholds::NON_TEMPORAL.0 {
            Self::NonTemporal
        } else {
            Self::Cached
        }
    }

    /// Makes what plans of this thread stored past the caches visible, as what is stored plainly is. That waits for
    /// memory, so it comes once, after all of them.
    #[inline]
    pub fn finish(self) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if self != Self::Cached {
            // SAFETY: part of SSE, which every x86-64 has.
            unsafe { core::arch::x86_64::_mm_sfence() }
        }
    }
}

/// What the rounds of a plan are around.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum Step {
    Copies(Copies),
    Tiles(Tiles),
    Permute(Permutation),
}

impl Step {
    /// Whether the step fills padding.
    const fn pads(&self) -> bool {
        match self {
            Self::Permute(permutation) => permutation.pads,
            Self::Copies(_) | Self::Tiles(_) => false,
        }
    }
}

/// Copies of runs, whose length has a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copies {
    pub(crate) class: usize,
    pub(crate) runs: Runs,
}

/// A matrix that is transposed in tiles, as [`Matrix`](crate::micro::tile::Matrix) without pointers.
#[derive(Clone, Copy)]
pub(crate) struct Tiles {
    pub(crate) unit: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row: isize,
    pub(crate) column: isize,
    /// Whether rows and columns are even, else both have tables.
    pub(crate) is_even: bool,
    /// From the first row to the nearest and the farthest one in the source.
    pub(crate) nearest: isize,
    pub(crate) farthest: isize,
    /// How many columns are moved at once.
    pub(crate) strip: usize,
    pub(crate) row_offsets: [i32; MAX_OFFSETS],
    pub(crate) column_offsets: [i32; MAX_OFFSETS],
}

impl core::fmt::Debug for Tiles {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { unit, rows, columns, row, column, is_even, strip, .. } = self;
        write!(
            f,
            "{rows} rows, {columns} columns of {unit} bytes, {row} {column}, even {is_even}, strip {strip}"
        )
    }
}

impl BytePlan {
    /// The best step for a nest of bytes.
    #[inline(never)]
    pub(crate) const fn new(nest: &Nest, isa: Isa) -> Result<Self, Error> {
        // Without vectors tables are too small for the plan of another machine, which nothing runs here.
        let chosen = if cfg!(vectors) { isa } else { Isa::Portable };
        let Some(choice) = choose::choose(nest, chosen) else { return Err(Error::TooManyLoops) };
        Ok(Self {
            isa,
            source: nest.source,
            destination: nest.destination,
            bytes: nest.bytes,
            pads: nest.padding.is_some() && choice.step.pads(),
            rounds: choice.rounds,
            code: Code::of(&choice.step, chosen, Stores::Auto, nest.bytes),
            step: choice.step,
        })
    }
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
        // Each plan is as few times in memory as can be: boards have little.
        let path = if of.nibbles {
            match nibble::path(&nest, isa, index, parts) {
                Ok(path) => path,
                Err(error) => return Err(error),
            }
        } else {
            let own = if parts > 1 { &nest.part(index, parts) } else { &nest };
            match BytePlan::new(own, isa) {
                Ok(plan) => Path::Bytes(plan),
                Err(error) => return Err(error),
            }
        };
        let (mut source_end, mut destination_end) =
            (nest.source_range.1 as usize, nest.destination_range.1 as usize);
        if of.nibbles {
            (source_end, destination_end) = (source_end.div_ceil(2), destination_end.div_ceil(2));
        }
        Ok(Self { path, source_end, destination_end, stores: Stores::Auto })
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
    pub const fn bytes(&self) -> usize {
        match &self.path {
            Path::Bytes(plan) => plan.bytes,
            Path::Pairs(pairs) => pairs.nest_bytes,
            Path::Elements(nest) => nest.bytes.div_ceil(2),
        }
    }

    /// Whether stores go past the caches: both sides together are more than a share of the last level cache.
    pub(crate) fn is_streamed(&self) -> bool {
        match self.stores {
            Stores::Cached => false,
            Stores::NonTemporal => true,
            Stores::Auto => self.bytes() >= thresholds::non_temporal() / 2,
        }
    }

    /// The same plan with other stores than [`Stores::Auto`] chooses.
    #[must_use]
    pub const fn with_stores(mut self, stores: Stores) -> Self {
        self.set_stores(stores);
        self
    }

    /// [`with_stores`](Self::with_stores) in place.
    pub const fn set_stores(&mut self, stores: Stores) {
        self.stores = stores;
        if let Path::Bytes(plan) = &mut self.path {
            plan.code = Code::of(&plan.step, plan.isa, stores, plan.bytes);
        }
    }

    /// Whether the plan fills the padding of its move; if not, it leaves those bytes as they are.
    pub const fn pads(&self) -> bool {
        matches!(&self.path, Path::Bytes(plan) if plan.pads)
    }

    /// The instruction set that the plan was made for.
    pub const fn isa(&self) -> Isa {
        match &self.path {
            Path::Bytes(plan) => plan.isa,
            Path::Pairs(pairs) => pairs.plan.isa,
            Path::Elements(_) => Isa::Portable,
        }
    }

    /// Whether sides of so many bytes hold the move, and the CPU has the instruction set.
    #[inline]
    pub fn fits(&self, source: usize, destination: usize) -> bool {
        source >= self.source_end
            && destination >= self.destination_end
            && self.isa().is_available()
    }

    /// Moves. False, and nothing is moved, if a side has fewer bytes than [`source_len`](Self::source_len) or
    /// [`destination_len`](Self::destination_len), or the CPU lacks the instruction set.
    #[inline]
    #[must_use]
    pub fn run(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let done = self.run_unfenced(source, destination);
        self.finish();
        done
    }

    /// [`run`](Self::run) for one of many moves: after the last, [`finish`](Self::finish) makes visible to other
    /// threads what they stored past the caches, which waits for memory.
    #[inline]
    #[must_use]
    pub fn run_unfenced(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let fits = self.fits(source.len(), destination.len());
        if fits {
            // SAFETY: both sides hold every unit; a slice borrowed mutably overlaps no other; the CPU has the
            // instruction set.
            unsafe { self.run_unchecked(source, destination.as_mut_ptr()) };
        }
        fits
    }

    /// [`run`](Self::run) of a plan for an instruction set that the CPU is known to have.
    #[inline]
    pub(crate) fn run_for_this_cpu(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let fits = source.len() >= self.source_end && destination.len() >= self.destination_end;
        if fits {
            // SAFETY: both sides hold every unit; a slice borrowed mutably overlaps no other; the CPU has the
            // instruction set.
            unsafe { self.run_unchecked(source, destination.as_mut_ptr()) };
            self.finish();
        }
        fits
    }

    /// Moves to a destination that other threads may write to elsewhere. [`finish`](Self::finish) follows.
    ///
    /// # Safety
    /// - the plan [`fits`](Self::fits) the source and the bytes that are writable at `destination`, and the two do
    ///   not overlap;
    /// - nothing else touches the bytes that the plan moves to meanwhile.
    pub unsafe fn run_unchecked(&self, source: &[u8], destination: *mut u8) {
        debug_assert!(self.fits(source.len(), usize::MAX), "{} bytes", source.len());
        // SAFETY: the caller's promise.
        unsafe { drive::run(self, source, destination, self.is_streamed()) };
    }

    /// Makes what this thread stored past the caches visible to others as plain stores are.
    #[inline]
    pub fn finish(&self) {
        if self.is_streamed() {
            Stores::NonTemporal.finish();
        }
    }
}

/// What a plan prints: its path.
impl core::fmt::Display for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match &self.path {
            Path::Bytes(plan) => plan.write(f, self.is_streamed())?,
            Path::Pairs(pairs) => {
                f.write_str("4-bit elements, two rows at a time: ")?;
                pairs.plan.write(f, false)?;
            }
            Path::Elements(_) => f.write_str("4-bit elements one by one")?,
        }
        if self.is_streamed() {
            f.write_str(", non-temporal stores")?;
        }
        Ok(())
    }
}

impl BytePlan {
    fn write(&self, f: &mut core::fmt::Formatter<'_>, stream: bool) -> core::fmt::Result {
        match &self.step {
            Step::Copies(copies) => {
                let Runs { bytes, inner, outer } = copies.runs;
                write!(f, "copy {} x {} runs of {bytes} bytes", outer.size, inner.size)?;
            }
            Step::Tiles(tiles) => tiles.write(f, stream)?,
            Step::Permute(permutation) => permutation.write(f)?,
        }
        for round in self.rounds.all.iter().take(self.rounds.count) {
            write!(f, ", {} times", round.count)?;
        }
        write!(f, " ({})", self.isa)
    }
}

impl Tiles {
    /// How many units so many bytes are: without a division, which could panic.
    pub(crate) const fn units_of(&self, bytes: usize) -> usize {
        bytes >> self.unit.trailing_zeros()
    }

    fn write(&self, f: &mut core::fmt::Formatter<'_>, stream: bool) -> core::fmt::Result {
        let Self { unit, rows, columns, strip, .. } = self;
        write!(f, "transpose {rows} rows by {columns} columns of {unit} bytes")?;
        if strip < columns {
            write!(f, ", {strip} columns at a time")?;
        }
        if !self.is_even {
            f.write_str(", offsets in tables")?;
        }
        let packing = self.packing(stream);
        f.write_str(match (packing.rows, packing.columns) {
            (false, false) => "",
            (true, false) => ", rows through a scratch",
            (false, true) => ", columns through a scratch",
            (true, true) => ", rows and columns through a scratch",
        })
    }
}

impl Permutation {
    fn write(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { parts, valid, outputs, lanes, .. } = self;
        let bytes = if self.is_of_rows() { *valid } else { valid * outputs };
        let loads = if *lanes { "16-byte lanes" } else { "vectors" };
        write!(f, "permute bytes: {parts} loads of {loads} for {bytes} bytes")?;
        let times = self.inner.count * self.next.count * self.outer.count;
        write!(f, ", {times} times")
    }
}
