//! Loops over elements, and how they are joined and cut before there is a kernel for them.

use crate::kernel::{Job, Loop};

/// Loops over elements of one size, from the slowest to the fastest in the destination, and where they
/// begin. Offsets and strides count elements.
#[derive(Clone, Copy, Debug)]
pub struct Loops {
    pub(super) source: usize,
    pub(super) destination: usize,
    pub(super) list: [Loop; Self::CAPACITY],
    pub(super) count: usize,
}

impl Loops {
    /// The most loops that become a job: those around a kernel, and two of the kernel.
    pub const CAPACITY: usize = Job::CAPACITY + 2;

    /// One element.
    pub const fn at(source: usize, destination: usize) -> Self {
        Self { source, destination, list: [Loop::ONCE; Self::CAPACITY], count: 0 }
    }

    /// Adds a loop, the fastest in the destination so far. False where there are too many.
    #[must_use]
    pub const fn push(&mut self, size: usize, source: isize, destination: isize) -> bool {
        if self.count == Self::CAPACITY {
            return false;
        }
        self.list[self.count] = Loop { size, source, destination };
        self.count += 1;
        true
    }

    /// Joins loops that follow one another on both sides, and drops loops of one step.
    const fn merge(&mut self) {
        let mut kept = 0;
        let mut i = 0;
        while i < self.count {
            let inner = self.list[i];
            if inner.size != 1 {
                if kept > 0 && follows(&self.list[kept - 1], &inner) {
                    let size = self.list[kept - 1].size * inner.size;
                    self.list[kept - 1] = Loop { size, ..inner };
                } else {
                    self.list[kept] = inner;
                    kept += 1;
                }
            }
            i += 1;
        }
        self.count = kept;
    }

    /// Cuts off the last of an odd number of 4-bit elements that lie together in the destination:
    /// what is left fills whole bytes.
    pub(super) const fn whole_bytes(&self) -> (Self, Option<Self>) {
        let (mut whole, mut last) = (*self, *self);
        let mut i = 0;
        while i < self.count {
            let level = self.list[i];
            if level.destination == 1 && level.size % 2 == 1 {
                let steps = level.size as isize - 1;
                whole.list[i].size -= 1;
                last.source = last.source.wrapping_add_signed(steps * level.source);
                last.destination = last.destination.wrapping_add_signed(steps);
                last.list[i] = Loop::ONCE;
                last.merge();
                return (whole, Some(last));
            }
            i += 1;
        }
        (whole, None)
    }

    /// The same nest over bytes, two elements of loop `row` in each. What it steps by is even
    /// elsewhere.
    pub(super) const fn halved(&self, row: usize) -> Self {
        let mut bytes = *self;
        bytes.source /= 2;
        bytes.destination /= 2;
        let mut i = 0;
        while i < self.count {
            let level = self.list[i];
            bytes.list[i] = if i == row {
                Loop { size: level.size / 2, ..level }
            } else {
                let (source, destination) = (level.source / 2, level.destination / 2);
                Loop { source, destination, ..level }
            };
            i += 1;
        }
        bytes.merge();
        bytes
    }
}

/// Whether one step of `outer` is as far as all those of `inner`.
const fn follows(outer: &Loop, inner: &Loop) -> bool {
    let steps = inner.size as isize;
    outer.source == inner.source.wrapping_mul(steps)
        && outer.destination == inner.destination.wrapping_mul(steps)
}
