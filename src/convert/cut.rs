//! Cuts a box into tiles of one shape, and into the shorter tiles at the ends of its loops.

use layout_kernels::{Isa, LINE, PERIOD, Stores};
use layout_types::nests::{Level, MAX_LEVELS, Nest, Pair, Place};

use super::pass::{Pass, SCRATCH, Side};

/// The minimal number of elements of a run for which converting in place is worthwhile.
const RUN: usize = 64;

/// A box cut into tiles.
pub(super) struct Cut {
    start: Place,
    /// The loops in the order of the scratch buffer, slowest first.
    levels: [Level; MAX_LEVELS],
    /// The number of steps of each loop in a tile.
    tile: [usize; MAX_LEVELS],
    count: usize,
    source_bits: usize,
    destination_bits: usize,
    gathers: bool,
    scatters: bool,
    /// The stores from the scratch buffer to the destination: non-temporal or not.
    stores: Stores,
    /// The instruction set of the kernels that move tiles.
    isa: Isa,
    /// The number of loops whose length is not a multiple of their tile.
    ragged: usize,
    /// The next pass, as one bit for each ragged loop: set if the pass covers the end that is shorter than a tile.
    ends: usize,
}

impl Cut {
    pub(super) const fn of(nest: &Nest, pair: &Pair, stores: Stores, isa: Isa) -> Self {
        let (source_bits, destination_bits) =
            (pair.source().element().bits(), pair.destination().element().bits());
        let mut cut = Self {
            start: nest.start(),
            levels: [Level::ONCE; MAX_LEVELS],
            tile: [1; MAX_LEVELS],
            count: nest.levels().len(),
            source_bits,
            destination_bits,
            gathers: true,
            scatters: true,
            stores,
            isa,
            ragged: 0,
            ends: 0,
        };
        let source_lies = source_bits >= 8 && lie_together(nest.levels(), Side::Source);
        let destination_lies =
            destination_bits >= 8 && lie_together(nest.levels(), Side::Destination);
        // Kernels that convert have no non-temporal stores; the copy out of the scratch buffer has them.
        let past = !matches!(stores, Stores::Cached);
        // Runs are contiguous on the side of the larger elements, if they are contiguous on any side.
        let side = if source_lies && (source_bits > destination_bits || !destination_lies) {
            cut.scatters = true;
            cut.gathers = false;
            Side::Source
        } else {
            cut.gathers = true;
            cut.scatters = !destination_lies || past;
            Side::Destination
        };
        cut.sort(nest.levels(), side);
        let together = if source_lies && destination_lies { cut.together() } else { 0 };
        if together > 0 {
            cut.gathers = false;
            cut.scatters = past;
        }
        if together > 0 && !past {
            let mut i = cut.count - together;
            while i < cut.count {
                cut.tile[i] = cut.levels[i].size;
                i += 1;
            }
        } else {
            cut.choose_tile(side);
        }
        cut.fit_parameters();
        cut.ragged = cut.count_ragged();
        cut
    }

    /// Shortens tiles until the parameters that change from element to element fit their table.
    const fn fit_parameters(&mut self) {
        if self.count > 0 {
            let last = self.count - 1;
            if self.levels[last].parameter != 0 && self.tile[last] > PERIOD {
                self.tile[last] = PERIOD;
            }
        }
    }

    /// Returns the number of loops whose lengths are not multiples of their tiles.
    const fn count_ragged(&self) -> usize {
        let mut ragged = 0;
        let mut i = 0;
        while i < self.count {
            if self.levels[i].size % self.tile[i] != 0 {
                ragged += 1;
            }
            i += 1;
        }
        ragged
    }

    /// Sorts the loops by their strides on `side`, largest first.
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

    /// Returns the number of fastest loops that are contiguous on both sides in the same order, or 0 if their run is
    /// too short to be converted in place.
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

    /// Chooses a tile that fits the scratch buffer. It is long enough to fill cache lines on the side that is
    /// reordered, and then as long as possible on the other side.
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

    /// Returns the loop with the smallest stride on `side` that the tile does not contain yet.
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

    /// Whether [`set_next`](Self::set_next) has set every pass.
    pub(super) const fn is_empty(&self) -> bool {
        self.ends >> self.ragged == 1
    }

    /// Sets the next pass.
    pub(super) const fn set_next(&mut self, pass: &mut Pass) {
        pass.restart(self.start);
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
                pass.push_inner(Level { size: steps, ..level });
            }
            if tiles > 1 {
                let far = steps as isize;
                let level = Level {
                    size: tiles,
                    source: level.source * far,
                    destination: level.destination * far,
                    parameter: level.parameter * far,
                };
                pass.push_tiles(level);
            }
            i += 1;
        }
        pass.complete(
            if self.gathers { Some(self.source_bits) } else { None },
            if self.scatters { Some(self.destination_bits) } else { None },
            self.stores,
            self.isa,
        );
        self.ends += 1;
    }
}

/// Returns the size of the parts of at most `most` steps into which a loop is cut. If possible, a part is a whole
/// number of cache lines, since only whole lines can be stored non-temporally. Otherwise the parts have about the
/// same length.
const fn even_part(size: usize, most: usize) -> usize {
    let part = size.div_ceil(size.div_ceil(most));
    let lines = part.next_multiple_of(LINE);
    if lines <= most {
        lines
    } else if most >= LINE {
        most / LINE * LINE
    } else {
        part
    }
}

/// Whether each element has an offset of its own on `side` and some loop has stride 1 there.
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
