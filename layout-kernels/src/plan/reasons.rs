//! What a plan says of itself: its path as text, the facts that decided it, as data and as text, and about how long it
//! takes: the estimates that it was chosen by, and the time that memory takes.

use core::fmt;

use super::byte_move::Move;
use super::choose::{Candidates, highest_column, planned};
use super::code::{Blocked, BytePlan, First, PackedCode, Streamed, TilePath};
use super::machine::{self as t, ALWAYS_COPIED, Machine};
use super::nests::Nest;
use super::shapes::cheapest;
use super::{Path, Plan};
use crate::isa::Isa;
use crate::steps::{
    Form, Loop, MAX_LOOPS, MAX_OUTPUTS, NONE, OuterLoop, Permutation, Planes, Runs, Step, SubByte,
    Tiles,
};

/// Prints the path of the plan. `{:#}` adds lines for the tile of registers or the tables of a byte permute, for blocks
/// that go through a scratch buffer, and for stores.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Path::Bytes(plan) => plan.write(f, self.is_streamed())?,
            Path::Blocked(own) => own.write(f)?,
            Path::Reversed(reversed) => {
                write!(f, "{}-bit elements of each byte reversed: ", reversed.of.bits())?;
                reversed.plan.write(f, false)?;
            }
            Path::Words(words) => {
                let (bits, unit) = (words.of.bits(), words.nest.unit);
                write!(
                    f,
                    "{bits}-bit elements permuted in words, in runs of {unit} byte{}",
                    plural(unit)
                )?;
            }
            Path::Elements(nest, of) => {
                write!(f, "{}-bit elements in runs of {}", of.bits(), nest.unit)?;
            }
        }
        if self.is_streamed() {
            f.write_str(", non-temporal stores")?;
        }
        match &self.path {
            Path::Bytes(plan) if f.alternate() => plan.write_details(f, self.is_streamed()),
            _ => Ok(()),
        }
    }
}

impl BytePlan {
    fn write(&self, f: &mut fmt::Formatter<'_>, stream: bool) -> fmt::Result {
        let is_rotated =
            matches!(&self.streamed, Some(Streamed::Tiles(own)) if own.rotated.is_some());
        let path = (self.tiles(stream), stream && is_rotated);
        write_step(f, &self.pass.step, self.loops.as_slice(), path)?;
        write!(f, " ({})", self.isa)
    }

    /// Writes the lines of `{:#}`.
    fn write_details(&self, f: &mut fmt::Formatter<'_>, stream: bool) -> fmt::Result {
        match &self.pass.step {
            Step::Tiles(tiles) => {
                let rows = tiles.units_of(highest_column(tiles, self.isa, self.bytes));
                let columns = tiles.units_of(self.isa.lane());
                write!(f, "\n    a tile in registers: {rows} rows by {columns} columns")?;
                if let Some(TilePath::Packed(PackedCode { rows, columns, .. })) = self.tiles(stream)
                {
                    write!(
                        f,
                        "\n    a block in a scratch buffer: {rows} rows by {columns} columns"
                    )?;
                }
            }
            Step::Permute(permutation) => permutation.write_tables(f)?,
            Step::Copies(_) => {}
        }
        write!(f, "\n    stores: {}", if stream { "non-temporal" } else { "into the caches" })
    }
}

impl Blocked {
    #[inline(never)]
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loops = self.loops();
        match &self.first {
            First::Planes(Planes { of, .. }, _) => {
                write!(f, "{}-bit elements, {} rows at a time: ", of.bits(), of.per_byte())?;
                write_step(f, &self.second.step, loops[0], (self.second.code.tiles(), false))?;
                write_loops(f, loops[2])?;
            }
            #[cfg(vectors)]
            First::Pass { pass, .. } => {
                write!(f, "{} bytes at a time in two passes", self.block)?;
                write_loops(f, loops[0])?;
                f.write_str(": ")?;
                write_step(f, &pass.step, loops[1], (pass.code.tiles(), false))?;
                f.write_str("; ")?;
                write_step(f, &self.second.step, loops[2], (self.second.code.tiles(), false))?;
            }
        }
        write!(f, " ({})", self.isa)
    }
}

