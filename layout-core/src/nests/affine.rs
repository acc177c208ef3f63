//! Converts nests of swizzled layouts to affine nests: for each value of the bits that a swizzle reads, the bits that
//! it changes count upward or downward.
//!
//! A swizzle XORs the bits that it reads into those that it changes. Suppose that the loops of a nest count these bits
//! one by one, without a carry into them. Then, for a fixed value of the bits that are read, a loop over a changed bit
//! is reversed if the corresponding bit of the value is 1, and unchanged otherwise. Loops over all bits of a row of 8
//! groups, by the value of the three bits that are read:
//!
//! ```text
//! 0   0 1 2 3 4 5 6 7     a loop of 8
//! 1   1 0 3 2 5 4 7 6     4 times a loop of 2 downwards
//! 7   7 6 5 4 3 2 1 0     a loop of 8 downwards
//! ```

use super::levels::{Level, MAX_LEVELS, Place};
use super::nest::Nest;
use crate::spec::Swizzle;

/// The affine nests of a nest between two layouts, one of which has a swizzle.
#[derive(Clone, Debug)]
pub struct AffineNests {
    start: Place,
    swizzle: Swizzle,
    of_source: bool,
    /// Loops that count neither bits that are read nor bits that are changed.
    others: Loops,
    /// Loops over bits that are changed. Each counts some of them.
    changed: Loops,
    /// Loops over bits that are read, and the current step of each.
    read: Loops,
    at: [usize; MAX_LEVELS],
    /// The sum that loops reach in each part of the offset's bits.
    reach: [usize; PARTS],
    done: bool,
}

/// The parts of an offset's bits: those below both fields, the lower field, those between, and the upper field. Higher
/// bits do not matter.
const PARTS: usize = 4;

/// Some loops of a nest.
#[derive(Clone, Debug)]
struct Loops {
    list: [Level; MAX_LEVELS],
    count: usize,
}

impl Loops {
    const NONE: Self = Self { list: [Level::ONCE; MAX_LEVELS], count: 0 };

    /// Adds a loop. Returns false if there are too many.
    fn push(&mut self, level: Level) -> bool {
        if level.size == 1 {
            return true;
        }
        let Some(place) = self.list.get_mut(self.count) else { return false };
        *place = level;
        self.count += 1;
        true
    }

    fn all(&self) -> impl Iterator<Item = &Level> {
        self.list.iter().take(self.count)
    }
}

/// The lowest bits of the fields that a swizzle changes and reads.
fn fields(swizzle: Swizzle) -> (usize, usize) {
    let far = swizzle.base() + swizzle.shift().unsigned_abs();
    if swizzle.shift() > 0 { (swizzle.base(), far) } else { (far, swizzle.base()) }
}

/// A loop of `size` steps, each of `steps` steps of `level`.
fn part_of(level: &Level, size: usize, steps: usize) -> Level {
    let steps = steps as isize;
    Level {
        size,
        source: level.source * steps,
        destination: level.destination * steps,
        parameter: level.parameter * steps,
    }
}

impl AffineNests {
    /// The affine nests of `nest`. `None` unless exactly one side has a swizzle and the loops count the bits of the
    /// swizzle one by one.
    pub fn of(nest: &Nest) -> Option<Self> {
        let (swizzle, of_source) = match nest.swizzles() {
            (Some(swizzle), None) => (swizzle, true),
            (None, Some(swizzle)) => (swizzle, false),
            _ => return None,
        };
        let mut own = Self {
            start: nest.start(),
            swizzle,
            of_source,
            others: Loops::NONE,
            changed: Loops::NONE,
            read: Loops::NONE,
            at: [0; MAX_LEVELS],
            reach: [0; PARTS],
            done: false,
        };
        let mut low = 0;
        for (k, end) in own.ends().into_iter().enumerate() {
            own.reach[k] = own.offset() & ((1 << end) - (1 << low));
            low = end;
        }
        let placed = nest.levels().iter().all(|&level| own.place(level));
        let carries = own.reach.iter().zip(own.ends()).any(|(&reach, end)| reach >> end > 0);
        let levels = own.others.count + swizzle.bits();
        (placed && !carries && levels <= MAX_LEVELS && own.counts_single_bits()).then_some(own)
    }

