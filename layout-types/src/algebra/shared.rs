//! Elements that coordinates share. Layouts say so by digits of stride 0, and by nothing else.

use super::AxisDigits;
use super::carry::following;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule};

impl Layout {
    /// Errors where two coordinates share an offset and do not look like it.
    pub(super) const fn check_shared(&self) -> Result<(), LayoutError> {
        let mut axes = [AxisDigits::NONE; MAX_RANK];
        let mut extents = [1; MAX_RANK];
        let mut axis = 0;
        while axis < self.rank() {
            axes[axis] = AxisDigits::of(self, axis);
            if !matches!(axes[axis].stride(), Some(0)) {
                extents[axis] = self.extents()[axis];
            }
            axis += 1;
        }
        let mut next = Some([0; MAX_RANK]);
        while let Some(coordinate) = next {
            let offset = self.offset(coordinate.split_at(self.rank()).0);
            // Of those that share an offset, all find the same one.
            if let Some(found) = self.coordinate(offset) {
                let mut axis = 0;
                while axis < self.rank() {
                    if !axes[axis].repeats(coordinate[axis], found[axis]) {
                        return Err(self.shared(&found, &coordinate));
                    }
                    axis += 1;
                }
            }
            next = following(&coordinate, &extents);
        }
        Ok(())
    }

    const fn shared(&self, a: &[usize; MAX_RANK], b: &[usize; MAX_RANK]) -> LayoutError {
        let (mut first, mut second) = ([0; MAX_RANK], [0; MAX_RANK]);
        let mut exact = true;
        let mut axis = 0;
        while axis < self.rank() {
            (first[axis], second[axis]) = (a[axis] as u32, b[axis] as u32);
            exact &= first[axis] as usize == a[axis] && second[axis] as usize == b[axis];
            axis += 1;
        }
        LayoutError(Rule::Overlap { axes: self.letters(), first, second, exact })
    }
}

impl AxisDigits {
    /// Whether two coordinates of the axis differ in nothing but digits of stride 0.
    const fn repeats(&self, a: usize, b: usize) -> bool {
        let (mut a, mut b) = (self.shift + a, self.shift + b);
        let mut i = 0;
        while i < self.count {
            let size = if i + 1 < self.count { self.sizes[i] } else { usize::MAX };
            if self.strides[i] != 0 && a % size != b % size {
                return false;
            }
            (a, b) = (a / size, b / size);
            i += 1;
        }
        true
    }

    /// Whether a digit of several values has stride 0.
    pub(super) const fn broadcasts(&self) -> bool {
        let mut i = 0;
        while i < self.count {
            if self.strides[i] == 0 && self.sizes[i] > 1 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether coordinates that share a place look like it. False where that would take too long to
    /// find out.
    pub(super) const fn shares_openly(&self) -> bool {
        /// A few million pairs.
        const LONGEST: usize = 2048;
        if self.nests() {
            return true;
        }
        if self.extent > LONGEST {
            return false;
        }
        let mut a = 0;
        while a < self.extent {
            let mut b = a + 1;
            while b < self.extent {
                if self.place(a) == self.place(b) && !self.repeats(a, b) {
                    return false;
                }
                b += 1;
            }
            a += 1;
        }
        true
    }

    /// Whether every digit steps farther than all digits of smaller strides reach together, but for
    /// those of stride 0.
    const fn nests(&self) -> bool {
        let mut done = [false; MAX_FACTORS];
        let mut reach = 0usize;
        let mut left = self.count;
        while left > 0 {
            let mut nearest = None;
            let mut i = 0;
            while i < self.count {
                let way = self.strides[i].unsigned_abs();
                nearest = match nearest {
                    Some((_, other)) if done[i] || other <= way => nearest,
                    None if done[i] => None,
                    _ => Some((i, way)),
                };
                i += 1;
            }
            let Some((digit, way)) = nearest else { break };
            if way > 0 && way <= reach {
                return false;
            }
            reach = reach.saturating_add(way.saturating_mul(self.sizes[digit] - 1));
            done[digit] = true;
            left -= 1;
        }
        true
    }
}
