//! One axis: its digits in normal form, and what can be done to them alone.

use crate::layout::Layout;
use crate::spec::MAX_FACTORS;

/// The digits of one axis, fastest first.
///
/// The weight of a digit is the product of the sizes below it; the sizes multiply up to at least
/// `shift + extent`. In normal form no digit is constant (an axis of extent 1 or 0 has a digit all
/// the same), and none goes on where the one below it ends.
#[derive(Clone, Copy)]
pub(crate) struct AxisDigits {
    pub(crate) extent: usize,
    /// The position of coordinate 0, counted from where all digits are 0.
    pub(crate) shift: usize,
    /// What constant digits add to every offset, in elements.
    pub(crate) start: isize,
    pub(crate) sizes: [usize; MAX_FACTORS],
    pub(crate) strides: [isize; MAX_FACTORS],
    pub(crate) count: usize,
    /// Whether there were more digits than a layout can have.
    pub(crate) overflow: bool,
}

impl AxisDigits {
    /// No digits yet.
    pub(super) const NONE: Self = Self {
        extent: 0,
        shift: 0,
        start: 0,
        sizes: [1; MAX_FACTORS],
        strides: [0; MAX_FACTORS],
        count: 0,
        overflow: false,
    };

    /// An axis of one digit.
    pub(crate) const fn single(extent: usize, stride: isize) -> Self {
        Self::NONE.with(extent, stride).settled(0, extent)
    }

    /// The axis of `layout` at this position.
    pub(crate) const fn of(layout: &Layout, axis: usize) -> Self {
        let mut new = Self::NONE;
        let mut shift = 0;
        let mut weight = 1;
        loop {
            let mut next = None;
            let mut i = 0;
            while i < layout.digits().len() {
                let digit = &layout.digits()[i];
                if digit.axis == axis && digit.weight == weight {
                    next = Some(digit);
                }
                i += 1;
            }
            let Some(digit) = next else { break };
            shift = digit.shift;
            new = new.with(digit.size, digit.stride);
            // Digits of one value are the slowest of their axis.
            if digit.size < 2 {
                break;
            }
            weight = weight.saturating_mul(digit.size);
        }
        new.settled(shift, layout.extents()[axis])
    }

    /// The same with a slower digit.
    pub(super) const fn with(mut self, size: usize, stride: isize) -> Self {
        if self.count == 1 && self.sizes[0] == 1 {
            if size != 1 {
                self.sizes[0] = size;
                self.strides[0] = stride;
            }
        } else if self.count > 0 && size == 1 {
            // Always 0.
        } else if self.count > 0 && self.follows(stride) {
            self.sizes[self.count - 1] = self.sizes[self.count - 1].saturating_mul(size);
        } else if self.count == MAX_FACTORS {
            self.overflow = true;
        } else {
            self.sizes[self.count] = size;
            self.strides[self.count] = stride;
            self.count += 1;
        }
        self
    }

    /// Whether a digit of this stride goes on where the slowest one ends.
    const fn follows(&self, stride: isize) -> bool {
        let last = self.count - 1;
        match self.strides[last].checked_mul(self.sizes[last] as isize) {
            Some(way) => way == stride,
            None => false,
        }
    }

    /// The normal form of the digits over `extent` coordinates from position `shift` on.
    pub(super) const fn settled(mut self, shift: usize, extent: usize) -> Self {
        self.extent = extent;
        self.shift = shift;
        if extent < 2 {
            self.start = self.start.wrapping_add(self.way(shift));
            self.shift = 0;
            self.sizes[0] = extent;
            self.count = 1;
            return self;
        }
        if extent == 2 && self.count > 1 {
            let (first, second) = (self.way(shift), self.way(shift + 1));
            self.start = self.start.wrapping_add(first);
            return self.straight(2, second.wrapping_sub(first));
        }
        // Positions inside one step of the slowest digit leave it constant.
        loop {
            let weight = self.block();
            let value = self.shift / weight;
            let whole = value * weight;
            if self.count > 1 && (self.shift + (extent - 1)) / weight == value {
                self.count -= 1;
                let way = self.strides[self.count].wrapping_mul(value as isize);
                self.start = self.start.wrapping_add(way);
                self.shift -= whole;
                continue;
            }
            let last = self.count - 1;
            let way = self.strides[last].wrapping_mul(value as isize);
            self.start = self.start.wrapping_add(way);
            self.shift -= whole;
            self.sizes[last] = (self.shift + extent).div_ceil(weight);
            return self.halved();
        }
    }

