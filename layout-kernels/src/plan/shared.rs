//! Vectors whose loads make several vectors: planes, columns, interleaved rows, and blocks.

use super::loads::{LANE, MAX_DIGITS, Shape, Window};
use super::machine as t;
use super::nests::Nest;
use crate::isa::Isa;
use crate::steps::{Form, LINE, Loop, MAX_LOOPS, MAX_OUTPUTS, balanced, distance, greater, least};

/// Vectors of a byte permute that the same loads make, and their cost.
#[derive(Clone, Copy)]
pub(super) struct Costed {
    pub(super) shape: Shape,
    pub(super) form: Form,
    pub(super) loads: usize,
    /// Whether loads are of 16 bytes for each lane.
    pub(super) lanes: bool,
    /// The bytes of a load, or of a lane of it, and how many units of the shape it has at most.
    pub(super) window: Window,
    /// The number of vectors, and the bytes of each of several that are stored.
    pub(super) outputs: usize,
    pub(super) stored: usize,
    /// The loop over planes or columns whose units are in the same loads. Without one, several vectors follow one
    /// another in the destination.
    pub(super) plane: usize,
    pub(super) cost: usize,
}

impl Costed {
    /// A vector that is impossible.
    pub(super) const NONE: Self = Self::new(Shape::new(0, 1, 0), 0);

    /// A vector of a shape with a table for each of `loads` loads, which are vectors, without its cost.
    pub(super) const fn new(shape: Shape, loads: usize) -> Self {
        let (form, window, plane, cost) = (Form::Tables, Window::of(LANE), MAX_LOOPS, usize::MAX);
        Self { shape, form, loads, lanes: false, window, outputs: 1, stored: 0, plane, cost }
    }

    /// Returns the loop over planes or columns that the same loads make.
    pub(super) const fn planes(&self, nest: &Nest) -> Loop {
        if self.plane < nest.count {
            Loop { size: self.outputs, ..nest.loops[self.plane] }
        } else {
            Loop::ONCE
        }
    }

    /// Whether vectors follow one another in the destination, each with a table for each load.
    pub(super) const fn is_block(&self) -> bool {
        matches!(self.form, Form::Tables)
            && self.outputs > 1
            && self.plane == MAX_LOOPS
            && !self.lanes
    }

    /// Returns the contiguous bytes of the destination that the vectors cover: columns may follow one another.
    pub(super) const fn covered(&self, nest: &Nest) -> usize {
        let (valid, planes) = (self.shape.valid, self.planes(nest));
        if planes.follows(valid) { valid * planes.size } else { valid }
    }

    /// Sets the cost, to which what the last vectors of a digit or of planes move twice adds.
    pub(super) const fn costed(mut self, nest: &Nest, isa: Isa) -> Self {
        let Shape { count, last, .. } = self.shape;
        let size = if count > 0 { nest.loops[count - 1].size } else { last };
        let more = self.cost_of_ends(nest, isa, size.div_ceil(last));
        let cost = in_chunks(self.cost_of_vectors(nest, isa, more), size, last);
        self.cost = if self.plane < nest.count {
            in_chunks(cost, nest.loops[self.plane].size, self.outputs)
        } else {
            cost
        };
        self
    }

    /// Replaces the vectors if others are cheaper.
    #[inline(always)]
    pub(super) const fn keep(&mut self, other: &Self) {
        if other.cost < self.cost {
            *self = *other;
        }
    }

