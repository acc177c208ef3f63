//! The figures that choices depend on: estimates of the time that steps take, in cycles for each KiB of the destination
//! in the first-level cache, and then what else decides, and why. `notes.md` has what was measured, by name.

use crate::isa::Isa;
use crate::steps::{LINE, distance, greater};

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

/// Returns the cost of a byte permute that moves `bytes` bytes with these numbers of loads, inserts of lanes, zips,
/// tables and stores, in vectors of `vector` bytes, and with `more` tenths of a cycle.
pub(super) const fn network(
    vector: usize,
    [loads, inserts, zips, tables, stores]: [usize; 5],
    bytes: usize,
    more: usize,
) -> usize {
    let ([load, insert, zip, table, store], call) =
        if vector == LINE { ([15, 7, 2, 3, 9], 8) } else { ([8, 0, 3, 5, 5], 13) };
    let cycles = load * loads + insert * inserts + zip * zips + table * tables + store * stores;
    1024 * (cycles + call + more) / 10 / bytes
}

/// What the start and the end of a run of vectors of a line take, in tenths of a cycle.
pub(super) const ENDS: usize = 48;

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

/// The cost of transposing four rows of four units of 16 bytes.
pub(super) const LANES: usize = 75;

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

/// The length in bytes from which runs are always copied.
pub(super) const ALWAYS_COPIED: usize = 64;

/// The bytes of a block of runs that are consecutive in the source.
pub(super) const COPY_SOURCE_BYTES: usize = 1024;

/// The bytes of a block of runs that are consecutive in the destination.
pub(super) const COPY_DESTINATION_BYTES: usize = 2048;

/// Whether `count` runs of `bytes` bytes that are consecutive in the destination are so few that those that are
/// consecutive in the source are copied first: a loop of few short runs takes longer than the runs.
pub(super) const fn are_few(bytes: usize, count: usize) -> bool {
    bytes <= 32 && count <= 4
}

/// The number of sets of a first-level cache.
pub(super) const SETS: usize = 64;

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
        if (sets as usize) < fewest {
            fewest = sets as usize;
        }
        odd += 2;
    }
    fewest
}

/// The number of ways of a first-level cache.
const WAYS: usize = 8;

/// Whether a set holds twice its ways of the `rows` rows of a tile.
pub(super) const fn exceed_ways(rows: usize, sets: usize) -> bool {
    rows >= 2 * WAYS * sets
}

/// Columns that are spread over at most this number of sets get more rows.
pub(super) const FEW_SETS: usize = 5;

/// Whether columns of `bytes` bytes that share few sets get more digits: a line that is stored in two parts leaves the
/// cache in between.
pub(super) const fn get_more_digits(bytes: usize) -> bool {
    bytes % LINE != 0 && bytes < LONG_COLUMN
}

/// Whether a matrix of `rows` rows of `bytes` bytes is so small that it gets more digits: a call of a kernel takes as
/// long as some hundred bytes.
pub(super) const fn is_small(rows: usize, bytes: usize, has_tables: bool, isa: Isa) -> bool {
    let all = rows.saturating_mul(bytes);
    match isa.vector() {
        LINE => all <= 1024,
        _ => has_tables || bytes <= LINE / 2 && all < 2048,
    }
}

/// Whether `columns` columns that are spread over `sets` sets, of a move of `bytes` bytes, go through a scratch buffer
/// if vectors are shorter than a line: their sets hold no more than the lines of the narrowest strip of bytes or f16,
/// or fewer than those of a [strip](strip_of_parts) that takes whole lines of the source of units of 4 bytes.
pub(super) const fn are_split(
    unit: usize,
    has_tables: bool,
    (sets, columns): (usize, usize),
    bytes: usize,
) -> bool {
    let most = match unit {
        1 if bytes < FAR => 2,
        2 if bytes < FAR && !has_tables => 1,
        4 if bytes >= 48 << 10 => 1,
        8 if bytes >= LEAST_NON_TEMPORAL => 1,
        _ => 0,
    };
    sets <= most && columns > most * WAYS
}

/// The minimal length in bytes of columns that go through a scratch buffer if their lines are stored in parts. Shorter
/// columns get more digits.
pub(super) const LONG_COLUMN: usize = 4 * LINE;

/// The minimal length, in vectors of a tile, of columns whose tiles begin at multiples of a vector after the first one,
/// which overlaps the second.
pub(super) const LEAST_ALIGNED: usize = 6;

/// Whether a matrix gains by tiles that begin at multiples of their vectors, of `vector` bytes, so that no store
/// crosses a cache line. Its columns have `column` bytes, its plan moves `bytes` bytes.
pub(super) const fn avoids_crossing(column: usize, vector: usize, bytes: usize) -> bool {
    column >= LEAST_ALIGNED * vector && bytes >= 24 << 10
}

/// Returns the minimal length in bytes of a run whose whole cache lines are stored non-temporally.
pub(super) const fn least_streamed_run(isa: Isa) -> usize {
    if isa.vector() == LINE { 128 } else { 256 }
}

/// Returns the bytes of a block of runs that are consecutive in the destination, if they are stored non-temporally:
/// eight or more, since a line that two runs share is stored whole inside a block alone.
pub(super) const fn streamed_block(bytes: usize) -> usize {
    // A run may be as long as memory.
    if bytes < COPY_DESTINATION_BYTES / 8 {
        COPY_DESTINATION_BYTES
    } else {
        bytes.saturating_mul(8)
    }
}