    /// The same as two halves that begin and end with a block, where it is the end of a block of
    /// one digit and as much of the next.
    const fn halved(self) -> Self {
        let half = self.extent / 2;
        let even = self.shift + half == self.sizes[0] && self.extent % 2 == 0;
        if self.count != 2 || self.shift == 0 || !even {
            return self;
        }
        let (first, second) = (self.place(0), self.place(half));
        let halves = Self { start: first, overflow: self.overflow, ..Self::NONE };
        let halves = halves.with(half, self.strides[0]);
        halves.with(2, second.wrapping_sub(first)).settled(0, self.extent)
    }

    /// One digit of this stride.
    const fn straight(&self, extent: usize, stride: isize) -> Self {
        let Self { start, overflow, .. } = *self;
        Self { start, overflow, ..Self::single(extent, stride) }
    }

    /// The product of all sizes but the slowest.
    pub(crate) const fn block(&self) -> usize {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count {
            block = block.saturating_mul(self.sizes[i]);
            i += 1;
        }
        block
    }

    /// Whether the axis begins and ends with a block.
    pub(crate) const fn is_whole(&self) -> bool {
        self.shift == 0 && self.extent % self.block() == 0
    }

    /// How far from where all digits are 0 `position` lies.
    pub(super) const fn way(&self, position: usize) -> isize {
        let mut way = 0isize;
        let mut rest = position;
        let mut i = 0;
        while i < self.count {
            let value = if i + 1 < self.count { rest % self.sizes[i] } else { rest };
            way = way.wrapping_add(self.strides[i].wrapping_mul(value as isize));
            rest /= if self.sizes[i] == 0 { 1 } else { self.sizes[i] };
            i += 1;
        }
        way
    }

    /// How far from the layout's base `coordinate` lies.
    pub(crate) const fn place(&self, coordinate: usize) -> isize {
        self.start.wrapping_add(self.way(self.shift + coordinate))
    }

    /// The lowest and the highest place of a coordinate. There must be one.
    pub(crate) const fn range(&self) -> (isize, isize) {
        let (low, high) = (self.extreme(-1), self.extreme(1));
        (self.start - low, self.start + high)
    }

    /// The largest of `sign * way` over the positions of the axis.
    const fn extreme(&self, sign: isize) -> isize {
        let (mut first, mut last) = (self.shift, self.shift + (self.extent - 1));
        // Of the digits seen so far: the best of all values, of those from the first position's
        // on, of those up to the last position's.
        let (mut free, mut from, mut to) = (0isize, 0isize, 0isize);
        let mut i = 0;
        while i + 1 < self.count {
            let size = self.sizes[i];
            let stride = sign * self.strides[i];
            let (a, b) = (first % size, last % size);
            let all = best(stride, 0, size - 1);
            from = match a + 1 < size {
                true => max(a as isize * stride + from, best(stride, a + 1, size - 1) + free),
                false => a as isize * stride + from,
            };
            to = match b > 0 {
                true => max(b as isize * stride + to, best(stride, 0, b - 1) + free),
                false => to,
            };
            free += all;
            first /= size;
            last /= size;
            i += 1;
        }
        let stride = sign * self.strides[i];
        if first == last {
            // An axis of one coordinate, which has one digit.
            return first as isize * stride;
        }
        let ends = max(first as isize * stride + from, last as isize * stride + to);
        match first + 1 < last {
            true => max(ends, best(stride, first + 1, last - 1) + free),
            false => ends,
        }
    }

