//! Moves in place in three stages, each of which reads the buffer once: runs of many units, blocks in a scratch buffer,
//! and runs again.
//!
//! Units move one by one if the fastest digits of the source are slow in the destination. So the units of a run of the
//! source and those of a run of the destination come together in blocks first. For example, rows A of columns B become
//! rows B of columns A, from the slowest digit to the fastest. Both are divided, A into A' and a, B into B' and b:
//!
//! ```text
//! source                    A' a B' b
//! runs of b move            A' B' a b
//! blocks are transposed     A' B' b a
//! runs of a move            B' b A' a
//! ```

use core::cmp::Reverse;

use layout_kernels::{Loop, Move, Plan};
use layout_types::nests::Level;

use super::cycles::{Cycles, Units};

/// The bytes of the scratch buffer: for a block, or for bits that say which runs have moved.
const SCRATCH: usize = if cfg!(feature = "std") { 32 << 10 } else { 2 << 10 };

/// The maximal number of bytes of a run of the source or the destination, and the least number for which runs are worth
/// three stages.
const RUN: (usize, usize) = (512, 16);

/// Moves the units of a buffer. Returns false, without moving any, if that takes more than a scratch buffer: the units are
/// swizzled, or their numbers do not divide into runs.
pub(super) fn run(cycles: &Cycles, bytes: &mut [u8]) -> bool {
    run_within(cycles, bytes, &mut [0; SCRATCH])
}

/// [`run`] with a scratch buffer.
fn run_within(cycles: &Cycles, bytes: &mut [u8], scratch: &mut [u8]) -> bool {
    let most = scratch.len();
    let Cycles { units, count, .. } = cycles;
    let part = count * units.unit;
    if cycles.is_swizzled() || part == 0 || bytes.len() % part != 0 {
        return false;
    }
    let Some(mut digits) = Digits::of(units) else { return false };
    if part <= most {
        let all = digits.moved(|own| (own.source, own.destination), |_| true, units.unit);
        let Some(blocks) = Blocks::new(&all, part, bytes.len(), most) else { return false };
        blocks.run(bytes, scratch);
        return true;
    }
    let Some((of_source, of_destination)) = digits.divide(units.unit, most) else { return false };
    digits.place();
    let apart = |own: &Digit| (own.source, own.apart);
    let last = |own: &Digit| (own.blocked, own.destination);
    let block = digits.moved(|own| (own.apart, own.blocked), Digit::is_of_block, units.unit);
    let bytes_of_block = digits.count_of(Digit::is_of_block) * units.unit;
    let (Some(first), Some(blocks), Some(last)) = (
        digits.cycles(apart, |own| !own.is_of_source, of_source, units.unit),
        Blocks::new(&block, bytes_of_block, bytes.len(), most),
        digits.cycles(last, |own| !own.is_of_destination, of_destination, units.unit),
    ) else {
        return false;
    };
    first.move_runs(bytes, scratch);
    blocks.run(bytes, scratch);
    last.move_runs(bytes, scratch);
    true
}

/// A digit of a position: the number of its values, and its strides in units.
#[derive(Clone, Copy)]
struct Digit {
    size: usize,
    source: usize,
    destination: usize,
    /// Whether runs of the source and those of the destination contain it.
    is_of_source: bool,
    is_of_destination: bool,
    /// Its strides while blocks have the runs of the source one after another, and those of the destination.
    apart: usize,
    blocked: usize,
}

impl Digit {
    const ONCE: Self = Self {
        size: 1,
        source: 0,
        destination: 0,
        is_of_source: false,
        is_of_destination: false,
        apart: 0,
        blocked: 0,
    };

    fn is_of_block(&self) -> bool {
        self.is_of_source || self.is_of_destination
    }
}

/// The digits of a position.
struct Digits {
    all: [Digit; Self::CAPACITY],
    count: usize,
}

impl Digits {
    /// Those of [`Units`], of which two may be divided.
    const CAPACITY: usize = Units::CAPACITY + 2;

