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

use crate::isa::Isa;
use crate::micro::copy::Runs;
use crate::nest::{Error, Move, Nest};
use permute::Permutation;
use round::Rounds;

/// The most offsets of a table.
pub(crate) const MAX_OFFSETS: usize = 128;

/// A move that was planned: plain data, which [`run`](Self::run) carries out any number of times.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) isa: Isa,
    /// Where the first unit of the rounds begins.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    pub(crate) source_end: usize,
    pub(crate) destination_end: usize,
    pub(crate) bytes: usize,
    pub(crate) stores: Stores,
    pub(crate) pads: bool,
    pub(crate) rounds: Rounds,
    pub(crate) step: Step,
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

/// What the rounds of a plan are around.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a plan allocates nothing")]
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

impl Plan {
    /// Plans a move for this machine.
    ///
    /// # Errors
    /// [`Error`] says what is wrong with the move.
    pub fn new(of: &Move<'_>) -> Result<Self, Error> {
        Self::for_isa(of, Isa::best())
    }

    /// Plans a move for an instruction set, also in const evaluation.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub const fn for_isa(of: &Move<'_>, isa: Isa) -> Result<Self, Error> {
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
    pub const fn for_part(
        of: &Move<'_>,
        isa: Isa,
        index: usize,
        parts: usize,
    ) -> Result<Self, Error> {
        assert!(index < parts, "a part that is one of all parts");
        let nest = match Nest::new(of) {
            Ok(nest) if parts > 1 => nest.part(index, parts),
            Ok(nest) => nest,
            Err(error) => return Err(error),
        };
        let Some(choice) = choose::choose(&nest, isa) else { return Err(Error::TooManyLoops) };
        Ok(Self {
            isa,
            source: nest.source,
            destination: nest.destination,
            source_end: nest.source_range.1 as usize,
            destination_end: nest.destination_range.1 as usize,
            bytes: nest.bytes,
            stores: Stores::Auto,
            pads: nest.padding.is_some() && choice.step.pads(),
            rounds: choice.rounds,
            step: choice.step,
        })
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
        self.bytes
    }

    /// Whether stores go past the caches: both sides together are more than a share of the last level cache.
    pub(crate) fn is_streamed(&self) -> bool {
        match self.stores {
            Stores::Cached => false,
            Stores::NonTemporal => true,
            Stores::Auto => 2 * self.bytes >= thresholds::non_temporal(),
        }
    }

    /// The same plan with other stores than [`Stores::Auto`] chooses.
    #[must_use]
    pub const fn with_stores(self, stores: Stores) -> Self {
        Self { stores, ..self }
    }

    /// Whether the plan fills the padding of its move; if not, it leaves those bytes as they are.
    pub const fn pads(&self) -> bool {
        self.pads
    }

    /// The instruction set that the plan was made for.
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    /// Whether sides of so many bytes hold the move, and the CPU has the instruction set.
    pub fn fits(&self, source: usize, destination: usize) -> bool {
        source >= self.source_end && destination >= self.destination_end && self.isa.is_available()
    }

    /// Moves. False, and nothing is moved, if a side has fewer bytes than [`source_len`](Self::source_len) or
    /// [`destination_len`](Self::destination_len), or the CPU lacks the instruction set.
    #[must_use]
    pub fn run(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let fits = self.fits(source.len(), destination.len());
        if fits {
            // SAFETY: both sides hold every unit; a slice borrowed mutably overlaps no other; the CPU has the
            // instruction set.
            unsafe { self.run_unchecked(source, destination.as_mut_ptr()) };
        }
        fits
    }

    /// Moves to a destination that other threads may write to elsewhere.
    ///
    /// # Safety
    /// - the plan [`fits`](Self::fits) the source and the bytes that are writable at `destination`, and the two do
    ///   not overlap;
    /// - nothing else touches the bytes that the plan moves to meanwhile.
    pub unsafe fn run_unchecked(&self, source: &[u8], destination: *mut u8) {
        debug_assert!(self.fits(source.len(), usize::MAX), "{} bytes", source.len());
        // SAFETY: the caller's promise.
        unsafe { crate::drive::run(self, source, destination) };
    }
}

/// What a plan prints: its path.
impl core::fmt::Display for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} bytes, {:?}: ", self.bytes, self.isa)?;
        match &self.step {
            Step::Copies(copies) => {
                let runs = &copies.runs;
                write!(
                    f,
                    "copy of {} x {} runs of {} bytes",
                    runs.outer.size, runs.inner.size, runs.bytes
                )?;
            }
            Step::Tiles(tiles) => {
                let table = if tiles.is_even { "even" } else { "tables" };
                write!(
                    f,
                    "tiles of {} bytes, {} rows x {} columns, {table}, strips of {}",
                    tiles.unit, tiles.rows, tiles.columns, tiles.strip
                )?;
                let packing = tiles.packing(self.is_streamed());
                if packing.rows {
                    f.write_str(", rows packed")?;
                }
                if packing.columns {
                    f.write_str(", columns packed")?;
                }
            }
            Step::Permute(permutation) => {
                let loads = if permutation.lanes { "lanes" } else { "vectors" };
                write!(
                    f,
                    "byte permute of {} bytes from {} {loads}, {} x {}",
                    permutation.valid * permutation.planes,
                    permutation.parts,
                    permutation.next.count,
                    permutation.inner.count
                )?;
            }
        }
        if self.is_streamed() {
            f.write_str(", non-temporal stores")?;
        }
        for round in &self.rounds.all[..self.rounds.count] {
            write!(f, ", round of {}", round.count)?;
        }
        Ok(())
    }
}
