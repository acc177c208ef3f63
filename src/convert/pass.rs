//! Passes: tiles of one shape that cover a box and fit a scratch buffer in the first-level cache.
//!
//! A kernel converts runs: elements that are contiguous on both sides. If the orders of the layouts differ, a
//! relayout kernel reorders a tile through the scratch buffer. It either gathers the tile in the order of the
//! destination before the conversion, or scatters it from the order of the source afterwards, whichever reorders the
//! smaller elements.
//!
//! Only relayout kernels have non-temporal stores. So a large tensor goes through the scratch buffer on the way to
//! its destination even if nothing is reordered.

use core::fmt;

use layout_kernels::{Isa, LINE, Move, PERIOD, Plan, Stores};
use layout_types::nests::{Level, MAX_LEVELS, Nest, Pair, Place, Places};
use layout_types::numbers::Value;

use crate::relayout::blocked::{BlockLoops, BoxBlock, ScratchStrides, Side, count};
use crate::relayout::moved;

/// The size of the scratch buffer in bytes. The scratch is on the stack, of which a microcontroller has a few KiB.
pub(super) const SCRATCH: usize = match (cfg!(target_os = "none"), cfg!(feature = "std")) {
    (true, _) => 256,
    (false, true) => 16 << 10,
    (false, false) => 4 << 10,
};

/// The alignment of the scratch buffer, and of its second half if a tile needs two: a cache line if there are caches.
const ALIGN: usize = if cfg!(target_os = "none") { 8 } else { LINE };

/// A scratch buffer for a tile, aligned to a cache line where there are caches.
#[cfg_attr(not(target_os = "none"), repr(align(64)))]
pub(super) struct TileScratch<const WORDS: usize>(pub(super) [u64; WORDS]);

impl<const WORDS: usize> TileScratch<WORDS> {
    /// A constant: a debug build would make a value elsewhere on the stack, and copy it.
    pub(super) const ZERO: Self = Self([0; WORDS]);
}

/// The minimal number of elements of a run for which converting in place is worthwhile.
const RUN: usize = 64;

/// How a tile moves to or from the scratch buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// The plan of the kernel that moves the tile; `None` if none does.
    pub(super) plan: Option<Plan>,
    /// The number of elements of the tensor between the lowest element of a tile and its first one.
    pub(super) before: usize,
    /// The loops of the tile between the tensor and the scratch buffer, without a plan.
    loops: [Level; BoxBlock::LOOPS],
    count: usize,
    /// The number of elements that are contiguous on both sides in each iteration of these loops.
    pub(super) run: usize,
}

impl Tile {
    /// Returns the elements of the tile that begins at `start`.
    pub(super) const fn places(&self, start: Place) -> Places<'_> {
        Places::new(self.loops.split_at(self.count).0, start)
    }
}

/// Tiles of one box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// The loops over tiles.
    pub(super) tiles: BlockLoops<MAX_LEVELS>,
    /// The number of elements of a tile.
    pub(super) elements: usize,
    /// The move from the source to the scratch buffer; `None` if the converting kernel reads the tensor.
    pub(super) gather: Option<Tile>,
    /// The move from the scratch buffer to the destination; `None` if the converting kernel writes the tensor.
    pub(super) scatter: Option<Tile>,
    /// The loops over the groups of runs of a tile, with the strides that the kernel reads and writes by.
    runs: [Level; BoxBlock::LOOPS],
    run_count: usize,
    /// The loop over the runs that one call of the kernel converts.
    pub(super) rows: Level,
    /// A period of parameters. Its step is 0 if a run has one parameter.
    pub(super) period: Level,
    /// The number of periods in a run.
    pub(super) periods: usize,
}

impl Pass {
    /// Returns the loops over the groups of runs of a tile.
    #[inline]
    pub(super) const fn runs(&self) -> &[Level] {
        self.runs.split_at(self.run_count).0
    }

    /// Whether there is one tile, which one call of the kernel converts.
    #[inline]
    pub(super) const fn is_one_call(&self) -> bool {
        self.tiles.all().is_empty() && self.run_count == 0
    }

    /// Returns the bytes that a tile of elements of `S` takes in the scratch buffer, in whole multiples of [`ALIGN`].
    #[inline]
    pub(super) const fn gathered<S: Value>(&self) -> usize {
        match self.gather {
            None => 0,
            Some(_) => (self.elements * size_of::<S::Held>()).next_multiple_of(ALIGN),
        }
    }

    /// Returns the bytes that a tile takes in the scratch buffer.
    #[inline]
    pub(super) const fn scratch<S: Value, D: Value>(&self) -> usize {
        let scattered = match self.scatter {
            None => 0,
            Some(_) => self.elements * size_of::<D::Held>(),
        };
        self.gathered::<S>() + scattered
    }