    /// The end of each part of the bits.
    fn ends(&self) -> [usize; PARTS] {
        let (changed, read) = fields(self.swizzle);
        let (low, high, bits) = (changed.min(read), changed.max(read), self.swizzle.bits());
        [low, low + bits, high, high + bits]
    }

    /// The start of the nest on the side of the swizzle.
    fn offset(&self) -> usize {
        if self.of_source { self.start.source } else { self.start.destination }
    }

    fn stride(&self, level: &Level) -> isize {
        if self.of_source { level.source } else { level.destination }
    }

    /// Splits a loop at the ends of parts of the bits. Returns false if an end is inside a step.
    fn place(&mut self, mut level: Level) -> bool {
        let (ends, (changed, read)) = (self.ends(), fields(self.swizzle));
        for k in 0..PARTS {
            let stride = self.stride(&level);
            if stride % (1 << ends[PARTS - 1]) == 0 {
                break;
            }
            if stride <= 0 || !stride.unsigned_abs().is_power_of_two() {
                return false;
            }
            let stride = stride.unsigned_abs();
            if stride >> ends[k] > 0 {
                continue;
            }
            let size = level.size.min((1 << ends[k]) / stride);
            if level.size % size != 0 {
                return false;
            }
            self.reach[k] += (size - 1) * stride;
            let begin = if k == 0 { 0 } else { ends[k - 1] };
            let loops = match k {
                1 | 3 if begin == changed || k == 3 && ends[2] == changed => &mut self.changed,
                1 | 3 if begin == read || k == 3 && ends[2] == read => &mut self.read,
                _ => &mut self.others,
            };
            if !loops.push(part_of(&level, size, 1)) {
                return false;
            }
            level = part_of(&level, level.size / size, size);
            if level.size == 1 {
                return true;
            }
        }
        self.others.push(level)
    }

    /// Whether every changed bit is counted by at most one loop, and by none if the start of the nest has a 1 there.
    fn counts_single_bits(&self) -> bool {
        let (changed, _) = fields(self.swizzle);
        let mut taken = self.offset() & (((1 << self.swizzle.bits()) - 1) << changed);
        self.changed.all().all(|level| {
            let own = (level.size - 1) * self.stride(level).unsigned_abs();
            let is_free = level.size.is_power_of_two() && taken & own == 0;
            taken |= own;
            is_free
        })
    }
}

/// One nest for each value of the bits that are read.
impl Iterator for AffineNests {
    type Item = Nest;

    fn next(&mut self) -> Option<Nest> {
        if self.done {
            return None;
        }
        let (changed, read) = fields(self.swizzle);
        let mask = (1 << self.swizzle.bits()) - 1;
        let mut start = self.start;
        for (level, &at) in self.read.all().zip(&self.at) {
            start = start.stepped(level, at as isize);
        }
        let of_source = self.of_source;
        let offset = if of_source { &mut start.source } else { &mut start.destination };
        let value = (*offset >> read & mask) << changed;
        // Bits that no loop counts have one value in the whole nest.
        let counted = |level: &Level| {
            let stride = if of_source { level.source } else { level.destination };
            (level.size - 1) * stride.unsigned_abs()
        };
        let all = self.changed.all().map(counted).fold(0, |all, own| all | own);
        *offset ^= value & !all;
        let mut nest = Nest::at(start);
        self.others.all().for_each(|&level| nest.push(level));
        for level in self.changed.all() {
            self.push_changed(&mut nest, level, value);
        }
        nest.merge();
        self.done = true;
        for (level, at) in self.read.all().zip(&mut self.at) {
            *at += 1;
            if *at < level.size {
                self.done = false;
                break;
            }
            *at = 0;
        }
        Some(nest)
    }
}