    /// Returns the cost of making the vectors with `more` tenths of a cycle each time.
    const fn cost_of_vectors(&self, nest: &Nest, isa: Isa, more: usize) -> usize {
        if let Form::Lanes = self.form {
            return t::LANES;
        }
        let Self { loads, outputs, lanes, .. } = *self;
        let vector = if lanes { isa.permute() } else { self.window.bytes };
        let inserts = if lanes { (vector / LANE - 1) * loads } else { 0 };
        let zips = loads * loads.trailing_zeros() as usize;
        let (zips, tables) = match self.form {
            Form::Parts { before, after } => {
                (zips, before as usize * loads + after as usize * outputs)
            }
            Form::Zips(_) => (zips, 0),
            // A permute of a line takes bytes of two loads.
            _ if vector == LINE && outputs > 1 => (0, (loads - 1) * outputs),
            _ => (0, loads * outputs),
        };
        // Vectors of a line that begin inside one are stored in two parts.
        let is_part = if lanes { self.stored < LINE } else { self.shape.valid % LINE > 0 };
        let is_split = vector == LINE && outputs > 1 && is_part;
        let stores = if is_split { 2 * outputs } else { outputs };
        let planes = if self.plane < nest.count { outputs } else { 1 };
        let bytes = self.shape.moved(nest) * planes;
        t::network(vector, [loads, inserts, zips, tables, stores], bytes, more)
    }

    /// Returns how many times vectors follow one another in the destination. The last digit of the shape has `count`
    /// chunks.
    const fn run(&self, nest: &Nest, count: usize) -> usize {
        if count > 1 {
            return count;
        }
        let (covered, mut run, mut i) = (self.covered(nest), 1, self.shape.count);
        while i < nest.count {
            let (own, chunk) = (nest.loops[i], self.chunk(nest, i));
            if own.destination as usize * chunk == covered && own.size > chunk {
                run = own.size.div_ceil(chunk);
            }
            i += 1;
        }
        run
    }

    /// Returns what ends of runs take, in tenths of a cycle for each time that the same loads make vectors. The last
    /// store of less than a lane takes 3 cycles more, that of less than half a lane 10; runs of lines also have starts.
    /// The last digit of the shape has `count` chunks. If vectors of a line do not follow one another, a kernel takes
    /// the next loop as a run.
    const fn cost_of_ends(&self, nest: &Nest, isa: Isa, count: usize) -> usize {
        let each = match self.shape.valid {
            _ if isa.permute() == LINE => t::ENDS,
            0..8 => 100 * self.planes(nest).size,
            8..LANE => 30 * self.planes(nest).size,
            _ => 0,
        };
        if each == 0 || isa.permute() == LINE && nest.may_be_inlined {
            return 0;
        }
        // Whole vectors are stored if later ones overwrite the excess.
        let (mut run, mut i) = (self.run(nest, count), self.shape.count);
        while isa.permute() == LINE && i < nest.count && run == 1 {
            run = nest.loops[i].size.div_ceil(self.chunk(nest, i));
            i += 1;
        }
        each / run
    }

    /// Returns the number of iterations of a loop that the vectors contain.
    pub(super) const fn chunk(&self, nest: &Nest, of: usize) -> usize {
        if of == self.plane { self.outputs } else { self.shape.chunk(nest, of) }
    }
}

/// Returns four rows of four columns of units of a lane, if there is a kernel for them.
pub(super) const fn rows_of_lanes(nest: &Nest, isa: Isa) -> Costed {
    let (unit, rows, count) = (nest.unit, nest.loops[0], 4);
    // The loop over columns: its units are contiguous in the source.
    let mut plane = 1;
    while plane < nest.count && nest.loops[plane % MAX_LOOPS].source != unit as isize {
        plane += 1;
    }
    if unit != LANE
        || !rows.follows(unit)
        || plane >= nest.count
        || rows.size < count
        || nest.loops[plane].size < count
    {
        return Costed::NONE;
    }
    let (form, window) = (Form::Lanes, Window { bytes: LINE, units: 1 });
    let own = Costed::new(Shape::new(1, count, LINE), count);
    Costed { form, window, outputs: count, plane, ..own }.costed(nest, isa)
}

/// Returns the cheapest vectors that follow one another in the destination and cost less than `limit`.
pub(super) const fn runs(nest: &Nest, isa: Isa, limit: usize) -> Costed {
    let mut best = Costed::NONE;
    if let Some(rows) = interleaved_digits(nest) {
        best = interleaved_rows(nest, &rows, isa);
        best.keep(&interleaved_lanes(nest, &rows, isa));
    }
    best.keep(&block(nest, isa, least(best.cost, limit)));
    best
}

