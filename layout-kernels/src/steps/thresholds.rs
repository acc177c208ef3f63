//! The figures that choices depend on: what each decides, and what it was measured on.
//!
//! Unless a line says otherwise, figures were measured on an Intel Xeon (Sapphire Rapids class), 2 cores, 2 MB of
//! second-level cache each, on 2026-11-23, with `cargo bench --bench targets`. Figures without a unit are throughputs
//! relative to memcpy.

use super::loops::distance;
use crate::isa::Isa;

/// The bytes of a cache line.
pub const LINE: usize = 64;

/// The length in bytes from which runs are always copied.
pub(crate) const ALWAYS_COPIED: usize = 64;

/// The maximal length in bytes for which copying by vectors is faster than a call of memcpy. On an AMD EPYC (Zen 4),
/// 2026-11-25, runs of 2 to 6 KiB went from .77 to .94, with SSE2 to .88, of 8 KiB by .01 to .09, of 16 KiB by .06.
pub(crate) const VECTORS: usize = 8 << 10;

/// The bytes of a block of runs that are consecutive in the source. With the next figure, runs of 36 to 250 bytes
/// reach .63 of memcpy in geometric mean. 2048 and 512 give .58, 2048 and 1024 .61, 512 and 2048 .63.
pub(crate) const COPY_SOURCE_BYTES: usize = 1024;

/// The bytes of a block of runs that are consecutive in the destination.
pub(crate) const COPY_DESTINATION_BYTES: usize = 2048;

/// Returns the same for runs of `unit` bytes: at most 96 runs, since each may be in a page of its own, and the CPU has
/// the addresses of 64 to 96 pages at hand. On an AMD EPYC (Zen 4), 2026-11-28, 38 to 72 plans became 1.05 to 1.07
/// times as fast with VBMI, AVX-512 and AVX2, 210 x 420 rows of 9 bytes 1.5 times; with 64 or 128 runs about as much.
pub(crate) const fn copy_block(unit: usize) -> usize {
    const MOST_RUNS: usize = 96;
    // A run may be as long as memory.
    if unit < COPY_DESTINATION_BYTES / MOST_RUNS {
        MOST_RUNS * unit
    } else {
        COPY_DESTINATION_BYTES
    }
}

/// The same if destination strides share sets: fewer, longer lines took heads of 72 bytes from .20 to .61.
pub(crate) const COPY_LONG_BYTES: usize = 4096;

/// Returns the bytes of such a block of runs of `unit` bytes. If a line of the source has four runs or more, no more
/// lines are read at once than the ways of their `sets` sets hold. On an AMD EPYC (Zen 3), 2026-11-26, runs of 16 bytes
/// to 16 positions 50 KB apart went from .55 to .81.
pub(crate) const fn long_block(unit: usize, sets: usize) -> usize {
    let is_limited = unit <= LINE / 4 && WAYS * sets * unit < COPY_LONG_BYTES;
    if is_limited { WAYS * sets * unit } else { COPY_LONG_BYTES }
}

/// The length in bytes from which runs are copied in the order of the source, without blocks, unless they share sets in
/// the destination. On an AMD EPYC (Zen 4), 2026-11-27, runs of 257 bytes to 8 KiB became 1.1 times as fast, shorter
/// ones 1.05; 2026-11-28, also in moves of less than 64 KiB, runs of which two to seven are consecutive in the
/// destination up to 1.8.
pub(crate) const LEAST_BY_SOURCE: usize = 192;

/// Whether `count` such runs that are consecutive in the destination are copied in that order, in a move of `all`
/// bytes, if they share sets in the destination: the CPU prefetches up to 32 streams. On an AMD EPYC (Zen 4),
/// 2026-11-28, 28 moves became 1.05 times as fast, 16 heads of 72 and 80 f32 1.1 to 1.2. Where fewer runs had that
/// order, or moves of 8 MB, the order of the source was up to 1.9 and 1.8 times as fast.
pub(crate) const fn is_in_order(bytes: usize, count: usize, all: usize) -> bool {
    bytes <= VECTORS && count >= 8 && count <= 32 && all < LEAST_NON_TEMPORAL
}

