//! Byte permutes as data: loads, and a table for each.

use super::LINE;
use super::consts::blank;
use super::loops::{Loop, OuterLoop};

/// The maximal number of loads of a permutation. Without vectors, one only fills padding, with one load.
pub(crate) const MAX_LOADS: usize = if cfg!(vectors) { 8 } else { 1 };

/// The maximal number of windows: up to four for each load.
pub(crate) const MAX_WINDOWS: usize = 4 * MAX_LOADS;

/// The maximal number of vectors that the same loads make.
pub(crate) const MAX_OUTPUTS: usize = 4;

/// The maximal number of vectors that eight loads make.
pub(crate) const MAX_PLANES: usize = if cfg!(vectors) { 8 } else { MAX_OUTPUTS };

/// The maximal number of tables. Without vectors, one only fills padding, with one table.
pub(crate) const MAX_TABLES: usize = if cfg!(vectors) { 3 * MAX_OUTPUTS } else { 1 };

/// The maximal bytes of a source that is copied, so that loads may end after it.
pub(crate) const COPIED: usize = 512;

/// The table index of a byte that a load does not have; `pshufb` makes such a byte 0.
pub(crate) const NONE: u8 = 0x80;

/// How loads become vectors. In two separate lanes, the lower lanes of all vectors are the first half of what an
/// iteration writes, and the upper ones the second half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// [`MAX_OUTPUTS`] tables for each load, or one if there is one vector: which bytes of it a vector gets.
    Tables,
    /// The same for one vector and one load, of `length` bytes. Loads are short only where the loops leave less than a
    /// vector of the source, so all units are in one.
    Short,
    /// Four or eight loads, of as many parts: part `i` of load `j` becomes part `j` of vector `i`. With `before`, the
    /// table of a load first collects the bytes of each vector in a part. With `after`, the table after those of the
    /// loads, or the first one, then orders the bytes of a vector.
    Parts { before: bool, after: bool },
    /// Four rows of four units of a lane: unit `i` of load `j` becomes unit `j` of vector `i`.
    Lanes,
    /// Two or four rows, interleaved without tables, in one lane or in two separate ones: the bytes of a unit.
    Zips(usize),
}

blank! {
    /// One to eight vectors of the destination, made of the same loads, in three loops.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Permutation, const NONE {
        pub(crate) loads: usize = 0,
        /// Whether a load is of 16 bytes for each lane, at an offset of its own; if not, it is of one vector.
        pub(crate) lanes: bool = false,
        /// If an iteration is two of the nest, one in each of two lanes, the distance of their loads; otherwise 0. Planes are
        /// then vectors of both lanes. Of rows, what the upper lanes make is the second half of the `valid` bytes.
        pub(crate) apart: isize = 0,
        /// The bytes of the destination that the vector covers, with padding and gaps.
        pub(crate) valid: usize = 0,
        pub(crate) form: Form = Form::Tables,
        /// Whether some of the `valid` bytes are padding.
        pub(crate) pads: bool = false,
        /// Whether some of the `valid` bytes are not stored: gaps between units, and the one after the last unit.
        pub(crate) has_gaps: bool = false,
        /// With one output, which bytes are stored: byte `i` if bit `i` is 1.
        pub(crate) mask: u64 = 0,
        /// The number of vectors that the same loads make, and the offsets at which they are stored.
        pub(crate) outputs: usize = 1,
        pub(crate) output_offsets: [isize; MAX_PLANES] = [0; MAX_PLANES],
        /// The bytes of each of several outputs that are stored, unless the form stores all.
        pub(crate) stored: usize = 0,
        /// Whether every vector is stored whole.
        pub(crate) is_whole: bool = false,
        pub(crate) align: Align = Align::NEVER,
        /// The bytes of the load of [`Short`](Form::Short). Other forms do not use it.
        pub(crate) length: u8 = 0,
        /// The end of the farthest load, measured from where the first iteration begins, if it lies after the source; 0 if
        /// no load ends there. Only the iteration that reads farthest has such loads, and the driver moves it out of a
        /// scratch buffer. Until the permutation has its loops, it is measured from where this iteration begins. It is
        /// [`ALL`](Self::ALL) if all iterations move out of a copy of the source.
        pub(crate) read_end: isize = 0,
        pub(crate) inner: OuterLoop = OuterLoop::ONCE,
        pub(crate) next: OuterLoop = OuterLoop::ONCE,
        pub(crate) outer: OuterLoop = OuterLoop::ONCE,
        /// The bytes of the destination that the iterations of `inner` cover one after another, and whether all vectors are
        /// cache lines if the first one is.
        pub(crate) run: usize = 0,
        pub(crate) are_lines: bool = false,
        /// The number of iterations of `next` in which whole vectors may be stored, since later stores overwrite the
        /// excess.
        pub(crate) whole_runs: usize = 0,
        /// In the other iterations of `next`, the number of iterations of `inner` in which whole vectors may be stored.
        pub(crate) whole_iterations: usize = 0,
        /// The offsets of the windows.
        pub(crate) offsets: [i32; MAX_WINDOWS] = [0; MAX_WINDOWS],
        /// The tables of the form.
        pub(crate) tables: [[u8; 64]; MAX_TABLES] = [[NONE; 64]; MAX_TABLES],
        /// The bytes that fill padding.
        pub(crate) fill: [u8; 64] = [0; 64],
    }
}