    /// How many different places the coordinates have.
    pub(crate) const fn distinct(&self) -> usize {
        // A digit of stride 0 beside others keeps the axis from beginning inside a block.
        let mut rest = self.extent;
        let mut weight = self.block();
        let mut distinct = 0;
        let mut i = self.count;
        while i > 0 {
            i -= 1;
            let (full, below) = (rest / weight, self.distinct_below(i));
            let shared = self.strides[i] == 0 && self.sizes[i] > 1;
            if shared && full > 0 {
                return distinct + below;
            }
            distinct += full * below;
            rest %= weight;
            if i > 0 {
                weight /= self.sizes[i - 1];
            }
        }
        distinct
    }

    /// How many different places the digits below this one have.
    const fn distinct_below(&self, digit: usize) -> usize {
        let mut distinct = 1;
        let mut i = 0;
        while i < digit {
            if self.strides[i] != 0 {
                distinct *= self.sizes[i];
            }
            i += 1;
        }
        distinct
    }

    /// The axis, unless it begins inside a block and is broadcast in part. The search for the
    /// coordinate at an offset leaves broadcast digits 0, which then might be none.
    const fn kept(self) -> Option<Self> {
        let mut broadcast = 0;
        let mut i = 0;
        while i < self.count {
            if self.strides[i] == 0 {
                broadcast += 1;
            }
            i += 1;
        }
        if self.shift > 0 && broadcast > 0 { None } else { Some(self) }
    }

    /// The axis of one stride, if it has one.
    pub(crate) const fn stride(&self) -> Option<isize> {
        if self.count == 1 { Some(self.strides[0]) } else { None }
    }

    /// Every `step`th coordinate from `start` on, or `None` where blocks are no multiple of the
    /// step and are left.
    ///
    /// Law: `place(slice, i) == place(self, start + i * step)`.
    pub(crate) const fn slice(&self, start: usize, step: usize, length: usize) -> Option<Self> {
        let mut new = Self { start: self.start, overflow: self.overflow, ..Self::NONE };
        if length == 0 {
            return Some(new.with(0, self.strides[0]).settled(0, 0));
        }
        let first = self.shift + start;
        if length == 1 {
            new.start = self.place(start);
            let stride = self.strides[0].wrapping_mul(step as isize);
            return Some(new.with(1, stride).settled(0, 1));
        }
        // Digits that stay the same over the whole slice.
        let mut position = first;
        let mut last = first + (length - 1) * step;
        let mut count = self.count;
        let mut weight = self.block();
        while count > 1 && position / weight == last / weight {
            count -= 1;
            let way = self.strides[count].wrapping_mul((position / weight) as isize);
            new.start = new.start.wrapping_add(way);
            position %= weight;
            last %= weight;
            weight /= self.sizes[count - 1];
        }
        let first_step = step;
        let mut step = step;
        let mut i = 0;
        while i < count {
            let (size, stride) = (self.sizes[i], self.strides[i]);
            if i + 1 == count {
                let way = stride.wrapping_mul(position as isize);
                new.start = new.start.wrapping_add(way);
                let stride = stride.wrapping_mul(step as isize);
                return Some(new.with(length, stride).settled(0, length));
            }
            let way = stride.wrapping_mul((position % size) as isize);
            if step % size == 0 {
                new.start = new.start.wrapping_add(way);
                (position, step) = (position / size, step / size);
                i += 1;
                continue;
            }
            if size % step != 0 {
                return self.even_slice(start, first_step, length);
            }
            let way = stride.wrapping_mul((position % step) as isize);
            new.start = new.start.wrapping_add(way);
            new = new.with(size / step, stride.wrapping_mul(step as isize));
            i += 1;
            while i < count {
                new = new.with(self.sizes[i], self.strides[i]);
                i += 1;
            }
            let new = new.settled(position / step, length);
            return new.kept();
        }
        None
    }

    /// A slice that leaves blocks, where its coordinates happen to lie evenly apart.
    const fn even_slice(&self, start: usize, step: usize, length: usize) -> Option<Self> {
        let first = self.place(start);
        let stride = self.place(start + step).wrapping_sub(first);
        let mut i = 2;
        while i < length {
            let at = start + i * step;
            if self.place(at).wrapping_sub(self.place(at - step)) != stride {
                return None;
            }
            i += 1;
        }
        Some(Self { start: first, ..*self }.straight(length, stride))
    }

