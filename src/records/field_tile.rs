//! The elements of a field in a tile: where they lie, and moves between there and elements side by side.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Loop, Move, Plan};

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

    /// Calls a function for each run of a period, with where the runs of all periods lie.
    #[inline(always)]
    fn each_run(&self, first: i64, mut then: impl FnMut(Runs)) {
        let mut held = 0;
        for run in &self.runs {
            let Run { start, step, count } = *run;
            let (repeats, stride) = (self.repeats, self.stride);
            let period = self.count / repeats;
            then(Runs { first: first + start, step, count, repeats, stride, held, period });
            held += count;
        }
    }

    /// Reads the elements of at most 8 bits of the tile whose first one begins at a bit: each is shifted to the left, and
    /// joined to what is there if the flag is set.
    #[inline(always)]
    pub(super) fn read_codes(
        &self,
        field: &StoredField,
        bytes: &[u8],
        first: i64,
        (up, joins): (u32, bool),
        codes: &mut [u8],
    ) {
        self.each_run(first, |runs| match joins {
            false => runs.read::<false>(field, bytes, up, codes),
            true => runs.read::<true>(field, bytes, up, codes),
        });
    }

    /// Writes the bits of codes from one on to the elements of at most 8 bits of a tile.
    #[inline(always)]
    pub(super) fn write_codes(
        &self,
        field: &StoredField,
        bytes: &mut [u8],
        first: i64,
        down: u32,
        codes: &[u8],
    ) {
        self.each_run(first, |runs| runs.write(field, bytes, down, codes));
    }

    /// Reads the elements of whole bytes of the tile whose first one begins at a bit.
    #[inline(always)]
    pub(super) fn gather(&self, field: &StoredField, bytes: &[u8], first: i64, held: &mut [u8]) {
        let size = field.held();
        if let (Some((plan, before)), 0) = (&self.moved, first % 8) {
            let done = plan.run_unfenced(&bytes[(first / 8 - before) as usize..], held);
            debug_assert!(done, "a tile lies in its buffer");
            return;
        }
        self.each_run(first, |runs| {
            runs.each(|at, i| {
                let own = held[i * size..][..size].iter_mut().enumerate();
                own.for_each(|(i, byte)| *byte = field.code(bytes, at + 8 * i));
            });
        });
    }

    /// Writes the elements of whole bytes of a tile.
    #[inline(always)]
    pub(super) fn scatter(&self, field: &StoredField, bytes: &mut [u8], first: i64, held: &[u8]) {
        let size = field.held();
        if let (Some((plan, before)), 0) = (&self.moved, first % 8) {
            let done = plan.run_unfenced(held, &mut bytes[(first / 8 - before) as usize..]);
            debug_assert!(done, "a tile lies in its buffer");
            return;
        }
        self.each_run(first, |runs| {
            runs.each(|at, i| {
                let own = held[i * size..][..size].iter().enumerate();
                own.for_each(|(i, byte)| field.set_code(bytes, at + 8 * i, *byte));
            });
        });
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

/// Codes of which eight are a word, in its order of bytes.
#[derive(Clone, Copy)]
struct Words {
    /// The bytes that eight codes take in a buffer: less than 8 if they lie side by side there.
    bytes: usize,
    /// The bits of a code, in each byte of a word.
    mask: u64,
    /// How far the bits of a code lie from the lowest bit of its byte.
    shift: u32,
    /// Whether codes that lie side by side begin at the highest bit of a byte.
    is_high_first: bool,
}

impl Words {
    /// Halves of a word, of its halves, and of their halves: the bits of the lower one, how many these are, and how far the
    /// upper one moves up, if a code has this many bits.
    const fn halves(bits: u32) -> [(u64, u32, u32); 3] {
        [
            ((1 << (4 * bits)) - 1, 4 * bits, 32 - 4 * bits),
            (((1 << (2 * bits)) - 1) * 0x1_0000_0001, 2 * bits, 16 - 2 * bits),
            (((1 << bits) - 1) * 0x0001_0001_0001_0001, bits, 8 - bits),
        ]
    }

    /// The codes of bytes of a buffer, and bits of others beside them.
    #[inline(always)]
    fn codes<const BYTES: usize>(self, bytes: [u8; BYTES]) -> u64 {
        let mut all = [0; 8];
        all[..BYTES].copy_from_slice(&bytes);
        let mut word = u64::from_le_bytes(all);
        if BYTES == 8 {
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
    fn bytes<const BYTES: usize>(self, mut codes: u64, old: [u8; BYTES]) -> [u8; BYTES] {
        let mut all = [0; 8];
        if BYTES == 8 {
            all[..BYTES].copy_from_slice(&old);
            let kept = u64::from_le_bytes(all) & !(self.mask << self.shift);
            all = (kept | codes << self.shift).to_le_bytes();
        } else {
            if self.is_high_first {
                codes = codes.swap_bytes();
            }
            for (low, bits, by) in const { Self::halves(BYTES as u32) }.into_iter().rev() {
                codes = (codes & low) | codes >> by & (low << bits);
            }
            if self.is_high_first {
                codes = (codes << (64 - 8 * BYTES)).swap_bytes();
            }
            all = codes.to_le_bytes();
        }
        let mut own = [0; BYTES];
        own.copy_from_slice(&all[..BYTES]);
        own
    }
}

/// Calls a function with the bytes of eight codes, and the codes of a run, as constants where they are usual.
macro_rules! with_sizes {
    ($words:expr, $count:expr, $call:ident($($argument:expr),*)) => {
        match ($words.bytes, $count) {
            (8, 16) => $call::<8, 16>($($argument),*),
            (8, 32) => $call::<8, 32>($($argument),*),
            (8, _) => $call::<8, 0>($($argument),*),
            (1, _) => $call::<1, 0>($($argument),*),
            (2, _) => $call::<2, 0>($($argument),*),
            (3, _) => $call::<3, 0>($($argument),*),
            (4, _) => $call::<4, 0>($($argument),*),
            (5, _) => $call::<5, 0>($($argument),*),
            (6, _) => $call::<6, 0>($($argument),*),
            _ => $call::<7, 0>($($argument),*),
        }
    };
}

impl Runs {
    /// The first bit and the number of each element.
    #[inline(always)]
    fn each(&self, mut then: impl FnMut(usize, usize)) {
        for repeat in 0..self.repeats {
            let first = self.first + repeat as i64 * self.stride;
            for i in 0..self.count {
                let bit = (first + i as i64 * self.step) as usize;
                then(bit, self.held + repeat * self.period + i);
            }
        }
    }

    /// How the runs are words of eight codes, if they are.
    #[inline(always)]
    fn words(&self, field: &StoredField) -> Option<Words> {
        let bits = field.bits;
        let is_even = self.count % 8 == 0 && (self.stride % 8 == 0 || self.repeats == 1);
        let is_dense = self.step == bits as i64 && bits < 8 && self.first % 8 == 0;
        let shift = match field.shift(self.first as usize) {
            _ if is_dense => 0,
            Some(shift) if self.step == 8 => shift as u32,
            _ => return None,
        };
        is_even.then_some(Words {
            bytes: if is_dense { bits } else { 8 },
            mask: u64::from(field.mask()) * 0x0101_0101_0101_0101,
            shift,
            is_high_first: field.is_high_first,
        })
    }

    /// The first byte and the number of the first element of each run.
    #[inline(always)]
    fn each_run(&self, mut then: impl FnMut(usize, usize)) {
        for repeat in 0..self.repeats {
            let first = self.first + repeat as i64 * self.stride;
            then(first as usize / 8, self.held + repeat * self.period);
        }
    }

    #[inline(always)]
    fn read<const JOINS: bool>(
        &self,
        field: &StoredField,
        bytes: &[u8],
        up: u32,
        codes: &mut [u8],
    ) {
        #[inline(always)]
        fn words<const BYTES: usize, const COUNT: usize>(
            runs: &Runs,
            words: Words,
            bytes: &[u8],
            mut put: impl FnMut(&mut [u8; 8], u64),
            codes: &mut [u8],
        ) {
            let count = if COUNT > 0 { COUNT } else { runs.count };
            runs.each_run(|first, held| {
                let from = bytes[first..first + count / 8 * BYTES].chunks_exact(BYTES);
                let to = codes[held..held + count].chunks_exact_mut(8);
                for (from, to) in from.zip(to) {
                    let (Ok(from), Ok(to)) = (from.try_into(), to.try_into()) else { return };
                    put(to, words.codes::<BYTES>(from));
                }
            });
        }

        let Some(of) = self.words(field) else {
            return self.each(|bit, i| {
                let own = field.code(bytes, bit) << up;
                codes[i] = if JOINS { codes[i] | own } else { own };
            });
        };
        let put = |codes: &mut [u8; 8], own: u64| {
            let own = (own & of.mask) << up;
            let all = if JOINS { u64::from_le_bytes(*codes) | own } else { own };
            *codes = all.to_le_bytes();
        };
        with_sizes!(of, self.count, words(self, of, bytes, put, codes));
    }

    #[inline(always)]
    fn write(&self, field: &StoredField, bytes: &mut [u8], down: u32, codes: &[u8]) {
        #[inline(always)]
        fn words<const BYTES: usize, const COUNT: usize>(
            runs: &Runs,
            words: Words,
            bytes: &mut [u8],
            down: u32,
            codes: &[u8],
        ) {
            let count = if COUNT > 0 { COUNT } else { runs.count };
            runs.each_run(|first, held| {
                let from = codes[held..held + count].chunks_exact(8);
                let to = bytes[first..first + count / 8 * BYTES].chunks_exact_mut(BYTES);
                for (from, to) in from.zip(to) {
                    let (Ok(from), Ok(to)) = (from.try_into(), to.try_into()) else { return };
                    let to: &mut [u8; BYTES] = to;
                    let own = u64::from_le_bytes(from) >> down & words.mask;
                    *to = words.bytes::<BYTES>(own, *to);
                }
            });
        }

        let Some(of) = self.words(field) else {
            return self.each(|bit, i| field.set_code(bytes, bit, codes[i] >> down & field.mask()));
        };
        with_sizes!(of, self.count, words(self, of, bytes, down, codes));
    }
}
