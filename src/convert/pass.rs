//! Passes: tiles of one shape that fit a scratch buffer in the first-level cache.
//!
//! A kernel converts runs: elements that are contiguous on both sides. If the orders of the layouts differ, a
//! relayout kernel reorders a tile through the scratch buffer. It either gathers the tile in the order of the
//! destination before the conversion, or scatters it from the order of the source afterwards, whichever reorders the
//! smaller elements.
//!
//! Only relayout kernels have non-temporal stores. So a large tensor goes through the scratch buffer on the way to
//! its destination even if nothing is reordered.

use core::fmt;

use layout_kernels::{Isa, PERIOD, Plan, Stores};
use layout_types::nests::{Level, MAX_LEVELS, Nest, Place};

use crate::relayout::moved;

/// The size of the scratch buffer in bytes. If a tile needs two buffers, the second half begins at a cache line. The
/// scratch is on the stack, which is small without an operating system.
pub(super) const SCRATCH: usize = if cfg!(feature = "std") { 16 << 10 } else { 4 << 10 };

/// How one side of the tiles gets to the kernel or from it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a pass has two, and there is no allocator to ask")]
pub(super) enum Move {
    /// The kernel reads or writes the tensor directly.
    Stay,
    /// A kernel moves the tile through the scratch buffer.
    Kernel(Tile),
    /// The tile is moved through the scratch buffer row by row.
    Rows,
}

/// How a kernel moves a tile to or from the scratch buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    pub(super) plan: Plan,
    /// The number of elements of the tensor between the lowest element of a tile and its first one.
    pub(super) before: usize,
}

/// One of the two layouts.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Source,
    Destination,
}

impl Side {
    pub(super) const fn stride(self, level: &Level) -> isize {
        match self {
            Self::Source => level.source,
            Self::Destination => level.destination,
        }
    }
}

/// Tiles of one shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// The offsets at which the first tile begins.
    pub(super) start: Place,
    /// The loops over tiles.
    tiles: [Level; MAX_LEVELS],
    tile_count: usize,
    /// The loops of a tile in the tensors, in the order of the scratch buffer, slowest first.
    inner: [Level; Self::CAPACITY],
    inner_count: usize,
    /// The move from the source to the scratch buffer.
    pub(super) gather: Move,
    /// The move from the scratch buffer to the destination.
    pub(super) scatter: Move,
    /// The loops over the groups of runs of a tile, with the strides that the kernel reads and writes by.
    runs: [Level; Self::CAPACITY],
    run_count: usize,
    /// The loop over the runs that one call of the kernel converts.
    pub(super) rows: Level,
    /// A period of parameters. Its step is 0 if a run has one parameter.
    pub(super) period: Level,
    /// The number of periods in a run.
    pub(super) periods: usize,
}

impl Pass {
    /// The maximal number of loops of a tile.
    pub(super) const CAPACITY: usize = 8;

    /// Returns the loops over tiles.
    pub(super) const fn tiles(&self) -> &[Level] {
        self.tiles.split_at(self.tile_count).0
    }

    /// Returns the loops over the groups of runs of a tile.
    pub(super) const fn runs(&self) -> &[Level] {
        self.runs.split_at(self.run_count).0
    }

    /// Returns the loops of a tile.
    const fn inner(&self) -> &[Level] {
        self.inner.split_at(self.inner_count).0
    }

    /// Returns the number of elements in a tile.
    pub(super) const fn elements(&self) -> usize {
        count(self.inner())
    }

    /// Returns the loops from the tile that begins at `source` to the scratch buffer.
    pub(super) const fn gathering(&self, source: usize) -> Nest {
        let mut nest = Nest::at(Place { source, destination: 0, parameter: 0 });
        let mut i = 0;
        while i < self.inner_count {
            let Level { size, source, .. } = self.inner[i];
            let destination = self.in_scratch(i);
            nest.push(Level { size, source, destination, parameter: 0 });
            i += 1;
        }
        nest.merge();
        nest
    }

    /// Returns the loops from the scratch buffer to the tile that begins at `destination`.
    pub(super) const fn scattering(&self, destination: usize) -> Nest {
        let mut nest = Nest::at(Place { source: 0, destination, parameter: 0 });
        let mut i = 0;
        while i < self.inner_count {
            let Level { size, destination, .. } = self.inner[i];
            let source = self.in_scratch(i);
            nest.push(Level { size, source, destination, parameter: 0 });
            i += 1;
        }
        nest.merge();
        nest
    }

    /// Returns the stride of a loop of the tile in the scratch buffer.
    const fn in_scratch(&self, inner: usize) -> isize {
        count(self.inner().split_at(inner + 1).1) as isize
    }

    /// Returns a pass of one tile with one element.
    pub(super) const fn at(start: Place) -> Self {
        Self {
            start,
            tiles: [Level::ONCE; MAX_LEVELS],
            tile_count: 0,
            inner: [Level::ONCE; Self::CAPACITY],
            inner_count: 0,
            gather: Move::Stay,
            scatter: Move::Stay,
            runs: [Level::ONCE; Self::CAPACITY],
            run_count: 0,
            rows: Level::ONCE,
            period: Level { source: 1, destination: 1, ..Level::ONCE },
            periods: 1,
        }
    }

