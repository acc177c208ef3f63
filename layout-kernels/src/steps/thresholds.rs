//! The figures that choices are made with: what each decides, and what it was measured on.
//!
//! Costs are cycles for a KiB of the destination, in the first level cache. Unless a line says otherwise, figures were
//! measured on an Intel Xeon (Sapphire Rapids class), 2 cores, 2 MB of second level cache each, on 2026-11-23, with
//! `cargo bench --bench targets`.

use crate::isa::Isa;

/// The bytes of a cache line.
pub const LINE: usize = 64;

/// Runs of so many bytes are always copied.
pub(crate) const ALWAYS_COPIED: usize = 64;

/// The most bytes that vectors copy sooner than a call of memcpy.
pub(crate) const VECTORS: usize = 2048;

/// The bytes that a block of runs takes from the source one after the other, with those below: of 36 to 250 bytes,
/// .63 of memcpy in geometric mean, where 2048 and 512 give .58, 2048 and 1024 .61, 512 and 2048 .63.
pub(crate) const COPY_SOURCE_BYTES: usize = 1024;

/// The bytes that a block of runs leaves in the destination one after the other.
pub(crate) const COPY_DESTINATION_BYTES: usize = 2048;

/// The bytes where destination strides share sets: fewer lines at once, each longer: heads of 72 bytes .20 to .61.
pub(crate) const COPY_LONG_BYTES: usize = 4096;

/// Whether `count` runs that follow one another in the destination are copied one after the other, not in blocks: CPUs
/// read so many streams ahead. On an AMD EPYC (Zen 4) 16 runs of 288 and 320 bytes .73 and .77 to .82 and .90, 24 of 400
/// bytes .80 to .87; shorter runs lose, 16 of 144 bytes .83 to .70, and so do more of them, 44 of 400 bytes .90 to .80.
pub(crate) const fn is_in_order(bytes: usize, count: usize) -> bool {
    bytes >= 192 && bytes <= VECTORS && count <= 32
}

/// The sets of a first level cache.
pub(crate) const SETS: usize = 64;

/// Over how many sets of a first level cache lines are spread that are `stride` bytes apart, a few more or less.
pub(crate) const fn sets(stride: isize) -> usize {
    const PAGE: isize = (SETS * LINE) as isize;
    let apart = stride.wrapping_add(8) & !15 & (PAGE - 1);
    if stride.unsigned_abs() < LINE {
        SETS
    } else if apart == 0 {
        1
    } else {
        let sets = (PAGE >> apart.trailing_zeros()) as usize;
        if sets > SETS { SETS } else { sets }
    }
}

/// The ways of a set of a first level cache.
const WAYS: usize = 8;

/// Whether so many rows of a tile exceed the sets of a first level cache that they are spread over: twice as many of them
/// share a set as it has ways. On an AMD EPYC (Zen 4), 2026-11-24: rows of bytes and of two bytes go through a scratch then, 64 x 64
/// planes of f16 to pixels .20 to .55 of memcpy, 1024 x 1024 bytes .32 to .47. Rows of four bytes, which gain
/// less there, are moved in tiles of half the height, of which all lines stay, unless columns share sets too: 64 x 64 planes .51
/// to .71, 1024 x 1024 .37 to .50.
pub(crate) const fn exceed_ways(rows: usize, sets: usize) -> bool {
    rows >= 2 * WAYS * sets
}

/// Columns that share so few sets are packed, unless they begin at lines: gains .1 to .3 for 63 x 65 pixels to planes.
pub(crate) const FEW_SETS: usize = 4;

/// Whether columns of so many bytes, which share few sets, are to be longer: lines that are stored in two parts leave the
/// cache in between. On an AMD EPYC (Zen 4), 2026-11-24: 24 rows of f32 .22 to .40, 40 rows of f16 .29 to .42.
pub(crate) const fn are_short(bytes: usize) -> bool {
    bytes % LINE != 0 && bytes < 4 * LINE
}

