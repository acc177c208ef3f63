//! The machine that choices are made for: what steps take, a first-level cache, and the sizes from which something
//! pays. `cargo bench --bench machine` measures the table's numbers on the CPU that it runs on, and `notes.md` has what
//! was measured, by name.

use crate::isa::{Isa, LANE};
use crate::steps::{LINE, distance, each, greater, least};

/// What steps take on an instruction set, in tenths of a cycle, or in cycles for each KiB of the destination.
pub(super) struct Machine {
    /// The call of a kernel, and how much earlier it begins for each run that the one before it copies.
    call: [usize; 2],
    /// A run of 1, 2, 4 or 8 bytes, of 16, of another length up to 15, up to 32, and of more.
    runs: [usize; 5],
    /// A run of vectors that overlap, and a loop over these.
    overlapping: [usize; 2],
    /// A KiB of units of 1, 2, 4 and 8 bytes in tiles.
    tiles: [usize; 4],
    /// A tile that has fewer columns than it loads.
    edge: usize,
    /// A load of a byte permute, an insert of a lane, a zip, a table and a store.
    network: [usize; 5],
    /// An iteration of a byte permute.
    iteration: usize,
    /// The start and the end of a run of vectors of a line, or the last store of less than a lane.
    ends: usize,
    /// A KiB of four rows of four units of a lane.
    pub(super) lanes: usize,
    /// A KiB in two passes beside their steps, since the second waits for stores of the first; and as much a block.
    #[cfg(vectors)]
    pass: usize,
}

const VECTORS: Machine = Machine {
    call: [300, 5],
    runs: [12, 15, 32, 22, 20],
    overlapping: [14, 40],
    tiles: [90, 75, 62, 55],
    edge: 400,
    network: [8, 0, 3, 5, 5],
    iteration: 13,
    ends: 30,
    lanes: 75,
    #[cfg(vectors)]
    pass: 60,
};

/// Vectors of one lane.
const LANES: Machine = Machine { edge: 0, ..VECTORS };

/// Byte permutes of a line.
const LINES: Machine = Machine { network: [15, 7, 2, 3, 9], iteration: 8, ends: 48, ..VECTORS };

/// Without vectors, tiles of words cost less than moving units one by one, whichever units are left over.
const WORDS: Machine = Machine { tiles: [700, 500, usize::MAX, usize::MAX], ..VECTORS };

impl Machine {
    pub(super) const fn of(isa: Isa) -> &'static Self {
        match isa {
            Isa::Portable => &WORDS,
            Isa::Sse2 | Isa::Neon | Isa::Simd128 => &LANES,
            Isa::Avx2 | Isa::Avx512 => &VECTORS,
            Isa::Avx512Vbmi => &LINES,
        }
    }

    /// Returns the cost of copying runs of `bytes` bytes, about `runs` of them at once: as vectors that overlap,
    /// `overlapping` of them in a loop, if that is not 0.
    pub(super) const fn copy(&self, bytes: usize, overlapping: usize, runs: usize) -> usize {
        let own = match bytes {
            _ if overlapping > 0 => self.overlapping[0] + self.overlapping[1] / overlapping,
            1 | 2 | 4 | 8 => self.runs[0],
            16 => self.runs[1],
            3..=15 => self.runs[2],
            17..=32 => self.runs[3],
            _ => self.runs[4],
        };
        each(own + (self.call[0] / runs).saturating_sub(self.call[1]), bytes)
    }

    /// Returns the cost of transposing a matrix in tiles, with these bytes in its rows and columns.
    pub(super) const fn tile(
        &self,
        unit: usize,
        (rows, columns): (usize, usize),
        may_be_inlined: bool,
        isa: Isa,
    ) -> usize {
        let base = self.tiles[unit.trailing_zeros() as usize & 3];
        if !isa.has_vectors() {
            // If compiled for size, moving units one by one takes the least code.
            return if cfg!(small_code) { usize::MAX } else { base };
        }
        // Vectors of 16 bytes are shuffled at half the rate.
        let (height, base) =
            if least(rows, isa.vector()) >= 32 { (32, base) } else { (LANE, 2 * base) };
        // Each matrix is a call, and inlined code has a sixth of it. Columns may be as long as memory.
        let call = if may_be_inlined { self.call[0] / 6 } else { self.call[0] };
        let edge = if columns < LANE { each(self.edge, height * columns / unit) } else { 0 };
        let call = each(call, rows * (columns / unit));
        base * moved(rows, height) / LANE * moved(columns, LANE) / LANE + call + edge
    }

    /// Returns the cost of a byte permute that moves `bytes` bytes with these numbers of loads, inserts of lanes, zips,
    /// tables and stores, and with `more` tenths of a cycle.
    pub(super) const fn network(&self, counts: [usize; 5], bytes: usize, more: usize) -> usize {
        let mut all = self.iteration + more;
        each!(i, 0..counts.len(), {
            all += self.network[i] * counts[i];
        });
        each(all, bytes)
    }

    /// Returns what ends of runs take for each vector that the same loads make, of `valid` bytes: the last store of less
    /// than half a lane takes three times as long.
    pub(super) const fn ends(&self, valid: usize, isa: Isa) -> usize {
        match valid {
            _ if isa.permute() == LINE => self.ends,
            0..8 => 3 * self.ends,
            8..LANE => self.ends,
            _ => 0,
        }
    }

    /// Returns the cost of `count` calls for each time that `bytes` bytes move.
    pub(super) const fn calls(&self, count: usize, bytes: usize) -> usize {
        each(count * self.call[0], bytes)
    }

    /// Returns what two passes over blocks of `bytes` bytes cost beside their steps.
    #[cfg(vectors)]
    pub(super) const fn passes(&self, bytes: usize) -> usize {
        self.pass + each(10 * self.pass, bytes)
    }

    /// Returns what nearly every second pass costs at least.
    #[cfg(vectors)]
    pub(super) const fn least_pass(&self) -> usize {
        self.pass * 3 / 4
    }

    /// Returns the least cost of one step for which two passes are tried: a try takes about a microsecond.
    #[cfg(vectors)]
    pub(super) const fn least_passes(&self) -> usize {
        4 * self.pass
    }
}

