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

use layout_kernels::{Isa, Loop, Move, Plan};

use super::cycles::Cycles;
use super::run_digits::{LONGEST, RunDigit, RunDigits};

/// The bytes of the scratch buffer: for a block, or for bits that say which runs have moved.
const SCRATCH: usize = if cfg!(feature = "std") { 32 << 10 } else { LITTLE };

/// The bytes of the scratch buffer for a buffer that has no more: to clear the other takes longer than to move it.
const LITTLE: usize = 2 << 10;

/// The least bytes of a buffer that gains by stages.
const LEAST: usize = 192;

/// Moves the units of a buffer. Returns false, without moving any, if they had better move one by one: they are few or
/// swizzled, or their numbers do not divide into runs.
pub(super) fn run(cycles: &Cycles, bytes: &mut [u8]) -> bool {
    if bytes.len() < LEAST || cycles.is_swizzled() {
        return false;
    }
    let mut stages = Stages::none();
    if !stages.set(cycles, bytes.len(), SCRATCH) {
        return false;
    }
    // Only now, so that no scratch buffer is on the stack while plans are made.
    match bytes.len() <= LITTLE {
        true => run_on_stack::<LITTLE>(&stages, bytes),
        false => run_on_stack::<SCRATCH>(&stages, bytes),
    }
    true
}

/// Runs stages with a scratch buffer on the stack.
#[inline(never)]
fn run_on_stack<const BYTES: usize>(stages: &Stages, bytes: &mut [u8]) {
    stages.run(bytes, &mut [0; BYTES]);
}

/// The stages of a buffer.
struct Stages {
    /// The moves of runs of the source, and of runs of the destination. There are none of a part that fits the scratch
    /// buffer.
    first: Option<Cycles>,
    blocks: RunBlocks,
    last: Option<Cycles>,
}

impl Stages {
    /// No stages. Inlined, since a constant would be copied whole.
    #[inline]
    fn none() -> Self {
        Self { first: None, blocks: RunBlocks { bytes: 0, plan: None, rest: None }, last: None }
    }

    /// Plans the stages of a buffer of `all` bytes for a scratch buffer of `most` bytes, in place of none. Returns
    /// whether there are any.
    #[inline(never)]
    fn set(&mut self, Cycles { units, count, .. }: &Cycles, all: usize, most: usize) -> bool {
        let part = count * units.unit;
        if part == 0 || all % part != 0 {
            return false;
        }
        let Some(mut digits) = RunDigits::of(units) else { return false };
        if part <= most {
            let strides = |digit: &RunDigit| (digit.source, digit.destination);
            let block = digits.move_of(strides, |_| true, units.unit);
            return self.blocks.set(&block, part, all, most);
        }
        let Some((of_source, of_destination)) = digits.divide(units.unit, most) else {
            return false;
        };
        digits.place();
        let apart = |digit: &RunDigit| (digit.source, digit.apart);
        let last = |digit: &RunDigit| (digit.blocked, digit.destination);
        self.first = digits.cycles(apart, |digit| !digit.is_of_source, of_source, units.unit);
        self.last =
            digits.cycles(last, |digit| !digit.is_of_destination, of_destination, units.unit);
        let bytes_of_block = digits.count_of(RunDigit::is_of_block) * units.unit;
        let block =
            digits.move_of(|digit| (digit.apart, digit.blocked), RunDigit::is_of_block, units.unit);
        self.first.is_some()
            && self.last.is_some()
            && self.blocks.set(&block, bytes_of_block, all, most)
    }

    /// Moves the units of a buffer.
    fn run(&self, bytes: &mut [u8], scratch: &mut [u8]) {
        if let Some(first) = &self.first {
            first.move_runs(bytes, scratch);
        }
        self.blocks.run(bytes, scratch);
        if let Some(last) = &self.last {
            last.move_runs(bytes, scratch);
        }
    }
}

/// The move of each of many blocks, which follow one another in a buffer.
struct RunBlocks {
    /// The bytes that are moved at once: several small blocks.
    bytes: usize,
    plan: Option<Plan>,
    /// The move of the blocks that are left at the end.
    rest: Option<Plan>,
}

impl RunBlocks {
    /// Plans blocks of `block` bytes in a buffer of `all` bytes, moved by a scratch buffer of `most` bytes. Returns
    /// whether there is a plan.
    fn set(&mut self, of: &Move, block: usize, all: usize, most: usize) -> bool {
        let Some(at_once) = most.min(all).checked_div(block) else { return false };
        let Some(rest) = (all / block).checked_rem(at_once) else { return false };
        let plan = |place: &mut Option<Plan>, count: usize| {
            let mut of = *of;
            of.push(Loop::new(count, block as isize, block as isize));
            Plan::set(place, &of, Isa::best()).is_ok()
        };
        self.bytes = at_once * block;
        plan(&mut self.plan, at_once) && plan(&mut self.rest, rest)
    }

    fn run(&self, all: &mut [u8], scratch: &mut [u8]) {
        for part in all.chunks_mut(self.bytes) {
            let plan = if part.len() == self.bytes { &self.plan } else { &self.rest };
            let (Some(plan), Some(before)) = (plan, scratch.get_mut(..part.len())) else {
                debug_assert!(false, "{} bytes of {}", part.len(), scratch.len());
                return;
            };
            before.copy_from_slice(part);
            let is_moved = plan.run(before, part);
            debug_assert!(is_moved, "{plan}");
        }
    }
}

impl Cycles {
    /// Moves units of up to [`LONGEST`] bytes.
    fn move_runs(&self, bytes: &mut [u8], scratch: &mut [u8]) {
        if self.count > 1 {
            for part in bytes.chunks_exact_mut(self.count * self.units.unit) {
                self.move_runs_in(part, Done::new(scratch, self.count));
            }
        }
    }

