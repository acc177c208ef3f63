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

use layout_kernels::{Isa, Move, PERIOD, Plan, Stores};
use layout_types::nests::{Level, MAX_LEVELS, Nest, Place};

use crate::relayout::moved;

/// The size of the scratch buffer in bytes. If a tile needs two buffers, the second half begins at a cache line. The
/// scratch is on the stack, which is small without an operating system.
pub(super) const SCRATCH: usize = if cfg!(feature = "std") { 16 << 10 } else { 4 << 10 };

/// How a tile moves to or from the scratch buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// The plan of the kernel that moves the tile; `None` if the tile moves row by row.
    pub(super) plan: Option<Plan>,
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
    /// The move from the source to the scratch buffer; `None` if the converting kernel reads the tensor.
    pub(super) gather: Option<Tile>,
    /// The move from the scratch buffer to the destination; `None` if the converting kernel writes the tensor.
    pub(super) scatter: Option<Tile>,
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

    /// Returns the move between a side and the scratch buffer, of a tile with `before` elements of `bits` bits before its
    /// first one, unless it has too many loops or the elements less than a byte. Not inlined, so that its loops are not
    /// on the stack while the move is planned.
    #[inline(never)]
    const fn tile_move(&self, side: Side, before: usize, bits: usize) -> Option<Move> {
        if bits < 8 {
            return None;
        }
        let nest = match side {
            Side::Source => self.gathering(before),
            Side::Destination => self.scattering(before),
        };
        moved(&nest, bits, (false, false))
    }

    /// Returns the stride of a loop of the tile in the scratch buffer.
    const fn in_scratch(&self, inner: usize) -> isize {
        count(self.inner().split_at(inner + 1).1) as isize
    }

    /// A pass of one tile with one element, at the start of both sides.
    pub(super) const ONE: Self = Self {
        start: Place { source: 0, destination: 0, parameter: 0 },
        tiles: [Level::ONCE; MAX_LEVELS],
        tile_count: 0,
        inner: [Level::ONCE; Self::CAPACITY],
        inner_count: 0,
        gather: None,
        scatter: None,
        runs: [Level::ONCE; Self::CAPACITY],
        run_count: 0,
        rows: Level::ONCE,
        period: Self::PERIOD,
        periods: 1,
    };

    const PERIOD: Level = Level { source: 1, destination: 1, ..Level::ONCE };

    /// Becomes a pass of one tile with one element, without a copy of [`ONE`](Self::ONE): a pass takes 7 KiB.
    pub(super) const fn restart(&mut self, start: Place) {
        self.start = start;
        (self.tile_count, self.inner_count, self.run_count) = (0, 0, 0);
        self.gather = None;
        self.scatter = None;
        (self.rows, self.period, self.periods) = (Level::ONCE, Self::PERIOD, 1);
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
            let of = self.tile_move(Side::Source, before, bits);
            set_tile(&mut self.gather, before, &of, Stores::Cached, isa);
        }
        if let Some(bits) = scatters {
            let before = before(self.inner(), Side::Destination);
            let of = self.tile_move(Side::Destination, before, bits);
            set_tile(&mut self.scatter, before, &of, stores, isa);
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
        write_tile(formatter, "gather", self.gather.as_ref())?;
        let (runs, length) = (count(self.runs()) * self.rows.size, self.period.size * self.periods);
        write!(formatter, "; convert {runs} run{} of {length}", plural(runs))?;
        write_tile(formatter, "scatter", self.scatter.as_ref())
    }
}

fn write_tile(formatter: &mut fmt::Formatter<'_>, name: &str, tile: Option<&Tile>) -> fmt::Result {
    match tile {
        None => Ok(()),
        Some(Tile { plan: Some(plan), .. }) => write!(formatter, "; {name}: {plan}"),
        Some(Tile { plan: None, .. }) => write!(formatter, "; {name} one by one"),
    }
}

/// Sets how a tile with `before` elements before its first one is moved. The plan is made in place, since a copy of one
/// takes a good part of the time that planning takes, and 3 KiB of the stack.
#[inline(never)]
const fn set_tile(
    place: &mut Option<Tile>,
    before: usize,
    of: &Option<Move>,
    stores: Stores,
    isa: Isa,
) {
    set_no_tile(place, before);
    if let (Some(Tile { plan, .. }), Some(of)) = (place, of) {
        // Without a plan, the tile is moved row by row.
        let _ = Plan::set(plan, of, isa);
        if let Some(plan) = plan {
            plan.set_stores(stores);
        }
    }
}

/// Sets a tile without a plan, so that no copy of it is on the stack while it is planned.
#[inline]
const fn set_no_tile(place: &mut Option<Tile>, before: usize) {
    *place = Some(Tile { plan: None, before });
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
