//! The elements of a field in a tile: where they lie, and moves between there and elements side by side.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Loop, Move, Plan, Work, work_on_best};

use super::value_side::StoredField;
use super::value_tiles::{SideFields, TileAxis};

/// Elements at equal distances, in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    /// The distance of the first one from that of the tile.
    start: i64,
    step: i64,
    count: usize,
}

/// The places of a field's elements in a tile.
#[derive(Clone, Debug)]
pub(super) struct FieldTile {
    /// The number of elements along each axis.
    pub(super) sizes: Vec<usize>,
    pub(super) count: usize,
    /// The runs of a period, how often it is repeated, and the distance in bits from one to the next.
    runs: Vec<Run>,
    repeats: usize,
    stride: i64,
    /// The move of elements of whole bytes, and the bytes of the tile before its first element.
    moved: Option<(Plan, i64)>,
    /// The bits of an element.
    bits: i64,
}

/// The length of the shortest period of runs, and the distance from one to the next. A list that repeats nothing is one
/// period.
fn period(runs: &[Run]) -> (usize, i64) {
    let count = runs.len();
    let found = (1..count).filter(|length| count % length == 0).find_map(|length| {
        let by = runs[length].start - runs[0].start;
        let next = |i: usize| Run { start: runs[i].start + by, ..runs[i] };
        (0..count - length).all(|i| runs[i + length] == next(i)).then_some((length, by))
    });
    found.unwrap_or((count, 0))
}

impl FieldTile {
    /// A field that no rule names.
    pub(super) const NONE: Self = Self {
        sizes: Vec::new(),
        count: 0,
        runs: Vec::new(),
        repeats: 1,
        stride: 0,
        moved: None,
        bits: 0,
    };

    /// The places in a tile of these sizes. Elements are read, or written if the flag is set.
    pub(super) fn new(
        side: &SideFields<'_>,
        field: usize,
        axes: &[TileAxis],
        tile: &[usize],
        is_written: bool,
    ) -> Self {
        let own = &side.fields[field];
        let shares: Vec<usize> = axes.iter().map(|axis| own.shared(axis.letter)).collect();
        let sizes: Vec<usize> = tile
            .iter()
            .zip(&shares)
            .map(|(size, share)| size.checked_div(*share).map_or(1, |_| size.div_ceil(*share)))
            .collect();
        let count = sizes.iter().product();
        let first = side.bit(field, &vec![0; axes.len()]);
        let mut runs: Vec<Run> = Vec::new();
        for i in 0..count {
            let mut coordinate = vec![0; axes.len()];
            let mut rest = i;
            for axis in (0..axes.len()).rev() {
                coordinate[axis] = rest % sizes[axis] * shares[axis];
                rest /= sizes[axis];
            }
            let bit = side.bit(field, &coordinate) - first;
            match runs.last_mut() {
                Some(run) if run.count == 1 => (run.step, run.count) = (bit - run.start, 2),
                Some(run) if bit == run.start + run.count as i64 * run.step => run.count += 1,
                _ => runs.push(Run { start: bit, step: 0, count: 1 }),
            }
        }
        let is_whole = own.bits % 8 == 0 && runs.iter().all(|run| (run.start | run.step) % 8 == 0);
        let moved = if is_whole { moved(&runs, own.held(), is_written) } else { None };
        let (length, stride) = period(&runs);
        let repeats = runs.len().checked_div(length).unwrap_or(1);
        runs.truncate(length);
        Self { sizes, count, runs, repeats, stride, moved, bits: own.bits as i64 }
    }

    /// Whether the elements lie side by side.
    pub(super) fn is_contiguous(&self, bits: usize) -> bool {
        let is_next = |run: &Run| run.step == bits as i64 || run.count == 1;
        self.repeats == 1 && self.runs.len() == 1 && self.runs.iter().all(is_next)
    }

    /// The first bit and the bit after the last one, from the first element on.
    #[cfg(feature = "rayon")]
    pub(super) fn span(&self) -> (i64, i64) {
        let all = self.stride * (self.repeats as i64 - 1);
        let ends = self.runs.iter().map(|run| {
            let last = run.start + run.step * (run.count as i64 - 1);
            (run.start.min(last) + all.min(0), run.start.max(last) + all.max(0) + self.bits)
        });
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
    }

