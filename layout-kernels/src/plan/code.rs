//! What a plan of bytes has: a step, the loops around it, and the micro-kernels with how they are called; or, in blocks that
//! fit a scratch buffer, a step before it and one after it. [`choose`](super::choose) decides it, and `run` does what it
//! says. Kernels are picked when the plan is made, so that a constant plan links only those it uses.

use super::machine::{LEAST_NON_TEMPORAL, NON_TEMPORAL};
use crate::isa::{Isa, LANE};
use crate::sets::{CopyKernel, PermuteKernel, PlanesKernel, TileKernel};
use crate::steps::{OuterLoop, OuterLoops, Planes, Starts, Step, each};

/// A step with its micro-kernels, and the loops around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BytePlan {
    pub(crate) isa: Isa,
    pub(crate) bytes: usize,
    pub(crate) loops: OuterLoops,
    pub(crate) pass: Pass,
    /// The micro-kernels with non-temporal stores.
    pub(crate) streamed: Option<Streamed>,
}

/// A step and its micro-kernels with plain stores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// The offsets at which the first unit of the loops around it begins.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    pub(crate) step: Step,
    pub(crate) code: PlainCode,
}

impl Pass {
    /// A step that moves nothing. Inlined, since a constant would be copied whole.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) const fn nothing() -> Self {
        Self { source: 0, destination: 0, step: Step::nothing(), code: PlainCode::None }
    }
}

impl BytePlan {
    /// A plan that moves nothing. Inlined, since a constant would be copied whole.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) const fn nothing() -> Self {
        let (isa, loops, pass) = (Isa::Portable, OuterLoops::NONE, Pass::nothing());
        Self { isa, bytes: 0, loops, pass, streamed: None }
    }

    /// Returns the path of a matrix with these stores. With non-temporal ones, it is that of most addresses.
    pub(super) const fn tiles(&self, stream: bool) -> Option<&TilePath> {
        match (&self.streamed, &self.pass.code) {
            (Some(Streamed::Tiles(own)), _) if stream => Some(&own.otherwise),
            (_, plain) => plain.tiles(),
        }
    }
}

/// The maximal number of loops around blocks and around both steps together.
const MOST_OUTER_LOOPS: usize = 12;

/// A move in blocks. The last block of a loop may overlap the one before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocked {
    pub(crate) isa: Isa,
    /// The bytes that the move has, and those of a block.
    pub(crate) bytes: usize,
    pub(crate) block: usize,
    /// Where the first block begins on both sides.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    /// The loops around blocks, those of the first step and those of the second one, and how many there are of each.
    loops: [OuterLoop; MOST_OUTER_LOOPS],
    counts: [usize; 3],
    pub(crate) first: First,
    pub(crate) second: Pass,
}

/// How a block gets to the scratch buffer.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum First {
    /// As planes of elements of less than a byte.
    Planes(Planes, PlanesKernel),
    /// By a step. Without vectors, small digits are not worth a scratch buffer.
    #[cfg(vectors)]
    Pass {
        pass: Pass,
        /// The bytes of the source from the beginning of a block to its end.
        length: usize,
        /// What both steps cost together.
        cost: usize,
    },
}

impl Blocked {
    /// A move of nothing with this first step. Inlined, since a constant would be copied whole.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) const fn nothing(first: First) -> Self {
        Self {
            isa: Isa::Portable,
            bytes: 0,
            block: 0,
            source: 0,
            destination: 0,
            loops: [OuterLoop::ONCE; MOST_OUTER_LOOPS],
            counts: [0; 3],
            first,
            second: Pass::nothing(),
        }
    }

    /// Returns the loops around blocks, those of the first step and those of the second one.
    pub(crate) fn loops(&self) -> [&[OuterLoop]; 3] {
        let mut rest = self.loops.as_slice();
        self.counts.map(|count| {
            let (own, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            rest = after;
            own
        })
    }

    /// Adds the loops around blocks, of the first step or of the second one, in this order. Returns false if there are
    /// too many.
    #[inline(never)]
    pub(super) const fn push(&mut self, loops: &OuterLoops, which: usize) -> bool {
        let [a, b, c] = self.counts;
        let before = a + b + c;
        if before + loops.count > MOST_OUTER_LOOPS {
            return false;
        }
        each!(i, 0..loops.count, {
            self.loops[before + i] = loops.all[i];
        });
        self.counts[which] = loops.count;
        true
    }
}

/// The micro-kernels of a step that stores plainly.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlainCode {
    Copies(CopyKernel),
    Tiles(TilePath),
    Permute(PermuteKernel),
    /// A step for which the instruction set has no kernel: only plans for sets of other targets have such a step.
    None,
}

/// Non-temporal stores of a step.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum Streamed {
    Copies(CopyKernel),
    /// The paths of a matrix.
    Tiles(StreamedTiles),
    /// Those of the kernel with plain stores, from these addresses on.
    Permute(Multiple),
}

/// Addresses of the destination: the multiples of a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multiple(pub(super) usize);

impl Multiple {
    /// Whether the address is one of them.
    #[inline(always)]
    pub(crate) fn has(self, to: *mut u8) -> bool {
        to as usize & (self.0 - 1) == 0
    }
}

