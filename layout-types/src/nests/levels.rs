//! Levels: loops over elements of a source and a destination, and the places that they visit.

use super::swizzled::Swizzles;
use crate::spec::MAX_FACTORS;

/// The most levels of a nest: the digits of two layouts, and one more for each axis that they cut
/// differently.
pub const MAX_LEVELS: usize = 2 * MAX_FACTORS;

/// One loop: so many steps, each so many elements in the source and in the destination, and so
/// many parameters of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// How many steps.
    pub size: usize,
    /// The elements of a step in the source.
    pub source: isize,
    /// The elements of a step in the destination.
    pub destination: isize,
    /// The parameters of a step.
    pub parameter: isize,
}

impl Level {
    /// A loop of one step.
    pub const ONCE: Self = Self { size: 1, source: 0, destination: 0, parameter: 0 };

    /// Whether one step of this level is as far as all those of `inner`.
    pub const fn follows(&self, inner: &Self) -> bool {
        is_way(self.source, inner.source, inner.size)
            && is_way(self.destination, inner.destination, inner.size)
            && is_way(self.parameter, inner.parameter, inner.size)
    }
}

const fn is_way(outer: isize, inner: isize, size: usize) -> bool {
    match inner.checked_mul(size as isize) {
        Some(way) => outer == way,
        None => false,
    }
}

/// An element of the source, its place in the destination, and its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset in the source.
    pub source: usize,
    /// The offset in the destination.
    pub destination: usize,
    /// The parameter.
    pub parameter: usize,
}

/// The places that levels visit, the last level fastest.
pub struct Places<'a> {
    levels: &'a [Level],
    index: [usize; MAX_LEVELS],
    next: Option<Place>,
    swizzles: Swizzles,
}

impl<'a> Places<'a> {
    /// From `start` on. At most [`MAX_LEVELS`] levels, of one step or more each.
    pub const fn new(levels: &'a [Level], start: Place) -> Self {
        Self { levels, index: [0; MAX_LEVELS], next: Some(start), swizzles: Swizzles::NONE }
    }

    /// The same places, swizzled.
    pub(super) const fn swizzled(mut self, swizzles: Swizzles) -> Self {
        self.swizzles = swizzles;
        self
    }

    /// The next place.
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
    /// The place so many steps of `level` on. No calls: const evaluation counts them.
    pub const fn stepped(mut self, level: &Level, steps: isize) -> Self {
        self.source = (self.source as isize + level.source * steps) as usize;
        self.destination = (self.destination as isize + level.destination * steps) as usize;
        self.parameter = (self.parameter as isize + level.parameter * steps) as usize;
        self
    }
}