    /// The runs of a period, each with where those of all periods lie.
    #[inline(always)]
    fn runs(&self, first: i64) -> impl Iterator<Item = Runs> + '_ {
        let (repeats, stride, period) = (self.repeats, self.stride, self.count / self.repeats);
        let held = self.runs.iter().scan(0, |held, run| {
            *held += run.count;
            Some(*held - run.count)
        });
        self.runs.iter().zip(held).map(move |(&Run { start, step, count }, held)| Runs {
            first: first + start,
            step,
            count,
            repeats,
            stride,
            held,
            period,
        })
    }

    /// Reads the elements of at most 8 bits of the tile whose first one begins at a bit: each is shifted to the left, and
    /// joined to what is there if the flag is set.
    pub(super) fn read_codes(
        &self,
        field: &StoredField,
        bytes: &[u8],
        first: i64,
        (up, joins): (u32, bool),
        codes: &mut [u8],
    ) {
        for runs in self.runs(first) {
            match joins {
                false => work_on_best(Reading::<'_, false> { runs, field, bytes, up, codes }),
                true => work_on_best(Reading::<'_, true> { runs, field, bytes, up, codes }),
            }
        }
    }

    /// Writes the bits of codes from one on to the elements of at most 8 bits of a tile.
    pub(super) fn write_codes(
        &self,
        field: &StoredField,
        bytes: &mut [u8],
        first: i64,
        down: u32,
        codes: &[u8],
    ) {
        for runs in self.runs(first) {
            work_on_best(Writing { runs, field, bytes, down, codes });
        }
    }

    /// Reads the elements of whole bytes of the tile whose first one begins at a bit.
    pub(super) fn gather(&self, field: &StoredField, bytes: &[u8], first: i64, held: &mut [u8]) {
        if let (Some((plan, before)), 0) = (&self.moved, first % 8) {
            let done = plan.run_unfenced(&bytes[(first / 8 - before) as usize..], held);
            debug_assert!(done, "a tile lies in its buffer");
            return;
        }
        let size = field.held();
        for (at, i) in self.runs(first).flat_map(Runs::each) {
            let own = held[i * size..][..size].iter_mut().enumerate();
            own.for_each(|(i, byte)| *byte = field.code(bytes, at + 8 * i));
        }
    }

    /// Writes the elements of whole bytes of a tile.
    pub(super) fn scatter(&self, field: &StoredField, bytes: &mut [u8], first: i64, held: &[u8]) {
        if let (Some((plan, before)), 0) = (&self.moved, first % 8) {
            let done = plan.run_unfenced(held, &mut bytes[(first / 8 - before) as usize..]);
            debug_assert!(done, "a tile lies in its buffer");
            return;
        }
        let size = field.held();
        for (at, i) in self.runs(first).flat_map(Runs::each) {
            let own = held[i * size..][..size].iter().enumerate();
            own.for_each(|(i, byte)| field.set_code(bytes, at + 8 * i, *byte));
        }
    }
}

struct Reading<'a, const JOINS: bool> {
    runs: Runs,
    field: &'a StoredField,
    bytes: &'a [u8],
    up: u32,
    codes: &'a mut [u8],
}

impl<const JOINS: bool> Work for Reading<'_, JOINS> {
    #[inline(always)]
    fn run(self) {
        self.runs.read::<JOINS>(self.field, self.bytes, self.up, self.codes);
    }
}

struct Writing<'a> {
    runs: Runs,
    field: &'a StoredField,
    bytes: &'a mut [u8],
    down: u32,
    codes: &'a [u8],
}

impl Work for Writing<'_> {
    #[inline(always)]
    fn run(self) {
        self.runs.write(self.field, self.bytes, self.down, self.codes);
    }
}

/// The move between elements of whole bytes in a tile and elements side by side, if loops have them all.
fn moved(runs: &[Run], size: usize, is_written: bool) -> Option<(Plan, i64)> {
    let (mut rest, mut loops) = (runs.to_vec(), Vec::new());
    while rest.len() > 1 {
        let (length, stride) = period(&rest);
        if length == rest.len() {
            return None;
        }
        loops.push((rest.len() / length, stride));
        rest.truncate(length);
    }
    let run = rest.first()?;
    loops.push((run.count, run.step));
    let (mut own, mut before, mut held) = (Move::new(&[], size), 0, size as isize);
    for &(count, stride) in loops.iter().rev() {
        let stride = (stride / 8) as isize;
        before += (-stride).max(0) * (count as isize - 1);
        own.push(match is_written {
            false => Loop::new(count, stride, held),
            true => Loop::new(count, held, stride),
        });
        held *= count as isize;
    }
    let own = match is_written {
        false => own.from(before as usize, 0),
        true => own.from(0, before as usize),
    };
    Some((Plan::new(&own).ok()?, before as i64))
}

/// Runs at equal distances in a buffer, and elements side by side for each.
#[derive(Clone, Copy)]
struct Runs {
    /// The first bit of the first run.
    first: i64,
    /// The bits from one element of a run to the next.
    step: i64,
    /// The elements of a run.
    count: usize,
    repeats: usize,
    /// The bits from one run to the next.
    stride: i64,
    /// The first one of the elements side by side, and how many come from one run to the next.
    held: usize,
    period: usize,
}