/// Returns the cost of what takes `tenths` tenths of a cycle for each `bytes` bytes.
const fn each(tenths: usize, bytes: usize) -> usize {
    1024 * tenths / 10 / bytes
}

/// Returns the machine whose vectors of byte permutes have `vector` bytes.
pub(super) const fn of_vectors(vector: usize) -> &'static Machine {
    if vector == LINE { &LINES } else { &VECTORS }
}

/// Returns the cost of a transpose whose columns have less than 16 bytes and reach the destination in runs of `bytes`
/// bytes, from that of its tiles: these read the offsets of tables, and a scratch buffer is in between.
pub(super) const fn joined(tiles: usize, bytes: usize) -> usize {
    tiles + tiles / 4 + LINE + each(80, bytes)
}

/// Returns the number of bytes that tiles move for each 16 bytes of a side.
const fn moved(bytes: usize, tile: usize) -> usize {
    // A long side wastes nothing. Returning early avoids an overflow, since it may be as long as memory. No tile is
    // larger than 32 bytes.
    if bytes > 1 << 24 || bytes % 32 == 0 {
        return LANE;
    }
    bytes.div_ceil(tile) * tile * LANE / bytes
}

/// The number of sets of a first-level cache, and of ways of a set.
const SETS: usize = 64;
const WAYS: usize = 8;

/// Returns over how many sets of a first-level cache lines are spread that are about `stride` bytes apart. It tries
/// whether 1, 3, 5 or 7 strides are nearly a multiple of a power of two. For example, three times 5460 bytes are four
/// bytes less than four pages, so all lines are in three sets or next to them.
// Not inlined, since it is called from many functions.
#[inline(never)]
pub(super) const fn sets(stride: isize) -> usize {
    const PAGE: isize = (SETS * LINE) as isize;
    if distance(stride) < LINE {
        return SETS;
    }
    let (mut fewest, mut odd) = (SETS, 1);
    while odd < 8 {
        let apart = stride.wrapping_mul(odd).wrapping_add(8) & !15 & (PAGE - 1);
        let sets = if apart == 0 { odd } else { odd * (PAGE >> apart.trailing_zeros()) };
        fewest = least(fewest, sets as usize);
        odd += 2;
    }
    fewest
}

/// Whether lines that are spread over `sets` sets stay in a first-level cache.
pub(super) const fn stay(lines: usize, sets: usize) -> bool {
    lines <= WAYS * sets
}

/// Returns how many lines that are spread over `sets` sets may be in use at once, so that half of their ways are left.
pub(super) const fn half_of(sets: usize) -> usize {
    WAYS / 2 * sets
}

/// Whether lines that are about `stride` bytes apart share sets so that soon they leave the cache.
pub(super) const fn share_sets(stride: isize) -> bool {
    sets(stride) <= WAYS
}

