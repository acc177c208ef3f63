//! One axis of one layout, and the coordinates at which blocks of several layouts begin.

use crate::layout::StoredAxis;
use crate::spec::{MAX_FACTORS, least};

impl StoredAxis<'_> {
    /// Whether blocks end at the same coordinates if coordinate 0 has position `shift`.
    pub(super) const fn stands_at(&self, shift: usize) -> bool {
        let (mut same, mut weight) = (true, 1);
        each!(i, 0..self.blocks, {
            weight *= self.block(i);
            // Divisions are most of the cost of an axis at run time.
            same &= self.shift == shift || self.shift % weight == shift % weight;
        });
        same
    }

    /// The number of coordinates from `start` to the next end of a block.
    pub(super) const fn until_end(&self, start: usize) -> usize {
        match self.blocks {
            0 => usize::MAX,
            // Blocks end where the fastest one does.
            _ => self.block(0) - (start + self.shift) % self.block(0),
        }
    }

    /// The distance of `weight` coordinates, within the digit of which they are a multiple.
    pub(super) const fn step(&self, weight: usize) -> isize {
        let (mut own, mut i) = (1, 0);
        while i < self.blocks && own * self.block(i) <= weight {
            own *= self.block(i);
            i += 1;
        }
        self.stride(i) * (weight / own) as isize
    }
}

/// The weights of an axis on all sides, ascending, without duplicates. The first is 1.
pub(super) struct Weights {
    pub(super) list: [usize; 2 * MAX_FACTORS],
    pub(super) count: usize,
}

impl Weights {
    /// The weight 1. Inlined, since a constant would be copied whole.
    #[inline(always)]
    pub(super) const fn one() -> Self {
        Self { list: [1; 2 * MAX_FACTORS], count: 1 }
    }

    /// Adds the weights of another side. Returns false if there are too many.
    pub(super) const fn add(&mut self, side: &StoredAxis<'_>) -> bool {
        let (mut all, mut weight) = (true, 1);
        each!(i, 0..side.blocks, {
            weight *= side.block(i);
            all &= self.insert(weight);
        });
        all
    }

    const fn insert(&mut self, weight: usize) -> bool {
        let mut at = self.count;
        while at > 0 && self.list[at - 1] > weight {
            at -= 1;
        }
        if at > 0 && self.list[at - 1] == weight {
            return true;
        }
        if self.count == self.list.len() {
            return false;
        }
        let mut i = self.count;
        while i > at {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[at] = weight;
        self.count += 1;
        true
    }

    /// The longest piece from a position, with `rest` coordinates left. Returns the largest weight that divides the
    /// position and of which a whole step is left, and the number of its steps before the next larger weight. The
    /// digits below follow.
    pub(super) const fn piece(&self, position: usize, rest: usize) -> (usize, usize) {
        let mut top = self.count - 1;
        while self.list[top] > rest || position % self.list[top] != 0 {
            top -= 1;
        }
        let weight = self.list[top];
        let mut steps = rest / weight;
        if top + 1 < self.count {
            let larger = self.list[top + 1];
            steps = least(steps, (larger - position % larger) / weight);
        }
        (top, steps)
    }

    /// Whether each weight divides the next.
    pub(super) const fn nested(&self) -> bool {
        self.unlike().is_none()
    }

    /// Two adjacent weights of which the first does not divide the second.
    pub(super) const fn unlike(&self) -> Option<[usize; 2]> {
        each!(i, 1..self.count, {
            if self.list[i] % self.list[i - 1] != 0 {
                return Some([self.list[i - 1], self.list[i]]);
            }
        });
        None
    }
}