/// Codes of which some are a word, in its order of bytes.
#[derive(Clone, Copy)]
struct Words {
    /// The codes of a word.
    codes: usize,
    /// The bytes that a word takes in a buffer: less than it has codes if these lie side by side there.
    bytes: usize,
    /// The bits of a code, in each byte of a word.
    mask: u64,
    /// How far the bits of a code lie from the lowest bit of its byte.
    shift: u32,
    /// Whether codes that lie side by side begin at the highest bit of a byte.
    is_high_first: bool,
}

impl Words {
    /// Halves of a word, of its halves, and of their halves: the bits of the lower one, how many these are, and how far
    /// the upper one moves up, if a code has this many bits.
    const fn halves(bits: u32) -> [(u64, u32, u32); 3] {
        [
            ((1 << (4 * bits)) - 1, 4 * bits, 32 - 4 * bits),
            (((1 << (2 * bits)) - 1) * 0x1_0000_0001, 2 * bits, 16 - 2 * bits),
            (((1 << bits) - 1) * 0x0001_0001_0001_0001, bits, 8 - bits),
        ]
    }

    /// The codes of bytes of a buffer, and bits of others beside them.
    #[inline(always)]
    fn read<const BYTES: usize, const CODES: usize>(self, bytes: [u8; BYTES]) -> u64 {
        let mut word = word(bytes);
        if BYTES == CODES {
            return word >> self.shift;
        }
        if self.is_high_first {
            word = word.swap_bytes() >> (64 - 8 * BYTES);
        }
        for (low, bits, by) in const { Self::halves(BYTES as u32) } {
            word = (word & low) | (word & (low << bits)) << by;
        }
        if self.is_high_first { word.swap_bytes() } else { word }
    }

    /// The bytes of a buffer with these codes.
    #[inline(always)]
    fn write<const BYTES: usize, const CODES: usize>(
        self,
        mut codes: u64,
        old: [u8; BYTES],
    ) -> [u8; BYTES] {
        if BYTES == CODES {
            return bytes_of(word(old) & !(self.mask << self.shift) | codes << self.shift);
        }
        if self.is_high_first {
            codes = codes.swap_bytes();
        }
        for (low, bits, by) in const { Self::halves(BYTES as u32) }.into_iter().rev() {
            codes = (codes & low) | codes >> by & (low << bits);
        }
        bytes_of(if self.is_high_first { (codes << (64 - 8 * BYTES)).swap_bytes() } else { codes })
    }
}

/// At most eight bytes as a number, the lowest first.
#[inline(always)]
fn word<const BYTES: usize>(bytes: [u8; BYTES]) -> u64 {
    let mut all = [0; 8];
    all[..BYTES].copy_from_slice(&bytes);
    u64::from_le_bytes(all)
}

/// Some bytes of a list of such.
#[inline(always)]
fn part<const BYTES: usize>(bytes: &[u8], i: usize) -> [u8; BYTES] {
    let mut own = [0; BYTES];
    own.copy_from_slice(&bytes[i * BYTES..][..BYTES]);
    own
}

/// The lowest bytes of a number.
#[inline(always)]
fn bytes_of<const BYTES: usize>(word: u64) -> [u8; BYTES] {
    let mut own = [0; BYTES];
    own.copy_from_slice(&word.to_le_bytes()[..BYTES]);
    own
}

/// Calls a method with the bytes and the codes of a word, and how many words are a step, as constants.
macro_rules! with_sizes {
    ($runs:ident.$call:ident, $words:ident, $arguments:tt $(, $joins:ident)?) => {
        match ($words.codes, $words.bytes, $runs.count % (4 * $words.codes)) {
            (8, 8, 0) => $runs.$call::<8, 8, 4 $(, $joins)?> $arguments,
            (8, 8, 16) => $runs.$call::<8, 8, 2 $(, $joins)?> $arguments,
            (8, 8, _) => $runs.$call::<8, 8, 1 $(, $joins)?> $arguments,
            (4, ..) => $runs.$call::<4, 4, 1 $(, $joins)?> $arguments,
            (_, 1, 0) => $runs.$call::<1, 8, 4 $(, $joins)?> $arguments,
            (_, 1, _) => $runs.$call::<1, 8, 1 $(, $joins)?> $arguments,
            (_, 2, 0) => $runs.$call::<2, 8, 4 $(, $joins)?> $arguments,
            (_, 2, _) => $runs.$call::<2, 8, 1 $(, $joins)?> $arguments,
            (_, 4, 0) => $runs.$call::<4, 8, 4 $(, $joins)?> $arguments,
            (_, 4, _) => $runs.$call::<4, 8, 1 $(, $joins)?> $arguments,
            (_, 3, _) => $runs.$call::<3, 8, 1 $(, $joins)?> $arguments,
            (_, 5, _) => $runs.$call::<5, 8, 1 $(, $joins)?> $arguments,
            (_, 6, _) => $runs.$call::<6, 8, 1 $(, $joins)?> $arguments,
            _ => $runs.$call::<7, 8, 1 $(, $joins)?> $arguments,
        }
    };
}

