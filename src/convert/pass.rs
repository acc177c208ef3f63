//! Passes: tiles of one shape that fit a scratch in the first level cache.
//!
//! Kernels convert runs, elements that lie together on both sides. Where the layouts differ, a
//! tile is first gathered into a scratch, in the order of the destination, or scattered out of one
//! afterwards, in the order of the source: whichever makes the narrower elements the ones that are
//! reordered, by the kernels of a relayout. These can store non-temporally, which those that convert
//! cannot: large tensors go through a scratch on the way to the destination even where nothing is
//! reordered.

use core::fmt;

use layout_kernels::{Isa, PERIOD, Plan, Stores};
use layout_types::nests::{Level, MAX_LEVELS, Nest, Place};

use crate::relayout::moved;

/// The bytes of the scratch; the second half of a tile that needs two begins at a line. It lies on
/// the stack, which is small where there is no operating system.
pub(super) const SCRATCH: usize = if cfg!(feature = "std") { 16 << 10 } else { 4 << 10 };

/// How one side of the tiles gets to the kernel or from it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a pass has two, and there is no allocator to ask")]
pub(super) enum Move {
    /// It lies where the kernel reads or writes it.
    Stay,
    /// Through a scratch, by a kernel.
    Kernel(Tile),
    /// Through a scratch, row by row.
    Rows,
}

/// How a tile gets to the scratch or from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    pub(super) plan: Plan,
    /// The elements of the tensor before the first one of a tile that belong to it too.
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
    /// Where the first tile begins.
    pub(super) start: Place,
    /// From one tile to the next.
    tiles: [Level; MAX_LEVELS],
    tile_count: usize,
    /// The loops of a tile in the tensors, in the order of the scratch, slowest first.
    inner: [Level; Self::CAPACITY],
    inner_count: usize,
    /// From the source to the scratch.
    pub(super) gather: Move,
    /// From the scratch to the destination.
    pub(super) scatter: Move,
    /// From some runs of a tile to the next, where the kernel reads and writes.
    runs: [Level; Self::CAPACITY],
    run_count: usize,
    /// The runs that the kernel takes at once.
    pub(super) rows: Level,
    /// A period of parameters; its step is 0 where a run has one.
    pub(super) period: Level,
    /// How many periods a run has.
    pub(super) periods: usize,
}

impl Pass {
    /// The most loops of a tile.
    pub(super) const CAPACITY: usize = 8;

    /// The levels from one tile to the next.
    pub(super) const fn tiles(&self) -> &[Level] {
        self.tiles.split_at(self.tile_count).0
    }

    /// The levels from some runs of a tile to the next.
    pub(super) const fn runs(&self) -> &[Level] {
        self.runs.split_at(self.run_count).0
    }

    /// The loops of a tile.
    const fn inner(&self) -> &[Level] {
        self.inner.split_at(self.inner_count).0
    }

    /// The elements of a tile.
    pub(super) const fn elements(&self) -> usize {
        count(self.inner())
    }

    /// The loops of the tile that begins at `source`, from there to the scratch.
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

    /// The loops of the tile that begins at `destination`, from the scratch to there.
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

    /// The stride in the scratch of a loop of the tile.
    const fn in_scratch(&self, inner: usize) -> isize {
        count(self.inner().split_at(inner + 1).1) as isize
    }

    /// A pass of one tile of one element.
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

    /// Adds a loop to the tile, faster than those that it has.
    pub(super) const fn push_inner(&mut self, level: Level) {
        self.inner[self.inner_count] = level;
        self.inner_count += 1;
    }

    /// Adds a loop over tiles, faster than those that there are.
    pub(super) const fn push_tiles(&mut self, level: Level) {
        self.tiles[self.tile_count] = level;
        self.tile_count += 1;
    }

    /// Finds the runs of a tile, and the kernels of `isa` to and from the scratch, each where a side goes through
    /// it: so many bits have its elements. `stores` are those from the scratch to the destination.
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
            // Levels come fastest first; the slowest has to end up first.
            let mut at = self.run_count;
            while at > 0 {
                self.runs[at] = self.runs[at - 1];
                at -= 1;
            }
            self.runs[0] = level;
            self.run_count += 1;
        }
        let Some((&rows, _)) = self.runs().split_last() else { return };
        // There is one table of parameters, for the rows or inside them.
        if rows.parameter == 0 || self.period.parameter == 0 && rows.size <= PERIOD {
            self.rows = rows;
            self.run_count -= 1;
        }
    }

    /// Lets the runs go on through `level`, if they can.
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

/// How many tiles, how each gets to the kernel, and the runs that it takes.
impl fmt::Display for Pass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tiles, elements) = (count(self.tiles()), self.elements());
        write!(formatter, "{tiles} tiles of {elements} elements")?;
        self.gather.write(formatter, "gather")?;
        let (runs, length) = (count(self.runs()) * self.rows.size, self.period.size * self.periods);
        write!(formatter, "; convert {runs} runs of {length}")?;
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

/// How the tile goes that `nest` moves, with so many elements before its first one.
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

/// The elements before the first one of a tile that belong to it too: where loops run backwards.
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

/// How many places levels visit.
const fn count(levels: &[Level]) -> usize {
    let mut count = 1;
    let mut i = 0;
    while i < levels.len() {
        count *= levels[i].size;
        i += 1;
    }
    count
}
