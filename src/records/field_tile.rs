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

/// How the codes of runs are read, several at a time.
#[derive(Clone, Copy)]
enum Unpacked {
    /// Each is in a byte of its own, as far as this from its lowest bit.
    Bytes(u32),
    /// They lie side by side, from the highest bit of a byte on if the flag is set.
    Dense(bool),
}

/// Halves of a word of eight bytes, of its halves, and of their halves: the bits of the lower one, how many these are, and
/// how far the upper one moves up, if a byte gets this many bits.
const fn halves(bits: u32) -> [(u64, u32, u32); 3] {
    [
        ((1 << (4 * bits)) - 1, 4 * bits, 32 - 4 * bits),
        (((1 << (2 * bits)) - 1) * 0x1_0000_0001, 2 * bits, 16 - 2 * bits),
        (((1 << bits) - 1) * 0x0001_0001_0001_0001, bits, 8 - bits),
    ]
}

/// Eight codes that lie side by side, in a byte each.
#[inline(always)]
fn spread<const BITS: usize>(bytes: [u8; BITS], is_high_first: bool) -> [u8; 8] {
    let mut all = [0; 8];
    all[..BITS].copy_from_slice(&bytes);
    let mut word = u64::from_le_bytes(all);
    if is_high_first {
        word = word.swap_bytes() >> (64 - 8 * BITS);
    }
    for (low, bits, by) in const { halves(BITS as u32) } {
        word = (word & low) | (word & (low << bits)) << by;
    }
    if is_high_first { word.to_be_bytes() } else { word.to_le_bytes() }
}

/// Eight codes, in a byte each, side by side.
#[inline(always)]
fn joined<const BITS: usize>(codes: [u8; 8], is_high_first: bool) -> [u8; BITS] {
    let mut word =
        if is_high_first { u64::from_be_bytes(codes) } else { u64::from_le_bytes(codes) };
    for (low, bits, by) in const { halves(BITS as u32) }.into_iter().rev() {
        word = (word & low) | word >> by & (low << bits);
    }
    if is_high_first {
        word = (word << (64 - 8 * BITS)).swap_bytes();
    }
    let mut own = [0; BITS];
    own.copy_from_slice(&word.to_le_bytes()[..BITS]);
    own
}

/// Calls a function of four bytes on all bytes of an array, and of another one at the same places.
#[inline(always)]
fn by_words<const COUNT: usize>(
    own: [u8; COUNT],
    old: [u8; COUNT],
    of: impl Fn(u32, u32) -> u32,
) -> [u8; COUNT] {
    let mut new = old;
    // Iterators of chunks are not inlined here.
    for i in (0..COUNT).step_by(4) {
        let word =
            |all: &[u8; COUNT]| u32::from_le_bytes([all[i], all[i + 1], all[i + 2], all[i + 3]]);
        new[i..i + 4].copy_from_slice(&of(word(&own), word(&old)).to_le_bytes());
    }
    new
}

/// Calls a method with the bits of codes that lie side by side as a constant.
macro_rules! with_bits {
    ($bits:expr, $runs:ident.$call:ident $arguments:tt) => {
        match $bits {
            1 => $runs.$call::<1> $arguments,
            2 => $runs.$call::<2> $arguments,
            3 => $runs.$call::<3> $arguments,
            4 => $runs.$call::<4> $arguments,
            5 => $runs.$call::<5> $arguments,
            6 => $runs.$call::<6> $arguments,
            _ => $runs.$call::<7> $arguments,
        }
    };
}