    /// Adds a loop to the tile, faster than its other loops.
    pub(super) const fn push_inner(&mut self, level: Level) {
        self.inner[self.inner_count] = level;
        self.inner_count += 1;
    }

    /// Adds a loop over tiles, faster than the other loops over tiles.
    pub(super) const fn push_tiles(&mut self, level: Level) {
        self.tiles[self.tile_count] = level;
        self.tile_count += 1;
    }

    /// Finds the runs of a tile, and the kernels of `isa` that move it to and from the scratch buffer. `gathers` and
    /// `scatters` are the bits of an element on a side that goes through the scratch buffer. `stores` applies to the
    /// stores from the scratch buffer to the destination.
    pub(super) const fn complete(
        &mut self,
        gathers: Option<usize>,
        scatters: Option<usize>,
        stores: Stores,
        isa: Isa,
    ) {
        if let Some(bits) = gathers {
            let before = before(self.inner(), Side::Source);
            self.gather =
                through_scratch(&self.gathering(before), before, bits, Stores::Cached, isa);
        }
        if let Some(bits) = scatters {
            let before = before(self.inner(), Side::Destination);
            self.scatter = through_scratch(&self.scattering(before), before, bits, stores, isa);
        }
        let mut i = self.inner_count;
        while i > 0 {
            i -= 1;
            let mut level = self.inner[i];
            if gathers.is_some() {
                level.source = self.in_scratch(i);
            }
            if scatters.is_some() {
                level.destination = self.in_scratch(i);
            }
            if self.run_count == 0 && self.lengthen(level) {
                continue;
            }
            // The levels come fastest first, and the slowest must end up first.
            let mut at = self.run_count;
            while at > 0 {
                self.runs[at] = self.runs[at - 1];
                at -= 1;
            }
            self.runs[0] = level;
            self.run_count += 1;
        }
        let Some((&rows, _)) = self.runs().split_last() else { return };
        // There is one table of parameters: for the rows or for the elements of a row.
        if rows.parameter == 0 || self.period.parameter == 0 && rows.size <= PERIOD {
            self.rows = rows;
            self.run_count -= 1;
        }
    }

    /// Extends the runs by `level`, if it continues them.
    const fn lengthen(&mut self, level: Level) -> bool {
        let Level { size, parameter, .. } = self.period;
        if size == 1 && self.periods == 1 {
            let fits = level.parameter == 0 || level.size <= PERIOD;
            let lies = level.source == 1 && level.destination == 1;
            if fits && lies {
                self.period = level;
            }
            return fits && lies;
        }
        let size = size * level.size;
        if self.periods == 1 && level.follows(&self.period) && (parameter == 0 || size <= PERIOD) {
            self.period.size = size;
            return true;
        }
        let way = (self.period.size * self.periods) as isize;
        if level.source == way && level.destination == way && level.parameter == 0 {
            self.periods *= level.size;
            return true;
        }
        false
    }
}

/// Prints the number of tiles, the moves to and from the kernel, and the runs that the kernel converts.
impl fmt::Display for Pass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tiles, elements) = (count(self.tiles()), self.elements());
        write!(formatter, "{tiles} tile{} of {elements} elements", plural(tiles))?;
        self.gather.write(formatter, "gather")?;
        let (runs, length) = (count(self.runs()) * self.rows.size, self.period.size * self.periods);
        write!(formatter, "; convert {runs} run{} of {length}", plural(runs))?;
        self.scatter.write(formatter, "scatter")
    }
}

impl Move {
    fn write(&self, formatter: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        match self {
            Self::Stay => Ok(()),
            Self::Kernel(tile) => write!(formatter, "; {name}: {}", tile.plan),
            Self::Rows => write!(formatter, "; {name} one by one"),
        }
    }
}

/// Returns how the tile of `nest` is moved, with `before` elements before its first one.
const fn through_scratch(
    nest: &Nest,
    before: usize,
    bits: usize,
    stores: Stores,
    isa: Isa,
) -> Move {
    if bits < 8 {
        return Move::Rows;
    }
    let Some(of) = moved(nest, bits, (false, false)) else { return Move::Rows };
    match Plan::for_isa(&of, isa) {
        Ok(plan) => Move::Kernel(Tile { plan: plan.with_stores(stores), before }),
        Err(_) => Move::Rows,
    }
}

/// Returns the number of elements between the lowest element of a tile and its first one. It is 0 unless loops run
/// backwards.
const fn before(levels: &[Level], side: Side) -> usize {
    let (mut before, mut i) = (0, 0);
    while i < levels.len() {
        let stride = side.stride(&levels[i]);
        if stride < 0 {
            before += (levels[i].size - 1) * stride.unsigned_abs();
        }
        i += 1;
    }
    before
}

/// Returns the number of steps of all levels together.
const fn count(levels: &[Level]) -> usize {
    let mut count = 1;
    let mut i = 0;
    while i < levels.len() {
        count *= levels[i].size;
        i += 1;
    }
    count
}

/// Returns the ending of a noun after `count`.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
