//! Loops between layouts with swizzles: rows are divided where a swizzle splits them.

use crate::layout::Layout;
use crate::spec::{Swizzle, least};

/// The swizzles of a source and a destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swizzles {
    source: Option<Swizzle>,
    destination: Option<Swizzle>,
}

impl Swizzles {
    pub(super) const NONE: Self = Self { source: None, destination: None };

    pub(super) const fn of(source: &Layout, destination: &Layout) -> Self {
        Self { source: source.swizzle(), destination: destination.swizzle() }
    }

    /// The swizzles of the source and of the destination.
    pub(super) const fn both(&self) -> (Option<Swizzle>, Option<Swizzle>) {
        (self.source, self.destination)
    }

    pub(super) const fn is_none(&self) -> bool {
        self.source.is_none() && self.destination.is_none()
    }

    /// Applies the swizzles to two offsets.
    pub(super) const fn apply(&self, source: usize, destination: usize) -> (usize, usize) {
        (swizzled(self.source, source), swizzled(self.destination, destination))
    }

    /// The number of elements, from these offsets and at these distances, that stay in one group of each swizzle. A
    /// swizzle moves all elements of a group by the same distance.
    pub(super) const fn together(
        &self,
        source: (usize, isize),
        destination: (usize, isize),
    ) -> usize {
        let source = steps_in_group(self.source, source.0, source.1);
        let destination = steps_in_group(self.destination, destination.0, destination.1);
        least(source, destination)
    }
}

/// The swizzled offset.
pub(super) const fn swizzled(swizzle: Option<Swizzle>, offset: usize) -> usize {
    match swizzle {
        Some(swizzle) => swizzle.apply(offset),
        None => offset,
    }
}

/// The number of steps from `offset` that stay in its group.
const fn steps_in_group(swizzle: Option<Swizzle>, offset: usize, step: isize) -> usize {
    let Some(swizzle) = swizzle else { return usize::MAX };
    let place = offset & ((1 << swizzle.base()) - 1);
    match step {
        0 => usize::MAX,
        1.. => ((1 << swizzle.base()) - place).div_ceil(step as usize),
        _ => place / step.unsigned_abs() + 1,
    }
}
