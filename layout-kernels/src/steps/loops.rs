//! Loops of a move, runs in two loops, and the loops around a step, whose last iteration may overlap the one before it.

use super::consts::{each, sort};

/// The maximal number of loops of a move, without loops of one iteration.
pub const MAX_LOOPS: usize = 16;

/// A loop over units, whose strides count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The number of iterations.
    pub size: usize,
    /// The bytes from one iteration to the next in the source: any sign, 0 for a broadcast.
    pub source: isize,
    /// The bytes from one iteration to the next in the destination: any sign, not 0.
    pub destination: isize,
}

impl Loop {
    /// A loop of one iteration.
    pub const ONCE: Self = Self { size: 1, source: 0, destination: 0 };

    /// Makes a loop of `size` iterations. Strides are in bytes.
    pub const fn new(size: usize, source: isize, destination: isize) -> Self {
        Self { size, source, destination }
    }

    /// Returns the loop of the opposite direction: from what was the destination to what was the source.
    pub(crate) const fn reversed(self) -> Self {
        Self::new(self.size, self.destination, self.source)
    }

    /// Returns the offsets of the last iteration relative to the first.
    pub(crate) const fn last(&self) -> (isize, isize) {
        let steps = self.size as isize - 1;
        (steps * self.source, steps * self.destination)
    }

    /// Whether iterations of `bytes` bytes are contiguous in the destination.
    pub(crate) const fn follows(&self, bytes: usize) -> bool {
        self.destination == bytes as isize
    }
}

/// Runs of `bytes` bytes in two loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    pub(crate) bytes: usize,
    pub(crate) inner: Loop,
    pub(crate) outer: Loop,
}

/// Copies of runs, their class, and the class of their non-temporal stores, or 0 if they have none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copies {
    pub(crate) class: usize,
    pub(crate) streamed: usize,
    pub(crate) runs: Runs,
}

/// A loop around a step. If the step takes several iterations of a digit and does not divide their number, the last
/// iteration is shifted back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OuterLoop {
    pub(crate) count: usize,
    pub(crate) source: isize,
    pub(crate) destination: isize,
    pub(crate) last_source: isize,
    pub(crate) last_destination: isize,
}

impl OuterLoop {
    /// A loop of one iteration.
    pub(crate) const ONCE: Self = Self::of(Loop::ONCE, 1);

    /// Divides a loop into steps of `chunk` iterations.
    pub(crate) const fn of(own: Loop, chunk: usize) -> Self {
        debug_assert!(chunk > 0 && chunk <= own.size, "a chunk of the loop");
        let (step, last) = (chunk as isize, (own.size - chunk) as isize);
        Self {
            count: own.size.div_ceil(chunk),
            source: own.source.wrapping_mul(step),
            destination: own.destination.wrapping_mul(step),
            last_source: own.source * last,
            last_destination: own.destination * last,
        }
    }

    /// Whether the first iteration reads farthest in the source. If not, the last one does.
    pub(crate) const fn reads_backwards(&self) -> bool {
        self.last_source < 0
    }

    /// Returns the offsets of the iteration that reads farthest in the source.
    pub(crate) const fn farthest(&self) -> (isize, isize) {
        if self.reads_backwards() { (0, 0) } else { (self.last_source, self.last_destination) }
    }

    /// Returns the other iterations, of several, and the offsets at which they begin.
    pub(crate) const fn others(&self) -> (Self, (isize, isize)) {
        debug_assert!(self.count > 1, "there are several iterations");
        let count = self.count - 1;
        let (first, last) = if self.reads_backwards() {
            (self.at(1), (self.last_source, self.last_destination))
        } else {
            let last = count as isize - 1;
            ((0, 0), (self.source * last, self.destination * last))
        };
        let (last_source, last_destination) = (last.0 - first.0, last.1 - first.1);
        (Self { count, last_source, last_destination, ..*self }, first)
    }

    /// Returns how much further the farthest iteration reads in the source than all others: `usize::MAX` if it is the
    /// only one.
    pub(crate) const fn lead(&self) -> usize {
        if self.count < 2 {
            return usize::MAX;
        }
        let (others, first) = self.others();
        (self.farthest().0 - first.0 - others.farthest().0) as usize
    }

