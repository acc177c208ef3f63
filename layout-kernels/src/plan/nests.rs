//! Nests: the loops of a move, simplified.

use super::byte_move::{Error, Move, Padding, Side};
use crate::steps::{Loop, MAX_LOOPS, blank, distance, each, least, sort};

blank! {
    /// A simplified move. Its destination strides are positive and ascend from the first loop on, except in nests that
    /// [`forwards_in_source`](Self::forwards_in_source) makes, some of whose strides are negative.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Nest, const NOTHING {
        pub(crate) unit: usize = 0,
        /// Frequent searches index them `% MAX_LOOPS`: otherwise the compiler unrolls a search sixteen times.
        pub(crate) loops: [Loop; MAX_LOOPS] = [Loop::ONCE; MAX_LOOPS],
        pub(crate) count: usize = 0,
        /// The offset of the first unit.
        pub(crate) source: isize = 0,
        pub(crate) destination: isize = 0,
        /// The range of source bytes that are read: the first byte, and the one after the last.
        pub(crate) source_range: (isize, isize) = (0, 0),
        pub(crate) destination_range: (isize, isize) = (0, 0),
        /// The number of bytes moved.
        pub(crate) bytes: usize = 0,
        /// The padding, and the bytes of a group before it, if the loops make up such groups.
        pub(crate) padding: Option<(Padding, usize)> = None,
        /// Whether the move may be inlined, so that no kernel is called.
        pub(crate) may_be_inlined: bool = false,
        /// Whether the move is one of two passes, which have no other scratch buffer.
        pub(crate) is_pass: bool = false,
    }
}

/// Returns where part `index` of `parts` begins, without a product that may overflow.
const fn start_of_part(size: usize, index: usize, parts: usize) -> usize {
    let (each, rest) = (size / parts, size % parts);
    each * index + least(index, rest)
}

/// The value of an operation that also says whether it overflows. Const evaluation pays for every call, and a checked
/// operation is three.
macro_rules! exact {
    ($value:expr, $error:expr) => {
        match $value {
            (value, false) => value,
            (_, true) => return Err($error),
        }
    };
}

/// Returns the range of one side: the first byte, and the one after the last.
const fn range(
    loops: &[Loop; MAX_LOOPS],
    count: usize,
    start: usize,
    unit: usize,
    side: Side,
) -> Result<(isize, isize), Error> {
    let after = Error::TooLong { side };
    if start > isize::MAX as usize || unit > isize::MAX as usize {
        return Err(after);
    }
    let (mut low, mut high) =
        (start as isize, exact!((start as isize).overflowing_add(unit as isize), after));
    each!(i, 0..count, {
        let stride = match side {
            Side::Source => loops[i].source,
            Side::Destination => loops[i].destination,
        };
        let steps = loops[i].size - 1;
        let out = if stride < 0 { Error::BeforeStart { side, offset: isize::MIN } } else { after };
        if steps > isize::MAX as usize && stride != 0 {
            return Err(out);
        }
        let last = exact!((steps as isize).overflowing_mul(stride), out);
        if last < 0 {
            low = exact!(low.overflowing_add(last), out);
        } else {
            high = exact!(high.overflowing_add(last), out);
        }
    });
    if low < 0 { Err(Error::BeforeStart { side, offset: low }) } else { Ok((low, high)) }
}

impl Nest {
    /// Checks and simplifies a move.
    pub(crate) const fn new(of: &Move) -> Result<Self, Error> {
        let mut nest = Self::NOTHING;
        match nest.set(of) {
            Ok(()) => Ok(nest),
            Err(error) => Err(error),
        }
    }