    /// A pass of one tile with one element, at the start of both sides.
    pub(super) const ONE: Self = Self {
        tiles: BlockLoops::once(Place { source: 0, destination: 0, parameter: 0 }),
        elements: 1,
        gather: None,
        scatter: None,
        runs: [Level::ONCE; BoxBlock::LOOPS],
        run_count: 0,
        rows: Level::ONCE,
        period: Self::PERIOD,
        periods: 1,
    };

    const PERIOD: Level = Level::new(1, [1, 1]);

    /// Cuts a box into tiles, in place of any pass, without a copy of [`ONE`](Self::ONE): a pass takes 7 KiB. `stores`
    /// are those from the scratch buffer to the destination, by kernels of `isa`.
    pub(super) const fn set(&mut self, nest: &Nest, pair: &Pair, stores: Stores, isa: Isa) {
        let bits = (pair.source().element().bits(), pair.destination().element().bits());
        let Way { side, together, gathers, scatters } = Way::of(nest.levels(), bits, stores);
        let mut tile = BoxBlock::new(nest.levels(), SCRATCH - ALIGN);
        let order = tile.order(side);
        if together > 0 && !gathers && !scatters {
            layout_types::each!(i, 0..together, {
                tile.sizes[order[i]] = nest.levels()[order[i]].size;
            });
        } else {
            // Long enough to fill cache lines on the side that is reordered, and then as long as possible on the other.
            let held = (bits.0.div_ceil(8), bits.1.div_ceil(8));
            let element = gathers as usize * held.0 + scatters as usize * held.1;
            tile = BoxBlock::new(nest.levels(), (SCRATCH - ALIGN) / element);
            match side {
                Side::Source => tile.lengthen(Side::Destination, LINE / held.1),
                Side::Destination => tile.lengthen(Side::Source, LINE / held.0),
            }
            tile.lengthen(side, usize::MAX);
        }
        // The parameters that change from element to element fit their table.
        let (levels, fastest) = (nest.levels(), order[0]);
        if fastest < levels.len() && levels[fastest].parameter != 0 && tile.sizes[fastest] > PERIOD
        {
            tile.sizes[fastest] = PERIOD;
        }
        self.tiles.set(nest.start(), &tile, side);
        self.elements = tile.elements();
        let strides = tile.in_scratch(side);
        self.gather = None;
        self.scatter = None;
        if gathers {
            let between = Between { tile: &tile, side: Side::Source, strides: &strides };
            between.set(&mut self.gather, bits.0, (Stores::Cached, isa));
        }
        if scatters {
            let between = Between { tile: &tile, side: Side::Destination, strides: &strides };
            between.set(&mut self.scatter, bits.1, (stores, isa));
        }
        self.set_runs(&tile, (&order, levels.len()), &strides, (gathers, scatters));
    }

    /// Finds the runs of a tile, from its fastest loop on.
    const fn set_runs(
        &mut self,
        tile: &BoxBlock<'_>,
        (order, count): (&[usize; MAX_LEVELS], usize),
        strides: &ScratchStrides,
        (gathers, scatters): (bool, bool),
    ) {
        let from = if gathers { Some(strides) } else { None };
        let to = if scatters { Some(strides) } else { None };
        (self.run_count, self.rows, self.period, self.periods) = (0, Level::ONCE, Self::PERIOD, 1);
        let mut i = 0;
        while i < count {
            let level = tile.level(order[i], from, to);
            i += 1;
            if level.size == 1 || self.run_count == 0 && self.lengthen(level) {
                continue;
            }
            // The slowest comes first.
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
            let lies = matches!(level.strides, [1, 1]);
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
        if level.strides[0] == way && level.strides[1] == way && level.parameter == 0 {
            self.periods *= level.size;
            return true;
        }
        false
    }
}

/// How the elements of a box go through the converting kernel.
struct Way {
    /// The side on which runs are contiguous.
    side: Side,
    /// The number of loops that are contiguous on both sides, if their run is long.
    together: usize,
    /// Whether the kernel reads the scratch buffer.
    gathers: bool,
    /// Whether the kernel writes the scratch buffer.
    scatters: bool,
}

impl Way {
    const fn of(levels: &[Level], bits: (usize, usize), stores: Stores) -> Self {
        let lies = (lie_together(levels, Side::Source), lie_together(levels, Side::Destination));
        // Kernels that convert take elements of whole bytes. The scratch buffer has them of all others.
        let packed = (bits.0 < 8, bits.1 < 8);
        // Kernels that convert have no non-temporal stores; the copy out of the scratch buffer has them.
        let past = !matches!(stores, Stores::Cached) && !packed.1;
        // Runs are contiguous on the side of elements of less than a byte, else of the larger elements, if they are
        // contiguous on any side.
        let (side, gathers, scatters) = match lies {
            (true, to) if packed.0 || !to || !packed.1 && bits.0 > bits.1 => {
                (Side::Source, packed.0, true)
            }
            (_, to) => (Side::Destination, true, !to || past || packed.1),
        };
        let order = BoxBlock::new(levels, 1).order(side);
        let together = if lies.0 && lies.1 { together(levels, &order) } else { 0 };
        match together {
            0 => Self { side, together, gathers, scatters },
            _ => Self { side, together, gathers: packed.0, scatters: past || packed.1 },
        }
    }
}

/// Prints the number of tiles, the moves to and from the kernel, and the runs that the kernel converts.
impl fmt::Display for Pass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tiles, elements) = (self.tiles.blocks(), self.elements);
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
        Some(Tile { plan: None, run, .. }) => write!(formatter, "; {name} in runs of {run}"),
    }
}

