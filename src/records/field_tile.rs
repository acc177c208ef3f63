//! The elements of a field in a tile: where they lie, and moves between there and elements side by side.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Loop, Move, Plan, Work, work_on_best};

use super::code_runs::CodeRuns;
use super::value_side::StoredField;
use super::value_tiles::{SideFields, TileAxis, greatest_divisor};

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
    pub(super) const NONE: Self =
        Self { sizes: Vec::new(), count: 0, runs: Vec::new(), repeats: 1, stride: 0, moved: None };

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
        let mut coordinate = vec![0; axes.len()];
        for i in 0..count {
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
        Self { sizes, count, runs, repeats, stride, moved }
    }

    /// Whether the elements lie side by side.
    pub(super) fn is_contiguous(&self, bits: usize) -> bool {
        let is_next = |run: &Run| run.step == bits as i64 || run.count == 1;
        self.repeats == 1 && self.runs.len() == 1 && self.runs.iter().all(is_next)
    }

    /// The first bit and the bit after the last one, from the first element on.
    #[cfg(feature = "rayon")]
    pub(super) fn span(&self, bits: usize) -> (i64, i64) {
        let all = self.stride * (self.repeats as i64 - 1);
        let ends = self.runs.iter().map(|run| {
            let last = run.start + run.step * (run.count as i64 - 1);
            (run.start.min(last) + all.min(0), run.start.max(last) + all.max(0) + bits as i64)
        });
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
    }

    /// The runs of a period, each with where those of all periods lie.
    #[inline(always)]
    fn runs(&self, first: i64) -> impl Iterator<Item = CodeRuns> + '_ {
        let (repeats, stride, period) = (self.repeats, self.stride, self.count / self.repeats);
        let held = self.runs.iter().scan(0, |held, run| {
            *held += run.count;
            Some(*held - run.count)
        });
        self.runs.iter().zip(held).map(move |(&Run { start, step, count }, held)| CodeRuns {
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
                false => work_on_best(CodesRead::<'_, false> { runs, field, bytes, up, codes }),
                true => work_on_best(CodesRead::<'_, true> { runs, field, bytes, up, codes }),
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
            work_on_best(CodesWritten { runs, field, bytes, down, codes });
        }
    }

    /// The runs of codes with how far each lies from the lowest bits of its byte, if all lie in bytes at equal distances,
    /// and each has parts of 16 codes that no group of `group` divides.
    pub(super) fn in_bytes<'a>(
        &'a self,
        field: &'a StoredField,
        first: i64,
        group: usize,
    ) -> Option<impl Iterator<Item = (CodeRuns, u32)> + 'a> {
        let are_long = |runs: CodeRuns| greatest_divisor(runs.count, group) % 16 == 0;
        let is_in_bytes = |runs: CodeRuns| are_long(runs) && runs.shift(field).is_some();
        let own = || self.runs(first);
        own().all(is_in_bytes).then(|| own().map(|runs| (runs, runs.shift(field).unwrap_or(0))))
    }

    /// Reads the elements of whole bytes of the tile whose first one begins at a bit.
    pub(super) fn gather(&self, field: &StoredField, bytes: &[u8], first: i64, held: &mut [u8]) {
        if let (Some((plan, before)), 0) = (&self.moved, first % 8) {
            if plan.run(&bytes[(first / 8 - before) as usize..], held) {
                return;
            }
        }
        let size = field.held();
        for (at, i) in self.runs(first).flat_map(CodeRuns::each) {
            let own = held[i * size..][..size].iter_mut().enumerate();
            own.for_each(|(i, byte)| *byte = field.code(bytes, at + 8 * i));
        }
    }

    /// Writes the elements of whole bytes of a tile.
    pub(super) fn scatter(&self, field: &StoredField, bytes: &mut [u8], first: i64, held: &[u8]) {
        if let (Some((plan, before)), 0) = (&self.moved, first % 8) {
            if plan.run(held, &mut bytes[(first / 8 - before) as usize..]) {
                return;
            }
        }
        let size = field.held();
        for (at, i) in self.runs(first).flat_map(CodeRuns::each) {
            let own = held[i * size..][..size].iter().enumerate();
            own.for_each(|(i, byte)| field.set_code(bytes, at + 8 * i, *byte));
        }
    }
}

struct CodesRead<'a, const JOINS: bool> {
    runs: CodeRuns,
    field: &'a StoredField,
    bytes: &'a [u8],
    up: u32,
    codes: &'a mut [u8],
}

impl<const JOINS: bool> Work for CodesRead<'_, JOINS> {
    #[inline(always)]
    fn run(self) {
        self.runs.read::<JOINS>(self.field, self.bytes, self.up, self.codes);
    }
}

struct CodesWritten<'a> {
    runs: CodeRuns,
    field: &'a StoredField,
    bytes: &'a mut [u8],
    down: u32,
    codes: &'a [u8],
}

impl Work for CodesWritten<'_> {
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