    /// Moves the runs of each cycle, starting from its lowest position.
    fn move_runs_in(&self, part: &mut [u8], mut done: Option<Done>) {
        let (mut held, unit) = ([0; LONGEST], self.units.unit);
        for first in 0..self.count {
            if done.as_ref().is_some_and(|done| done.has(first)) {
                continue;
            }
            let next = self.source_of(first);
            if next == first || done.is_none() && !self.is_lowest(first, next) {
                continue;
            }
            let at = first * unit;
            let (Some(held), Some(place)) = (held.get_mut(..unit), part.get(at..at + unit)) else {
                debug_assert!(false, "a run of {unit} bytes");
                return;
            };
            held.copy_from_slice(place);
            let (mut to, mut from) = (first, next);
            while from != first {
                part.copy_within(from * unit..(from + 1) * unit, to * unit);
                if let Some(done) = &mut done {
                    done.add(from);
                }
                (to, from) = (from, self.source_of(from));
            }
            if let Some(place) = part.get_mut(to * unit..(to + 1) * unit) {
                place.copy_from_slice(held);
            }
        }
    }
}

/// A bit for each run, which says whether it has moved.
struct Done<'a>(&'a mut [u8]);

impl<'a> Done<'a> {
    /// No run has moved. Returns `None` if a scratch buffer has fewer bits.
    fn new(scratch: &'a mut [u8], count: usize) -> Option<Self> {
        let bits = scratch.get_mut(..count.div_ceil(8))?;
        bits.fill(0);
        Some(Self(bits))
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

    use super::{Cycles, Stages};
    use crate::relayout::plan::Plan;

    /// Moves tensors with scratch buffers of several sizes, which blocks fill once or not at all, and returns how many
    /// moved in stages and how many not.
    fn check(formats: [&str; 2], extents: &[usize], element: ElementType) -> (usize, usize) {
        let [source, destination] =
            formats.map(|format| Layout::of(format, extents, element).expect("a layout"));
        let plan = Plan::new(&source, &destination).expect("a plan");
        let cycles = Cycles::of(&plan).expect("a permutation");
        let (unit, part) = (cycles.units.unit, cycles.count * cycles.units.unit);
        let before: Vec<u8> =
            (0..source.bytes()).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 13) as u8).collect();
        let mut expected = before.clone();
        for (part, before) in expected.chunks_mut(part).zip(before.chunks(part)) {
            for (place, moved) in part.chunks_mut(unit).enumerate() {
                moved.copy_from_slice(&before[cycles.source_of(place) * unit..][..unit]);
            }
        }
        let mut counts = (0, 0);
        for bytes in [256, 300, 1 << 10, 4 << 10, 32 << 10] {
            let mut buffer = before.clone();
            let mut stages = Stages::none();
            let is_moved = stages.set(&cycles, buffer.len(), bytes);
            if is_moved {
                stages.run(&mut buffer, &mut vec![0; bytes]);
            }
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
                let sizes = extents[(3 * i + j) % extents.len()];
                let element = elements[(i + 2 * j) % elements.len()];
                let counts = check([from, to], &sizes, element);
                (moved, left) = (moved + counts.0, left + counts.1);
            }
        }
        assert!(moved > 100 && left > 5, "{moved} in stages, {left} not at all");
    }

    /// Runs of several digits, some of which would be longer than the one that is held aside.
    #[test]
    fn runs_are_no_longer_than_the_one_that_is_held() {
        let plain = |bytes| ElementType::Plain { bytes, align: 1 };
        for (formats, extents, element) in [
            (["HCWN", "WCHN"], &[144, 8, 31, 5][..], ElementType::U8),
            (["NDCHW", "HDWNC"], &[3, 1, 39, 40, 3], ElementType::F32),
            (["NCDWH", "DCNHW"], &[2, 2, 39, 31, 40], ElementType::F32),
            (["WCN", "NCW"], &[23, 39, 2], plain(20)),
            (["WHNC", "NHCW"], &[28, 31, 2, 26], plain(6)),
        ] {
            check(formats, extents, element);
        }
    }

    /// Tensors of random orders and extents, of more bytes than the scratch buffers.
    #[test]
    fn random_tensors() {
        let mut random = test_support::Random::new(1, 0);
        let mut below = |end: usize| random.below(end);
        let (mut moved, mut left) = (0, 0);
        while moved + left < 600 {
            let letters = &"NCHWD"[..3 + below(3)];
            let mut order = || {
                let mut order: Vec<char> = letters.chars().collect();
                (1..order.len()).rev().for_each(|end| order.swap(end, below(end + 1)));
                order.into_iter().collect::<std::string::String>()
            };
            let [from, to] = [order(), order()];
            let extents: Vec<usize> = letters.chars().map(|_| 1 + below(40)).collect();
            let element =
                [ElementType::U8, ElementType::F16, ElementType::F32, ElementType::F64][below(4)];
            let bytes = extents.iter().product::<usize>() * element.bits() / 8;
            if (40_000..300_000).contains(&bytes) {
                let counts = check([&from, &to], &extents, element);
                (moved, left) = (moved + counts.0, left + counts.1);
            }
        }
        assert!(moved > 100, "{moved} in stages, {left} not at all");
    }

    /// A number of runs that a scratch buffer has no bits for: their cycles are followed to find the lowest of each.
    #[test]
    fn many_runs_move_without_bits() {
        let counts = check(["NCHW", "NHWC"], &[1, 64, 64, 96], ElementType::U8);
        assert!(counts.0 >= 4, "{counts:?}");
    }
}