/// The minimal size in bytes of units of a matrix with tables whose columns begin inside cache lines and are stored
/// non-temporally without a scratch. Each table stores its first and last column plainly.
pub(super) const LEAST_ROTATED: usize = 4;

/// Returns the maximal bytes of a column that a tile stores plainly, in a move of `bytes` bytes. If no cache holds the
/// move, it is one vector instead of a line of two: a CPU then fetches more lines at a time to store to.
pub(super) const fn most_of_line(isa: Isa, bytes: usize) -> usize {
    if bytes >= LEAST_NON_TEMPORAL { isa.vector() } else { LINE }
}

/// Whether evenly spaced columns that are `stride` bytes apart may be stored non-temporally if vectors are shorter than
/// a line.
pub(super) const fn streams_lines(stride: isize) -> bool {
    sets(stride) > WAYS
}

/// The minimal length in bytes of a run of permuted vectors that begins or ends inside cache lines and is stored
/// non-temporally.
pub(super) const LEAST_STREAMED_VECTORS: usize = 32 << 10;

/// Returns how many vectors of a run are made before a loop that is nearer in the source takes the next bytes of the
/// same lines, in a move of `bytes` bytes. A vector has `windows` loads, and `chunk` iterations of the loop of the run,
/// which are `stride` bytes apart. The lines of all loads are at most half a first-level cache and, except in large
/// moves, those of all iterations at most half the ways of their sets, or eight.
pub(super) const fn run_at_once(
    stride: isize,
    (windows, chunk): (usize, usize),
    bytes: usize,
) -> usize {
    let (lines, of_sets) = (SETS * WAYS / 2 / windows, sets(stride) * WAYS / 2);
    let of_sets = if of_sets < 8 { 8 / chunk } else { of_sets / chunk };
    let own = if of_sets < lines && bytes < LEAST_NON_TEMPORAL { of_sets } else { lines };
    greater(own, 1)
}

/// The minimal number of iterations of a run of permuted vectors for which all but the first are aligned to cache
/// lines.
pub(super) const FEWEST_ALIGNED: usize = 32;

/// The minimal number of bytes of columns for which a tiling is tried.
pub(super) const NARROWEST: usize = 5;

/// The share of columns, in 64ths, that may be moved twice before more digits are tried. Over 128 columns waste less.
pub(super) const WASTE: usize = 8;

/// The minimal number of runs that are copied as overlapping vectors, more than [few](are_few).
pub(super) const LEAST_OVERLAPPING: usize = 5;

/// The number of columns of less than 16 bytes, of several digits, that are joined in a scratch buffer at once.
pub(super) const LEAST_JOINED: usize = 64;

/// Returns the number of columns in a strip of tiles: few if rows are near each other, many if memory should be read in
/// order.
pub(super) const fn strip(unit: usize, row: isize) -> usize {
    if distance(row) >= 64 << 10 { 1024 / unit } else { 256 / unit }
}

/// The size in bytes of moves from which strips are wide to read memory in order, not as narrow as [sets
/// ask](strip_of_parts).
pub(super) const FAR: usize = 4 << 20;

/// The maximal number of columns of such a strip: each is in a page of its own, and a CPU keeps the addresses of two or
/// three thousand pages.
pub(super) const MOST_IN_ORDER: usize = 1024;

/// Returns the number of columns in a strip if vectors are shorter than a line, at most `most`, of `columns` columns
/// that are spread over `sets` sets. A tile stores parts of lines, which must stay in the cache until the next tiles
/// store the rest. If the cache does not hold a line of every column, those of a strip take half the ways of their
/// sets, or more where that is less than a line of the source.
pub(super) const fn strip_of_parts(
    unit: usize,
    most: usize,
    (sets, columns): (usize, usize),
) -> usize {
    let (all, line, lane) = (sets * WAYS, LINE / unit, 16 / unit);
    let own = match all / 2 {
        _ if columns <= all => most,
        half if half >= line => half,
        _ if all >= line => line,
        _ => all,
    };
    let own = if own < most { own / lane * lane } else { most };
    greater(own, lane)
}

/// Whether columns of rows that share sets are joined where they begin inside cache lines, to be stored non-temporally,
/// so that lines of the rows are read again.
pub(super) const fn joins_packed(unit: usize, isa: Isa) -> bool {
    unit > 1 || isa.vector() < LINE
}

/// The bounds of the size of source and destination together from which stores are non-temporal. The size is a share
/// of the last-level cache, bounded because virtual machines report too much.
pub(super) const NON_TEMPORAL: (usize, usize) = (16 << 20, 24 << 20);

/// The minimal size in bytes of a plan whose stores are non-temporal on any machine.
pub(super) const LEAST_NON_TEMPORAL: usize = NON_TEMPORAL.0 / 2;

/// Returns the minimal cost of the best step for which two passes are tried. A try takes about a microsecond.
#[cfg(vectors)]
pub(super) const fn least_pass_cost(isa: Isa) -> usize {
    if matches!(isa, Isa::Avx512Vbmi) { 200 } else { 260 }
}

/// The minimal number of bytes of such a move.
#[cfg(vectors)]
pub(super) const LEAST_PASS_BYTES: usize = 2 << 10;
