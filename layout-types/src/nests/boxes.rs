//! Cuts a relayout into boxes of coordinates over which both offsets are affine.
//!
//! An axis whose extent is not a multiple of its blocks, or whose two sides have blocks that do
//! not divide each other, has no single stride for each loop. It is cut into pieces that have,
//! and the boxes are the products of the pieces of all axes. Most relayouts are one box.

use super::levels::{Level, Place};
use super::nest::Nest;
use super::pair::Pair;
use super::swizzled::Swizzles;
use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, MAX_RANK};

/// The boxes of a pair of layouts, one after the other.
///
/// Law: every coordinate is in exactly one box.
pub struct Boxes<'a> {
    pair: &'a Pair,
    /// The axis of the destination whose coordinates are counted as parameters.
    parameters: Option<usize>,
    /// Where the next box begins, as a coordinate of the destination.
    start: [usize; MAX_RANK],
    /// The loops of axes that neither side cuts into blocks: the same in every box.
    whole: [Option<Level>; MAX_RANK],
    /// The box that [`next`](Self::next) was last called for.
    nest: Nest,
    done: bool,
}

impl<'a> Boxes<'a> {
    /// The boxes of `pair`. The coordinates of axis `parameters` of the destination are counted as
    /// parameters of a conversion.
    pub const fn new(pair: &'a Pair, parameters: Option<usize>) -> Self {
        let nest = Nest::at(Place { source: 0, destination: 0, parameter: 0 })
            .with_swizzles(Swizzles::of(&pair.source, &pair.destination));
        let done = pair.destination.count() == 0;
        let whole = [None; MAX_RANK];
        let mut boxes = Self { pair, parameters, start: [0; MAX_RANK], whole, nest, done };
        let mut axis = 0;
        while axis < pair.destination.rank() {
            let (source, destination) = boxes.sides(axis);
            if source.is_whole() && destination.is_whole() {
                let sides = (&source, &destination, boxes.has_parameters(axis));
                boxes.whole[axis] = Some(level(sides, pair.destination.extents[axis], 1));
            }
            axis += 1;
        }
        boxes
    }

    /// The next box as a loop nest, which is lent: it takes a kilobyte.
    pub const fn next(&mut self) -> Option<&Nest> {
        if self.done {
            return None;
        }
        let pair = self.pair;
        let rank = pair.destination.rank();
        let mut from = [0; MAX_RANK];
        let mut axis = 0;
        while axis < rank {
            from[pair.axes[axis]] = self.start[axis];
            axis += 1;
        }
        self.nest.restart(Place {
            source: pair.source.linear().offset(from.split_at(rank).0),
            destination: pair.destination.linear().offset(self.start.split_at(rank).0),
            parameter: match self.parameters {
                Some(axis) => self.start[axis],
                None => 0,
            },
        });
        let mut lengths = [0; MAX_RANK];
        let mut axis = 0;
        while axis < rank {
            lengths[axis] = match self.whole[axis] {
                Some(level) => {
                    self.nest.push(level);
                    level.size
                }
                None => self.add_piece(axis),
            };
            axis += 1;
        }
        self.done = true;
        let mut axis = rank;
        while axis > 0 && self.done {
            axis -= 1;
            self.start[axis] += lengths[axis];
            if self.start[axis] < pair.destination.extents[axis] {
                self.done = false;
            } else {
                self.start[axis] = 0;
            }
        }
        self.nest.merge();
        Some(&self.nest)
    }

    /// An axis with blocks that do not divide each other, and how many coordinates two of them hold.
    pub const fn unlike_blocks(&self) -> Option<(char, [usize; 2])> {
        let pair = self.pair;
        let mut axis = 0;
        while axis < pair.destination.rank() {
            let (source, destination) = self.sides(axis);
            let weights = Weights::of(&source, &destination);
            if let Some(blocks) = weights.unlike() {
                return Some((pair.destination.letters().at(axis), blocks));
            }
            axis += 1;
        }
        None
    }

    /// An axis of the destination on both sides.
    const fn sides(&self, axis: usize) -> (Side<'a>, Side<'a>) {
        let pair = self.pair;
        (Side::of(&pair.source, pair.axes[axis]), Side::of(&pair.destination, axis))
    }

    /// Whether the coordinates of an axis are counted as parameters.
    const fn has_parameters(&self, axis: usize) -> bool {
        matches!(self.parameters, Some(own) if own == axis)
    }

    /// Adds the loops of the longest affine piece of `axis` from where the box begins, and
    /// returns how many coordinates it covers.
    const fn add_piece(&mut self, axis: usize) -> usize {
        let start = self.start[axis];
        let (source, destination) = self.sides(axis);
        let rest = self.pair.destination.extents[axis] - start;
        let sides = (&source, &destination, self.has_parameters(axis));
        let weights = Weights::of(&source, &destination);
        let shift = match common_shift(&source, &destination) {
            Some(shift) if weights.nested() => shift,
            _ => {
                // Up to the next end of a block on either side.
                let length =
                    least(rest, least(source.until_end(start), destination.until_end(start)));
                self.nest.push(level(sides, length, 1));
                return length;
            }
        };
        // The largest weight of which whole steps remain and that the piece begins at a multiple
        // of: its steps, up to where the next larger weight begins, then the digits below it.
        let position = start + shift;
        let mut top = weights.count - 1;
        while weights.list[top] > rest || position % weights.list[top] != 0 {
            top -= 1;
        }
        let weight = weights.list[top];
        let mut steps = rest / weight;
        if top + 1 < weights.count {
            let larger = weights.list[top + 1];
            steps = least(steps, (larger - position % larger) / weight);
        }
        self.nest.push(level(sides, steps, weight));
        let mut i = top;
        while i > 0 {
            i -= 1;
            let weight = weights.list[i];
            let size = weights.list[i + 1] / weight;
            self.nest.push(level(sides, size, weight));
        }
        steps * weight
    }
}