    /// [`new`](Self::new), in place of a nest that moves nothing: a plan's time is in large part copies of nests.
    pub(crate) const fn set(&mut self, of: &Move) -> Result<(), Error> {
        each!(i, 0..least(of.count, MAX_LOOPS), {
            if of.loops[i].size == 0 {
                return Ok(());
            }
        });
        if of.unit == 0 {
            return Ok(());
        }
        if of.count > MAX_LOOPS {
            return Err(Error::TooManyLoops { count: of.count });
        }
        each!(i, 0..of.count, {
            let Loop { size, source, destination } = of.loops[i];
            if destination == 0 {
                return Err(Error::Overlap { size, source });
            }
            self.loops[i] = of.loops[i];
        });
        (self.unit, self.count) = (of.unit, of.count);
        self.source_range = match range(&self.loops, self.count, of.source, of.unit, Side::Source) {
            Ok(range) => range,
            Err(error) => return Err(error),
        };
        self.destination_range =
            match range(&self.loops, self.count, of.destination, of.unit, Side::Destination) {
                Ok(range) => range,
                Err(error) => return Err(error),
            };
        (self.source, self.destination) = (of.source as isize, of.destination as isize);
        each!(i, 0..self.count, {
            if self.loops[i].destination < 0 {
                self.reverse(i);
            }
        });
        self.sort();
        self.fuse();
        self.bytes = self.unit;
        each!(i, 0..self.count, {
            self.bytes =
                exact!(self.bytes.overflowing_mul(self.loops[i].size), Error::TooManyBytes);
        });
        match of.padding {
            // Moves of elements of less than a byte leave padding unchanged.
            Some(padding) if !of.is_of_elements() => self.set_padding(padding, of.unit),
            _ => Ok(()),
        }
    }

    /// Adds the padding of a move of units of `unit` bytes, if its groups are those of some loops.
    const fn set_padding(&mut self, padding: Padding, unit: usize) -> Result<(), Error> {
        let Padding { group, .. } = padding;
        if group < unit {
            return Err(Error::SmallGroup { group, unit });
        }
        self.padding = self.padded(padding);
        if let Some((_, moved)) = self.padding {
            let (after, end) =
                (Error::TooLong { side: Side::Destination }, self.destination_range.1);
            if group > isize::MAX as usize {
                return Err(after);
            }
            self.destination_range.1 = exact!(end.overflowing_add((group - moved) as isize), after);
        }
        Ok(())
    }

    /// Returns the padding and the bytes of a group before it, if some of the fastest loops make up groups.
    const fn padded(&self, padding: Padding) -> Option<(Padding, usize)> {
        let (mut moved, mut i) = (self.unit, 0);
        while i < self.count && self.loops[i].destination as usize == moved {
            moved = moved.saturating_mul(self.loops[i].size);
            i += 1;
        }
        let ends = i == self.count || self.loops[i].destination as usize == padding.group;
        if ends && moved < padding.group && self.is_nested(i, padding.group) {
            Some((padding, moved))
        } else {
            None
        }
    }

    /// Whether each loop from loop `first` on steps over everything that the loops before it cover, which are `bytes`
    /// bytes of the destination. If so, no two iterations share a byte.
    const fn is_nested(&self, first: usize, bytes: usize) -> bool {
        let mut covered = bytes;
        each!(i, first..self.count, {
            let stride = self.loops[i].destination as usize;
            if stride < covered {
                return false;
            }
            // Units stay inside the destination's range, and a group is one of its strides, so the sum is at most twice
            // `isize::MAX`.
            covered += (self.loops[i].size - 1) * stride;
        });
        true
    }

    /// Returns part `index` of `parts`: some iterations of one loop. The destinations of the parts are disjoint. A
    /// part is empty if there are too few iterations. If loops are not nested, iterations of different parts might
    /// share bytes, so the first part gets all of them.
    pub(crate) const fn part(&self, index: usize, parts: usize) -> Self {
        if parts > 1 && !self.is_nested(0, self.unit) {
            return if index == 0 { *self } else { Self::NOTHING };
        }
        let mut widest = 0;
        each!(i, 0..self.count, {
            // Takes the slowest loop in the destination that has enough iterations, or else the longest loop.
            if self.loops[i].size >= parts || self.loops[i].size > self.loops[widest].size {
                widest = i;
            }
        });
        let own = self.loops[widest];
        let (start, end) =
            (start_of_part(own.size, index, parts), start_of_part(own.size, index + 1, parts));
        if self.count == 0 || start >= end {
            let is_all = self.count == 0 && index == 0;
            return if is_all { *self } else { Self::NOTHING };
        }
        let mut part = *self;
        part.loops[widest].size = end - start;
        part.source += own.source * start as isize;
        part.destination += own.destination * start as isize;
        part.bytes = self.bytes / own.size * (end - start);
        if matches!(self.padding, Some((padding, _)) if (own.destination as usize) < padding.group)
        {
            // Each part has only a part of every group.
            part.padding = None;
        }
        part.fuse();
        part
    }