impl Runs {
    /// The first bit of the first element and the number of the first element of each run.
    #[inline(always)]
    fn firsts(self) -> impl Iterator<Item = (i64, usize)> {
        (0..self.repeats).map(move |repeat| {
            (self.first + repeat as i64 * self.stride, self.held + repeat * self.period)
        })
    }

    /// The first bit and the number of each element.
    #[inline(always)]
    fn each(self) -> impl Iterator<Item = (usize, usize)> {
        self.firsts().flat_map(move |(first, held)| {
            (0..self.count).map(move |i| ((first + i as i64 * self.step) as usize, held + i))
        })
    }

    /// How the runs are words of codes, if they are.
    #[inline(always)]
    fn words(&self, field: &StoredField) -> Option<Words> {
        let bits = field.bits;
        let is_even = self.stride % 8 == 0 || self.repeats == 1;
        let is_dense = self.step == bits as i64 && bits < 8 && self.first % 8 == 0;
        let codes = if self.count % 8 == 0 || is_dense { 8 } else { 4 };
        let shift = match field.shift(self.first as usize) {
            _ if is_dense => 0,
            Some(shift) if self.step == 8 => shift as u32,
            _ => return None,
        };
        (is_even && self.count % codes == 0).then_some(Words {
            codes,
            bytes: if is_dense { bits } else { codes },
            mask: u64::from(field.mask()) * 0x0101_0101_0101_0101,
            shift,
            is_high_first: field.is_high_first,
        })
    }

    #[inline(always)]
    fn read<const JOINS: bool>(self, field: &StoredField, bytes: &[u8], up: u32, codes: &mut [u8]) {
        let Some(words) = self.words(field) else {
            for (bit, i) in self.each() {
                let own = field.code(bytes, bit) << up;
                codes[i] = if JOINS { codes[i] | own } else { own };
            }
            return;
        };
        with_sizes!(self.read_words, words, (words, bytes, up, codes), JOINS);
    }

    #[inline(always)]
    fn read_words<const BYTES: usize, const CODES: usize, const STEP: usize, const JOINS: bool>(
        self,
        words: Words,
        bytes: &[u8],
        up: u32,
        codes: &mut [u8],
    ) {
        for (first, held) in self.firsts() {
            let from = &bytes[first as usize / 8..][..self.count / CODES * BYTES];
            let to = &mut codes[held..][..self.count];
            for i in 0..self.count / (CODES * STEP) {
                // All words are read before one is written: the compiler does not know that they are not the same.
                let from = &from[i * BYTES * STEP..][..BYTES * STEP];
                let to = &mut to[i * CODES * STEP..][..CODES * STEP];
                let mut own = [0; STEP];
                for (i, own) in own.iter_mut().enumerate() {
                    let word = words.read::<BYTES, CODES>(part(from, i)) & words.mask;
                    let old = if JOINS { self::word::<CODES>(part(to, i)) } else { 0 };
                    *own = old | word << up;
                }
                for (i, own) in own.into_iter().enumerate() {
                    to[i * CODES..][..CODES].copy_from_slice(&bytes_of::<CODES>(own));
                }
            }
        }
    }

    #[inline(always)]
    fn write(self, field: &StoredField, bytes: &mut [u8], down: u32, codes: &[u8]) {
        let Some(words) = self.words(field) else {
            for (bit, i) in self.each() {
                field.set_code(bytes, bit, codes[i] >> down & field.mask());
            }
            return;
        };
        with_sizes!(self.write_words, words, (words, bytes, down, codes));
    }

    #[inline(always)]
    fn write_words<const BYTES: usize, const CODES: usize, const STEP: usize>(
        self,
        words: Words,
        bytes: &mut [u8],
        down: u32,
        codes: &[u8],
    ) {
        for (first, held) in self.firsts() {
            let from = &codes[held..][..self.count];
            let to = &mut bytes[first as usize / 8..][..self.count / CODES * BYTES];
            for i in 0..self.count / (CODES * STEP) {
                let from = &from[i * CODES * STEP..][..CODES * STEP];
                let to = &mut to[i * BYTES * STEP..][..BYTES * STEP];
                let mut own = [[0; BYTES]; STEP];
                for (i, own) in own.iter_mut().enumerate() {
                    let codes = word::<CODES>(part(from, i)) >> down & words.mask;
                    *own = words.write::<BYTES, CODES>(codes, part(to, i));
                }
                for (i, own) in own.into_iter().enumerate() {
                    to[i * BYTES..][..BYTES].copy_from_slice(&own);
                }
            }
        }
    }
}