/// Whether `count` lines of the source that share `sets` sets stay in the first-level cache while their runs of `bytes`
/// bytes are copied in the order of the destination, in a move of `all` bytes. On an AMD EPYC (Zen 3), 2026-11-26, 292
/// moves of runs of 16 bytes became 1.13 times as fast in geometric mean, those of 1.5 MB 1.17 times. Moves that the
/// first-level cache holds lose up to a fifth, runs of other lengths gain nothing.
pub(crate) const fn stays_cached(bytes: usize, count: usize, sets: usize, all: usize) -> bool {
    bytes == 16 && count <= WAYS * sets && all >= 32 << 10
}

/// Whether `count` runs of `bytes` bytes that are consecutive in the destination are so few that those that are
/// consecutive in the source are copied first: a loop of few short runs takes longer than the runs. On an AMD EPYC
/// (Zen 4), 2026-11-26, two runs of 4 to 32 bytes gain a third to four fifths; four of 48 bytes lose up to a tenth.
pub(crate) const fn are_few(bytes: usize, count: usize) -> bool {
    bytes <= 32 && count <= 4
}

/// The number of sets of a first-level cache.
pub(crate) const SETS: usize = 64;

/// Returns over how many sets of a first-level cache lines are spread that are about `stride` bytes apart. It tries
/// whether 1, 3, 5 or 7 strides are nearly a multiple of a power of two. For example, three times 5460 bytes are four
/// bytes less than four pages, so all lines are in three sets or beside them.
// Not inlined, since it is called from many functions.
#[inline(never)]
pub(crate) const fn sets(stride: isize) -> usize {
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

/// Whether a set holds twice its ways of the `rows` rows of a tile. On an AMD EPYC (Zen 4), 2026-11-24: units of 1 and
/// 2 bytes gain if rows are packed, 64 x 64 planes of f16 to pixels .20 to .55 of memcpy, 1024 x 1024 bytes .32 to
/// .47. Units of 4 bytes gain more by tiles of half the height, unless columns share sets too: 64 x 64 planes .51 to
/// .71, 1024 x 1024 .37 to .50.
pub(crate) const fn exceed_ways(rows: usize, sets: usize) -> bool {
    rows >= 2 * WAYS * sets
}

/// Columns that are spread over at most this number of sets get more rows. If they [are crowded](are_crowded) and begin
/// inside cache lines, they go through a scratch buffer. 63 x 65 pixels to planes gain .1 to .3. On an Intel Xeon with
/// AMX, 2026-11-26, columns that share three and five sets went from .21 to .38 and from .25 to .39, and those that
/// share six or seven lose a fifth.
pub(crate) const FEW_SETS: usize = 5;

/// Whether `count` columns that are `stride` bytes apart share few sets, and are more than the ways of all of them. On
/// an AMD EPYC (Zen 4), 2026-11-26, through a scratch, 9 to 16 columns over three sets went from .75 to .5, 24 stayed
/// as they were, and 32 went from .55 to .7; 9 to 24 columns over four sets took up to half as long without it. Tiles
/// of such columns that are stored directly are not low either: half a line would leave the cache before the other half
/// is stored.
pub(crate) const fn are_crowded(stride: isize, count: usize) -> bool {
    let sets = sets(stride);
    sets <= FEW_SETS && count > sets * WAYS
}

/// Whether columns of `bytes` bytes that share few sets get more digits: a line that is stored in two parts leaves
/// the cache in between. On an AMD EPYC (Zen 4), 2026-11-24, 24 rows of f32 went from .22 to .40, 40 rows of f16 from
/// .29 to .42. Whole lines do so only if tiles are low.
pub(crate) const fn get_more_digits(bytes: usize, are_low: bool) -> bool {
    (bytes % LINE != 0 || are_low) && bytes < LONG_COLUMN
}

/// Whether a matrix of `rows` rows of `bytes` bytes is so small that it gets more digits: a call of a kernel takes as
/// long as some hundred bytes. On an AMD EPYC (Zen 3) with AVX2, 2026-11-26, matrices of less than 1 KiB became 1.3 to
/// 1.6 times as fast, of less than 2 KiB 1.2, larger ones no faster. Those that have tables anyway gained .1 to .6 at
/// every size. On an Intel Xeon with AMX, AVX-512, up to 512 bytes 1.38 times, up to 1 KiB 1.24; larger ones lost.
pub(crate) const fn is_small(rows: usize, bytes: usize, has_tables: bool, isa: Isa) -> bool {
    let all = rows.saturating_mul(bytes);
    match isa.vector() {
        LINE => all <= 1024,
        _ => has_tables || bytes <= LINE / 2 && all < 2048,
    }
}

/// Whether `columns` columns that are spread over `sets` sets, of a move of `bytes` bytes, go through a scratch buffer
/// if vectors are shorter than a line: their sets hold no more than the lines of the narrowest strip of bytes or f16,
/// or fewer than those of a [strip](strip_of_parts) that takes whole lines of the source of units of 4 bytes. On an AMD
/// EPYC (Zen 3) with AVX2, 2026-11-27, 62 shapes of bytes over one set became 1.3 times as fast, 70 of bytes over two
/// sets and of f16 1.1 times, but f16 with tables took 1.1 times as long, bytes of 8 MB and more 1.7 times, of 4 MB 1.1
/// times. Planes of 4 KiB of f32 to pixels are 1.4 times as fast as in strips. Units of 8 bytes gain only where strips
/// are wide: columns of 64 KiB in moves of 16 MB 1.4 times.
pub(crate) const fn are_split(
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
/// columns get more digits. On an AMD EPYC (Zen 4), 2026-11-25, 64 x 64 x 64 f32 in reverse order went from .17 to
/// .41, 32 x 64 x 32 from .15 to .37, 256 x 16 x 256 from .24 to .42.
pub(crate) const LONG_COLUMN: usize = 4 * LINE;

/// The minimal length, in vectors of a tile, of columns whose tiles begin at multiples of a vector after the first
/// one, which overlaps the second. On an AMD EPYC (Zen 4), 2026-11-25, buffers 16 bytes after a line, 32 planes of 112
/// x 112 f32 went from .46 to .84, 256 channels of 14 x 14 from .32 to .49, with AVX2 alone from .41 to .63 and from
/// .26 to .38. Columns of three and four vectors lose a tenth, with AVX2 those of three nothing.
pub(crate) const LEAST_ALIGNED: usize = 6;

/// Whether a matrix gains by tiles that begin at multiples of their vectors, of `vector` bytes, so that no store
/// crosses a cache line. Its columns have `column` bytes, its plan moves `bytes` bytes. Plans that fit into the
/// first-level cache lose a tenth. On an Intel Xeon with AMX, 2026-11-26, a store that crosses a line takes three
/// times as long as one that does not: 64 planes of 28 x 28 f32 went from .29 to .82.
pub(crate) const fn avoids_crossing(column: usize, vector: usize, bytes: usize) -> bool {
    column >= LEAST_ALIGNED * vector && bytes >= 24 << 10
}

/// Whether columns of `bytes` bytes that share one set are packed even if they begin at cache lines. On an AMD EPYC
/// (Zen 4), 2026-11-24, 64 x 64 pixels to planes went from .41 to .52 (f32) and from .33 to .40 (bytes), with AVX2
/// alone from .18 to .48 and from .15 to .39; 1024 x 1024 f32 went from .25 to .36. Columns of 768 and 1536 bytes
/// lose up to a quarter, those of 64 KiB with AVX2 a sixth.
pub(crate) const fn are_long(bytes: usize) -> bool {
    bytes >= 4 << 10 && bytes <= 32 << 10
}

/// Returns the minimal length in bytes of a run whose whole cache lines are stored non-temporally. On an AMD EPYC
/// (Zen 4), 2026-11-25, rows of 144 to 240 bytes went from .55 to between .76 and 1.2 with AVX-512; with AVX2, rows of
/// 200 bytes lost a fourth.
pub(crate) const fn least_streamed_run(isa: Isa) -> usize {
    if isa.vector() == LINE { 128 } else { 256 }
}

/// Returns the bytes of a block of runs that are consecutive in the destination, if they are stored non-temporally:
/// eight or more, since a line that two runs share is stored whole inside a block alone. On an AMD EPYC (Zen 4),
/// 2026-11-25, blocks of eight runs of 450 to 1300 bytes have 1.2 to 1.4 where four have .9 to 1.4 and one .6 to .75;
/// blocks of 16 KiB lose a third of runs of 256 to 1024 bytes that begin at lines.
pub(crate) const fn streamed_block(bytes: usize) -> usize {
    // A run may be as long as memory.
    if bytes < COPY_DESTINATION_BYTES / 8 {
        COPY_DESTINATION_BYTES
    } else {
        bytes.saturating_mul(8)
    }
}

/// The minimal size in bytes of units of a matrix with tables whose columns begin inside cache lines and are stored
/// non-temporally without a scratch. Each table stores its first and last column plainly. On an AMD EPYC (Zen 4),
/// 2026-11-25, f16 gained nothing by it, and bytes lost up to a third.
pub(crate) const LEAST_ROTATED: usize = 4;

/// The maximal length in bytes of runs [of the class `STREAMED_BY_16`](super::classes::STREAMED_BY_16). On an AMD EPYC
/// (Zen 3) with AVX2, 2026-11-26, runs of 2 KiB lost a fifth.
pub(crate) const LONGEST_BY_16: usize = 1024;

/// The minimal number of bytes of such a move, whose order does not suit caches: that from which stores are
/// non-temporal on every machine.
pub(crate) const LEAST_BY_16: usize = NON_TEMPORAL.1 / 2;

/// Whether `count` runs of `bytes` bytes that follow one another, `stride` bytes apart in the source, may be moved in
/// their order: the CPU reads at all positions at once, if its cache holds a line of each. On an AMD EPYC (Zen 3) with
/// AVX2, 2026-11-26, 8 and 16 runs of less than a line became up to 2.4 times as fast, 25 to 128 runs of 16 and 32
/// bytes 1.25 times in geometric mean, but for those that share a set; 64 runs of 48 bytes lost two fifths.
pub(crate) const fn are_few_positions(bytes: usize, count: usize, stride: isize) -> bool {
    let most = if bytes <= LINE / 2 { 128 } else { 16 };
    bytes >= LINE || count <= most && count <= 2 * WAYS * sets(stride)
}

/// The minimal number of contiguous bytes of such a block in the destination. Those of 256 lost up to a half.
pub(crate) const LEAST_BLOCK_BY_16: usize = 768;

/// The bytes of such a block, of runs that are consecutive in the source.
pub(crate) const SOURCE_BY_16: usize = 256;

/// Returns the bytes of such a block, of runs that are consecutive in the destination. All runs of less than a line
/// are, since several share a line. On an AMD EPYC (Zen 3) with AVX2, 2026-11-26, blocks of 2 to 8 KiB took up to
/// twice as long.
pub(crate) const fn block_by_16(bytes: usize) -> usize {
    match bytes {
        ..LINE => usize::MAX,
        LINE..=128 => 1024,
        _ => bytes.saturating_mul(8),
    }
}

/// Returns the maximal bytes of a column that a tile stores plainly, in a move of `bytes` bytes. If no cache holds the
/// move, it is one vector instead of a line of two: a CPU then fetches more lines at a time to store to. On an AMD EPYC
/// (Zen 3) with AVX2, 2026-11-27, 8 images of 112 x 112 pixels of 64 f32 to planes took 1.5 times as long in whole
/// lines, those of 127 x 127 pixels through a scratch buffer 1.2 times.
pub(crate) const fn most_of_line(isa: Isa, bytes: usize) -> usize {
    if bytes >= LEAST_NON_TEMPORAL { isa.vector() } else { LINE }
}

/// Whether evenly spaced columns of `bytes` bytes that are `stride` bytes apart may be stored non-temporally if vectors
/// are shorter than a line. On an AMD EPYC (Zen 3) with AVX2, 2026-11-27, moves of 8 MB and more became 1.6 to 1.9
/// times as fast where columns of 64 rows are contiguous, others of up to 25 KB 1.1 times; columns of 50 KB took 1.15
/// times as long, those over at most eight sets up to twice as long.
pub(crate) const fn streams_lines(bytes: usize, stride: isize) -> bool {
    bytes <= 32 << 10 && sets(stride) > 8
}

/// The minimal length in bytes of columns that begin inside cache lines and are stored non-temporally. On an Intel
/// Xeon with AMX, 2026-11-26, columns of 600 bytes took twice as long as with plain stores in tensors of 14 MB, and
/// as long in those of 60 MB; of 1000 bytes 1.8 and .9 times, of 2000 1.3 and .6, of 8000 .9 and .6.
pub(crate) const LEAST_STREAMED_COLUMN: usize = 2 << 10;

/// The minimal length in bytes of a run of permuted vectors that begins or ends inside cache lines and is stored
/// non-temporally. On an Intel Xeon with AMX, 2026-11-26, planes of 1000 bytes took three times as long as with plain
/// stores, of 8000 up to 1.5 times, of 32000 up to 1.2 times.
pub(crate) const LEAST_STREAMED_VECTORS: usize = 32 << 10;

/// The maximal bytes of a source that is copied, so that loads may end after it. On an AMD EPYC (Zen 3) with AVX2,
/// 2026-11-27, beside moves of one iteration out of a scratch buffer, 690 moves became 1.08 times as fast, those of
/// values that repeat up to eight times. Values that repeat in short runs lose up to half where they were transposed.
pub(crate) const COPIED: usize = 512;

/// Returns how many vectors of a run are made before a loop that is nearer in the source takes the next bytes of the
/// same lines, in a move of `bytes` bytes. A vector has `windows` loads, and `chunk` iterations of the loop of the run,
/// which are `stride` bytes apart. The lines of all loads are at most half a first-level cache and, except in large
/// moves, those of all iterations at most half the ways of their sets, or eight. On an AMD EPYC (Zen 4), 2026-11-28,
/// 194 moves became 1.06 times as fast as in runs of 1 KiB, 63 with AVX2 1.01 to 1.02 times, and 29 of 9 to 40 MB 1.01
/// to 1.05 times. On a Zen 3 with AVX2 four rows of units of 16 bytes that share sets gain up to a half; moves of 12 MB
/// and more lose a fourth, on a Xeon up to a third.
pub(crate) const fn run_at_once(
    stride: isize,
    (windows, chunk): (usize, usize),
    bytes: usize,
) -> usize {
    let (lines, of_sets) = (SETS * WAYS / 2 / windows, sets(stride) * WAYS / 2);
    let of_sets = if of_sets < 8 { 8 / chunk } else { of_sets / chunk };
    let own = if of_sets < lines && bytes < LEAST_NON_TEMPORAL { of_sets } else { lines };
    if own < 1 { 1 } else { own }
}

/// The minimal number of iterations of a run of permuted vectors for which all but the first are aligned to cache
/// lines. On an AMD EPYC (Zen 4) with VBMI, 2026-11-27, 113 moves with 4 to 7 iterations take 1.03 to 1.07 times as
/// long if aligned, 82 with 8 to 15 1.01 to 1.03, 50 with 16 to 31 1.01 to 1.03, and 76 with more .98 to 1.02. It was
/// not measured for [units of a lane](super::Form::Lanes) of other sets.
pub(crate) const FEWEST_ALIGNED: usize = 32;

/// Whether rows of `loads` loads, in a called move of `bytes` bytes, are interleaved in lines: most of these begin at a
/// cache line. On an AMD EPYC (Zen 4) with VBMI, 2026-11-28, 39 moves became 1.02 to 1.04 times as fast in geometric
/// mean, 4x96x27x27 f16 to NCHW4 1.1 times; those of 4 to 10 KB .97, and shorter rows .8 to 1.
pub(crate) const fn are_rows_of_lines(loads: usize, bytes: usize) -> bool {
    loads >= FEWEST_ALIGNED && bytes >= 32 << 10
}

/// The minimal number of bytes of columns for which a tiling is tried.
pub(crate) const NARROWEST: usize = 5;

/// The share of columns, in 64ths, that may be moved twice before more digits are tried. Over 128 columns waste less.
pub(crate) const WASTE: usize = 8;

/// The minimal number of runs that are copied as [overlapping vectors](super::classes::overlapping_class), more than
/// [few](are_few), and of those along the source if their lines share sets.
pub(crate) const LEAST_OVERLAPPING: (usize, usize) = (5, 16);

/// Returns the bytes of a block of such runs of `unit` bytes whose lines share `sets` sets: a line for each of
/// their ways. On an AMD EPYC (Zen 4), 2026-11-27, 267 moves of rows about a power of two apart became 1.8 times as
/// fast with VBMI, 1.4 times with AVX2.
pub(crate) const fn overlapping_block(unit: usize, sets: usize) -> usize {
    WAYS * sets * unit
}

/// The number of columns of less than 16 bytes, of several digits, that are joined in a scratch buffer at once.
pub(crate) const LEAST_JOINED: usize = 64;

/// Whether such units are transposed if columns are `stride` bytes apart in the destination, in a move of `bytes`
/// bytes. On the Xeon, columns that do not begin at lines lose up to two fifths, but not in the first-level cache.
pub(crate) const fn are_aligned_columns(stride: isize, bytes: usize) -> bool {
    stride % LINE as isize == 0 || bytes <= 16 << 10
}

/// Whether two or four rows of units of `unit` bytes, in a move of `bytes` bytes, are interleaved without tables or in
/// halves of rows, neither of which has non-temporal stores, if byte permutes have vectors of a line. On an AMD EPYC
/// (Zen 4), 2026-11-27, two rows became 1.4 times as fast; four rows of 4 bytes 1.4 times in moves of up to 16 KB, .95
/// times in those of more than 64 KB. On an Intel Xeon with AMX these were .83 times as fast at a line and 1.05 times
/// past one.
pub(crate) const fn are_zips_of_lines(rows: usize, unit: usize, bytes: usize) -> bool {
    bytes < if rows == 4 && unit == 4 { 16 << 10 } else { LEAST_NON_TEMPORAL }
}

/// Returns the number of columns in a strip of tiles: few if rows are near each other, many if memory should be read in
/// order. Where columns are 1 KB apart or more, 512 bytes are 1.05 times as fast as 256 on an AMD EPYC (Zen 4),
/// elsewhere .96 times.
pub(crate) const fn strip(unit: usize, row: isize, column: isize) -> usize {
    let near = if distance(column) >= 1024 { 512 } else { 256 };
    if distance(row) >= 64 << 10 { 1024 / unit } else { near / unit }
}

/// The size in bytes of moves from which strips are wide [to read memory in order](strip_in_order), not as narrow as
/// [sets ask](strip_of_parts). On an AMD EPYC (Zen 3) with AVX2, 2026-11-27, beside a version without either, 40 moves
/// of 4 to 8 MB are 1.16 times as fast in wide strips and .93 times in narrow ones, 80 of 1 to 4 MB 1.13 times in
/// narrow ones.
pub(crate) const FAR: usize = 4 << 20;

/// Returns the number of columns in a strip if vectors are shorter than a line or strips [are
/// narrow](has_narrow_strips), at most `most`, of `columns` columns that are spread over `sets` sets. A tile stores
/// parts of lines, which must stay in the cache until the next tiles store the rest. If the cache does not hold a line
/// of every column, those of a strip take half the ways of their sets, or more where that is less than a line of the
/// source.
///
/// On an AMD EPYC (Zen 3) with AVX2, 2026-11-27, 32 and 100 columns of 256 bytes to 4 KiB that are 4 KiB to 8 KiB apart
/// became 1.17, 1.8, 1.8 and 2.3 times as fast for units of 1, 2, 4 and 8 bytes, 16 bytes after a line 1.17, 1.7, 1.5
/// and 1.8; with SSE2 1.35, 2.4, 2.3 and 2.5. Through a scratch buffer, columns over four sets took 1.45 times as long.
/// Where two vectors are stored as a line, strips still make units of 8 bytes 1.25 times as fast, on a Zen 4 with
/// AVX-512 too.
pub(crate) const fn strip_of_parts(
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
    if own < lane { lane } else { own }
}

/// Whether columns of rows that share sets are joined where they begin inside cache lines, to be stored non-temporally,
/// so that lines of the rows are read again. On an AMD EPYC (Zen 4), 2026-11-27, 40 matrices of bytes are 1.07 times as
/// fast with plain stores and packed rows, 64 rows of 8 MB 2.5 times; f16 .86 and f32 .95 times, with AVX2 bytes .9.
pub(crate) const fn joins_packed(unit: usize, isa: Isa) -> bool {
    unit > 1 || isa.vector() < LINE
}

/// Whether strips are as narrow as [sets ask](strip_of_parts) also where tiles store whole lines. Units of 4 bytes gain
/// 1.05 to 1.14 on a Zen 4, 2026-11-27, over few sets; over more they lose, as shorter units do.
pub(crate) const fn has_narrow_strips(unit: usize, sets: usize) -> bool {
    unit == 8 || unit == 4 && sets <= FEW_SETS
}

/// The bytes of each row that are read before those of the next rows, if memory is read in order.
pub(crate) const BYTES_IN_ORDER: usize = 4096;

/// Returns the columns of a strip that reads memory in order: at most 1024, since each is in a page of its own and a
/// CPU keeps the addresses of two or three thousand pages. Columns of less than 512 bytes have `near` if units are
/// bytes or vectors 16 bytes.
///
/// On an AMD EPYC (Zen 3) with AVX2, 2026-11-27, 16 to 50 MB of 196 to 3136 rows of 2 to 16 KiB became 1.3 times as
/// fast for units of 4 and 8 bytes, up to twice; 8 KiB took up to twice as long. On a Zen 4 with AVX-512, 47 random
/// moves gain 1.25, and non-temporal columns of 64 to 448 bytes 1.1 to 1.3; those of bytes would have .8, plain ones of
/// SSE2 .75.
pub(crate) const fn strip_in_order(unit: usize, near: usize, column: usize, isa: Isa) -> usize {
    match BYTES_IN_ORDER / unit {
        _ if column < 512 && (unit == 1 || isa.vector() == 16) => near,
        columns if columns < 1024 => columns,
        _ => 1024,
    }
}

/// The bounds of the size of source and destination together from which stores are non-temporal. The size is a share
/// of the last-level cache, bounded because virtual machines report too much. Tensors of 12 MiB took up to twice the
/// time with such stores; tensors of 24 MiB and more became up to twice as fast.
pub(crate) const NON_TEMPORAL: (usize, usize) = (16 << 20, 24 << 20);

/// The minimal size in bytes of a plan whose stores are non-temporal on any machine.
pub(crate) const LEAST_NON_TEMPORAL: usize = NON_TEMPORAL.0 / 2;

/// The maximal bytes of a block of a move in two passes. On an AMD EPYC (Zen 4), 2026-11-28, blocks of 4 KiB gained a
/// seventh to a fifth less, of 12 KiB about as much, of 16 KiB less with VBMI.
#[cfg(vectors)]
pub(crate) const PASS_BLOCK: usize = 8 << 10;

#[cfg(vectors)]
const _: () = assert!(ALWAYS_COPIED <= PASS_BLOCK, "a block holds a unit");

/// Returns the minimal cost of the best step for which two passes are tried. A try takes about a microsecond. On an AMD
/// EPYC (Zen 4), 2026-11-28, of 538 moves that cost 200 to 260 with AVX2 eight would have two passes, of 496 with
/// AVX-512 five, and of 426 with VBMI 100.
#[cfg(vectors)]
pub(crate) const fn least_pass_cost(isa: Isa) -> usize {
    if matches!(isa, Isa::Avx512Vbmi) { 200 } else { 260 }
}

/// The minimal number of bytes of such a move. On an AMD EPYC (Zen 4), 2026-11-28, plans of smaller moves took up to 2
/// us more, and the median of the time that a run saved was 14 to 62 ns, with SSE2 184 and 430 ns.
#[cfg(vectors)]
pub(crate) const LEAST_PASS_BYTES: usize = 2 << 10;
