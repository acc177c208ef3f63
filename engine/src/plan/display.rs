//! What a plan prints: its path.

use core::fmt;

use super::{Plan, Step};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
