//! The elements of a field in a tile: where they lie, and moves between there and elements side by side.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{
    CodeBlocks, CodePart, CodeRun, CodeStep, Loop, Move, Plan, Work, work_on_best,
};
use layout_types::spec::greatest_divisor;

use super::code_runs::CodeRuns;
use super::side::StoredField;
use super::tile_boxes::{SideFields, TileAxis, even};

/// The most codes of a step, and the most steps of a period.
const CODES: usize = 32;
const STEPS: usize = 16;

/// Elements at equal distances, in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    /// The distance of the first one from that of the tile.
    start: i64,
    step: i64,
    count: usize,
}

/// The places of a field's elements in a tile.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldTile {
    /// The number of elements along each axis.
    pub(super) sizes: Vec<usize>,
    pub(super) count: usize,
    /// The runs of a period, how often it is repeated, and the distance in bits from one to the next.
    runs: Vec<Run>,
    repeats: usize,
    stride: i64,
    /// How the elements of a period are read some at a time, the place of the first bit of a tile in its byte, and the
    /// bytes from there to the first one of all elements.
    steps: Option<(Vec<CodeStep>, i64, i64)>,
    /// The move of elements of whole bytes, and the bytes of the tile before its first element.
    moved: Option<(Plan, i64)>,
}

/// The places of codes that lie in bytes.
pub(super) struct BytesTile {
    runs: Vec<CodeRun>,
    blocks: CodeBlocks<'static>,
    /// The place of the first bit of a tile in its byte, and the bytes from there to the first one of all codes.
    within: i64,
    start: i64,
}

impl BytesTile {
    /// The blocks, and their first byte, of a tile that begins at a bit.
    pub(super) fn at(&self, first: i64) -> Option<(CodeBlocks<'_>, usize)> {
        let byte = (first - self.within) / 8 + self.start;
        let blocks = CodeBlocks { runs: &self.runs, ..self.blocks };
        (first % 8 == self.within).then_some((blocks, byte as usize))
    }
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
    pub(super) fn none() -> Self {
        Self { repeats: 1, ..Self::default() }
    }

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
        let mut runs = runs_in_tile(side, field, axes, [&sizes, &shares]);
        let is_whole = own.bits % 8 == 0 && runs.iter().all(|run| (run.start | run.step) % 8 == 0);
        let moved = if is_whole { moved(&runs, own.held(), is_written) } else { None };
        let (length, mut stride) = period(&runs);
        let mut repeats = runs.len().checked_div(length).unwrap_or(1);
        runs.truncate(length);
        let bits = own.bits as i64;
        if let ([run], 1, 1..8) = (&mut runs[..], repeats, bits) {
            // Parts of a run that is the only one are periods.
            if run.step == bits && run.count % 32 == 0 {
                (repeats, stride, run.count) = (run.count / 32, 32 * bits, 32);
            }
        }
        let mut new = Self { sizes, count, runs, repeats, stride, steps: None, moved };
        if bits < 8 && own.cut().is_none() {
            new.steps = new.steps(own, first.rem_euclid(8));
        }
        new
    }

    /// How the elements of a period are read some at a time, if these are near one another.
    fn steps(&self, own: &StoredField, within: i64) -> Option<(Vec<CodeStep>, i64, i64)> {
        let each = |run: &Run| {
            let Run { start, step, count } = *run;
            (0..count as i64).map(move |i| within + start + i * step)
        };
        let least = |run: &Run| run.start + (run.step * (run.count as i64 - 1)).min(0);
        let start = (within + self.runs.iter().map(least).min()?).div_euclid(8);
        let places =
            self.runs.iter().flat_map(each).map(|bit| usize::try_from(bit - 8 * start).ok());
        let places: Vec<usize> = places.take(CODES * STEPS + 1).collect::<Option<_>>()?;
        let is_even = self.repeats == 1 || self.stride > 0 && self.stride % 8 == 0;
        let places = Some(places).filter(|own| is_even && own.len() <= CODES * STEPS)?;
        let step = |own_places| CodeStep::new(own.bits as u32, own.is_high_first, own_places);
        let steps = places.chunks(CODES).map(step).collect::<Option<_>>()?;
        Some((steps, within, start))
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

    /// Where codes lie in bytes, if all do, in runs of parts of 16 that no group divides. `first` is the first bit of a tile,
    /// and `dense` the same codes side by side.
    pub(super) fn in_bytes(
        &self,
        field: &StoredField,
        first: i64,
        dense: CodeBlocks<'static>,
    ) -> Option<BytesTile> {
        let is_one = self.runs.len() == 1 && self.repeats == 1;
        let count = self.runs.iter().fold(dense.count, |all, run| greatest_divisor(all, run.count));
        let within = first.rem_euclid(8);
        let start = self.runs.iter().map(|run| (within + run.start).div_euclid(8)).min()?;
        let mut list = Vec::new();
        for run in self.runs(within) {
            let shift = run.shift(field).filter(|_| count % 16 == 0)?;
            let byte = (run.first.div_euclid(8) - start) as usize;
            let part = |at| CodeRun {
                places: (byte + at, run.held + at),
                shift,
                group: (run.held + at) / dense.group,
            };
            // Blocks are parts of a run that is the only one.
            list.extend((0..if is_one { 1 } else { run.count }).step_by(count).map(part));
        }
        let strides = ((self.stride / 8) as usize, self.count / self.repeats);
        let blocks = CodeBlocks { count, blocks: self.repeats, strides, ..dense };
        let blocks = if is_one { dense } else { blocks };
        Some(BytesTile { runs: list, blocks, within, start })
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
            own.for_each(|(i, byte)| *byte = field.code(bytes, at + 8 * i as u64));
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
            own.for_each(|(i, byte)| field.set_code(bytes, at + 8 * i as u64, *byte));
        }
    }
}

