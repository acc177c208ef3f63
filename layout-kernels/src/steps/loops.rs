//! Loops, the runs that two of them walk, and rounds: loops around a step, whose last iteration may overlap the one before
//! it.

/// The most loops of a move, not counting those of one iteration.
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
    /// One iteration.
    pub const ONCE: Self = Self { size: 1, source: 0, destination: 0 };

    /// A loop of `size` iterations.
    pub const fn new(size: usize, source: isize, destination: isize) -> Self {
        Self { size, source, destination }
    }

    /// The strides of the last iteration together, from the first.
    pub(crate) const fn last(&self) -> (isize, isize) {
        let steps = self.size as isize - 1;
        (steps * self.source, steps * self.destination)
    }

    /// Whether the iterations follow so many bytes, and each other, in the destination.
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

/// Copies of runs, whose length has a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copies {
    pub(crate) class: usize,
    pub(crate) runs: Runs,
}

/// A loop around a step. The last round is shifted back where the step takes several iterations of a
/// digit and does not divide them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) count: usize,
    pub(crate) source: isize,
    pub(crate) destination: isize,
    pub(crate) last_source: isize,
    pub(crate) last_destination: isize,
}

impl Round {
    /// One round.
    pub(crate) const ONCE: Self = Self::of(Loop::ONCE, 1);

    /// A loop in steps of `chunk` iterations, at most all of them.
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

    /// Whether the last round is as far behind the one before it as the others are.
    #[allow(dead_code, reason = "moves in place ask alone")]
    pub(crate) const fn is_even(&self) -> bool {
        let last = self.count as isize - 1;
        self.last_source == self.source.wrapping_mul(last)
            && self.last_destination == self.destination.wrapping_mul(last)
    }

    /// Where a round begins on both sides.
    #[inline(always)]
    pub(crate) const fn at(&self, round: usize) -> (isize, isize) {
        if round + 1 == self.count {
            (self.last_source, self.last_destination)
        } else {
            (self.source * round as isize, self.destination * round as isize)
        }
    }
}

/// The most rounds around a step.
pub(crate) const MAX_ROUNDS: usize = MAX_LOOPS + 2;

/// Rounds around a step, the outermost first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) all: [Round; MAX_ROUNDS],
    pub(crate) count: usize,
    /// How many of them, the first ones, are around a scratch.
    outside: usize,
}

impl Rounds {
    pub(crate) const NONE: Self = Self { all: [Round::ONCE; MAX_ROUNDS], count: 0, outside: 0 };

    /// The rounds around a scratch.
    #[inline]
    pub(crate) fn outside(&self) -> &[Round] {
        // Slices that may be too short would bring a panic along.
        self.all.get(..self.outside).unwrap_or(&[])
    }

    /// The rounds around a step.
    #[inline]
    pub(crate) fn inside(&self) -> &[Round] {
        self.all.get(self.outside..self.count).unwrap_or(&[])
    }

    /// Takes all.
    pub(crate) const fn clear(&mut self) {
        (self.count, self.outside) = (0, 0);
    }

    /// These around a scratch, and others around the step; none if there are too many.
    pub(crate) const fn around(mut self, step: &Self) -> Option<Self> {
        self.outside = self.count;
        let mut i = 0;
        while i < step.count {
            if !self.push(step.all[i]) {
                return None;
            }
            i += 1;
        }
        Some(self)
    }

    /// Adds the innermost round; none if it is one. False if there are too many.
    pub(crate) const fn push(&mut self, round: Round) -> bool {
        if round.count == 1 {
            return true;
        }
        if self.count == MAX_ROUNDS {
            return false;
        }
        self.all[self.count] = round;
        self.count += 1;
        true
    }

    /// Sorts them so that the innermost has the smallest steps.
    pub(crate) const fn sort(&mut self) {
        let mut i = 1;
        while i < self.count {
            let own = self.all[i];
            let mut j = i;
            while j > 0 && key(&self.all[j - 1]) < key(&own) {
                self.all[j] = self.all[j - 1];
                j -= 1;
            }
            self.all[j] = own;
            i += 1;
        }
    }

    /// Takes the innermost round.
    pub(crate) const fn pop(&mut self) -> Round {
        if self.count == 0 {
            return Round::ONCE;
        }
        self.count -= 1;
        self.all[self.count]
    }
}

/// What rounds are sorted by: the smaller of the two steps.
const fn key(round: &Round) -> usize {
    let (source, destination) = (round.source.unsigned_abs(), round.destination.unsigned_abs());
    if source < destination { source } else { destination }
}

/// At most `most` iterations at once, in rounds that are as even as they can be.
pub(crate) const fn balanced(size: usize, most: usize) -> usize {
    if size <= most { size } else { size.div_ceil(size.div_ceil(most)) }
}