/// Writes a step and the loops around it, with the path of its matrix, and whether that is for other columns than those
/// that are rotated.
#[inline(never)]
fn write_step(
    f: &mut fmt::Formatter<'_>,
    step: &Step,
    loops: &[OuterLoop],
    (path, is_rotated): (Option<&TilePath>, bool),
) -> fmt::Result {
    match step {
        Step::Copies(copies) => {
            let Runs { bytes, inner, outer } = copies.runs;
            let s = plural(bytes);
            write!(f, "copy {} x {} runs of {bytes} byte{s}", outer.size, inner.size)?;
        }
        Step::Tiles(tiles) => tiles.write(f, (path, is_rotated))?,
        Step::Permute(permutation) => permutation.write(f)?,
    }
    write_loops(f, loops)
}

#[inline(never)]
fn write_loops(f: &mut fmt::Formatter<'_>, loops: &[OuterLoop]) -> fmt::Result {
    loops.iter().try_for_each(|own| write!(f, ", {} time{}", own.count, plural(own.count)))
}

impl Tiles {
    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        (path, is_rotated): (Option<&TilePath>, bool),
    ) -> fmt::Result {
        let Self { unit, rows, columns, .. } = self;
        write!(f, "transpose {rows} rows by {columns} columns of {unit} byte{}", plural(*unit))?;
        if let Some(TilePath::Direct(own)) = path {
            if own.strip < *columns {
                write!(f, ", {} columns at a time", own.strip)?;
            }
        }
        if !self.is_strided {
            f.write_str(", offsets of rows and columns in tables")?;
        }
        f.write_str(match path {
            Some(TilePath::Packed(own)) if own.packing.has_rows() => {
                ", rows through a scratch buffer"
            }
            Some(TilePath::Packed(_)) => ", columns through a scratch buffer",
            _ => "",
        })?;
        f.write_str(if is_rotated { " if units cross cache lines" } else { "" })
    }
}

impl Permutation {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { loads, valid, outputs, lanes, .. } = self;
        let bytes = if self.is_run() { *valid } else { valid * outputs };
        let of = match self.form {
            _ if *lanes || self.is_pair() => "16-byte lanes",
            _ => "vectors",
        };
        write!(f, "permute bytes: {loads} load{} of {of} for ", plural(*loads))?;
        if self.has_gaps {
            write!(f, "{} of ", self.mask.count_ones())?;
        }
        write!(f, "{bytes} bytes")?;
        let times = self.inner.count * self.next.count * self.outer.count;
        write!(f, ", {times} time{}", plural(times))
    }

    /// Writes the tables: for each byte of a vector the byte of the load, or `-` if it comes from another load.
    fn write_tables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, table) in self.tables.iter().enumerate() {
            // Without the end that no load has.
            let Some(last) = table.iter().rposition(|byte| *byte != NONE) else { continue };
            match self.form {
                Form::Tables if self.outputs > 1 => {
                    let (load, vector) = (i / MAX_OUTPUTS, i % MAX_OUTPUTS);
                    write!(f, "\n    bytes of load {load} in vector {vector}:")?;
                }
                Form::Parts { before: false, .. } => {
                    f.write_str("\n    bytes of each vector, last:")?
                }
                // Loads are transposed in parts, whose order the last table sets.
                _ if i >= self.loads => f.write_str("\n    bytes of each vector, last:")?,
                _ => write!(f, "\n    bytes of load {i}:")?,
            }
            for byte in table.iter().take(last + 1) {
                match *byte {
                    NONE => f.write_str(" -")?,
                    byte => write!(f, " {byte}")?,
                }
            }
        }
        Ok(())
    }
}

/// Returns the ending of a noun after `count`.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// How a move is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// Copies of runs that are contiguous on both sides.
    Copies,
    /// A matrix of units that is transposed in tiles.
    Transpose,
    /// Vectors of the destination, made of loads by byte permutes.
    Permute,
    /// Two passes, each one of the above, through a scratch buffer in the first-level cache.
    Passes,
    /// A plan of bytes, after which the elements of each byte are reversed.
    Reversed,
    /// Elements of less than a byte, shifted within words of at most 8 bytes.
    Words,
    /// Elements of less than a byte. Groups of rows are combined into whole bytes, which a plan of bytes moves.
    Groups,
    /// Elements of less than a byte, in runs that may begin inside a byte.
    Elements,
}