    /// The coordinates in reverse, or `None` where the axis is partly broadcast and ends inside a
    /// block.
    ///
    /// Law: `place(flip, i) == place(self, extent - 1 - i)`.
    pub(crate) const fn flip(mut self) -> Option<Self> {
        if self.extent < 2 {
            return Some(self);
        }
        let mut weight = 1;
        let mut i = 0;
        while i < self.count {
            let way = self.strides[i].wrapping_mul(self.sizes[i] as isize - 1);
            self.start = self.start.wrapping_add(way);
            self.strides[i] = self.strides[i].wrapping_neg();
            weight *= self.sizes[i];
            i += 1;
        }
        let shift = weight - self.extent - self.shift;
        let new = self.settled(shift, self.extent);
        new.kept()
    }

    /// The axis as two, whose inner is `size` long, or `None` where that cuts blocks. The extent
    /// must be a multiple of the size.
    ///
    /// Law: `place(outer, a) + place(inner, b) == place(self, a * size + b)`.
    pub(crate) const fn split(&self, size: usize) -> Option<(Self, Self)> {
        let overflow = self.overflow;
        let mut inner = Self { overflow, ..Self::NONE };
        let mut outer = Self { start: self.start, overflow, ..Self::NONE };
        if self.extent == size {
            // The whole axis, wherever it begins.
            return Some((outer.one(self.strides[0]), Self { start: 0, ..*self }));
        }
        let block = self.block();
        if self.shift % size != 0 && size % block == 0 {
            // Tiles of whole blocks are alike, wherever they begin.
            let Some(inner) = self.slice(0, 1, size) else { return None };
            let steps = (size / block) as isize;
            let stride = self.strides[self.count - 1].wrapping_mul(steps);
            outer = Self { start: 0, ..outer };
            return Some((outer.straight(self.extent / size, stride), inner));
        }
        if self.shift % size != 0 {
            return None;
        }
        let mut weight = 1;
        let mut i = 0;
        while i < self.count {
            let (width, stride) = (self.sizes[i], self.strides[i]);
            let top = i + 1 == self.count;
            if weight >= size {
                outer = outer.with(width, stride);
            } else if width <= size / weight && !top {
                inner = inner.with(width, stride);
            } else {
                let part = size / weight;
                if size % weight != 0 || (width % part != 0 && !top) {
                    return None;
                }
                inner = inner.with(part, stride);
                outer = outer.with(width.div_ceil(part), stride.wrapping_mul(part as isize));
            }
            weight = weight.saturating_mul(width);
            i += 1;
        }
        // An axis of one coordinate keeps the stride that it would go on with.
        let inner = if inner.count == 0 { inner.with(1, self.strides[0]) } else { inner };
        Some((outer.settled(self.shift / size, self.extent / size), inner.settled(0, size)))
    }

    /// An axis of one coordinate, beginning where this one does.
    const fn one(self, stride: isize) -> Self {
        self.with(1, stride).settled(0, 1)
    }

    /// The axis with `inner` inside it, or `None` where `inner` begins or ends inside a block. The
    /// product of the extents must fit `usize`.
    ///
    /// Law: `place(join, a * inner.extent + b) == place(self, a) + place(inner, b)`.
    pub(crate) const fn join(&self, inner: &Self) -> Option<Self> {
        let extent = self.extent * inner.extent;
        let start = self.start.wrapping_add(inner.start);
        if self.extent == 1 {
            return Some(Self { start, overflow: self.overflow || inner.overflow, ..*inner });
        }
        if extent == 0 {
            return Some(Self::single(0, inner.strides[0]));
        }
        if !inner.is_whole() {
            return None;
        }
        let overflow = self.overflow || inner.overflow;
        let mut new = Self { start, overflow, ..Self::NONE };
        let mut i = 0;
        while i < inner.count {
            new = new.with(inner.sizes[i], inner.strides[i]);
            i += 1;
        }
        let mut i = 0;
        while i < self.count {
            new = new.with(self.sizes[i], self.strides[i]);
            i += 1;
        }
        let new = new.settled(self.shift * inner.extent, extent);
        new.kept()
    }