/// Whether columns of so many bytes that share one set are packed also where they begin at lines. On an AMD EPYC (Zen 4),
/// 2026-11-24: 64 x 64 pixels to planes .41 to .52 (f32) and .33 to .40 (bytes), with AVX2 alone .18 to .48 and .15 to .39;
/// 1024 x 1024 f32 .25 to .36. Columns of 768 and 1536 bytes lose up to a quarter, of 64 KiB with AVX2 a sixth.
pub(crate) const fn are_long(bytes: usize) -> bool {
    bytes >= 4 << 10 && bytes <= 32 << 10
}

/// The fewest bytes of a run that is stored non-temporally: most of it are whole lines.
pub(crate) const LEAST_STREAMED_RUN: usize = 256;

/// The class of runs whose whole lines are stored non-temporally.
pub(crate) const STREAMED_RUNS: usize = 16;

/// The bytes of a run of permuted vectors, where another round is nearer in the source: 512, 1024 and 2048 differ by
/// less than a fiftieth in geometric mean.
pub(crate) const PERMUTE_RUN: usize = 1024;

/// The fewest vectors of a run of permuted vectors for which those after the first begin at lines.
pub(crate) const FEWEST_ALIGNED: usize = 4;

/// The most vectors of a run of permuted vectors that are moved one by one where the source has a nearer round.
pub(crate) const SHORT_RUN: usize = 16;

/// The fewest bytes of columns for which tiles are sought.
pub(crate) const NARROWEST: usize = 5;

/// How much of a tile may be moved twice, in 64ths, before more digits are sought.
pub(crate) const WASTE: usize = 8;

/// The cost of runs of `bytes` bytes.
pub(crate) const fn copy_cost(bytes: usize) -> usize {
    let cycles = match bytes {
        0 => return 0,
        1 | 2 | 4 | 8 => 12,
        16 => 15,
        3..=32 => 22,
        _ => 20,
    };
    1024 * cycles / 10 / bytes
}

/// The number of classes of runs.
pub(crate) const COPY_CLASSES: usize = STREAMED_RUNS + 1;

/// Classes of runs: the index of their micro-kernel.
pub(crate) const fn copy_class(bytes: usize) -> usize {
    match bytes {
        1 => 1,
        2 => 2,
        4 => 3,
        8 => 4,
        16 => 5,
        3 => 6,
        5..8 => 7,
        9..16 => 8,
        17..=32 => 9,
        33..=48 => 10,
        49..=64 => 11,
        65..=96 => 12,
        97..=128 => 13,
        129..=160 => 14,
        161..=VECTORS => 15,
        _ => 0,
    }
}

