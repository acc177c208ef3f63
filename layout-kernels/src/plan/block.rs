//! Blocks: two or three vectors that follow one another in the destination, made of the same number of loads.

use super::costs;
use super::loads::{MAX_DIGITS, Shape, Units, Window};
use super::nests::Nest;
use super::shared::{Costed, share};
use crate::isa::Isa;
use crate::steps::{MAX_LOOPS, MAX_OUTPUTS, MAX_PLANES, Permutation, balanced};

/// The maximal number of vectors of a block.
const MAX_BLOCK: usize = 3;

/// Returns the cheapest block.
pub(super) const fn block(nest: &Nest, isa: Isa) -> Option<Costed> {
    if !isa.shares_loads() || nest.padding.is_some() || !cfg!(vectors) {
        return None;
    }
    let (mut best, bytes) = (None, isa.permute());
    let mut least = usize::MAX;
    let mut shape = Shape { count: 0, last: 1, valid: nest.unit, pads: false, has_gaps: false };
    while shape.count < nest.count && shape.count < MAX_DIGITS {
        let (own, most) = (nest.loops[shape.count], MAX_BLOCK * bytes / shape.valid);
        if !own.follows(shape.valid) || most < 2 {
            break;
        }
        let last = balanced(own.size, most);
        shape = Shape { count: shape.count + 1, last, valid: shape.valid * last, ..shape };
        let loads = Loads::of(nest, &shape, bytes).count;
        if shape.valid > bytes && loads > 1 && loads <= MAX_BLOCK {
            let outputs = shape.valid.div_ceil(bytes);
            let cost = costs::block(if loads > outputs { loads } else { outputs }, shape.valid);
            let cost = share(cost, own.size.div_ceil(last) * last, own.size);
            if cost < least {
                least = cost;
                best = Some(Costed { shape, plane: MAX_LOOPS, planes: 1, loads: 0, cost });
            }
        }
        if last < own.size {
            break;
        }
    }
    best
}

/// The loads of a block: vectors of the source that follow one another, or the windows of its units if these are fewer.
struct Loads {
    count: usize,
    in_turn: bool,
}

impl Loads {
    const fn of(nest: &Nest, shape: &Shape, bytes: usize) -> Self {
        let (low, high) = shape.span(nest);
        let in_turn = Self { count: ((high - low) as usize).div_ceil(bytes), in_turn: true };
        // Longer units are in no window.
        if in_turn.count < 3 || nest.unit >= bytes {
            return in_turn;
        }
        let windows = shape.windows(nest, Window::of(bytes));
        if in_turn.count <= windows { in_turn } else { Self { count: windows, in_turn: false } }
    }
}

impl Permutation {
    /// Makes a block of a shape. The last vector of the destination may overlap the one before it.
    pub(super) const fn set_block(
        &mut self,
        nest: &Nest,
        shape: &Shape,
        reach: (isize, isize),
        bytes: usize,
    ) -> bool {
        let (mut all, valid) = (Units::NONE, shape.valid);
        all.set_windows(nest, shape, bytes);
        let outputs = valid.div_ceil(bytes);
        let count = if all.windows > outputs { all.windows } else { outputs };
        if count > MAX_BLOCK || !self.place_windows(&mut all, nest, reach, bytes) {
            return false;
        }
        (self.parts, self.outputs, self.valid, self.stored) = (count, count, valid, bytes);
        let mut i = 0;
        while i < count {
            let (begin, last) = (i * bytes, valid - bytes);
            self.output_offsets[i % MAX_PLANES] = if begin < last { begin } else { last } as isize;
            i += 1;
        }
        let (mut at, mut place) = (Counter::START, 0);
        while place < valid {
            let mut byte = 0;
            while byte < nest.unit {
                self.set_byte(&all, at.offset + byte as isize, place + byte, bytes);
                byte += 1;
            }
            place += nest.unit;
            at.step(nest, shape);
        }
        true
    }

    /// Makes byte `place` of a block byte `offset` of the source, in the vectors of the destination that have it.
    const fn set_byte(&mut self, all: &Units, offset: isize, place: usize, bytes: usize) {
        let part = all.window_of(offset, 1, bytes);
        let mut output = 0;
        while output < self.outputs {
            let begin = self.output_offsets[output % MAX_PLANES] as usize;
            if begin <= place && place < begin + bytes {
                let index = (offset - all.starts[part % MAX_BLOCK]) as u8;
                self.tables[part * MAX_OUTPUTS + output][place - begin] = index;
            }
            output += 1;
        }
    }
}

impl Units {
    /// Sets the windows of a block. They follow one another, or each begins at the first unit of the destination that
    /// is in none before it. Sets more than a block may have if these are too many.
    const fn set_windows(&mut self, nest: &Nest, shape: &Shape, bytes: usize) {
        let Loads { count, in_turn } = Loads::of(nest, shape, bytes);
        if in_turn {
            let (low, high) = shape.span(nest);
            while self.windows < count && self.windows <= MAX_BLOCK {
                let (begin, last) = (low + (self.windows * bytes) as isize, high - bytes as isize);
                self.starts[self.windows] = if begin < last { begin } else { last };
                self.ends[self.windows] = self.starts[self.windows] + bytes as isize;
                self.windows += 1;
            }
            return;
        }
        let (mut at, mut place) = (Counter::START, 0);
        while place < shape.valid && self.windows <= MAX_BLOCK {
            let own = self.window_of(at.offset, nest.unit, bytes);
            let end = at.offset + nest.unit as isize;
            if own == self.windows {
                (self.starts[own], self.ends[own]) = (at.offset, end);
                self.windows += 1;
            } else if end > self.ends[own] {
                self.ends[own] = end;
            }
            place += nest.unit;
            at.step(nest, shape);
        }
    }

    /// Returns the window of these bytes of the source, or the number of windows if they are in none.
    const fn window_of(&self, offset: isize, count: usize, bytes: usize) -> usize {
        let mut own = 0;
        while own < self.windows {
            let within = offset - self.starts[own];
            if within >= 0 && within as usize + count <= bytes {
                return own;
            }
            own += 1;
        }
        own
    }
}

/// A counter of digits over the units of a shape.
struct Counter {
    at: [usize; MAX_DIGITS],
    /// The offset of the unit in the source.
    offset: isize,
}

impl Counter {
    const START: Self = Self { at: [0; MAX_DIGITS], offset: 0 };

    /// Goes to the next unit of the destination.
    const fn step(&mut self, nest: &Nest, shape: &Shape) {
        let mut digit = 0;
        while digit < shape.count {
            let (source, size) = (nest.loops[digit].source, shape.chunk(nest, digit));
            self.at[digit] += 1;
            self.offset += source;
            if self.at[digit] < size {
                return;
            }
            self.offset -= source * size as isize;
            self.at[digit] = 0;
            digit += 1;
        }
    }
}