/// Returns rows whose units are interleaved in the destination, if there is a kernel for them.
const fn interleaved_rows(nest: &Nest, of_rows: &Shape, isa: Isa) -> Costed {
    let (unit, bytes) = (nest.unit, isa.permute());
    let (rows, columns) = (of_rows.valid / unit, nest.loops[of_rows.count]);
    let are_eighths = rows >= 5 && rows <= 8 && unit <= bytes / 8;
    // Those without tables have no non-temporal stores, and vectors of one or two lanes.
    let may_stream = bytes > LANE && nest.bytes >= t::LEAST_NON_TEMPORAL;
    let are_zips = unit * rows <= LANE && (rows == 2 || rows == 4) && !may_stream;
    if !(are_zips || are_eighths) || !unit.is_power_of_two() {
        return Costed::NONE;
    }
    let (bytes, most) = if are_zips { (LANE, 2) } else { (bytes, 1) };
    let (mut best, mut lanes) = (Costed::NONE, 1);
    while lanes <= most && columns.size >= bytes * lanes / unit {
        let (bytes, last) = (bytes * lanes, bytes * lanes / unit);
        let (form, loads, units, stored) = if are_zips {
            (Form::Zips(unit), rows, 1, LANE)
        } else {
            (Form::Parts { before: false, after: true }, 8, last / 8, bytes / 8 * rows)
        };
        let own = Costed::new(Shape::new(of_rows.count + 1, last, rows * bytes), loads);
        let window = Window { bytes, units };
        best.keep(&Costed { form, window, outputs: loads, stored, ..own }.costed(nest, isa));
        lanes += 1;
    }
    best
}

/// Sets the vectors of a shape whose loads also hold the units of several iterations of another loop, planes or
/// columns, if there is a kernel for them that costs less than `limit` and the best so far. Two loads make two vectors,
/// three make three. Four are transposed in quarters and eight in eighths; some of these may be left over.
///
/// For example, two pixels of eight channels of a byte are one load. Eight loads of two pixels make eight vectors, each
/// of sixteen pixels of a channel, whatever order those pixels have in the destination.
///
/// A load is a vector. Of rows of 3 to 7 bytes, each lane of a load of a line has a row.
pub(super) const fn set_planes_of(
    best: &mut Costed,
    nest: &Nest,
    of: &Shape,
    isa: Isa,
    limit: usize,
) {
    let (unit, bytes) = (nest.unit, isa.permute());
    let is_line = bytes == LINE;
    let in_lanes = is_line && !unit.is_power_of_two();
    // Kernels store at least half a lane, and of lines all.
    let is_possible = match of.count {
        1 => in_lanes || of.valid >= if is_line { LINE } else { LANE / 2 },
        _ => !is_line && of.valid >= LANE / 2,
    };
    if !is_possible || of.has_gaps || nest.padding.is_some() || unit >= LANE {
        return;
    }
    // Two vectors of two loads cost least.
    let tables = if is_line { 2 } else { 4 };
    if least(limit, best.cost) <= t::network(bytes, [2, 0, 0, tables, 2], 2 * bytes, 0) {
        return;
    }
    let (window, each) = if in_lanes { (LANE, bytes / LANE) } else { (bytes, 1) };
    let mut shape = *of;
    if in_lanes {
        shape.last = each * columns_of_lane(unit);
        shape.valid = shape.last * unit;
    }
    if shape.last > of.last {
        return;
    }
    // Each iteration of a digit with such strides has a window of its own.
    let (mut fewest, mut i) = (1, 0);
    while i < shape.count {
        if distance(nest.loops[i].source) > window - unit {
            fewest *= shape.chunk(nest, i);
        }
        i += 1;
    }
    let (mut limit, mut plane) = (least(limit, best.cost), shape.count);
    while plane < nest.count {
        let (stride, mut i) = (distance(nest.loops[plane].source), 0);
        while i < 4 && fewest <= 8 * each && stride > 0 && stride <= window - unit {
            let loads = [2, 3, 4, 8][i];
            if loads * each >= fewest {
                best.keep(&planes_by(nest, &shape, isa, (plane, loads), limit));
                limit = least(limit, best.cost);
            }
            i += 1;
        }
        plane += 1;
    }
}

