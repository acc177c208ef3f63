//! Levels: loops over elements of a source and a destination.

use super::swizzled::Swizzles;
use crate::spec::MAX_FACTORS;

/// The largest number of levels of a nest: the digits of two layouts, and one more for each axis that they divide
/// differently.
pub const MAX_LEVELS: usize = 2 * MAX_FACTORS;

/// One loop: a number of steps, and the strides of a step in the source, in the destination and in the parameters of a
/// conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number of steps.
    pub size: usize,
    /// The stride in the source, in elements.
    pub source: isize,
    /// The stride in the destination, in elements.
    pub destination: isize,
    /// The stride in the parameters.
    pub parameter: isize,
}

impl Level {
    /// A loop of one step.
    pub const ONCE: Self = Self { size: 1, source: 0, destination: 0, parameter: 0 };

    /// Whether one step of this level equals all steps of `inner`.
    pub const fn follows(&self, inner: &Self) -> bool {
        is_way(self.source, inner.source, inner.size)
            && is_way(self.destination, inner.destination, inner.size)
            && is_way(self.parameter, inner.parameter, inner.size)
    }
}

/// Whether a step of `outer` is `size` steps of `inner`.
pub(super) const fn is_way(outer: isize, inner: isize, size: usize) -> bool {
    let (way, overflows) = inner.overflowing_mul(size as isize);
    outer == way && !overflows
}

/// An element of the source, its offset in the destination, and its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset in the source.
    pub source: usize,
    /// The offset in the destination.
    pub destination: usize,
    /// The index of the parameter.
    pub parameter: usize,
}

/// Iterates over the elements that levels visit, the last level fastest.
pub struct Places<'a> {
    levels: &'a [Level],
    index: [usize; MAX_LEVELS],
    next: Option<Place>,
    swizzles: Swizzles,
}

impl<'a> Places<'a> {
    /// Starts at `start`. There are at most [`MAX_LEVELS`] levels, of at least one step each.
    pub const fn new(levels: &'a [Level], start: Place) -> Self {
        Self { levels, index: [0; MAX_LEVELS], next: Some(start), swizzles: Swizzles::NONE }
    }

    /// The same elements with swizzled offsets.
    pub(super) const fn swizzled(mut self, swizzles: Swizzles) -> Self {
        self.swizzles = swizzles;
        self
    }

    /// Returns the next element.
    pub const fn next(&mut self) -> Option<Place> {
        let Some(place) = self.next else { return None };
        let mut after = place;
        self.next = None;
        let mut i = self.levels.len();
        while i > 0 {
            i -= 1;
            let level = &self.levels[i];
            self.index[i] += 1;
            if self.index[i] < level.size {
                after = after.stepped(level, 1);
                self.next = Some(after);
                break;
            }
            self.index[i] = 0;
            after = after.stepped(level, 1 - level.size as isize);
        }
        if self.swizzles.is_none() {
            return Some(place);
        }
        let (source, destination) = self.swizzles.apply(place.source, place.destination);
        Some(Place { source, destination, parameter: place.parameter })
    }
}

impl Place {
    /// The element after a number of steps of `level`. It makes no calls, since const evaluation counts them.
    pub const fn stepped(mut self, level: &Level, steps: isize) -> Self {
        self.source = (self.source as isize + level.source * steps) as usize;
        self.destination = (self.destination as isize + level.destination * steps) as usize;
        self.parameter = (self.parameter as isize + level.parameter * steps) as usize;
        self
    }
}