/// A tile between a side and the scratch buffer, in which its loops have these strides.
struct Between<'a> {
    tile: &'a BoxBlock<'a>,
    side: Side,
    strides: &'a ScratchStrides,
}

impl Between<'_> {
    /// Sets how a tile of elements of `bits` bits is moved. The plan is made in place, since a copy of one takes a good
    /// part of the time that planning takes, and 3 KiB of the stack.
    #[inline(never)]
    const fn set(&self, place: &mut Option<Tile>, bits: usize, (stores, isa): (Stores, Isa)) {
        set_no_tile(place, self.tile.before(self.side));
        let Some(tile) = place else { return };
        if let Some(of) = self.planned(bits) {
            // Without a plan, the tile is moved in runs.
            let _ = Plan::set(&mut tile.plan, &of, isa);
        }
        match &mut tile.plan {
            Some(plan) => plan.set_stores(stores),
            None => self.set_loops(tile),
        }
    }

    const fn nest(&self) -> Nest {
        match self.side {
            Side::Source => self.tile.nest(None, Some(self.strides)),
            Side::Destination => self.tile.nest(Some(self.strides), None),
        }
    }

    /// Returns the move, unless the elements have less than a byte. Not inlined, so that its loops are not on the stack
    /// while it is planned.
    #[inline(never)]
    const fn planned(&self, bits: usize) -> Option<Move> {
        if bits < 8 { None } else { moved(&self.nest(), bits, (false, false)) }
    }

    /// Sets the loops of a tile that is moved run by run, without a kernel.
    #[inline(never)]
    const fn set_loops(&self, tile: &mut Tile) {
        let nest = self.nest();
        let (levels, mut taken, mut i) = (nest.levels(), 0u32, 0);
        while i < levels.len() {
            let Level { size, strides, .. } = levels[i];
            let run = tile.run as isize;
            i += 1;
            if strides[0] == run && strides[1] == run && taken >> (i - 1) & 1 == 0 {
                (tile.run, taken) = (tile.run * size, taken | 1 << (i - 1));
                // The run may go on with a loop that was passed.
                i = 0;
            }
        }
        i = 0;
        while i < levels.len() {
            if taken >> i & 1 == 0 {
                tile.loops[tile.count] = levels[i];
                tile.count += 1;
            }
            i += 1;
        }
    }
}

/// Sets a tile without a plan, so that no copy of it is on the stack while it is planned.
#[inline]
const fn set_no_tile(place: &mut Option<Tile>, before: usize) {
    *place =
        Some(Tile { plan: None, before, loops: [Level::ONCE; BoxBlock::LOOPS], count: 0, run: 1 });
}

/// Returns the number of fastest loops that are contiguous on both sides in the same order, or 0 if their run is too
/// short to be converted in place.
const fn together(levels: &[Level], order: &[usize; MAX_LEVELS]) -> usize {
    let (mut length, mut loops) = (1, 0);
    while loops < levels.len() && loops < BoxBlock::LOOPS {
        let level = &levels[order[loops]];
        if level.strides[0] != length as isize || level.strides[1] != length as isize {
            break;
        }
        length *= level.size;
        loops += 1;
    }
    if loops == levels.len() || length >= RUN { loops } else { 0 }
}

/// Whether each element has an offset of its own on `side` and some loop has stride 1 there.
const fn lie_together(levels: &[Level], side: Side) -> bool {
    let mut next = levels.is_empty();
    layout_types::each!(i, 0..levels.len(), {
        match side.stride(&levels[i]) {
            0 => return false,
            1 => next = true,
            _ => {}
        }
    });
    next
}

/// Returns the ending of a noun after `count`.
const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