/// A loop of `size` steps, each `weight` coordinates of an axis, which may have the parameters.
const fn level(
    (source, destination, parameter): (&Side<'_>, &Side<'_>, bool),
    size: usize,
    weight: usize,
) -> Level {
    let parameter = if parameter { weight as isize } else { 0 };
    let (source, destination) = (source.step(weight), destination.step(weight));
    Level { size, source, destination, parameter }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// Where coordinate 0 stands on both sides, if it stands at the same place of all their digits.
const fn common_shift(a: &Side<'_>, b: &Side<'_>) -> Option<usize> {
    if b.stands_at(a.shift()) {
        Some(a.shift())
    } else if a.stands_at(b.shift()) {
        Some(b.shift())
    } else {
        None
    }
}

/// One axis of one layout: which of its digits are those of the axis. They are looked for once, for
/// const evaluation pays for every call and every digit of another axis.
struct Side<'a> {
    layout: &'a Layout,
    digits: [u8; MAX_FACTORS],
    count: usize,
}

impl<'a> Side<'a> {
    const fn of(layout: &'a Layout, axis: usize) -> Self {
        let mut new = Self { layout, digits: [0; MAX_FACTORS], count: 0 };
        let mut i = 0;
        while i < layout.digit_count {
            if layout.digits[i].axis == axis {
                new.digits[new.count] = i as u8;
                new.count += 1;
            }
            i += 1;
        }
        new
    }

    /// Digit number `i` of the axis.
    const fn digit(&self, i: usize) -> &'a Digit {
        &self.layout.digits[self.digits[i] as usize]
    }

    /// Whether the axis is not cut into blocks, and so one loop.
    const fn is_whole(&self) -> bool {
        self.count == 1 && self.digit(0).weight == 1
    }

    /// Where coordinate 0 stands.
    const fn shift(&self) -> usize {
        if self.count == 0 { 0 } else { self.digit(0).shift }
    }

    /// Whether the digits end where they would if coordinate 0 stood at `shift`.
    const fn stands_at(&self, shift: usize) -> bool {
        let mut same = true;
        let mut i = 0;
        while i < self.count {
            let digit = self.digit(i);
            // Divisions are most of what an axis costs at run time.
            same &= digit.weight == 1
                || digit.shift == shift
                || digit.shift % digit.weight == shift % digit.weight;
            i += 1;
        }
        same
    }

    /// How many coordinates are left to the next end of a block, from `start` on.
    const fn until_end(&self, start: usize) -> usize {
        let mut length = usize::MAX;
        let mut i = 0;
        while i < self.count {
            let digit = self.digit(i);
            if digit.weight > 1 {
                length = least(length, digit.weight - (start + digit.shift) % digit.weight);
            }
            i += 1;
        }
        length
    }

    /// How far `weight` coordinates are, inside the digit that they are a multiple of.
    const fn step(&self, weight: usize) -> isize {
        let mut best = &Digit::NONE;
        let mut i = 0;
        while i < self.count {
            let digit = self.digit(i);
            if digit.weight <= weight && digit.weight >= best.weight {
                best = digit;
            }
            i += 1;
        }
        if best.weight == weight {
            return best.stride;
        }
        best.stride * (weight / best.weight) as isize
    }
}

/// The weights of an axis on both sides, ascending, each once; the first is 1.
struct Weights {
    list: [usize; 2 * MAX_FACTORS],
    count: usize,
}

impl Weights {
    const fn of(a: &Side<'_>, b: &Side<'_>) -> Self {
        let mut new = Self { list: [1; 2 * MAX_FACTORS], count: 1 };
        let mut i = 0;
        while i < a.count {
            new.insert(a.digit(i).weight);
            i += 1;
        }
        let mut i = 0;
        while i < b.count {
            new.insert(b.digit(i).weight);
            i += 1;
        }
        new
    }

    const fn insert(&mut self, weight: usize) {
        let mut at = self.count;
        while at > 0 && self.list[at - 1] > weight {
            at -= 1;
        }
        if at > 0 && self.list[at - 1] == weight {
            return;
        }
        let mut i = self.count;
        while i > at {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[at] = weight;
        self.count += 1;
    }

    /// Whether each divides the next.
    const fn nested(&self) -> bool {
        self.unlike().is_none()
    }

    /// Two neighbours of which the first does not divide the second.
    const fn unlike(&self) -> Option<[usize; 2]> {
        let mut i = 1;
        while i < self.count {
            if self.list[i] % self.list[i - 1] != 0 {
                return Some([self.list[i - 1], self.list[i]]);
            }
            i += 1;
        }
        None
    }
}
