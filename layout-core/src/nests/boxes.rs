//! Divides a relayout into boxes of coordinates in which both offsets are affine: the loops over
//! [several](super::several) layouts, for two of them. Most relayouts are one box.

use super::levels::{Level, Place};
use super::nest::Nest;
use super::pair::Pair;
use super::several::{Loop, Several};
use super::sides::Weights;
use super::swizzled::Swizzles;

/// Iterates over the boxes of a pair of layouts.
///
/// Law: every coordinate is in exactly one box.
pub struct Boxes<'a> {
    pair: &'a Pair,
    several: Several<'a, 2>,
    /// The current box.
    nest: Nest,
}

impl<'a> Boxes<'a> {
    /// Returns the boxes of `pair`. The coordinates of axis `parameters` of the destination index the parameters of a
    /// conversion.
    pub const fn new(pair: &'a Pair, parameters: Option<usize>) -> Self {
        let swizzles = Swizzles::of(&pair.source, &pair.destination);
        let start = Place { source: 0, destination: 0, parameter: 0 };
        let several = Several::of_pair(pair, parameters);
        Self { pair, several, nest: Nest::between(start, swizzles) }
    }

    /// Whether there is no further box.
    pub const fn is_done(&self) -> bool {
        self.several.is_done()
    }

    /// Returns the next box as a loop nest. It is borrowed because it takes a kilobyte.
    pub const fn next(&mut self) -> Option<&Nest> {
        let Some(loops) = self.several.next_box() else { return None };
        let ([source, destination], parameter) = (loops.start, loops.parameter);
        self.nest.restart(Place { source, destination, parameter });
        let mut i = 0;
        while i < loops.count {
            let Loop { size, strides: [source, destination], parameter } = loops.list[i];
            self.nest.append(Level { size, source, destination, parameter });
            i += 1;
        }
        Some(&self.nest)
    }

    /// An axis with blocks that do not divide each other, and the sizes of two such blocks in coordinates.
    pub const fn unlike_blocks(&self) -> Option<(char, [usize; 2])> {
        let pair = self.pair;
        let mut axis = 0;
        while axis < pair.destination.rank() {
            let mut weights = Weights::one();
            weights.add(&pair.source.stored(pair.axes[axis]));
            weights.add(&pair.destination.stored(axis));
            if let Some(blocks) = weights.unlike() {
                return Some((pair.destination.letters().at(axis), blocks));
            }
            axis += 1;
        }
        None
    }
}