/// Returns how many vectors of a run are made before a loop that is nearer in the source takes the next bytes of the
/// same lines. A vector has `windows` loads, and `chunk` iterations of the loop of the run, which are `stride` bytes
/// apart.
pub(super) const fn run_at_once(stride: isize, (windows, chunk): (usize, usize)) -> usize {
    greater(least(half_of(SETS) / windows, greater(half_of(sets(stride)), WAYS) / chunk), 1)
}

/// Returns the number of columns in a strip if vectors are shorter than a line, at most `most`, of `columns` columns
/// that are spread over `sets` sets. A tile stores parts of lines, which must stay in the cache until the next tiles
/// store the rest. If the cache does not hold a line of every column, those of a strip take half the ways of their
/// sets, or more where that is less than a line of the source.
pub(super) const fn strip_of_parts(
    unit: usize,
    most: usize,
    (sets, columns): (usize, usize),
) -> usize {
    let all = WAYS * sets;
    let own = if columns <= all { most } else { greater(all / 2, least(all, LINE / unit)) };
    let lane = LANE / unit;
    greater(if own < most { own / lane * lane } else { most }, lane)
}

/// The length in bytes from which runs are always copied.
pub(super) const ALWAYS_COPIED: usize = 64;

/// The bytes of a block of runs: of those that are consecutive in the source, and in the destination.
pub(super) const COPY_BLOCK: [usize; 2] = [1024, 2048];

/// The minimal number of runs in a loop: a loop of fewer takes longer than the runs.
pub(super) const LEAST_RUNS: usize = 5;

/// The minimal length in bytes of a run whose whole cache lines are stored non-temporally, and of columns that go
/// through a scratch buffer if their lines are stored in parts. Shorter columns get more digits.
pub(super) const LONG: usize = 4 * LINE;

/// The bytes up to which a matrix gets more digits: a call of a kernel takes as long as some hundred bytes.
pub(super) const SMALL: usize = 2048;

/// Whether a matrix gains by tiles that begin at multiples of their vectors, of `vector` bytes, so that no store
/// crosses a cache line: the first one overlaps the second. Its columns have `column` bytes, its plan moves `bytes`
/// bytes.
pub(super) const fn avoids_crossing(column: usize, vector: usize, bytes: usize) -> bool {
    column >= 6 * vector && bytes >= 24 << 10
}

/// The minimal size in bytes of units of a matrix with tables whose columns begin inside cache lines and are stored
/// non-temporally without a scratch. Each table stores its first and last column plainly.
pub(super) const LEAST_ROTATED: usize = 4;

/// The minimal length in bytes of a run of permuted vectors that begins or ends inside cache lines and is stored
/// non-temporally.
pub(super) const LEAST_STREAMED_VECTORS: usize = 32 << 10;

/// The minimal number of iterations of a run of permuted vectors for which all but the first are aligned to cache
/// lines.
pub(super) const FEWEST_ALIGNED: usize = 32;

/// The minimal number of bytes of columns for which a tiling is tried.
pub(super) const NARROWEST: usize = 5;

/// The share of columns, in 64ths, that may be moved twice before more digits are tried. Over 128 columns waste less.
pub(super) const WASTE: usize = 8;

/// The number of columns of less than 16 bytes, of several digits, that are joined in a scratch buffer at once.
pub(super) const LEAST_JOINED: usize = 64;

/// Returns the number of columns in a strip of tiles: few if rows are near each other, many if memory should be read in
/// order.
pub(super) const fn strip(unit: usize, row: isize) -> usize {
    if distance(row) >= 64 << 10 { 1024 / unit } else { 256 / unit }
}

/// The size in bytes of moves from which strips are wide to read memory in order, and their most columns: each is in a
/// page of its own, and a CPU keeps the addresses of two or three thousand pages.
pub(super) const FAR: (usize, usize) = (4 << 20, 1024);

/// The bounds of the size of source and destination together from which stores are non-temporal. The size is a share
/// of the last-level cache, bounded because virtual machines report too much.
pub(super) const NON_TEMPORAL: (usize, usize) = (16 << 20, 24 << 20);

/// The minimal size in bytes of a plan whose stores are non-temporal on any machine.
pub(super) const LEAST_NON_TEMPORAL: usize = NON_TEMPORAL.0 / 2;

/// The minimal number of bytes of a move in two passes.
#[cfg(vectors)]
pub(super) const LEAST_PASS_BYTES: usize = 2 << 10;