    /// Returns `None` if there are too many, or a source stride is not one of whole units.
    fn of(units: &Units) -> Option<Self> {
        let mut own = Self { all: [Digit::ONCE; Self::CAPACITY], count: 0 };
        let mut destination = 1;
        for Level { size, source, .. } in units.loops.get(..units.count)?.iter().rev() {
            let source = usize::try_from(*source).ok()? / units.unit;
            own.push(Digit { size: *size, source, destination, ..Digit::ONCE })?;
            destination *= size;
        }
        Some(own)
    }

    fn push(&mut self, digit: Digit) -> Option<()> {
        *self.all.get_mut(self.count)? = digit;
        self.count += 1;
        Some(())
    }

    fn digits(&self) -> &[Digit] {
        self.all.get(..self.count).unwrap_or(&[])
    }

    /// The number of values of the digits that `of` chooses.
    fn count_of(&self, of: impl Fn(&Digit) -> bool) -> usize {
        self.digits().iter().filter(|own| of(own)).map(|own| own.size).product()
    }

    /// Divides digits so that runs of both sides are as long as a block of `most` bytes allows. Returns the units of a run
    /// of the source and of one of the destination.
    fn divide(&mut self, unit: usize, most: usize) -> Option<(usize, usize)> {
        let mut run = RUN.0;
        while run >= RUN.1 {
            let mut own = Self { ..*self };
            let wanted = (run / unit).max(2);
            let of_destination =
                own.take(|own| own.destination, |own| own.is_of_destination = true, wanted)?;
            let of_source = own.take(|own| own.source, |own| own.is_of_source = true, wanted)?;
            if of_source.min(of_destination) * unit >= RUN.1
                && own.count_of(Digit::is_of_block) * unit <= most
            {
                *self = own;
                return Some((of_source, of_destination));
            }
            run /= 2;
        }
        None
    }

    /// Marks the fastest digits of a side, until they have about `wanted` values together, and returns how many they have.
    fn take(
        &mut self,
        stride: fn(&Digit) -> usize,
        mark: fn(&mut Digit),
        wanted: usize,
    ) -> Option<usize> {
        let mut taken = 1;
        while taken < wanted {
            let count = self.count;
            let mut all = self.all.iter_mut().take(count);
            let Some(next) = all.find(|own| stride(own) == taken && own.size > 1) else { break };
            let divisor = divisor(next.size, wanted.div_ceil(taken));
            if divisor == 1 {
                break;
            }
            let rest = Digit {
                size: next.size / divisor,
                source: next.source * divisor,
                destination: next.destination * divisor,
                ..*next
            };
            next.size = divisor;
            mark(next);
            taken *= divisor;
            if rest.size > 1 {
                self.push(rest)?;
                break;
            }
        }
        Some(taken)
    }

    /// Sets the strides of both kinds of blocks: the digits outside of blocks keep their order, then come those of the other
    /// side's runs, then those of a run.
    fn place(&mut self) {
        let count = self.count;
        let Some(all) = self.all.get_mut(..count) else { return };
        all.sort_unstable_by_key(|own| {
            let class = usize::from(own.is_of_block()) + usize::from(own.is_of_source);
            (class, Reverse(own.source))
        });
        all.iter_mut().rev().fold(1, |stride, own| {
            own.apart = stride;
            stride * own.size
        });
        all.sort_unstable_by_key(|own| {
            let class = usize::from(own.is_of_block()) + usize::from(own.is_of_destination);
            (class, Reverse(if own.is_of_destination { own.destination } else { own.source }))
        });
        all.iter_mut().rev().fold(1, |stride, own| {
            own.blocked = stride;
            stride * own.size
        });
    }

    /// Returns the move of the digits that `of` chooses, with the given strides.
    fn moved(
        &self,
        strides: impl Fn(&Digit) -> (usize, usize),
        of: impl Fn(&Digit) -> bool,
        unit: usize,
    ) -> Move {
        let mut moved = Move::new(&[], unit);
        for own in self.digits().iter().filter(|own| of(own)) {
            let (source, destination) = strides(own);
            let bytes = |stride| (stride * unit) as isize;
            moved.push(Loop::new(own.size, bytes(source), bytes(destination)));
        }
        moved
    }

