//! Estimates of the time that steps take: cycles for each KiB of the destination in the first-level cache. `notes.md`
//! has what was measured, by name.

use crate::isa::Isa;
use crate::steps::LINE;

/// Returns the cost of copying runs of `bytes` bytes, about `runs` of them at once.
pub(super) const fn copy(bytes: usize, runs: usize) -> usize {
    let cycles = match bytes {
        1 | 2 | 4 | 8 => 12,
        16 => 15,
        3..=15 => 32,
        17..=32 => 22,
        _ => 20,
    };
    called(cycles, runs, bytes)
}

/// Returns the cost of copying runs of `bytes` bytes as vectors that overlap, `count` of them in a loop.
pub(super) const fn overlapping(bytes: usize, count: usize, runs: usize) -> usize {
    called(14 + 40 / count, runs, bytes)
}

/// Returns the cost of runs of `bytes` bytes that take `cycles` tenths of a cycle each, about `runs` of them at once.
const fn called(cycles: usize, runs: usize, bytes: usize) -> usize {
    // A call takes 30 cycles. The next call begins half a cycle earlier for each run.
    let call = if runs < 60 { 300 / runs - 5 } else { 0 };
    1024 * (cycles + call) / 10 / bytes
}

/// Returns the cost of transposing a matrix in tiles, with these bytes in its rows and columns.
pub(super) const fn tile(
    unit: usize,
    (rows, columns): (usize, usize),
    may_be_inlined: bool,
    isa: Isa,
) -> usize {
    if isa.lane() < 16 {
        // Tiles of words cost less than moving units one by one, whichever units are left over.
        return match unit {
            // If compiled for size, moving units one by one takes the least code.
            _ if cfg!(small_code) => usize::MAX,
            1 => 700,
            2 => 500,
            _ => usize::MAX,
        };
    }
    let base = match unit {
        1 => 90,
        2 => 75,
        4 => 62,
        _ => 55,
    };
    // Vectors of 16 bytes are shuffled at half the rate.
    let vector = isa.vector();
    let (height, base) = match rows {
        _ if rows >= 64 && vector >= 64 => (32, base),
        _ if rows >= 32 && vector >= 32 => (32, base),
        // Each vector needs two stores instead of one. AVX2 has no such kernels, to save code.
        _ if rows > 16 && vector >= 64 => (32, base + if unit < 4 { 20 } else { 30 }),
        _ => (16, 2 * base),
    };
    // The fixed cost of each matrix, and of each tile that has all columns.
    let call = if may_be_inlined { 5 } else { 30 };
    let call = 1024 * call / (rows * (columns / unit));
    let edge = match isa {
        _ if columns >= 16 => 0,
        Isa::Avx2 | Isa::Avx512 => EDGE,
        Isa::Sse2 if unit == 4 => EDGE,
        _ => 0,
    };
    // Other columns may be as long as memory.
    let edge = if edge > 0 { edge * 1024 * unit / (height * columns) } else { 0 };
    base * moved(rows, height) / 16 * moved(columns, 16) / 16 + call + edge
}

/// The fixed cost of a tile that has fewer columns than it loads.
const EDGE: usize = 40;

/// Returns the cost of a transpose whose columns have less than 16 bytes and reach the destination in runs of `bytes`
/// bytes, from that of its tiles: these read the offsets of tables, and a scratch buffer is in between.
pub(super) const fn joined(tiles: usize, bytes: usize) -> usize {
    tiles + tiles / 4 + 64 + 1024 * 8 / bytes
}

/// Returns the number of bytes that tiles move for each 16 bytes of a side.
const fn moved(bytes: usize, tile: usize) -> usize {
    // A long side wastes nothing. Returning early avoids an overflow, since it may be as long as memory. No tile is
    // larger than 32 bytes.
    if bytes > 1 << 24 || bytes % 32 == 0 {
        return 16;
    }
    bytes.div_ceil(tile) * tile * 16 / bytes
}

/// Returns the cost of a byte permute with these numbers of windows and loads for `valid` bytes. Stores in part, or the
/// ends of runs, take `more` tenths of a cycle. Loads of a line, which mostly begin inside one, take twice as long as
/// shorter ones.
pub(super) const fn permute(
    (windows, loads): (usize, usize),
    valid: usize,
    bytes: usize,
    more: usize,
) -> usize {
    let inserts = if bytes > 16 { windows - loads } else { 0 };
    let each = if bytes == LINE && windows == loads { 12 } else { 6 };
    let cycles = each * windows + 3 * inserts + 10 * loads + 15 + more;
    1024 * cycles / 10 / valid
}