/// How a matrix is moved.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum TilePath {
    /// Fewer columns than a tile loads: 16 bytes of each row are loaded where they are inside the source.
    Few(TileKernel),
    /// Tile by tile.
    Direct(Direct),
    /// Through a scratch buffer.
    Packed(PackedCode),
}

/// Tiles that are stored to the destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direct {
    pub(crate) kernel: TileKernel,
    pub(crate) starts: Starts,
    /// The number of columns that are moved at once.
    pub(crate) strip: usize,
}

/// The paths of a matrix with non-temporal stores, by the address of the destination; the first that there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedTiles {
    /// Where it begins at a cache line. Packed rows are those with plain stores.
    pub(crate) at_lines: Option<Direct>,
    /// Where a cache line begins at a row, of columns that follow one another.
    pub(crate) rotated: Option<(TileKernel, Multiple)>,
    pub(crate) otherwise: TilePath,
}

/// What goes through a scratch buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Rows,
    Columns,
    /// Columns one after another: columns of less than 16 bytes, and contiguous ones to be stored non-temporally.
    Joined,
}

impl Packing {
    pub(crate) const fn has_rows(self) -> bool {
        matches!(self, Self::Rows)
    }
}

/// How a matrix goes through a scratch buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedCode {
    pub(crate) packing: Packing,
    /// The rows and columns of a block, and the bytes from one that is packed to the next in the scratch buffer.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) apart: usize,
    /// The number of joined columns that are contiguous in the destination.
    pub(crate) run: usize,
    /// How many packed rows in the source, or runs of packed columns in the destination, are evenly spaced, if a table
    /// says where they are.
    pub(crate) even: usize,
    /// Whether columns are stored non-temporally out of the scratch buffer.
    pub(crate) stream: bool,
    pub(crate) kernel: TileKernel,
    pub(crate) starts: Starts,
    /// From rows to the scratch buffer, or from there to columns.
    pub(crate) copy: CopyKernel,
}

impl PlainCode {
    /// Returns the path of a matrix.
    pub(super) const fn tiles(&self) -> Option<&TilePath> {
        if let Self::Tiles(path) = self { Some(path) } else { None }
    }

    /// Whether the step has a kernel, and needs no scratch buffer of its own.
    #[cfg(vectors)]
    pub(super) const fn is_direct(&self) -> bool {
        !matches!(self, Self::None | Self::Tiles(TilePath::Packed(_)))
    }
}

/// Whether stores are non-temporal: those of whole cache lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stores {
    /// If both sides together take more than a share of the last-level cache.
    #[default]
    Auto,
    /// Never.
    Cached,
    /// If the kernel has such stores and the alignment allows them. Plans in two passes, and those of elements of less
    /// than a byte, have none.
    NonTemporal,
}

impl Stores {
    /// Whether kernels have non-temporal stores.
    const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

    /// [`Auto`](Self::Auto) for several plans whose sources and destinations together take `bytes` bytes. It also
    /// works in const evaluation, by assuming a small last-level cache.
    pub const fn of(bytes: usize) -> Self {
        if Self::ANY && bytes >= NON_TEMPORAL.0 { Self::NonTemporal } else { Self::Cached }
    }

    /// Whether a plan of `bytes` bytes can have non-temporal stores on some machine.
    pub(crate) const fn may_stream(self, bytes: usize) -> bool {
        match self {
            Self::Auto => bytes >= LEAST_NON_TEMPORAL,
            Self::Cached => false,
            Self::NonTemporal => true,
        }
    }

    /// Returns the size of source and destination together from which stores are non-temporal on this machine.
    pub(super) fn least(self) -> usize {
        match self {
            Self::Auto => non_temporal(),
            Self::Cached => usize::MAX,
            Self::NonTemporal => 0,
        }
    }

    /// Whether stores are non-temporal on this machine.
    #[inline]
    pub(super) fn stream(self, bytes: usize) -> bool {
        // Most plans are smaller than the threshold of every machine, so that is checked first.
        self.may_stream(bytes) && (self == Self::NonTemporal || bytes >= non_temporal() / 2)
    }
}

/// Returns the size of source and destination together, in bytes, from which stores are non-temporal.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn non_temporal() -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering};
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let known = KNOWN.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let (least, most) = NON_TEMPORAL;
    let bytes = crate::sets::last_level().clamp(least, most);
    KNOWN.store(bytes, Ordering::Relaxed);
    bytes
}

/// Returns the size of source and destination together, in bytes, from which stores are non-temporal.
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
fn non_temporal() -> usize {
    NON_TEMPORAL.1
}

impl PackedCode {
    /// Returns the number of rows or columns of a block in the scratch buffer.
    pub(crate) const fn packed(&self) -> usize {
        if self.packing.has_rows() { self.rows } else { self.columns }
    }

    /// Returns the bytes of a block in the scratch buffer. A short column has excess, which the next one overwrites.
    pub(crate) const fn bytes(&self) -> usize {
        let excess = if matches!(self.packing, Packing::Joined) { LANE } else { 0 };
        self.packed() * self.apart + excess
    }
}
