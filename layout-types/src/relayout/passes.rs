//! Cuts a conversion into passes: tiles of one shape that fit a scratch in the first level cache.
//!
//! Kernels convert runs, elements that lie together on both sides. Where the layouts differ, a
//! tile is first gathered into a scratch, in the order of the destination, or scattered out of one
//! afterwards, in the order of the source: whichever makes the narrower elements the ones that are
//! reordered, by the kernels of a relayout.

use super::boxes::Boxes;
use super::classify;
use super::levels::{Level, MAX_LEVELS, Place};
use super::nest::Nest;
use super::pair::Pair;
use crate::kernel::{Job, PERIOD};

/// The bytes of the scratch; the second half of a tile that needs two begins at a line. It lies on
/// the stack, which is small where there is no operating system.
pub(super) const SCRATCH: usize = if cfg!(feature = "std") { 16 << 10 } else { 4 << 10 };

/// The bytes of a cache line.
pub(super) const LINE: usize = 64;

/// The elements that a run has before it is worth converting in place.
const RUN: usize = 64;

/// The passes that a plan keeps.
pub(super) const FEW: usize = 4;

/// How one side of the tiles gets to the kernel or from it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a pass has two, and there is no allocator to ask")]
pub(super) enum Move {
    /// It lies where the kernel reads or writes it.
    Stay,
    /// Through a scratch, by a job between the tensor and the scratch.
    Job(Job),
    /// Through a scratch, row by row.
    Rows,
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

    /// The elements of a tile.
    pub(super) const fn elements(&self) -> usize {
        count(self.inner.split_at(self.inner_count).0)
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
        nest.merged()
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
        nest.merged()
    }

    /// The stride in the scratch of a loop of the tile.
    const fn in_scratch(&self, inner: usize) -> isize {
        count(self.inner.split_at(self.inner_count).0.split_at(inner + 1).1) as isize
    }