    /// Whether the last iteration has the same distance from the one before it as the others.
    #[allow(dead_code, reason = "only inlined moves use it")]
    pub(crate) const fn is_regular(&self) -> bool {
        let last = self.count as isize - 1;
        self.last_source == self.source.wrapping_mul(last)
            && self.last_destination == self.destination.wrapping_mul(last)
    }

    /// Whether all iterations are multiples of `bytes` bytes after the first one in the destination.
    pub(crate) const fn are_multiples(&self, bytes: usize) -> bool {
        (self.destination | self.last_destination) % bytes as isize == 0
    }

    /// Returns the offsets at which an iteration begins on both sides.
    #[inline(always)]
    pub(crate) const fn at(&self, iteration: usize) -> (isize, isize) {
        if iteration + 1 == self.count {
            (self.last_source, self.last_destination)
        } else {
            (self.source * iteration as isize, self.destination * iteration as isize)
        }
    }
}

/// The maximal number of loops around a step.
pub(crate) const MAX_OUTER_LOOPS: usize = MAX_LOOPS + 2;

/// The loops around a step, outermost first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OuterLoops {
    pub(crate) all: [OuterLoop; MAX_OUTER_LOOPS],
    pub(crate) count: usize,
}

impl OuterLoops {
    pub(crate) const NONE: Self = Self { all: [OuterLoop::ONCE; MAX_OUTER_LOOPS], count: 0 };

    /// Returns the loops.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[OuterLoop] {
        // `get` instead of a slice index, which could panic.
        self.all.get(..self.count).unwrap_or(&[])
    }

    /// [`OuterLoop::lead`] of these loops together: how much further the farthest of all iterations reads than the
    /// others.
    pub(crate) const fn lead(&self) -> usize {
        let mut lead = usize::MAX;
        each!(i, 0..self.count, {
            let own = self.all[i].lead();
            lead = least(own, lead);
        });
        lead
    }

    /// Removes all loops.
    pub(crate) const fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the innermost loop, unless it has one iteration. Returns false if there are too many.
    pub(crate) const fn push(&mut self, own: OuterLoop) -> bool {
        if own.count == 1 {
            return true;
        }
        if self.count == MAX_OUTER_LOOPS {
            return false;
        }
        self.all[self.count] = own;
        self.count += 1;
        true
    }

    /// Sorts the loops so that the innermost has the smallest steps.
    pub(crate) const fn sort(&mut self) {
        sort!(self.all, self.count, |before, own| key(&before) < key(&own));
    }

    /// Removes and returns the innermost loop.
    pub(crate) const fn pop(&mut self) -> OuterLoop {
        if self.count == 0 {
            return OuterLoop::ONCE;
        }
        self.count -= 1;
        self.all[self.count]
    }
}

/// `stride.unsigned_abs()` in one call instead of three, for which const evaluation pays.
pub(crate) const fn distance(stride: isize) -> usize {
    if stride < 0 { (stride as usize).wrapping_neg() } else { stride as usize }
}

/// Returns a range that grows by an offset at one of its ends.
pub(crate) const fn extended((low, high): (isize, isize), by: isize) -> (isize, isize) {
    if by < 0 { (low + by, high) } else { (low, high + by) }
}

/// Returns the key for sorting loops: the smaller of the two steps. Those of the destination count twice, since CPUs
/// wait for loads and not for stores.
const fn key(own: &OuterLoop) -> usize {
    let (source, destination) = (distance(own.source), distance(own.destination));
    least(source, destination.saturating_mul(2))
}