    /// Returns the permutation of runs of `run` units, of the digits that `of` chooses, with the given strides.
    fn cycles(
        &self,
        strides: impl Fn(&Digit) -> (usize, usize),
        of: impl Fn(&Digit) -> bool,
        run: usize,
        unit: usize,
    ) -> Option<Cycles> {
        let mut own = [Digit::ONCE; Self::CAPACITY];
        let mut count = 0;
        for digit in self.digits().iter().filter(|own| of(own)) {
            *own.get_mut(count)? = *digit;
            count += 1;
        }
        let own = own.get_mut(..count)?;
        own.sort_unstable_by_key(|digit| Reverse(strides(digit).1));
        // Slow digits with equal strides on both sides leave their parts where they are.
        let same = own.iter().take_while(|digit| strides(digit).0 == strides(digit).1).count();
        let mut units = Units { unit: run * unit, ..Units::NONE };
        let mut all = 1;
        for digit in own.get(same..)? {
            let source = (strides(digit).0 * unit) as isize;
            *units.loops.get_mut(units.count)? = Level { size: digit.size, source, ..Level::ONCE };
            units.count += 1;
            all *= digit.size;
        }
        Some(Cycles::plain(units, all))
    }
}

/// The maximal factor by which a run is longer than [`RUN`].
const LONGER: usize = 8;

/// Returns a divisor of a number, about `wanted`, at most [`LONGER`] times that.
fn divisor(number: usize, wanted: usize) -> usize {
    if number <= wanted {
        return number;
    }
    let near = (wanted..=2 * wanted).chain((wanted / 2 + 1..wanted).rev());
    let mut all = near.chain(2 * wanted..=LONGER * wanted).chain((1..=wanted / 2).rev());
    all.find(|own| number % own == 0).unwrap_or(1)
}

/// The move of each of many blocks, which follow one another in a buffer.
struct Blocks {
    /// The bytes that are moved at once: several small blocks.
    bytes: usize,
    plan: Plan,
    /// The move of the blocks that are left at the end.
    rest: Plan,
}

impl Blocks {
    /// Blocks of `block` bytes in a buffer of `all` bytes, moved by a scratch buffer of `most` bytes.
    fn new(of: &Move, block: usize, all: usize, most: usize) -> Option<Self> {
        let at_once = most.checked_div(block)?;
        let planned = |count: usize| {
            let mut of = *of;
            of.push(Loop::new(count, block as isize, block as isize));
            Plan::new(&of).ok()
        };
        let rest = (all / block).checked_rem(at_once)?;
        Some(Self { bytes: at_once * block, plan: planned(at_once)?, rest: planned(rest)? })
    }

    fn run(&self, all: &mut [u8], scratch: &mut [u8]) {
        for own in all.chunks_mut(self.bytes) {
            let plan = if own.len() == self.bytes { &self.plan } else { &self.rest };
            let Some(before) = scratch.get_mut(..own.len()) else { return };
            before.copy_from_slice(own);
            let is_moved = plan.run(before, own);
            debug_assert!(is_moved, "{plan}");
        }
    }
}

impl Cycles {
    /// Moves units of any number of bytes, at most [`LONGER`] times [`RUN`].
    fn move_runs(&self, bytes: &mut [u8], scratch: &mut [u8]) {
        if self.count > 1 {
            for part in bytes.chunks_exact_mut(self.count * self.units.unit) {
                self.move_runs_in(part, Moved::new(scratch, self.count));
            }
        }
    }

    /// Moves the runs of each cycle, starting from its lowest position.
    fn move_runs_in(&self, part: &mut [u8], mut moved: Option<Moved>) {
        let (mut held, unit) = ([0; LONGER * RUN.0], self.units.unit);
        for first in 0..self.count {
            if moved.as_ref().is_some_and(|moved| moved.has(first)) {
                continue;
            }
            let next = self.source_of(first);
            if next == first || moved.is_none() && !self.is_lowest(first, next) {
                continue;
            }
            let at = first * unit;
            let (Some(held), Some(own)) = (held.get_mut(..unit), part.get(at..at + unit)) else {
                return;
            };
            held.copy_from_slice(own);
            let (mut to, mut from) = (first, next);
            while from != first {
                part.copy_within(from * unit..(from + 1) * unit, to * unit);
                if let Some(moved) = &mut moved {
                    moved.add(from);
                }
                (to, from) = (from, self.source_of(from));
            }
            if let Some(own) = part.get_mut(to * unit..(to + 1) * unit) {
                own.copy_from_slice(held);
            }
        }
    }
}