    /// Both axes at once, as far as the shorter goes, or `None` where their blocks do not divide
    /// one another.
    ///
    /// Law: `place(diagonal, i) == place(self, i) + place(other, i)`.
    pub(crate) const fn diagonal(&self, other: &Self) -> Option<Self> {
        let extent = if self.extent < other.extent { self.extent } else { other.extent };
        let (Some(a), Some(b)) = (self.slice(0, 1, extent), other.slice(0, 1, extent)) else {
            return None;
        };
        let start = a.start.wrapping_add(b.start);
        let overflow = a.overflow || b.overflow;
        let mut new = Self { start, overflow, ..Self::NONE };
        if extent < 2 {
            let stride = a.strides[0].wrapping_add(b.strides[0]);
            return Some(new.with(extent, stride).settled(0, extent));
        }
        if a.shift != b.shift {
            return Self::even_sum(&a, &b);
        }
        let (mut i, mut j) = (0, 0);
        let (mut first, mut second) = (a.sizes[0], b.sizes[0]);
        let (mut one, mut two) = (a.strides[0], b.strides[0]);
        loop {
            let (top_a, top_b) = (i + 1 == a.count, j + 1 == b.count);
            let stride = one.wrapping_add(two);
            if top_a && top_b {
                let size = if first > second { first } else { second };
                let new = new.with(size, stride).settled(a.shift, extent);
                return new.kept();
            }
            let size = if top_b || (!top_a && first <= second) { first } else { second };
            if (!top_a && first % size != 0) || (!top_b && second % size != 0) {
                return Self::even_sum(&a, &b);
            }
            new = new.with(size, stride);
            if !top_a && first == size {
                i += 1;
                (first, one) = (a.sizes[i], a.strides[i]);
            } else {
                (first, one) = (first / size, one.wrapping_mul(size as isize));
            }
            if !top_b && second == size {
                j += 1;
                (second, two) = (b.sizes[j], b.strides[j]);
            } else {
                (second, two) = (second / size, two.wrapping_mul(size as isize));
            }
        }
    }

    /// The diagonal of two axes that are equally long and together even, whatever their blocks.
    const fn even_sum(a: &Self, b: &Self) -> Option<Self> {
        let first = a.place(0).wrapping_add(b.place(0));
        let stride = a.place(1).wrapping_add(b.place(1)).wrapping_sub(first);
        let mut last = first;
        let mut i = 1;
        while i < a.extent {
            let next = a.place(i).wrapping_add(b.place(i));
            if next.wrapping_sub(last) != stride {
                return None;
            }
            last = next;
            i += 1;
        }
        let overflow = a.overflow || b.overflow;
        Some(Self { start: first, overflow, ..Self::NONE }.straight(a.extent, stride))
    }

    /// Whether every coordinate has the same place in both but for a constant.
    pub(crate) const fn runs_like(&self, other: &Self) -> bool {
        if self.extent != other.extent {
            return false;
        }
        if self.extent < 2 {
            return true;
        }
        if self.shift > 0 || other.shift > 0 {
            // An axis that begins inside a block can be cut in more than one way.
            let mut i = 1;
            while i < self.extent {
                if self.place(i) - self.place(0) != other.place(i) - other.place(0) {
                    return false;
                }
                i += 1;
            }
            return true;
        }
        let mut same = self.count == other.count;
        let mut i = 0;
        while same && i < self.count {
            same = self.sizes[i] == other.sizes[i] && self.strides[i] == other.strides[i];
            i += 1;
        }
        same
    }
}

const fn max(a: isize, b: isize) -> isize {
    if a > b { a } else { b }
}

/// The largest of `value * stride` over the values from `first` to `last`.
const fn best(stride: isize, first: usize, last: usize) -> isize {
    if stride < 0 { first as isize * stride } else { last as isize * stride }
}