    /// Reverses a loop, which then begins with the last unit.
    const fn reverse(&mut self, i: usize) {
        let Loop { size, source, destination } = self.loops[i];
        let (far, far_to) = self.loops[i].last();
        (self.source, self.destination) = (self.source + far, self.destination + far_to);
        self.loops[i] = Loop::new(size, -source, -destination);
    }

    /// Returns the nest as transposes need it: the columns of a matrix are contiguous in the source. A digit that is
    /// contiguous there backwards is reversed: it then goes forwards in the source and backwards in the destination.
    /// Only the fastest digits of the source are, until they have `bytes` bytes, since rows must go forwards in the
    /// destination. Returns `None` if none is reversed.
    ///
    /// For example, pixels of 4 bytes flipped along their channels, loops of 4 channels with strides -1 and 100 and of
    /// 100 pixels with strides 4 and 1, become 4 channels with strides 1 and -100 that begin at the last plane.
    pub(super) const fn forwards_in_source(&self, bytes: usize) -> Option<Self> {
        let mut i = 1;
        while i < self.count && self.loops[i].source >= 0 {
            i += 1;
        }
        if i >= self.count {
            return None;
        }
        let (mut own, mut found) = (None, self.unit);
        while found < bytes {
            // The fastest digit of the destination is one of rows, which are not reversed.
            let mut i = 1;
            while i < self.count && distance(self.loops[i].source) != found {
                i += 1;
            }
            if i >= self.count {
                break;
            }
            let along = self.loops[i];
            found = found.saturating_mul(along.size);
            if along.source < 0 {
                let mut reversed = if let Some(own) = own { own } else { *self };
                reversed.reverse(i);
                own = Some(reversed);
            }
        }
        own
    }

    /// Sets the order of the first `count` loops by their distance in the source, smallest first.
    #[inline(always)]
    pub(super) const fn order_by_source<const MOST: usize>(
        &self,
        count: usize,
        order: &mut [usize; MOST],
    ) {
        each!(i, 0..count, {
            let (own, mut j) = (distance(self.loops[i % MAX_LOOPS].source), i);
            while j > 0 {
                let before = order[(j - 1) % MOST];
                if distance(self.loops[before % MAX_LOOPS].source) <= own {
                    break;
                }
                order[j % MOST] = before;
                j -= 1;
            }
            order[j % MOST] = i;
        });
    }

    /// Sorts the loops by destination stride, smallest first.
    const fn sort(&mut self) {
        sort!(self.loops, self.count, |before, own| before.destination > own.destination);
    }

    /// Puts the longest loop first, for moves whose order is of no account.
    pub(super) const fn set_longest_first(&mut self) {
        let mut longest = 0;
        each!(i, 1..self.count, {
            if self.loops[i].size > self.loops[longest].size {
                longest = i;
            }
        });
        (self.loops[0], self.loops[longest]) = (self.loops[longest], self.loops[0]);
    }

    /// Merges two loops if the second continues the first on both sides, and merges the first loop into the unit if
    /// it continues the unit.
    const fn fuse(&mut self) {
        let mut kept = 0;
        each!(i, 0..self.count, {
            let own = self.loops[i];
            if own.size == 1 {
                continue;
            }
            if kept > 0 {
                let before = self.loops[kept - 1];
                let size = before.size as isize;
                // These products lie within the ranges. They saturate, since the stride of a huge loop may have
                // another sign than the range.
                if own.source == before.source.saturating_mul(size)
                    && own.destination == before.destination.saturating_mul(size)
                {
                    self.loops[kept - 1].size *= own.size;
                    continue;
                }
            } else if own.source == self.unit as isize && own.destination == self.unit as isize {
                self.unit *= own.size;
                continue;
            }
            self.loops[kept] = own;
            kept += 1;
        });
        each!(i, kept..self.count, {
            self.loops[i] = Loop::ONCE;
        });
        self.count = kept;
    }
}