/// The facts that decided a plan, as [`Plan::reasons`] returns them. Prints as lines of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reasons {
    /// How the move is carried out.
    pub choice: Choice,
    /// The instruction set.
    pub isa: Isa,
    /// The longest run that is contiguous on both sides, in bytes, or in elements if these have less than 8 bits.
    pub unit: usize,
    /// The bits that the unit and strides count: 8, or the bits of an element of less than a byte.
    pub bits: usize,
    loops: [Loop; MAX_LOOPS],
    count: usize,
    /// The estimated cost of copies of runs: cycles for each KiB of the destination in the first-level cache. `None`
    /// if runs cannot be copied, or the plan did not compare costs. In small moves it is less, since other steps take
    /// longer to begin.
    pub copies: Option<usize>,
    /// The cost of a transpose in tiles.
    pub tiles: Option<usize>,
    /// The cost of the cheapest byte permute.
    pub permutes: Option<usize>,
    /// The cost of two passes, if they were chosen. `None` also if one step costs less.
    pub passes: Option<usize>,
    /// For a transpose, the number of first-level cache sets, of 64, over which the rows in the source and the
    /// columns in the destination are spread. If more rows or columns share sets than a set has ways, they may go
    /// through a scratch buffer. `None` if tables have their offsets.
    pub sets: Option<(usize, usize)>,
    /// The number of bytes moved.
    pub bytes: usize,
    /// Whether stores are non-temporal.
    pub non_temporal: bool,
    /// The size of source and destination together, in bytes, from which stores are non-temporal on this machine if
    /// the kernel has such stores. It is a share of the last-level cache.
    pub non_temporal_from: usize,
}

impl Plan {
    /// Returns the facts that decided the plan. The plan must be one of `of` for this machine.
    pub fn reasons(&self, of: &Move) -> Reasons {
        let nest = Nest::new(of).unwrap_or(Nest::NOTHING);
        let isa = self.isa();
        let costs = match of.elements {
            None => costs(&nest, planned(isa)),
            Some(_) => [usize::MAX; 3],
        };
        let [copies, tiles, permutes] = costs.map(|cost| (cost < usize::MAX).then_some(cost));
        let (choice, sets) = match &self.path {
            Path::Reversed(_) => (Choice::Reversed, None),
            Path::Words(_) => (Choice::Words, None),
            Path::Blocked(Blocked { first: First::Planes(..), .. }) => (Choice::Groups, None),
            #[cfg(vectors)]
            Path::Blocked(_) => (Choice::Passes, None),
            Path::Elements(..) => (Choice::Elements, None),
            Path::Bytes(plan) => match &plan.pass.step {
                Step::Copies(_) => (Choice::Copies, None),
                Step::Permute(_) => (Choice::Permute, None),
                Step::Tiles(own) => {
                    let sets = own.is_strided.then(|| (t::sets(own.row), t::sets(own.column)));
                    (Choice::Transpose, sets)
                }
            },
        };
        Reasons {
            choice,
            isa,
            unit: nest.unit,
            bits: of.elements.map_or(8, SubByte::bits),
            loops: nest.loops,
            count: nest.count,
            copies,
            tiles,
            permutes,
            passes: match &self.path {
                #[cfg(vectors)]
                Path::Blocked(Blocked { first: First::Pass { cost, .. }, .. }) => Some(*cost),
                _ => None,
            },
            sets,
            bytes: self.bytes(),
            non_temporal: self.is_streamed(),
            non_temporal_from: self.stores.least(),
        }
    }
}

impl Reasons {
    /// Returns the loops after merging those that continue one another, from the smallest to the largest destination
    /// stride. Strides are in bytes, or in elements of less than a byte.
    pub fn loops(&self) -> &[Loop] {
        &self.loops[..self.count]
    }