/// How many iterations of the run's loop to skip so that a vector begins at a cache line of the destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Align {
    /// The strides of the loop; 0 in the destination if vectors are not aligned.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    /// The largest power of two that divides the destination stride, at most that of a cache line, and the inverse of
    /// the remaining odd factor.
    power: u32,
    inverse: usize,
}

impl Align {
    pub(crate) const NEVER: Self = Self { source: 0, destination: 0, power: 0, inverse: 0 };

    /// Makes the alignment for vectors of `valid` bytes. A vector holds whole iterations, so less than a vector comes
    /// before a cache line.
    pub(crate) const fn of(of_run: Loop, valid: usize) -> Self {
        let Loop { source, destination, .. } = of_run;
        if destination <= 0 || valid % destination as usize != 0 {
            return Self::NEVER;
        }
        let power = destination.trailing_zeros();
        let power = if power < LINE.trailing_zeros() { power } else { LINE.trailing_zeros() };
        let odd = destination as usize >> power;
        // A Newton step doubles the number of correct low bits. An odd number is its own inverse in the lowest three.
        let inverse = odd.wrapping_mul(2usize.wrapping_sub(odd.wrapping_mul(odd)));
        Self { source, destination, power, inverse }
    }

    /// Returns the number of iterations before a vector begins at a cache line, from address `to` on, or 0 if none
    /// does.
    #[inline(always)]
    pub(crate) const fn shift(&self, to: usize) -> isize {
        // First checks what is the same for every run, since a branch on the address is often mispredicted.
        if self.destination == 0 {
            return 0;
        }
        let before = to.wrapping_neg() % LINE;
        // Masks instead of a division, which could panic.
        if before == 0 || before & ((1 << self.power) - 1) != 0 {
            return 0;
        }
        ((before >> self.power).wrapping_mul(self.inverse) & ((LINE >> self.power) - 1)) as isize
    }
}

impl Permutation {
    /// Whether there is one iteration, whose time the numbers of loops would take several times.
    #[inline(always)]
    pub(crate) const fn is_once(&self) -> bool {
        self.inner.count == 1 && self.next.count == 1 && self.outer.count == 1
    }

    /// Whether loads of an iteration end after the source, which ends at `end`, if the first begins at `from`.
    #[inline]
    pub(crate) fn ends_after(&self, end: *const u8, from: *const u8) -> bool {
        // Subtracts addresses, since a buffer may lie at either end of the address space.
        self.read_end > 0 && self.read_end > (end as isize).wrapping_sub(from as isize)
    }

    /// [`read_end`](Self::read_end) of loads from a source of at most [`COPIED`] bytes, some
    /// of which end after it.
    pub(crate) const ALL: isize = -1;

    /// Whether an iteration is two of the nest.
    #[inline(always)]
    pub(crate) const fn is_pair(&self) -> bool {
        self.apart != 0
    }

    /// Whether several outputs are one run of the destination: interleaved rows or a block, not planes.
    pub(crate) fn is_run(&self) -> bool {
        self.outputs > 1 && self.output_offsets.iter().all(|offset| *offset < self.valid as isize)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::{Align, LINE, Loop};

    /// Vectors begin at a line after the first steps that lead to one, if any do.
    #[test]
    fn vectors_come_to_lines() {
        for step in (1..=LINE).filter(|step| LINE % step == 0 || step % 2 == 1) {
            let valid = step * (LINE / step).max(1);
            let align = Align::of(Loop::new(100, 5, step as isize), valid);
            for to in 4096..4096 + LINE {
                let first = (0..LINE).find(|i| (to + i * step) % LINE == 0);
                assert_eq!(
                    align.shift(to),
                    first.unwrap_or(0) as isize,
                    "from {to} in steps of {step}"
                );
            }
        }
        let never: Vec<_> = [(0, 64), (-4, 64), (24, 64)]
            .map(|(step, valid)| Align::of(Loop::new(9, 1, step), valid))
            .to_vec();
        assert!(never.iter().all(|align| (0..LINE).all(|to| align.shift(to) == 0)));
    }
}