/// Returns the number of columns in a lane, for each of which there is one load.
const fn columns_of_lane(unit: usize) -> usize {
    least(LANE / unit, 4)
}

/// Returns the vectors of a shape that `loads` loads make for a loop over planes, if there is a kernel for them that costs
/// less than `limit`.
#[inline(always)]
const fn planes_by(
    nest: &Nest,
    shape: &Shape,
    isa: Isa,
    (plane, loads): (usize, usize),
    limit: usize,
) -> Costed {
    let (unit, bytes, is_line) = (nest.unit, isa.permute(), isa.permute() == LINE);
    let in_lanes = is_line && !unit.is_power_of_two();
    let (window, each) = if in_lanes { (LANE, bytes / LANE) } else { (bytes, 1) };
    let (size, stride) = (nest.loops[plane].size, distance(nest.loops[plane].source));
    let outputs = least(size, least((window - unit) / stride + 1, loads));
    let units = if loads < 4 { usize::MAX } else { window / loads / unit };
    // The parts of one digit are in order. Those of a line are, and all planes come at once.
    let fills = units.saturating_mul(loads) == shape.last && shape.valid == bytes;
    let after = loads >= 4 && !(shape.count == 1 && fills);
    let has_kernel = match is_line {
        true if in_lanes => loads == columns_of_lane(unit),
        true => loads != 3 && !after && outputs == size,
        false => true,
    };
    if !has_kernel || units == 0 || loads < 4 && outputs < loads {
        return Costed::NONE;
    }
    let form = if loads < 4 { Form::Tables } else { Form::Parts { before: true, after } };
    let lanes = in_lanes || after || shape.valid < LANE;
    let own = Costed {
        form,
        lanes,
        window: Window { bytes: window, units },
        ..Costed::new(*shape, loads)
    };
    let own = Costed { outputs, stored: shape.valid, plane, ..own }.costed(nest, isa);
    if own.cost >= limit {
        return Costed::NONE;
    }
    let windows = shape.windows(nest, Window { bytes: window - (outputs - 1) * stride, units });
    let fits = windows == loads * each || after && !in_lanes && windows < loads;
    if fits { own } else { Costed::NONE }
}

/// Returns the vectors of interleaved lanes, if there are kernels for them: one lane of each row holds several columns,
/// which follow one another in the destination.
const fn interleaved_lanes(nest: &Nest, rows: &Shape, isa: Isa) -> Costed {
    let has_kernels = isa.permute() == LINE;
    let loads = (rows.valid / nest.unit).div_ceil(4);
    if !has_kernels
        || loads < 2
        || loads > MAX_OUTPUTS
        || rows.windows(nest, Window::of(LANE)) * nest.unit != rows.valid
    {
        return Costed::NONE;
    }
    let columns = nest.loops[rows.count];
    let most = LANE / nest.unit;
    let last = least(columns.size, most);
    let shape = Shape::new(rows.count + 1, last, rows.valid * last);
    // Vectors overlap. Four of them are transposed in quarters.
    if shape.valid < LINE || loads == 4 && (last < most || !matches!(nest.unit, 1 | 2 | 4)) {
        return Costed::NONE;
    }
    let (form, stored) = match loads {
        4 => (Form::Parts { before: true, after: true }, shape.valid / 4),
        _ => (Form::Tables, LINE),
    };
    let window = Window { bytes: LANE, units: last };
    let own = Costed { form, lanes: true, window, stored, ..Costed::new(shape, loads) };
    Costed { outputs: loads, ..own }.costed(nest, isa)
}