/// The runs of a field in a tile, from its elements along each axis and the coordinates that share one. Those along the
/// last axis are in stretches of equal distances.
fn runs_in_tile(
    side: &SideFields<'_>,
    field: usize,
    axes: &[TileAxis],
    [sizes, shares]: [&[usize]; 2],
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let stretch = axes.last().map_or(1, |axis| even(&side.fields[field], axis));
    let (mut coordinate, mut i) = (vec![0; axes.len()], 0);
    let first = side.bit(field, &coordinate);
    while i < sizes.iter().product() {
        let mut rest = i;
        for axis in (0..axes.len()).rev() {
            coordinate[axis] = rest % sizes[axis] * shares[axis];
            rest /= sizes[axis];
        }
        let length = |size: &usize| (stretch - i % size % stretch).min(size - i % size);
        let length = sizes.last().map_or(1, length);
        let start = side.bit(field, &coordinate) - first;
        let mut step = 0;
        if let (2.., Some(last)) = (length, coordinate.last_mut()) {
            *last += shares[axes.len() - 1];
            step = side.bit(field, &coordinate) - first - start;
        }
        match runs.last_mut() {
            Some(run) if run.count == 1 && (length == 1 || start - run.start == step) => {
                (run.step, run.count) = (start - run.start, length + 1);
            }
            Some(run)
                if start == run.start + run.count as i64 * run.step
                    && (length == 1 || step == run.step) =>
            {
                run.count += length;
            }
            _ => runs.push(Run { start, step, count: length }),
        }
        i += length;
    }
    runs
}

/// Codes of a field in a tile: its buffer, the first bit of the first one, and how far each moves up.
#[derive(Clone, Copy)]
pub(super) struct TileCodes<'a> {
    pub(super) tile: &'a FieldTile,
    pub(super) field: &'a StoredField,
    pub(super) bytes: &'a [u8],
    pub(super) first: i64,
    pub(super) up: u32,
}

impl<'a> TileCodes<'a> {
    /// Reads elements of at most 8 bits of fields with as many, which move up and are joined.
    pub(super) fn read(all: impl Iterator<Item = Self> + Clone, codes: &mut [u8]) {
        let mut parts = all.clone();
        let done = match (parts.next(), parts.next(), parts.next()) {
            (Some(own), other, None) => own.read_steps(other, codes).unwrap_or(0),
            _ => 0,
        };
        let rest = all.enumerate().filter(|own| done < own.1.tile.repeats);
        for (i, Self { tile, field, bytes, first, up }) in rest {
            for runs in tile.runs(first).map(|runs| runs.after(done)) {
                work_on_best(CodesRead { runs, field, bytes, how: (up, i > 0), codes });
            }
        }
    }

    /// Reads periods by steps, and joins those of another field. Returns how many periods were read.
    fn read_steps(self, other: Option<Self>, codes: &mut [u8]) -> Option<usize> {
        let FieldTile { count, repeats, .. } = *self.tile;
        let is_alike = |own: Self| own.tile.count == count && own.tile.repeats == repeats;
        let mut done = if other.is_none_or(is_alike) { repeats } else { 0 };
        let period = count / repeats;
        // A step of fewer codes than it writes is the last one: others write what it wrote to the next period.
        for i in (0..period.div_ceil(CODES)).rev() {
            let joined = match other {
                Some(other) => Some(other.part(i)?),
                None => None,
            };
            done = CodeStep::read(self.part(i)?, joined, (done, period), &mut codes[i * CODES..]);
        }
        Some(done)
    }

    /// How a step reads a part of each period.
    fn part(&self, i: usize) -> Option<CodePart<'a>> {
        let Self { tile, first, up, .. } = *self;
        let (steps, within, start) = tile.steps.as_ref().filter(|own| first % 8 == own.1)?;
        let bytes = &self.bytes[((first - within) / 8 + start) as usize..];
        Some(CodePart { step: steps.get(i)?, bytes: (bytes, (tile.stride / 8) as usize), up })
    }
}

struct CodesRead<'a> {
    runs: CodeRuns,
    field: &'a StoredField,
    bytes: &'a [u8],
    how: (u32, bool),
    codes: &'a mut [u8],
}

impl Work for CodesRead<'_> {
    #[inline(always)]
    fn run(self) {
        self.runs.read(self.field, self.bytes, self.how, self.codes);
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