    fn write_choice(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let none = [self.copies, self.tiles, self.permutes].iter().all(Option::is_none);
        f.write_str(match self.choice {
            Choice::Reversed => "the two sides order the elements of a byte differently",
            Choice::Words => "elements stay within words of at most 8 bytes",
            Choice::Groups => {
                let share = 8 / self.bits;
                return write!(
                    f,
                    "a transpose in which both sides have rows and columns of a multiple of {share}"
                );
            }
            Choice::Elements => {
                "a size or stride is not a multiple of the number of elements in a byte"
            }
            Choice::Copies if self.count == 0 => "the move is one run",
            Choice::Copies if self.bits == 8 && self.unit >= ALWAYS_COPIED => {
                return write!(f, "runs of {ALWAYS_COPIED} bytes and more are always copied");
            }
            _ if none && self.bits < 8 => "every element keeps its position within its byte",
            _ if none => "no other step is possible",
            _ => return self.write_costs(f),
        })
    }

    fn write_costs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the lowest estimate. Estimates are cycles for each KiB, without the slower loads near the end of the source: ",
        )?;
        let costs = [
            ("copies of runs", self.copies),
            (", a transpose in tiles", self.tiles),
            (", a byte permute", self.permutes),
            (", two passes", self.passes),
        ];
        costs.into_iter().try_for_each(|(name, cost)| match cost {
            Some(cost) => write!(f, "{name} {cost}"),
            None if name == costs[3].0 => Ok(()),
            None => write!(f, "{name} not possible"),
        })
    }

    fn write_stores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (both, from) = (self.bytes.saturating_mul(2), self.non_temporal_from);
        let is_less = both < from;
        f.write_str(if self.non_temporal { "non-temporal" } else { "into the caches" })?;
        if matches!(from, 0 | usize::MAX) && (from > 0 || self.non_temporal) {
            return f.write_str(", as chosen by the caller");
        }
        if from > 0 {
            let than = if is_less { "less than" } else { "at least" };
            write!(
                f,
                "; source and destination together have {both} bytes, {than} {from}, a share of the last-level cache"
            )?;
        }
        f.write_str(match self.non_temporal || is_less {
            true => "",
            false => ", but this kernel has no such stores, or its stores do not fill cache lines",
        })
    }
}

/// Prints one fact a line. No line break follows the last.
impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "contiguous on both sides: {} ", self.unit)?;
        match self.bits {
            8 => f.write_str("byte")?,
            bits => write!(f, "{bits}-bit element")?,
        }
        f.write_str(plural(self.unit))?;
        f.write_str("\nloops around that:")?;
        for (i, Loop { size, source, destination }) in self.loops().iter().enumerate() {
            let and = if i > 0 { ";" } else { "" };
            write!(f, "{and} {size} with strides {source} and {destination}")?;
        }
        if self.count == 0 {
            f.write_str(" none")?;
        }
        f.write_str("\nchosen: ")?;
        self.write_choice(f)?;
        if let Some((rows, columns)) = self.sets {
            write!(f, "\ncache sets: rows are spread over {rows} of 64, columns over {columns}")?;
        }
        f.write_str("\nstores: ")?;
        self.write_stores(f)
    }
}

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
        let [copies, tiles, permutes] = costs(&nest, planned(self.isa()));
        let known = match plan.pass.step {
            Step::Copies(_) => copies,
            Step::Tiles(_) => tiles,
            Step::Permute(_) => permutes,
        };
        match known {
            usize::MAX => Machine::of(self.isa()).copy(nest.unit.max(1), 0, 64),
            known => known,
        }
    }
}

/// Returns the costs of all steps.
fn costs(nest: &Nest, isa: Isa) -> [usize; 3] {
    let mut all = Candidates::NONE;
    all.set(nest, isa, usize::MAX);
    if Candidates::are_compared(nest, isa) {
        // Also if other steps cost less.
        all.permute = cheapest(nest, isa, usize::MAX);
    }
    [all.copies, all.tiling.cost, all.permute.cost]
}

/// What a call of a plan takes besides its steps, in cycles.
const CALL: u64 = 30;

/// Returns the cycles that memory takes for each KiB of the destination, if source and destination together have `bytes`
/// bytes: those of a copy from the cache of the level that they fit into.
pub(super) const fn memory(bytes: usize) -> usize {
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
