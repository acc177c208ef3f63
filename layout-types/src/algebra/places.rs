//! The axis whose places are known one by one, where there is one.

use super::AxisDigits;
use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, MAX_RANK};

/// Where the coordinates of an axis that is looked for lie.
#[derive(Clone, Copy)]
pub(super) enum Places<'a> {
    /// Every `step`th of an axis, from `start` on.
    Every { axis: &'a AxisDigits, start: usize, step: usize },
    /// Two axes at once.
    Sum(&'a AxisDigits, &'a AxisDigits),
    /// The elements of a layout that lie at `start` and the places of an axis, counted with the last
    /// axis fastest; the first of them is 0.
    Composed { outer: &'a Layout, start: isize, axis: &'a AxisDigits },
}

impl Places<'_> {
    const fn at(&self, i: usize) -> isize {
        match *self {
            Self::Every { axis, start, step } => axis.place(start + i * step),
            Self::Sum(a, b) => a.place(i).wrapping_add(b.place(i)),
            Self::Composed { outer, start, axis } => {
                let (first, here) = (start + axis.place(0), start + axis.place(i));
                let from = outer.offset_of_index(first as usize) as isize;
                (outer.offset_of_index(here as usize) as isize).wrapping_sub(from)
            }
        }
    }

    /// Whether coordinates may share a place that are those of an axis with digits of stride 0.
    /// Compositions are asked as a whole.
    const fn may_share(&self) -> bool {
        match self {
            Self::Every { axis, .. } => axis.broadcasts(),
            Self::Sum(a, b) => a.broadcasts() || b.broadcasts(),
            Self::Composed { .. } => false,
        }
    }

    /// How far it is from coordinate `i` to the next.
    const fn step(&self, i: usize) -> isize {
        self.at(i + 1).wrapping_sub(self.at(i))
    }
}

impl Layout {
    /// The offset of the coordinate that `index` others come before, the last axis fastest.
    pub(super) const fn offset_of_index(&self, index: usize) -> usize {
        let mut coordinate = [0; MAX_RANK];
        let mut left = index;
        let mut axis = self.rank();
        while axis > 0 {
            axis -= 1;
            coordinate[axis] = left % self.extents()[axis];
            left /= self.extents()[axis];
        }
        self.offset(coordinate.split_at(self.rank()).0)
    }
}

impl AxisDigits {
    /// The axis with these places, or `None` where no digits give them, or only such as
    /// [`kept`](Self::kept) refuses, or by which coordinates would share elements unnoticed.
    ///
    /// Law: `place(result, i) == places.at(i)`.
    ///
    /// The step to a position depends on nothing but the slowest digit that changes there: that of
    /// the largest weight which divides the position. So the positions with another step than most
    /// are the multiples of the fastest digit's size, and among these it is the same again. That
    /// says every size and stride, and where among the multiples the axis begins.
    pub(super) const fn of_places(places: &Places<'_>, extent: usize) -> Option<Self> {
        if extent == 0 {
            return Some(Self::single(0, 0));
        }
        let all = Steps { places, first: 0, width: 1, count: extent - 1 };
        let found = match all.with_a_whole_first() {
            Some(found) => found,
            None => match all.inside_a_block() {
                Some(found) => found,
                None => return None,
            },
        };
        let mut new = found.axis(extent);
        new.start = new.start.wrapping_add(places.at(0)).wrapping_sub(new.place(0));
        if places.may_share() && !new.shares_openly() {
            return None;
        }
        new.kept()
    }

