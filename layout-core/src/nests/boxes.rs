//! Divides a relayout into boxes of coordinates in which both offsets are affine.
//!
//! An axis has no single stride for each loop if its extent is not a multiple of its blocks, or if the blocks of the
//! two sides do not divide each other. Such an axis is divided into pieces that have one, and the boxes are the
//! products of the pieces of all axes. Most relayouts are one box.

use super::levels::{Level, Place};
use super::nest::Nest;
use super::pair::Pair;
use super::sides::{Side, Weights, linear_offset};
use super::swizzled::Swizzles;
use crate::spec::{MAX_RANK, least};

/// Iterates over the boxes of a pair of layouts.
///
/// Law: every coordinate is in exactly one box.
pub struct Boxes<'a> {
    pair: &'a Pair,
    /// The axis of the destination whose coordinates index parameters.
    parameters: Option<usize>,
    /// The start of the next box, as a coordinate of the destination.
    start: [usize; MAX_RANK],
    /// The current box.
    nest: Nest,
    done: bool,
}

impl<'a> Boxes<'a> {
    /// Returns the boxes of `pair`. The coordinates of axis `parameters` of the destination index the parameters of a
    /// conversion.
    pub const fn new(pair: &'a Pair, parameters: Option<usize>) -> Self {
        Self {
            pair,
            parameters,
            start: [0; MAX_RANK],
            nest: Nest::between(
                Place { source: 0, destination: 0, parameter: 0 },
                Swizzles::of(&pair.source, &pair.destination),
            ),
            done: pair.destination.numel() == 0,
        }
    }

    /// Whether there is no further box.
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the next box as a loop nest. It is borrowed because it takes a kilobyte.
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
            source: linear_offset(&pair.source, &from),
            destination: linear_offset(&pair.destination, &self.start),
            parameter: match self.parameters {
                Some(axis) => self.start[axis],
                None => 0,
            },
        });
        let mut lengths = [0; MAX_RANK];
        let mut axis = 0;
        while axis < rank {
            lengths[axis] = self.add_piece(axis);
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

    /// An axis with blocks that do not divide each other, and the sizes of two such blocks in coordinates.
    pub const fn unlike_blocks(&self) -> Option<(char, [usize; 2])> {
        let pair = self.pair;
        let mut axis = 0;
        while axis < pair.destination.rank() {
            let source = Side::of(&pair.source, pair.axes[axis]);
            let weights = Weights::of(&source, &Side::of(&pair.destination, axis));
            if let Some(blocks) = weights.unlike() {
                return Some((pair.destination.letters().at(axis), blocks));
            }
            axis += 1;
        }
        None
    }

    /// Adds the loops of the longest affine piece of `axis` from the start of the box. Returns the number of its
    /// coordinates.
    const fn add_piece(&mut self, axis: usize) -> usize {
        let start = self.start[axis];
        let rest = self.pair.destination.extents[axis] - start;
        if rest == 1 {
            // One coordinate has no loop.
            return 1;
        }
        let source = Side::of(&self.pair.source, self.pair.axes[axis]);
        let destination = Side::of(&self.pair.destination, axis);
        let sides = (&source, &destination, is_indexed(self.parameters, axis));
        if source.is_whole() && destination.is_whole() {
            let (source, destination) = (source.stride(), destination.stride());
            let parameter = sides.2 as isize;
            self.nest.push(Level { size: rest, source, destination, parameter });
            return rest;
        }
        // Added here, since weights that a function returns are copied.
        let mut weights = Weights::one();
        weights.add(&source);
        weights.add(&destination);
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
        let (top, steps) = weights.piece(start + shift, rest);
        let weight = weights.list[top];
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

/// Whether the coordinates of an axis index parameters.
const fn is_indexed(parameters: Option<usize>, axis: usize) -> bool {
    matches!(parameters, Some(own) if own == axis)
}

/// A loop of `size` steps, each of `weight` coordinates of an axis, which may index the parameters.
const fn level(
    (source, destination, parameter): (&Side<'_>, &Side<'_>, bool),
    size: usize,
    weight: usize,
) -> Level {
    let parameter = if parameter { weight as isize } else { 0 };
    let (source, destination) = (source.step(weight), destination.step(weight));
    Level { size, source, destination, parameter }
}

/// The position of coordinate 0, if it is the same in all digits of both sides.
const fn common_shift(a: &Side<'_>, b: &Side<'_>) -> Option<usize> {
    if b.stands_at(a.shift()) {
        Some(a.shift())
    } else if a.stands_at(b.shift()) {
        Some(b.shift())
    } else {
        None
    }
}