/// Returns the digits of the destination that are faster than the digit of contiguous units of the source.
const fn interleaved_digits(nest: &Nest) -> Option<Shape> {
    let mut shape = Shape::new(0, 1, nest.unit);
    while shape.count < nest.count && shape.count < MAX_DIGITS {
        let own = nest.loops[shape.count];
        if !own.follows(shape.valid) {
            return None;
        }
        if own.source == nest.unit as isize {
            return if shape.count > 0 { Some(shape) } else { None };
        }
        if own.size > LINE / shape.valid {
            return None;
        }
        shape.count += 1;
        (shape.last, shape.valid) = (own.size, shape.valid * own.size);
    }
    None
}

/// The maximal number of vectors of a block, and of its loads.
const MAX_BLOCK: usize = 3;

/// Returns the cheapest block that costs less than `limit`.
const fn block(nest: &Nest, isa: Isa, limit: usize) -> Costed {
    let bytes = isa.permute();
    let is_small_unit = nest.unit < LINE / 2 && nest.unit < bytes;
    if !is_small_unit {
        return Costed::NONE;
    }
    let mut best = Costed::NONE;
    let mut shape = Shape::new(0, 1, nest.unit);
    while shape.count < nest.count && shape.count < MAX_DIGITS {
        let (own, most) = (nest.loops[shape.count], MAX_BLOCK * bytes / shape.valid);
        if !own.follows(shape.valid) || most < 2 {
            break;
        }
        // Two vectors may need no more than two loads where three need more than three.
        let fewer = balanced(own.size, 2 * bytes / shape.valid);
        let tries = [balanced(own.size, most), fewer];
        let mut i = 0;
        while i < 2 {
            let last = tries[i];
            let next = Shape { count: shape.count + 1, last, valid: shape.valid * last, ..shape };
            if (i == 0 || last < tries[i - 1]) && next.valid > bytes {
                best.keep(&block_of(nest, &next, isa, least(best.cost, limit)));
            }
            i += 1;
        }
        if tries[0] < own.size {
            break;
        }
        let valid = shape.valid * own.size;
        shape = Shape { count: shape.count + 1, last: own.size, valid, ..shape };
    }
    best
}

/// Returns a block of a shape, with at least a load for each vector, if it is possible and costs less than `limit`.
const fn block_of(nest: &Nest, shape: &Shape, isa: Isa, limit: usize) -> Costed {
    let bytes = isa.permute();
    let (outputs, window) = (shape.valid.div_ceil(bytes), Window::of(bytes));
    let own = Costed { window, outputs, stored: bytes, ..Costed::new(*shape, outputs) };
    // This is the cost if there are no more loads than vectors; counting loads takes longer.
    if own.costed(nest, isa).cost >= limit {
        return Costed::NONE;
    }
    let (loads, _) = loads_of_block(nest, shape, bytes);
    if loads < 2 || loads > MAX_BLOCK {
        return Costed::NONE;
    }
    let own = Costed { loads: greater(loads, outputs), ..own }.costed(nest, isa);
    if own.cost < limit { own } else { Costed::NONE }
}

/// Returns the number of loads of a block, and whether they are the vectors of the source that follow one another, or
/// the windows of its units, which are fewer.
#[inline(never)]
pub(super) const fn loads_of_block(nest: &Nest, shape: &Shape, bytes: usize) -> (usize, bool) {
    let (low, high) = shape.span(nest);
    let count = ((high - low) as usize).div_ceil(bytes);
    // Counting windows takes longer.
    let windows = if count < 3 { count } else { shape.windows(nest, Window::of(bytes)) };
    (least(count, windows), count <= windows)
}

/// Scales `cost` by `moved / size`, for moving more iterations than wanted. In 64 bits, since a loop may be as long
/// as memory.
pub(super) const fn scaled(cost: usize, moved: usize, size: usize) -> usize {
    if moved == size {
        return cost;
    }
    match (cost as u64).checked_mul(moved as u64) {
        Some(all) if all / size as u64 <= usize::MAX as u64 => (all / size as u64) as usize,
        _ => usize::MAX,
    }
}

/// Returns the cost of moving `size` iterations `chunk` at a time, from that of each one: the last chunk moves some
/// twice.
pub(super) const fn in_chunks(cost: usize, size: usize, chunk: usize) -> usize {
    scaled(cost, size.div_ceil(chunk) * chunk, size)
}
