//! Divides the loops of a box into the three dimensions of a descriptor that are not distributed over lanes, and the
//! remaining loops.

use layout_core::nests::{Level, MAX_LEVELS, Nest};

/// The dimensions of a descriptor, except the one that is distributed over lanes.
const KEPT: usize = 3;

/// The loops of a box, from the slowest to the fastest. The source stride is the one in global memory, the destination
/// stride the one in a lane.
pub(crate) struct Dimensions {
    levels: [Level; MAX_LEVELS],
    count: usize,
    /// Whether each loop is a dimension of the descriptor. Each step of the other loops is a separate descriptor.
    kept: [bool; MAX_LEVELS],
    index: [usize; MAX_LEVELS],
}

impl Dimensions {
    /// The loops of `nest`. Its source is global memory if `load`, and a lane otherwise.
    pub(crate) const fn of(nest: &Nest, load: bool) -> Self {
        let mut new = Self {
            levels: [Level::ONCE; MAX_LEVELS],
            count: nest.levels().len(),
            kept: [false; MAX_LEVELS],
            index: [0; MAX_LEVELS],
        };
        layout_core::each!(i, 0..new.count, {
            new.levels[i] = nest.levels()[i];
            if !load {
                let [source, destination] = new.levels[i].strides;
                new.levels[i].strides = [destination, source];
            }
        });
        new
    }

    /// Adds one loop, which becomes the slowest.
    pub(crate) const fn with(mut self, level: Level) -> Self {
        if level.size == 1 {
            return self;
        }
        let mut i = self.count;
        while i > 0 {
            self.levels[i] = self.levels[i - 1];
            i -= 1;
        }
        self.levels[0] = level;
        self.count += 1;
        self
    }

    /// Converts counts from elements to bytes of `per_byte` elements. Returns false if these do not stay together.
    pub(crate) const fn count_bytes(&mut self, per_byte: usize) -> bool {
        let step = per_byte as isize;
        let (mut bytes, mut whole) = (per_byte == 1, true);
        layout_core::each!(i, 0..self.count, {
            let Level { size, strides: [source, destination], .. } = self.levels[i];
            if !bytes && source == 1 && destination == 1 && size % per_byte == 0 {
                self.levels[i].size = size / per_byte;
                bytes = true;
            } else {
                whole &= source % step == 0 && destination % step == 0;
                self.levels[i].strides = [source / step, destination / step];
            }
        });
        bytes && whole
    }

    /// Keeps the loops of the most steps, so that the others need the fewest descriptors.
    pub(crate) const fn keep_largest(&mut self) {
        let mut kept = 0;
        while kept < KEPT && kept < self.count {
            let mut best: Option<usize> = None;
            layout_core::each!(i, 0..self.count, {
                best = match best {
                    _ if self.kept[i] => best,
                    Some(other) if self.levels[i].size < self.levels[other].size => best,
                    _ => Some(i),
                };
            });
            let Some(best) = best else { return };
            self.kept[best] = true;
            kept += 1;
        }
    }

    /// The loops that are kept, from the slowest to the fastest, preceded by loops of one step.
    pub(crate) const fn kept(&self) -> [Level; KEPT] {
        let mut kept = [Level::ONCE; KEPT];
        let mut free = KEPT;
        let mut i = self.count;
        while i > 0 && free > 0 {
            i -= 1;
            if self.kept[i] {
                free -= 1;
                kept[free] = self.levels[i];
            }
        }
        kept
    }

    /// The offsets of the current step of the other loops, in global memory and in a lane.
    pub(crate) const fn way(&self) -> (isize, isize) {
        let (mut global, mut local) = (0, 0);
        layout_core::each!(i, 0..self.count, {
            global += self.index[i] as isize * self.levels[i].strides[0];
            local += self.index[i] as isize * self.levels[i].strides[1];
        });
        (global, local)
    }

    /// Moves to the next step of the other loops. Returns false after the last.
    pub(crate) const fn advance(&mut self) -> bool {
        layout_core::each!(rev i, 0..self.count, {
            if self.kept[i] {
                continue;
            }
            self.index[i] += 1;
            if self.index[i] < self.levels[i].size {
                return true;
            }
            self.index[i] = 0;
        });
        false
    }
}
