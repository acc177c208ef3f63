//! What a plan says of itself: its path as text, and the facts that decided it, as data and as text.

use core::fmt;

use super::blocked::{Blocked, First};
use super::byte_move::Move;
use super::choose::highest_column;
use super::code::{BytePlan, PackedCode, Packing, Streamed, TilePath};
use super::machine::{ALWAYS_COPIED, sets};
use super::nests::Nest;
use super::shapes::{Candidates, cheapest, planned};
use super::{Path, Plan};
use crate::isa::Isa;
use crate::steps::{
    Form, Loop, MAX_LOOPS, MAX_OUTPUTS, NONE, OuterLoop, Permutation, Planes, Runs, Step, Tiles,
    before,
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
        let loops = self.loops.all.get(..self.loops.count).unwrap_or(&[]);
        let is_rotated =
            matches!(&self.code.streamed, Some(Streamed::Tiles(own)) if own.rotated.is_some());
        write_step(f, &self.step, loops, (self.code.tiles(stream), stream && is_rotated))?;
        write!(f, " ({})", self.isa)
    }

    /// Writes the lines of `{:#}`.
    #[inline(never)]
    fn write_details(&self, f: &mut fmt::Formatter<'_>, stream: bool) -> fmt::Result {
        match &self.step {
            Step::Tiles(tiles) => {
                let rows = tiles.units_of(highest_column(tiles, self.isa, self.bytes));
                let columns = tiles.units_of(self.isa.lane());
                write!(f, "\n    a tile in registers: {rows} rows by {columns} columns")?;
                if let Some(TilePath::Packed(PackedCode { rows, columns, .. })) =
                    self.code.tiles(stream)
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
        f.write_str(match path.and_then(TilePath::packing) {
            None => "",
            Some(Packing::Rows) => ", rows through a scratch buffer",
            Some(Packing::Columns | Packing::Joined) => ", columns through a scratch buffer",
        })?;
        f.write_str(if is_rotated { " if units cross cache lines" } else { "" })
    }
}

impl Permutation {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { loads, valid, outputs, lanes, .. } = self;
        let bytes = if self.is_run() { *valid } else { valid * outputs };
        let of = match self.form {
            _ if *lanes => "16-byte lanes",
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
        let tables = self.tables.iter().enumerate().map(|(i, table)| (i, before(table, NONE)));
        for (i, table) in tables.filter(|(_, table)| !table.is_empty()) {
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
            for byte in table {
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
    /// For a transpose, whether rows and columns go through a scratch buffer.
    pub scratch: (bool, bool),
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
        let mut candidates = Candidates::NONE;
        if of.elements.is_none() {
            candidates.set(&nest, planned(isa), usize::MAX);
        }
        let known = |cost: usize| (cost < usize::MAX).then_some(cost);
        let (mut own_sets, mut scratch) = (None, (false, false));
        let choice = match &self.path {
            Path::Reversed(_) => Choice::Reversed,
            Path::Words(_) => Choice::Words,
            Path::Blocked(Blocked { first: First::Planes(..), .. }) => Choice::Groups,
            #[cfg(vectors)]
            Path::Blocked(_) => Choice::Passes,
            Path::Elements(..) => Choice::Elements,
            Path::Bytes(plan) => match &plan.step {
                Step::Copies(_) => Choice::Copies,
                Step::Permute(_) => Choice::Permute,
                Step::Tiles(tiles) => {
                    own_sets = tiles.is_strided.then(|| (sets(tiles.row), sets(tiles.column)));
                    let path = plan.code.tiles(self.is_streamed());
                    let packing = path.and_then(TilePath::packing);
                    scratch = packing.map_or(scratch, |own| (own.has_rows(), !own.has_rows()));
                    Choice::Transpose
                }
            },
        };
        Reasons {
            choice,
            isa,
            unit: nest.unit,
            bits: match of.elements {
                Some(elements) => elements.bits(),
                None => 8,
            },
            loops: nest.loops,
            count: nest.count,
            copies: known(candidates.copies),
            tiles: known(candidates.tiling.cost),
            permutes: cheapest(&candidates.shapes)
                .and_then(|which| known(candidates.shapes[which].cost)),
            passes: match &self.path {
                #[cfg(vectors)]
                Path::Blocked(Blocked { first: First::Pass { cost, .. }, .. }) => Some(*cost),
                _ => None,
            },
            sets: own_sets,
            scratch,
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

    fn units(&self, count: usize) -> impl fmt::Display {
        let name = if self.bits < 8 { "element" } else { "byte" };
        Counted { count, bits: self.bits, name }
    }

    fn write_choice(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.choice {
            Choice::Reversed => {
                return f.write_str("the two sides order the elements of a byte differently");
            }
            Choice::Words => return f.write_str("elements stay within words of at most 8 bytes"),
            Choice::Groups => {
                let share = 8 / self.bits;
                return write!(
                    f,
                    "a transpose in which both sides have rows and columns of a multiple of {share}"
                );
            }
            Choice::Elements => {
                return f.write_str(
                    "a size or stride is not a multiple of the number of elements in a byte",
                );
            }
            Choice::Copies if self.count == 0 => return f.write_str("the move is one run"),
            Choice::Copies if self.bits == 8 && self.unit >= ALWAYS_COPIED => {
                return write!(f, "runs of {ALWAYS_COPIED} bytes and more are always copied");
            }
            _ => {}
        }
        let costs = [
            ("copies of runs", self.copies),
            ("a transpose in tiles", self.tiles),
            ("a byte permute", self.permutes),
        ];
        if costs.iter().all(|cost| cost.1.is_none()) {
            return f.write_str(match self.bits {
                8 => "no other step is possible",
                _ => "every element keeps its position within its byte",
            });
        }
        f.write_str(
            "the lowest estimate. Estimates are cycles for each KiB, without the slower loads near the end of the source:",
        )?;
        for (i, (name, cost)) in costs.into_iter().enumerate() {
            f.write_str(if i > 0 { "," } else { "" })?;
            match cost {
                Some(cost) => write!(f, " {name} {cost}")?,
                None => write!(f, " {name} not possible")?,
            }
        }
        if let Some(cost) = self.passes {
            write!(f, ", two passes {cost}")?;
        }
        Ok(())
    }

    fn write_stores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (both, from) = (self.bytes.saturating_mul(2), self.non_temporal_from);
        f.write_str(if self.non_temporal { "non-temporal" } else { "into the caches" })?;
        if from == 0 && !self.non_temporal {
            return f.write_str(
                ", since this kernel has no other stores, or its stores do not fill cache lines",
            );
        }
        if matches!(from, 0 | usize::MAX) {
            return f.write_str(", as chosen by the caller");
        }
        let than = if both < from { "less than" } else { "at least" };
        write!(
            f,
            "; source and destination together have {both} bytes, {than} {from}, a share of the last-level cache"
        )?;
        match (self.non_temporal, both < from) {
            (false, false) => f.write_str(
                ", but this kernel has no such stores, or its stores do not fill cache lines",
            ),
            _ => Ok(()),
        }
    }
}

/// Prints one fact a line. No line break follows the last.
impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "contiguous on both sides: {}", self.units(self.unit))?;
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
            f.write_str(match self.scratch {
                (false, false) => "",
                (true, false) => "; rows go through a scratch buffer",
                (false, true) => "; columns go through a scratch buffer",
                (true, true) => "; rows and columns go through a scratch buffer",
            })?;
        }
        f.write_str("\nstores: ")?;
        self.write_stores(f)
    }
}

/// A number with its unit.
struct Counted {
    count: usize,
    bits: usize,
    name: &'static str,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, bits, name } = self;
        let s = if *count == 1 { "" } else { "s" };
        match bits {
            8 => write!(f, "{count} {name}{s}"),
            _ => write!(f, "{count} {bits}-bit {name}{s}"),
        }
    }
}
