//! Levels: loops over the elements of some layouts, such as a source and a destination.

use super::swizzled::{Swizzles, are_none, swizzled};
use crate::layout::distance;
use crate::spec::MAX_FACTORS;

/// The largest number of levels of a nest: the digits of two layouts, and one more for each axis that they divide
/// differently.
pub const MAX_LEVELS: usize = 2 * MAX_FACTORS;

/// One loop: a number of steps, and the strides of a step in each layout and in the parameters of a conversion. The
/// layouts of a pair are the source and the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level<const N: usize = 2> {
    /// The number of steps.
    pub size: usize,
    /// The stride in each layout, in elements.
    pub strides: [isize; N],
    /// The stride in the parameters.
    pub parameter: isize,
}

impl<const N: usize> Level<N> {
    /// A loop of one step.
    pub const ONCE: Self = Self::new(1, [0; N]);

    /// A loop that all its steps give the same parameter.
    pub const fn new(size: usize, strides: [isize; N]) -> Self {
        Self { size, strides, parameter: 0 }
    }

    /// Whether one step of this level equals all steps of `inner`.
    pub const fn follows(&self, inner: &Self) -> bool {
        let mut follows = self.parameter as i128 == inner.parameter as i128 * inner.size as i128;
        let mut i = 0;
        while i < N && follows {
            follows = self.strides[i] as i128 == inner.strides[i] as i128 * inner.size as i128;
            i += 1;
        }
        follows
    }

    /// Whether the loop belongs outside `other`: by the majority of the layouts, or else by the last of them. A layout
    /// that does not move in one of the loops has no vote.
    pub(super) const fn is_slower(&self, other: &Self) -> bool {
        let (own, last) = (distance(self.strides[N - 1]), distance(other.strides[N - 1]));
        if N == 2 && own != 0 && last != 0 && own != last {
            return own > last;
        }
        let mut votes = 0;
        each!(i, 0..N, {
            let (own, other) = (distance(self.strides[i]), distance(other.strides[i]));
            if own != 0 && other != 0 {
                votes += (own > other) as i32 - (own < other) as i32;
            }
        });
        votes > 0 || votes == 0 && own > last
    }
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
    swizzles: Swizzles<2>,
}

impl<'a> Places<'a> {
    /// Starts at `start`. There are at most [`MAX_LEVELS`] levels, of at least one step each.
    pub const fn new(levels: &'a [Level], start: Place) -> Self {
        Self { levels, index: [0; MAX_LEVELS], next: Some(start), swizzles: [None; 2] }
    }

    /// The same elements with swizzled offsets.
    pub(super) const fn swizzled(mut self, swizzles: Swizzles<2>) -> Self {
        self.swizzles = swizzles;
        self
    }

    /// Returns the next element.
    pub const fn next(&mut self) -> Option<Place> {
        let Some(place) = self.next else { return None };
        let mut after = place;
        self.next = None;
        each!(rev i, 0..self.levels.len(), {
            let level = &self.levels[i];
            self.index[i] += 1;
            if self.index[i] < level.size {
                after = after.stepped(level, 1);
                self.next = Some(after);
                break;
            }
            self.index[i] = 0;
            after = after.stepped(level, 1 - level.size as isize);
        });
        Some(if are_none(&self.swizzles) { place } else { place.swizzled(&self.swizzles) })
    }
}

impl Place {
    /// The element after a number of steps of `level`. It makes no calls, since const evaluation counts them.
    pub const fn stepped(mut self, level: &Level, steps: isize) -> Self {
        self.source = (self.source as isize + level.strides[0] * steps) as usize;
        self.destination = (self.destination as isize + level.strides[1] * steps) as usize;
        self.parameter = (self.parameter as isize + level.parameter * steps) as usize;
        self
    }

    /// The same element with swizzled offsets.
    const fn swizzled(self, swizzles: &Swizzles<2>) -> Self {
        let source = swizzled(swizzles[0], self.source);
        Self { source, destination: swizzled(swizzles[1], self.destination), ..self }
    }
}