/// Returns the smaller number. [`Ord::min`] is not a `const fn`.
#[inline(always)]
pub(crate) const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// Returns the greater number. [`Ord::max`] is not a `const fn`.
#[inline(always)]
pub(crate) const fn greater(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Returns a chunk of at most `most` iterations that divides `size` as evenly as possible.
pub(crate) const fn balanced(size: usize, most: usize) -> usize {
    if size <= most { size } else { size.div_ceil(size.div_ceil(most)) }
}

/// The maximal length in bytes for which copying by vectors is faster than a call of memcpy.
pub(crate) const VECTORS: usize = 8 << 10;

/// The class of runs of vectors in a loop.
pub(crate) const LONG_RUNS: usize = 18;

/// The class of runs whose whole cache lines are stored non-temporally.
pub(crate) const STREAMED_RUNS: usize = 19;

/// The class of runs of 9 to 15 bytes that are copied as vectors that overlap.
pub(crate) const OVERLAPPING_RUNS: usize = STREAMED_RUNS + 1;

/// The same of 17 to 31 bytes.
pub(crate) const LONG_OVERLAPPING_RUNS: usize = OVERLAPPING_RUNS + 1;

/// The number of classes of runs.
pub(crate) const COPY_CLASSES: usize = LONG_OVERLAPPING_RUNS + 1;

/// Returns the class of runs of `bytes` bytes: the index of their micro-kernel. Those of up to 256 bytes have no loop.
pub(crate) const fn copy_class(bytes: usize) -> usize {
    match bytes {
        1 => 1,
        2 => 2,
        4 => 3,
        8 => 4,
        16 => 5,
        3 => 6,
        5..8 => 7,
        9..16 => 8,
        17..=32 => 9,
        33..=48 => 10,
        49..=64 => 11,
        65..=96 => 12,
        97..=128 => 13,
        129..=160 => 14,
        161..=192 => 15,
        193..=224 => 16,
        225..=256 => 17,
        257..=VECTORS => LONG_RUNS,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG_RUNS, Loop, OuterLoop, VECTORS, copy_class};

    /// The iteration that reads farthest, the others, and how much further it reads, of loops in both directions that
    /// are divided evenly or not.
    #[test]
    fn the_farthest_iteration_and_the_others() {
        for (size, chunk) in [(2, 1), (3, 1), (9, 1), (6, 3), (7, 3), (8, 3), (9, 3), (100, 7)] {
            for source in [-30, -1, 0, 1, 30] {
                let own = OuterLoop::of(Loop::new(size, source, 5), chunk);
                let all: std::vec::Vec<_> = (0..own.count).map(|i| own.at(i)).collect();
                let far = if source < 0 { 0 } else { own.count - 1 };
                assert_eq!(own.farthest(), all[far], "{own:?}");
                let (others, first) = own.others();
                assert_eq!(others.count, own.count - 1);
                let rest = (0..others.count).map(|i| {
                    let (source, destination) = others.at(i);
                    (first.0 + source, first.1 + destination)
                });
                let expected = (0..own.count).filter(|i| *i != far).map(|i| all[i]);
                assert!(rest.eq(expected), "{own:?}, {others:?} from {first:?} on");
                let next = (0..own.count).filter(|i| *i != far).map(|i| all[i].0);
                let lead = all[far].0 - next.max().expect("another iteration");
                assert_eq!(own.lead(), lead as usize, "{own:?}");
            }
        }
        assert_eq!(OuterLoop::ONCE.lead(), usize::MAX);
    }

    /// The class of a run is that of the shortest runs that are as long, of those whose kernels copy no more than a
    /// run.
    #[test]
    fn runs_have_the_class_of_their_length() {
        let exact = [(1, 1), (2, 2), (4, 3), (8, 4), (16, 5), (3, 6)];
        let most = [
            (7, 7),
            (15, 8),
            (32, 9),
            (48, 10),
            (64, 11),
            (96, 12),
            (128, 13),
            (160, 14),
            (192, 15),
            (224, 16),
            (256, 17),
        ];
        for bytes in 1..=VECTORS + 100 {
            let of_one = exact.iter().find(|own| own.0 == bytes);
            let short = of_one.or(most.iter().find(|own| bytes <= own.0));
            let expected = short.map_or(LONG_RUNS * usize::from(bytes <= VECTORS), |own| own.1);
            assert_eq!(copy_class(bytes), expected, "{bytes} bytes");
        }
    }
}