/// What the start and the end of a run of vectors of a line take, in tenths of a cycle.
pub(super) const ENDS: usize = 48;

/// Returns the cost of a byte permute whose `count` loads make `count` vectors.
pub(super) const fn shared(count: usize, bytes: usize) -> usize {
    let cycles = 6 * count + 8 * count * count + 15;
    1024 * cycles / 10 / (bytes * count)
}

/// Returns the cost of interleaving `count` rows without tables, in vectors of `bytes` bytes.
pub(super) const fn zip(count: usize, bytes: usize) -> usize {
    let shuffles = count * count.trailing_zeros() as usize;
    let (load, shuffle, call) = if bytes == 16 { (6, 4, 10) } else { (8, 6, 14) };
    1024 * (load * count + shuffle * shuffles + call) / 10 / (bytes * count)
}

/// Returns the cost of moving one iteration of a byte permute through a scratch buffer, in a plan of `bytes` bytes: 200
/// cycles.
pub(super) const fn one_separately(bytes: usize) -> usize {
    1024 * 200 / bytes
}

/// Returns what a load of less than a lane costs more than one of a lane, for `valid` bytes.
pub(super) const fn short(valid: usize) -> usize {
    1024 * 25 / valid
}

/// Returns the cost of copying a small source first, in a plan of `bytes` bytes: 100 cycles.
pub(super) const fn small_source(bytes: usize) -> usize {
    1024 * 100 / bytes
}

/// The cost of transposing four rows of four units of 16 bytes, and of copying units that are stored non-temporally, 16
/// bytes at a time.
pub(super) const LANES: usize = 75;

/// Returns the cost of a byte permute of `count` loads in four lanes that make `count` vectors of 64 bytes, `bytes`
/// bytes in all.
pub(super) const fn columns(count: usize, bytes: usize) -> usize {
    let cycles = match count {
        2 => 95,
        3 => 180,
        _ => 280,
    };
    1024 * cycles / 10 / bytes
}

/// Returns the cost of a byte permute of `loads` loads of a lane that make `count` columns of `bytes` bytes each.
/// Stores in part take `stores` tenths of a cycle.
pub(super) const fn columns_of_lane(
    loads: usize,
    count: usize,
    bytes: usize,
    stores: usize,
) -> usize {
    let cycles = match loads {
        2 => 50,
        3 => 90,
        4 => 70 + 18 * count,
        _ => 120 + 27 * count,
    };
    let cycles = if bytes < 16 { cycles + 3 * count + stores } else { cycles };
    1024 * cycles / 10 / (bytes * count)
}

/// Returns the cost of a byte permute of four or eight loads that make `count` planes or rows of vectors of
/// `bytes` bytes.
pub(super) const fn many(loads: usize, count: usize, bytes: usize) -> usize {
    let cycles = match (loads, bytes) {
        (8, LINE) => 160 + 16 * count,
        (8, _) => 120 + 12 * count,
        _ => 70 + 15 * count,
    };
    1024 * cycles / 10 / (bytes * count)
}

/// Returns the cost of a block of `valid` bytes that has `count` loads or vectors, whichever are more, of `vector`
/// bytes.
pub(super) const fn block(count: usize, vector: usize, valid: usize) -> usize {
    let cycles = match count {
        2 if vector == LINE => 60,
        3 if vector == LINE => 100,
        _ => 6 * count + 5 * count * count + 15,
    };
    1024 * cycles / 10 / valid
}

/// Returns the cost of copying runs of `bytes` bytes that are so long that nothing else is tried, in one of two passes:
/// that of memcpy in the first-level cache, and three cycles a run.
#[cfg(vectors)]
pub(super) const fn long_runs(bytes: usize) -> usize {
    35 + 3 * 1024 / bytes
}

/// The cost that is assumed for the second pass before it is computed: of 1343 moves in two passes one has less.
#[cfg(vectors)]
pub(super) const LEAST_SECOND_PASS: usize = 45;

/// Returns what two passes over blocks of `bytes` bytes cost beside their steps: 60 cycles a block for the calls, and
/// as much for each KiB, since the second pass waits for stores of the first.
#[cfg(vectors)]
pub(super) const fn passes(bytes: usize) -> usize {
    60 + 1024 * 60 / bytes
}