/// Calls a method with the length of runs of codes in bytes, or of the parts that they have.
macro_rules! with_count {
    ($runs:ident.$call:ident $arguments:tt) => {
        match $runs.count {
            32 => $runs.$call::<32> $arguments,
            16 => $runs.$call::<16> $arguments,
            count if count % 8 == 0 => $runs.$call::<8> $arguments,
            _ => $runs.$call::<4> $arguments,
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

    /// How several codes are read at a time, if they are.
    #[inline(always)]
    fn unpacked(&self, field: &StoredField) -> Option<Unpacked> {
        let bits = field.bits;
        let is_dense = self.step == bits as i64 && bits < 8 && self.first % 8 == 0;
        let way = match field.shift(self.first as usize) {
            _ if is_dense => Unpacked::Dense(field.is_high_first),
            Some(shift) if self.step == 8 => Unpacked::Bytes(shift as u32),
            _ => return None,
        };
        let is_whole = self.count % if is_dense { 8 } else { 4 } == 0;
        let is_even = self.stride % 8 == 0 && self.stride >= self.count as i64 * self.step;
        (is_whole && (is_even || self.repeats == 1)).then_some(way)
    }

    /// The bytes from one run to the next.
    #[inline(always)]
    fn stride(&self) -> usize {
        if self.repeats == 1 { usize::MAX } else { self.stride as usize / 8 }
    }

    #[inline(always)]
    fn read<const JOINS: bool>(self, field: &StoredField, bytes: &[u8], up: u32, codes: &mut [u8]) {
        let mask = field.mask();
        match self.unpacked(field) {
            None => {
                for (bit, i) in self.each() {
                    let own = field.code(bytes, bit) << up;
                    codes[i] = if JOINS { codes[i] | own } else { own };
                }
            }
            Some(way) => {
                let codes = &mut codes[self.held..];
                let bytes = &bytes[self.first as usize / 8..];
                let mask = u32::from(mask) * 0x0101_0101;
                let put = |own: u32, old: u32| (own & mask) << up | if JOINS { old } else { 0 };
                match way {
                    Unpacked::Bytes(shift) => {
                        let of = |own: u32, old: u32| put(own >> shift, old);
                        with_count!(self.each_byte(bytes, codes, [self.stride(), self.period], of));
                    }
                    Unpacked::Dense(is_high_first) => {
                        with_bits!(field.bits, self.read_dense(bytes, codes, is_high_first, put));
                    }
                }
            }
        }
    }

    /// Computes the bytes of runs from others, some at a time: all are read before one is written, since the compiler does
    /// not know that these are not the same. `steps` are the bytes from one run to the next on both sides.
    #[inline(always)]
    fn each_byte<const COUNT: usize>(
        self,
        from: &[u8],
        to: &mut [u8],
        steps: [usize; 2],
        of: impl Fn(u32, u32) -> u32,
    ) {
        let [step, step_to] = steps;
        let runs = from.chunks(step).zip(to.chunks_mut(step_to));
        for (mut from, mut to) in runs.take(self.repeats) {
            for _ in 0..self.count / COUNT {
                let both = (from.split_first_chunk::<COUNT>(), to.split_first_chunk_mut::<COUNT>());
                let (Some((own, rest)), Some((old, rest_to))) = both else { return };
                *old = by_words(*own, *old, &of);
                (from, to) = (rest, rest_to);
            }
        }
    }

    /// Reads codes that lie side by side, eight at a time.
    #[inline(always)]
    fn read_dense<const BITS: usize>(
        self,
        bytes: &[u8],
        codes: &mut [u8],
        is_high_first: bool,
        of: impl Fn(u32, u32) -> u32,
    ) {
        let runs = bytes.chunks(self.stride()).zip(codes.chunks_mut(self.period));
        for (mut from, mut to) in runs.take(self.repeats) {
            for _ in 0..self.count / 8 {
                let both = (from.split_first_chunk(), to.split_first_chunk_mut());
                let (Some((own, rest)), Some((old, rest_to))) = both else { return };
                *old = by_words(spread::<BITS>(*own, is_high_first), *old, &of);
                (from, to) = (rest, rest_to);
            }
        }
    }

    #[inline(always)]
    fn write(self, field: &StoredField, bytes: &mut [u8], down: u32, codes: &[u8]) {
        let mask = field.mask();
        match self.unpacked(field) {
            None => {
                for (bit, i) in self.each() {
                    field.set_code(bytes, bit, codes[i] >> down & mask);
                }
            }
            Some(way) => {
                let codes = &codes[self.held..];
                let bytes = &mut bytes[self.first as usize / 8..];
                let mask = u32::from(mask) * 0x0101_0101;
                match way {
                    Unpacked::Bytes(shift) => {
                        let of = |own: u32, old: u32| {
                            (own >> down & mask) << shift | old & !(mask << shift)
                        };
                        with_count!(self.each_byte(codes, bytes, [self.period, self.stride()], of));
                    }
                    Unpacked::Dense(is_high_first) => {
                        let of = |own: u32, _| own >> down & mask;
                        with_bits!(field.bits, self.write_dense(bytes, codes, is_high_first, of));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn write_dense<const BITS: usize>(
        self,
        bytes: &mut [u8],
        codes: &[u8],
        is_high_first: bool,
        of: impl Fn(u32, u32) -> u32,
    ) {
        let runs = codes.chunks(self.period).zip(bytes.chunks_mut(self.stride()));
        for (mut from, mut to) in runs.take(self.repeats) {
            for _ in 0..self.count / 8 {
                let both = (from.split_first_chunk(), to.split_first_chunk_mut());
                let (Some((own, rest)), Some((new, rest_to))) = both else { return };
                *new = joined::<BITS>(by_words(*own, *own, &of), is_high_first);
                (from, to) = (rest, rest_to);
            }
        }
    }
}