/// A bit for each run, which says whether it has moved.
struct Moved<'a>(&'a mut [u8]);

impl<'a> Moved<'a> {
    /// No run has moved. Returns `None` if a scratch buffer has fewer bits.
    fn new(scratch: &'a mut [u8], count: usize) -> Option<Self> {
        let own = scratch.get_mut(..count.div_ceil(8))?;
        own.fill(0);
        Some(Self(own))
    }

    fn has(&self, run: usize) -> bool {
        self.0.get(run / 8).is_some_and(|bits| bits >> (run % 8) & 1 == 1)
    }

    fn add(&mut self, run: usize) {
        if let Some(bits) = self.0.get_mut(run / 8) {
            *bits |= 1 << (run % 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use layout_types::{ElementType, Layout};

    use super::{Cycles, run_within};
    use crate::relayout::plan::Plan;

    /// Moves tensors with scratch buffers of several sizes, which blocks fill once or not at all, and returns how many moved
    /// in stages and how many not.
    fn check(formats: [&str; 2], extents: [usize; 4], element: ElementType) -> (usize, usize) {
        let [source, destination] =
            formats.map(|format| Layout::of(format, &extents, element).expect("a layout"));
        let plan = Plan::new(&source, &destination).expect("a plan");
        let cycles = Cycles::of(&plan).expect("a permutation");
        let (unit, part) = (cycles.units.unit, cycles.count * cycles.units.unit);
        let before: Vec<u8> =
            (0..source.bytes()).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 13) as u8).collect();
        let mut expected = before.clone();
        for (own, before) in expected.chunks_mut(part).zip(before.chunks(part)) {
            for (place, own) in own.chunks_mut(unit).enumerate() {
                own.copy_from_slice(&before[cycles.source_of(place) * unit..][..unit]);
            }
        }
        let mut counts = (0, 0);
        for bytes in [256, 300, 1 << 10, 4 << 10, 32 << 10] {
            let mut buffer = before.clone();
            let is_moved = run_within(&cycles, &mut buffer, &mut vec![0; bytes]);
            let expected = if is_moved { &expected } else { &before };
            assert!(buffer == *expected, "{formats:?} of {extents:?}, {bytes} bytes: {is_moved}");
            match is_moved {
                true => counts.0 += usize::from(part > bytes),
                false => counts.1 += 1,
            }
        }
        counts
    }

    #[test]
    fn stages_move_each_unit_to_its_place() {
        let formats =
            ["NCHW", "NHWC", "CHWN", "NCHW4", "NCHW16", "CHWN4", "NHCW", "HWNC", "NCHW8c2n"];
        let elements = [
            ElementType::U8,
            ElementType::F16,
            ElementType::Plain { bytes: 3, align: 1 },
            ElementType::F32,
            ElementType::F64,
            ElementType::Plain { bytes: 16, align: 16 },
            ElementType::Plain { bytes: 24, align: 8 },
        ];
        let extents = [
            [2, 16, 8, 6],
            [4, 48, 5, 7],
            [6, 16, 12, 9],
            [2, 16, 1, 131],
            [8, 16, 4, 4],
            [2, 32, 13, 11],
        ];
        let (mut moved, mut left) = (0, 0);
        for (i, from) in formats.iter().enumerate() {
            for (j, to) in formats.iter().enumerate().filter(|(j, _)| *j != i) {
                let own = extents[(3 * i + j) % extents.len()];
                let element = elements[(i + 2 * j) % elements.len()];
                let counts = check([from, to], own, element);
                (moved, left) = (moved + counts.0, left + counts.1);
            }
        }
        assert!(moved > 100 && left > 5, "{moved} in stages, {left} not at all");
    }

    /// A number of runs that a scratch buffer has no bits for: their cycles are followed to find the lowest of each.
    #[test]
    fn many_runs_move_without_bits() {
        let counts = check(["NCHW", "NHWC"], [1, 64, 64, 96], ElementType::U8);
        assert!(counts.0 >= 4, "{counts:?}");
    }
}