    /// Whether a digit of several values has stride 0.
    const fn broadcasts(&self) -> bool {
        let mut i = 0;
        while i < self.count {
            if self.strides[i] == 0 && self.sizes[i] > 1 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether coordinates that share a place differ in digits of stride 0 only, by which layouts know
    /// that they share it. False where the axis is too long to try every two.
    const fn shares_openly(&self) -> bool {
        /// A few million pairs.
        const LONGEST: usize = 2048;
        if self.extent > LONGEST {
            return false;
        }
        let mut a = 0;
        while a < self.extent {
            let mut b = a + 1;
            while b < self.extent {
                if self.place(a) == self.place(b) && !self.differs_by_nothing(a, b) {
                    return false;
                }
                b += 1;
            }
            a += 1;
        }
        true
    }

    /// Whether two coordinates differ in digits of stride 0 only.
    const fn differs_by_nothing(&self, a: usize, b: usize) -> bool {
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
}

/// Every `width`th step between places, from the one to place `first + 1` on.
#[derive(Clone, Copy)]
struct Steps<'a> {
    places: &'a Places<'a>,
    first: usize,
    width: usize,
    count: usize,
}

impl Steps<'_> {
    const fn at(&self, i: usize) -> isize {
        self.places.step(self.first + i * self.width)
    }

    /// The steps from `first` on, `width` apart, which are those of the slower digits.
    const fn every(&self, first: usize, width: usize) -> Self {
        Self {
            first: self.first + first * self.width,
            width: self.width * width,
            count: (self.count - first).div_ceil(width),
            ..*self
        }
    }

    /// The digits that begin at 0: one way at most.
    const fn with_a_whole_first(&self) -> Option<Found> {
        if self.count == 0 {
            return Some(Found::of(0));
        }
        let usual = self.at(0);
        let mut size = 0;
        let mut i = 1;
        while i < self.count {
            let other = self.at(i) != usual;
            if size == 0 && other {
                size = i + 1;
            } else if other && (i + 1) % size != 0 {
                return None;
            }
            i += 1;
        }
        if size == 0 {
            return Some(Found::of(usual));
        }
        match self.every(size - 1, size).with_a_whole_first() {
            Some(slower) => Some(slower.above(size, usual, 0)),
            None => None,
        }
    }

    /// The digits, wherever they begin: the fewest.
    const fn inside_a_block(&self) -> Option<Found> {
        // Of two neighbours at most one is a multiple.
        let first = self.with_most(self.at(0));
        if self.count < 2 || self.at(1) == self.at(0) {
            return first;
        }
        match (first, self.with_most(self.at(1))) {
            (Some(first), Some(second)) if second.count < first.count => Some(second),
            (Some(first), _) => Some(first),
            (None, second) => second,
        }
    }

    /// The same where a step that changes the fastest digit only is `usual`.
    const fn with_most(&self, usual: isize) -> Option<Found> {
        let mut other = None;
        // What the distances of the others have in common.
        let mut common = 0;
        let mut i = 0;
        while i < self.count {
            if self.at(i) != usual {
                match other {
                    None => other = Some(i),
                    Some(first) => common = greatest_common_divisor(common, i - first),
                }
                if common == 1 {
                    return None;
                }
            }
            i += 1;
        }
        let Some(other) = other else { return Some(Found::of(usual)) };
        let size = match common {
            // One alone, behind a block or before one.
            0 if self.count <= 2 * other + 1 => other + 1,
            0 => self.count - other,
            common => common,
        };
        let first = other % size;
        match self.every(first, size).inside_a_block() {
            Some(slower) => {
                let found = slower.above(size, usual, size - 1 - first);
                Some(Found { is_open: found.is_open || common == 0, ..found })
            }
            None => None,
        }
    }
}

/// Digits, the slowest first, each by the step from one of its values to the next.
#[derive(Clone, Copy)]
struct Found {
    sizes: [usize; MAX_FACTORS],
    steps: [isize; MAX_FACTORS],
    count: usize,
    shift: usize,
    overflow: bool,
    /// Whether the slowest digit steps once only, so that the one below it may be longer.
    is_open: bool,
}

impl Found {
    /// One digit.
    const fn of(step: isize) -> Self {
        let (mut steps, sizes) = ([0; MAX_FACTORS], [usize::MAX; MAX_FACTORS]);
        steps[0] = step;
        Self { sizes, steps, count: 1, shift: 0, overflow: false, is_open: false }
    }

    /// These above one of `size` values, whose first is `shift`.
    const fn above(mut self, size: usize, step: isize, shift: usize) -> Self {
        if self.count == MAX_FACTORS {
            self.overflow = true;
            return self;
        }
        (self.sizes[self.count], self.steps[self.count]) = (size, step);
        self.count += 1;
        self.shift = self.shift * size + shift;
        self
    }

    /// The axis of these digits, wherever it lies.
    const fn axis(&self, extent: usize) -> AxisDigits {
        let mut new = AxisDigits { overflow: self.overflow, ..AxisDigits::NONE };
        // What the faster digits go back by where one of these steps.
        let mut back = 0isize;
        let mut weight = 1;
        let mut i = self.count;
        while i > 0 {
            i -= 1;
            let stride = self.steps[i].wrapping_add(back);
            if i == 0 && stride == 0 && self.is_open && self.shift > 0 {
                // A longer block gives a stride that does not look like a broadcast.
                let mut longer = *self;
                longer.shift += weight / self.sizes[1];
                longer.sizes[1] += 1;
                longer.is_open = false;
                return longer.axis(extent);
            }
            let rest = (self.shift + extent).div_ceil(weight);
            let size = if self.sizes[i] < rest { self.sizes[i] } else { rest };
            new = new.with(size, stride);
            back = back.wrapping_add(stride.wrapping_mul(size as isize - 1));
            weight *= size;
        }
        new.settled(self.shift, extent)
    }
}

pub(super) const fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if a == 0 { b } else { greatest_common_divisor(b % a, a) }
}
