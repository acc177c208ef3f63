//! Plans as text.

use super::{BytePlan, Path, Plan};
use crate::steps::{Permutation, Runs, Step, Tiles};

/// Prints the path of the plan.
impl core::fmt::Display for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match &self.path {
            Path::Bytes(plan) => plan.write(f, self.is_streamed())?,
            Path::Reversed(reversed) => {
                write!(f, "{}-bit elements of each byte reversed: ", reversed.of.bits())?;
                reversed.plan.write(f, false)?;
            }
            Path::Groups(groups) => {
                let of = groups.planes.of;
                write!(f, "{}-bit elements, {} rows at a time: ", of.bits(), of.per_byte())?;
                groups.plan.write(f, false)?;
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
        Ok(())
    }
}

impl BytePlan {
    fn write(&self, f: &mut core::fmt::Formatter<'_>, stream: bool) -> core::fmt::Result {
        match &self.step {
            Step::Copies(copies) => {
                let Runs { bytes, inner, outer } = copies.runs;
                let s = plural(bytes);
                write!(f, "copy {} x {} runs of {bytes} byte{s}", outer.size, inner.size)?;
            }
            Step::Tiles(tiles) => tiles.write(f, stream)?,
            Step::Permute(permutation) => permutation.write(f)?,
        }
        for round in self.rounds.all.iter().take(self.rounds.count) {
            write!(f, ", {} time{}", round.count, plural(round.count))?;
        }
        write!(f, " ({})", self.isa)
    }
}

impl Tiles {
    fn write(&self, f: &mut core::fmt::Formatter<'_>, stream: bool) -> core::fmt::Result {
        let Self { unit, rows, columns, strip, .. } = self;
        write!(f, "transpose {rows} rows by {columns} columns of {unit} byte{}", plural(*unit))?;
        if strip < columns {
            write!(f, ", {strip} columns at a time")?;
        }
        if !self.is_even {
            f.write_str(", offsets in tables")?;
        }
        let packing = self.packing(stream);
        f.write_str(match (packing.rows, packing.columns || packing.joined) {
            (false, false) => "",
            (true, false) => ", rows through a scratch",
            (false, true) => ", columns through a scratch",
            (true, true) => ", rows and columns through a scratch",
        })?;
        let is_direct = packing.joined && self.may_stream();
        f.write_str(if is_direct { " unless they begin at lines" } else { "" })
    }
}

impl Permutation {
    fn write(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { parts, valid, outputs, lanes, .. } = self;
        let bytes = if self.is_run() { *valid } else { valid * outputs };
        let loads = if *lanes { "16-byte lanes" } else { "vectors" };
        write!(f, "permute bytes: {parts} load{} of {loads} for {bytes} bytes", plural(*parts))?;
        let times = self.inner.count * self.next.count * self.outer.count;
        write!(f, ", {times} time{}", plural(times))
    }
}

/// Returns the ending of a noun after `count`.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