    /// Finds runs, and the jobs to and from the scratch.
    const fn complete(&mut self, cut: &Cut) {
        if cut.gathers {
            self.gather = through_scratch(&self.gathering(0), cut.source_bits);
        }
        if cut.scatters {
            self.scatter = through_scratch(&self.scattering(0), cut.destination_bits);
        }
        let mut i = self.inner_count;
        while i > 0 {
            i -= 1;
            let mut level = self.inner[i];
            if cut.gathers {
                level.source = self.in_scratch(i);
            }
            if cut.scatters {
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

const fn through_scratch(nest: &Nest, bits: usize) -> Move {
    if bits < 8 {
        return Move::Rows;
    }
    match classify::job(nest, bits / 8, false) {
        Some(job) => Move::Job(job),
        None => Move::Rows,
    }
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

/// The passes of a conversion, one after the other.
///
/// Law: every coordinate is in exactly one tile of one pass.
pub(super) struct Passes<'a> {
    boxes: Boxes<'a>,
    pair: &'a Pair,
    cut: Option<Cut>,
}

impl<'a> Passes<'a> {
    pub(super) const fn new(pair: &'a Pair, parameters: Option<usize>) -> Self {
        Self { boxes: Boxes::new(pair, parameters), pair, cut: None }
    }

    /// All of them, if there are few.
    pub(super) const fn few(mut self) -> Option<[Option<Pass>; FEW]> {
        let mut few = [None; FEW];
        let mut i = 0;
        while let Some(pass) = self.next() {
            if i == FEW {
                return None;
            }
            few[i] = Some(pass);
            i += 1;
        }
        Some(few)
    }

    /// The next pass.
    pub(super) const fn next(&mut self) -> Option<Pass> {
        if self.cut.is_none() {
            let Some(nest) = self.boxes.next() else { return None };
            self.cut = Some(Cut::of(&nest, self.pair));
        }
        let Some(cut) = &mut self.cut else { return None };
        let pass = cut.pass();
        cut.ends += 1;
        if cut.ends >> cut.ragged == 1 {
            self.cut = None;
        }
        Some(pass)
    }
}

/// A box cut into tiles.
struct Cut {
    start: Place,
    /// The loops in the order of the scratch, slowest first.
    levels: [Level; MAX_LEVELS],
    /// The steps of each in a tile.
    tile: [usize; MAX_LEVELS],
    count: usize,
    source_bits: usize,
    destination_bits: usize,
    gathers: bool,
    scatters: bool,
    /// How many loops are no whole number of tiles long.
    ragged: usize,
    /// The next pass: of each ragged loop, whether it is the end that is shorter than a tile.
    ends: usize,
}

impl Cut {
    const fn of(nest: &Nest, Pair { source, destination, .. }: &Pair) -> Self {
        let (source_bits, destination_bits) =
            (source.element().bits(), destination.element().bits());
        let mut cut = Self {
            start: nest.start(),
            levels: [Level::ONCE; MAX_LEVELS],
            tile: [1; MAX_LEVELS],
            count: nest.levels().len(),
            source_bits,
            destination_bits,
            gathers: true,
            scatters: true,
            ragged: 0,
            ends: 0,
        };
        let source_lies = source_bits >= 8 && lie_together(nest.levels(), Side::Source);
        let destination_lies =
            destination_bits >= 8 && lie_together(nest.levels(), Side::Destination);
        // Runs lie together on the side of the larger elements, if they do on any.
        let side = if source_lies && (source_bits > destination_bits || !destination_lies) {
            cut.scatters = true;
            cut.gathers = false;
            Side::Source
        } else {
            cut.gathers = true;
            cut.scatters = !destination_lies;
            Side::Destination
        };
        cut.sort(nest.levels(), side);
        let together = if source_lies && destination_lies { cut.together() } else { 0 };
        if together > 0 {
            cut.gathers = false;
            cut.scatters = false;
            let mut i = cut.count - together;
            while i < cut.count {
                cut.tile[i] = cut.levels[i].size;
                i += 1;
            }
        } else {
            cut.choose_tile(side);
        }
        // Parameters that change from element to element have to fit their table.
        if cut.count > 0 {
            let last = cut.count - 1;
            if cut.levels[last].parameter != 0 && cut.tile[last] > PERIOD {
                cut.tile[last] = PERIOD;
            }
        }
        let mut i = 0;
        while i < cut.count {
            if cut.levels[i].size % cut.tile[i] != 0 {
                cut.ragged += 1;
            }
            i += 1;
        }
        cut
    }

    /// The levels from the largest to the smallest stride on `side`.
    const fn sort(&mut self, levels: &[Level], side: Side) {
        let mut i = 0;
        while i < levels.len() {
            let stride = side.stride(&levels[i]).unsigned_abs();
            let mut at = i;
            while at > 0 && side.stride(&self.levels[at - 1]).unsigned_abs() < stride {
                self.levels[at] = self.levels[at - 1];
                at -= 1;
            }
            self.levels[at] = levels[i];
            i += 1;
        }
    }

    /// How many of the fastest loops lie together on both sides in the same order, where these
    /// are worth converting in place.
    const fn together(&self) -> usize {
        let mut length = 1;
        let mut loops = 0;
        while loops < self.count && loops < Pass::CAPACITY {
            let level = &self.levels[self.count - 1 - loops];
            if level.source != length as isize || level.destination != length as isize {
                break;
            }
            length *= level.size;
            loops += 1;
        }
        if loops == self.count || length >= RUN { loops } else { 0 }
    }

    /// Chooses a tile that fits the scratch: long enough on the side that is reordered to fill
    /// lines there, and beyond that as long as can be on the other.
    const fn choose_tile(&mut self, side: Side) {
        let mut element = 0;
        if self.gathers {
            element += self.source_bits.div_ceil(8);
        }
        if self.scatters {
            element += self.destination_bits.div_ceil(8);
        }
        let most = (SCRATCH - LINE) / element;
        let (other, other_bits) = match side {
            Side::Source => (Side::Destination, self.destination_bits),
            Side::Destination => (Side::Source, self.source_bits),
        };
        let line = LINE / other_bits.div_ceil(8);
        let mut elements = 1;
        let mut loops = 0;
        while elements < line && loops < Pass::CAPACITY - 2 {
            let Some(i) = self.fastest_left(other) else { break };
            let size = self.levels[i].size;
            let wanted = line.div_ceil(elements);
            let pieces = if size / wanted > 1 { size / wanted } else { 1 };
            self.tile[i] = size.div_ceil(pieces);
            elements *= self.tile[i];
            loops += 1;
        }
        let mut i = self.count;
        while i > 0 && loops < Pass::CAPACITY {
            i -= 1;
            let size = self.levels[i].size;
            let room = most / (elements / self.tile[i]);
            let own = if room >= size { size } else { even_part(size, room) };
            if own <= self.tile[i] {
                if self.tile[i] < size {
                    break;
                }
                continue;
            }
            if self.tile[i] == 1 {
                loops += 1;
            }
            elements = elements / self.tile[i] * own;
            self.tile[i] = own;
            if own < size {
                break;
            }
        }
    }

    /// The loop of the smallest stride on `side` that the tile does not have yet.
    const fn fastest_left(&self, side: Side) -> Option<usize> {
        let mut fastest: Option<usize> = None;
        let mut i = 0;
        while i < self.count {
            let stride = side.stride(&self.levels[i]).unsigned_abs();
            let faster = match fastest {
                Some(other) => stride < side.stride(&self.levels[other]).unsigned_abs(),
                None => true,
            };
            if self.tile[i] == 1 && faster {
                fastest = Some(i);
            }
            i += 1;
        }
        fastest
    }

    /// The pass that `ends` says.
    const fn pass(&self) -> Pass {
        let mut pass = Pass {
            start: self.start,
            tiles: [Level::ONCE; MAX_LEVELS],
            tile_count: 0,
            inner: [Level::ONCE; Pass::CAPACITY],
            inner_count: 0,
            gather: Move::Stay,
            scatter: Move::Stay,
            runs: [Level::ONCE; Pass::CAPACITY],
            run_count: 0,
            rows: Level::ONCE,
            period: Level { source: 1, destination: 1, ..Level::ONCE },
            periods: 1,
        };
        let mut ragged = 0;
        let mut i = 0;
        while i < self.count {
            let level = self.levels[i];
            let mut steps = self.tile[i];
            let mut tiles = level.size / steps;
            if level.size % steps != 0 {
                if self.ends >> ragged & 1 == 1 {
                    pass.start = pass.start.stepped(&level, (tiles * steps) as isize);
                    steps = level.size % steps;
                    tiles = 1;
                }
                ragged += 1;
            }
            if steps > 1 {
                pass.inner[pass.inner_count] = Level { size: steps, ..level };
                pass.inner_count += 1;
            }
            if tiles > 1 {
                let far = steps as isize;
                let level = Level {
                    size: tiles,
                    source: level.source * far,
                    destination: level.destination * far,
                    parameter: level.parameter * far,
                };
                pass.tiles[pass.tile_count] = level;
                pass.tile_count += 1;
            }
            i += 1;
        }
        pass.complete(self);
        pass
    }
}

/// The size of parts of at most `most` steps that a loop is cut into, all about as long; whole
/// lines of bytes, so that what begins at a line goes on so.
const fn even_part(size: usize, most: usize) -> usize {
    let part = size.div_ceil(size.div_ceil(most));
    let lines = part.next_multiple_of(LINE);
    if lines <= most { lines } else { part }
}

/// One of the two layouts.
#[derive(Clone, Copy)]
enum Side {
    Source,
    Destination,
}

impl Side {
    const fn stride(self, level: &Level) -> isize {
        match self {
            Self::Source => level.source,
            Self::Destination => level.destination,
        }
    }
}

/// Whether every element has its own place on `side`, and some lie next to each other, upwards.
const fn lie_together(levels: &[Level], side: Side) -> bool {
    let mut next = levels.is_empty();
    let mut i = 0;
    while i < levels.len() {
        match side.stride(&levels[i]) {
            0 => return false,
            1 => next = true,
            _ => {}
        }
        i += 1;
    }
    next
}