/// The cost of a matrix in tiles.
pub(crate) const fn tile_cost(unit: usize, rows: usize, columns: usize, isa: Isa) -> usize {
    if isa.lane() < 16 {
        // Words: less than units one by one, whichever are left over.
        return match unit {
            // Compiled for size, units one by one take the least code.
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
        // Two stores for each vector instead of one. AVX2 alone has no such kernels, for the sake of their code.
        _ if rows > 16 && vector >= 64 => (32, base + if unit < 4 { 20 } else { 30 }),
        _ => (16, 2 * base),
    };
    // What each matrix takes besides.
    let call = 1024 * 30 / (rows * (columns / unit));
    base * moved(rows, height) / 16 * moved(columns, 16) / 16 + call
}

/// How many bytes tiles move for each 16 of theirs.
const fn moved(bytes: usize, tile: usize) -> usize {
    // A long side wastes nothing, and may be as long as memory.
    if bytes > 1 << 24 {
        return 16;
    }
    bytes.div_ceil(tile) * tile * 16 / bytes
}

/// What a line costs that was loaded before, where more lines than a first level cache has ways share its set.
const AGAIN: usize = 20;

/// The cost of loads of `windows` lines that are `stride` bytes apart, for `valid` bytes, besides that of loads from the
/// first level cache.
pub(crate) const fn shared_sets_cost(windows: usize, stride: isize, valid: usize) -> usize {
    if windows > 8 && sets(stride) == 1 { 1024 * AGAIN * windows / 10 / valid } else { 0 }
}

/// The cost of a byte permute with so many windows and parts for `valid` bytes.
pub(crate) const fn permute_cost(
    windows: usize,
    parts: usize,
    valid: usize,
    bytes: usize,
) -> usize {
    let inserts = if bytes > 16 { windows - parts } else { 0 };
    let cycles = 6 * windows + 3 * inserts + 10 * parts + 15;
    1024 * cycles / 10 / valid
}

/// The cost of a byte permute whose loads make as many vectors as there are loads.
pub(crate) const fn shared_cost(count: usize, bytes: usize) -> usize {
    // Four planes or rows are quarters of vectors, transposed in eight shuffles.
    let shuffles = if count == 4 { 12 } else { count * count };
    let cycles = 6 * count + 8 * shuffles + 15;
    1024 * cycles / 10 / (bytes * count)
}

/// The cost of a byte permute of `count` loads of four lanes that make as many vectors, of `bytes` bytes together: on an AMD
/// EPYC (Zen 4), 2026-11-24, two take 9.5 cycles, three 18 and four 28.
pub(crate) const fn columns_cost(count: usize, bytes: usize) -> usize {
    let cycles = match count {
        2 => 95,
        3 => 180,
        _ => 280,
    };
    1024 * cycles / 10 / bytes
}

/// The cost of a block of `count` vectors for `valid` bytes.
pub(crate) const fn block_cost(count: usize, valid: usize) -> usize {
    let cycles = 6 * count + 8 * count * count + 15;
    1024 * cycles / 10 / valid
}

/// The columns of a strip of tiles: few where rows are near each other, many where memory is to be read in order.
pub(crate) const fn strip(unit: usize, row: isize) -> usize {
    let bytes = if row.unsigned_abs() >= 64 * 1024 { 1024 } else { 256 };
    bytes / unit
}

/// The bytes of source and destination together from which stores are non-temporal: a share of the last level
/// cache, between these, since virtual machines report too much. Those of 12 MiB lost up to half by it, of 24 MiB and
/// more gained up to twice.
pub(crate) const NON_TEMPORAL: (usize, usize) = (16 << 20, 24 << 20);

/// The fewest bytes of a plan whose stores are non-temporal on any machine.
pub(crate) const LEAST_NON_TEMPORAL: usize = NON_TEMPORAL.0 / 2;

/// The bytes of source and destination together from which stores are non-temporal.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) fn non_temporal() -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering};
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let known = KNOWN.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let (least, most) = NON_TEMPORAL;
    let bytes = last_level().clamp(least, most);
    KNOWN.store(bytes, Ordering::Relaxed);
    bytes
}

/// The bytes of source and destination together from which stores are non-temporal.
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
pub(crate) fn non_temporal() -> usize {
    NON_TEMPORAL.1
}

/// The bytes of the last level cache, over the threads that share it: leaf 4, or 0x8000001D, which is alike.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn last_level() -> usize {
    use core::arch::x86_64::__cpuid_count;
    let mut bytes = 0;
    for leaf in [4, 0x8000_001d] {
        for level in 0..8 {
            #[allow(unused_unsafe, reason = "newer compilers call it safe")]
            // SAFETY: every x86-64 has the instruction, which says 0 of what it does not know.
            let answer = unsafe { __cpuid_count(leaf, level) };
            let kind = answer.eax & 31;
            if !(1..=3).contains(&kind) {
                break;
            }
            let field =
                |from: u32, bits: u32| ((answer.ebx >> from) & ((1 << bits) - 1)) as usize + 1;
            let size = field(22, 10) * field(12, 10) * field(0, 12) * (answer.ecx as usize + 1);
            let threads = ((answer.eax >> 14) & 0xfff) as usize + 1;
            bytes = bytes.max(size / threads);
        }
        if bytes > 0 {
            break;
        }
    }
    bytes
}