impl AffineNests {
    /// Adds a loop over changed bits. Adjacent bits with the same value become one loop, which counts downward if the
    /// value is 1.
    fn push_changed(&self, nest: &mut Nest, level: &Level, value: usize) {
        let stride = self.stride(level).unsigned_abs();
        let is_down = |steps: usize| value & (stride * steps) != 0;
        let mut steps = 1;
        while steps < level.size {
            let (first, down) = (steps, is_down(steps));
            while steps < level.size && is_down(steps) == down {
                steps *= 2;
            }
            let mut own = part_of(level, steps / first, first);
            if down {
                let last = own.size as isize - 1;
                let turned = if self.of_source { &mut own.source } else { &mut own.destination };
                nest.shift(self.of_source, *turned * last);
                *turned = -*turned;
            }
            nest.push(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::vec::Vec;

    use super::super::boxes::Boxes;
    use super::super::pair::Pair;
    use super::AffineNests;
    use crate::layout::Layout;

    /// Checks that the nests visit the same pairs of offsets. Returns the number of nests, or `None` if there are none.
    fn affine(from: &str, to: &str) -> Option<usize> {
        let [from, to] = [from, to].map(|text| Layout::parse(text).unwrap());
        let pair = Pair::new(&from, &to).unwrap();
        let mut boxes = Boxes::new(&pair, None);
        let nest = *boxes.next().unwrap();
        let mut expected = HashSet::new();
        let mut places = nest.places();
        while let Some(place) = places.next() {
            expected.insert((place.source, place.destination));
        }
        let nests: Vec<_> = AffineNests::of(&nest)?.collect();
        let mut own = HashSet::new();
        for nest in &nests {
            assert!(nest.is_affine());
            let mut places = nest.places();
            while let Some(place) = places.next() {
                assert!(own.insert((place.source, place.destination)), "{from} -> {to}: twice");
            }
        }
        assert_eq!(own, expected, "{from} -> {to}");
        Some(nests.len())
    }

    #[test]
    fn affine_nests_visit_the_same_places() {
        for (from, to, nests) in [
            ("MK<16, 64>, f16, swizzle(3, 3, 3)", "KM<16, 64>, f16", Some(8)),
            ("KM<16, 64>, f16", "MK<16, 64>, f16, swizzle(3, 3, 3)", Some(8)),
            ("MK<16, 64>, f16, swizzle(3, 3, -3)", "KM<16, 64>, f16", Some(8)),
            ("MK<4, 64>, f16, swizzle(3, 3, 3)", "KM<4, 64>, f16", Some(4)),
            ("MK<16, 64>, f16, swizzle(2, 3, 4)", "MK<16, 64>, f16", Some(4)),
            ("MK<32, 32>, f32, swizzle(5, 0, 5)", "KM<32, 32>, f32", Some(32)),
            ("KM8k/8 8k<M = 16, K = 64>, f16, swizzle(3, 3, 3)", "KM<16, 64>, f16", Some(8)),
            ("MK4m8k2m/4<16, 64>, u4", "MK<16, 64>, u4, swizzle(2, 5, 2)", Some(4)),
            // Rows of 12 do not count bits. Nor does a row that ends inside a group.
            ("MK<16, 64>, f16, strides = [72, 1], swizzle(3, 3, 3)", "KM<16, 64>, f16", None),
            ("MK<16, 12>, f16, swizzle(1, 2, 2)", "KM<16, 12>, f16", None),
            ("MK<16, 64>, f16, swizzle(3, 3, 3)", "KM<16, 64>, f16, swizzle(1, 0, 4)", None),
        ] {
            assert_eq!(affine(from, to), nests, "{from} -> {to}");
        }
    }

    #[test]
    fn views_begin_inside_of_a_period() {
        let tile = Layout::parse("MK<32, 64>, f16, swizzle(3, 3, 3)").unwrap();
        for (start, extent) in [(0, 16), (1, 1), (3, 4), (8, 24), (5, 27)] {
            for (first, columns) in [(0, 64), (8, 8), (32, 16), (3, 1)] {
                let view = tile.slice('M', start, 1, extent).unwrap();
                let view = view.slice('K', first, 1, columns).unwrap();
                let plain = std::format!("KM<M = {extent}, K = {columns}>, f16");
                // If the bits are not counted one by one, there are no nests. Otherwise they are right.
                let _ = affine(&std::format!("{view}"), &plain);
            }
        }
        let text = std::format!("{}", tile.slice('M', 8, 1, 24).unwrap());
        assert_eq!(affine(&text, "KM<24, 64>, f16"), Some(8));
    }
}
