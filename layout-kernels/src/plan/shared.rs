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

/// Returns the first loop but the fastest whose units are contiguous in the source, or the number of loops. It may be
/// reversed if `backwards` is set.
const fn contiguous(nest: &Nest, backwards: bool) -> usize {
    let mut i = 1;
    while i < nest.count {
        let source = nest.loops[i % MAX_LOOPS].source;
        if distance(source) == nest.unit && (backwards || source > 0) {
            break;
        }
        i += 1;
    }
    i
}

/// Returns two to eight planes, if there is a kernel for them. Each of two, four or eight loads holds a part of the
/// vector of every plane.
pub(super) const fn many_planes(nest: &Nest, isa: Isa) -> Costed {
    let (pixels, unit, bytes) = (nest.loops[0], nest.unit, isa.permute());
    let is_unit = matches!(unit, 1 | 2 | 4 | 8) && pixels.follows(unit) && pixels.source != 0;
    let plane = contiguous(nest, true);
    if !is_unit || plane >= nest.count || nest.loops[plane].size > 8 {
        return Costed::NONE;
    }
    let (outputs, last) = (nest.loops[plane].size, bytes / unit);
    let mut best = Costed::NONE;
    // Columns of a lane are two of two loads.
    let mut loads = if outputs == 2 && bytes == LINE { 2 } else { 4 };
    while loads <= 8 && pixels.size >= last {
        let each = bytes / loads;
        // No load has more than a window from its first pixel to its last.
        let span = ((each / unit).saturating_sub(1)).saturating_mul(distance(pixels.source));
        if outputs <= loads && unit <= each && span <= bytes - outputs * unit {
            let form = match loads {
                2 => Form::Tables,
                _ => Form::Parts { before: true, after: false },
            };
            let window = Window { bytes, units: each / unit };
            let own = Costed::new(Shape::new(1, last, bytes), loads);
            let own = Costed { form, window, outputs, stored: bytes, plane, ..own };
            best.keep(&own.costed(nest, isa));
        }
        loads *= 2;
    }
    best
}

/// Returns four rows of four columns of units of a lane, if there is a kernel for them.
pub(super) const fn rows_of_lanes(nest: &Nest, isa: Isa) -> Costed {
    let (unit, rows, count) = (nest.unit, nest.loops[0], 4);
    let (plane, is_unit) = (contiguous(nest, false), unit == 16 && rows.follows(unit));
    if !is_unit || plane >= nest.count || rows.size < count || nest.loops[plane].size < count {
        return Costed::NONE;
    }
    let (form, window) = (Form::Lanes, Window { bytes: LINE, units: 1 });
    let own = Costed::new(Shape::new(1, count, LINE), count);
    Costed { form, window, outputs: count, plane, ..own }.costed(nest, isa)
}

/// Whether `rows` rows of `unit` bytes are interleaved without tables.
const fn zips(rows: usize, unit: usize) -> bool {
    unit * rows <= 16 && (rows == 2 || rows == 4)
}

/// Returns rows whose units are interleaved in the destination, if there is a kernel for them.
pub(super) const fn interleaved_rows(nest: &Nest, isa: Isa) -> Costed {
    let (unit, bytes) = (nest.unit, isa.permute());
    let Some(of_rows) = interleaved_digits(nest) else { return Costed::NONE };
    let (rows, columns) = (of_rows.valid / unit, nest.loops[of_rows.count]);
    let are_eighths = rows >= 5 && rows <= 8 && unit <= bytes / 8;
    let fits = unit.is_power_of_two() && unit <= 16;
    // Those without tables have no non-temporal stores.
    let are_small = bytes == LANE || nest.bytes < t::LEAST_NON_TEMPORAL;
    let are_zips = zips(rows, unit) && are_small;
    // They have vectors of one or two lanes.
    let (bytes, most) = if are_zips { (LANE, 2) } else { (bytes, 1) };
    if !(rows == 3 || are_zips || are_eighths) || !fits {
        return Costed::NONE;
    }
    let (mut best, mut lanes) = (Costed::NONE, 1);
    let count = of_rows.count + 1;
    while lanes <= most && columns.size >= bytes * lanes / unit {
        let (bytes, last) = (bytes * lanes, bytes * lanes / unit);
        let (form, loads, units, stored) = match rows {
            rows if are_zips => (Form::Zips(unit), rows, 1, LANE),
            3 => (Form::Tables, 3, last, bytes),
            rows => {
                let form = Form::Parts { before: false, after: true };
                (form, 8, last / 8, bytes / 8 * rows)
            }
        };
        let own = Costed::new(Shape::new(count, last, rows * bytes), loads);
        let window = Window { bytes, units };
        let own = Costed { form, window, outputs: loads, stored, ..own };
        best.keep(&own.costed(nest, isa));
        lanes += 1;
    }
    best
}

/// Returns how `loads` loads become columns, and the number of units of `unit` bytes that a load has at most: if loads
/// are transposed in parts, those of a part of a lane.
const fn columns_form(loads: usize, unit: usize) -> (Form, usize) {
    if loads < 4 {
        (Form::Tables, usize::MAX)
    } else {
        (Form::Parts { before: true, after: true }, LANE / loads / unit)
    }
}

/// Returns the vectors of a shape whose loads of 16 bytes also hold the units of several iterations of another loop,
/// the columns, if there is a kernel for them that costs less than `limit`. Two loads make two columns, three make
/// three. Four are transposed in quarters and eight in eighths; some of these may be left over.
///
/// For example, two pixels of eight channels of a byte are one load. Eight loads of two pixels make eight vectors, each
/// of sixteen pixels of a channel, whatever order those pixels have in the destination.
pub(super) const fn columns_of(nest: &Nest, shape: &Shape, isa: Isa, mut limit: usize) -> Costed {
    let has_kernels = cfg!(vectors) && isa.shares_loads() && isa.permute() == LANE;
    // Two columns of whole lanes cost least.
    let is_too_much = limit <= t::network(LANE, [2, 0, 0, 4, 2], 2 * LANE, 0);
    // Kernels store at least half a lane.
    let is_possible = shape.valid >= LANE / 2 && !shape.has_gaps && nest.unit < LANE;
    if !has_kernels || is_too_much || nest.padding.is_some() || !is_possible {
        return Costed::NONE;
    }
    // Each iteration of a digit with such strides has a window of its own.
    let (mut fewest, mut i) = (1, 0);
    while i < shape.count {
        if distance(nest.loops[i].source) > LANE - nest.unit {
            fewest *= shape.chunk(nest, i);
        }
        i += 1;
    }
    let (mut best, mut plane) = (Costed::NONE, shape.count);
    while plane < nest.count {
        let (size, source) = (nest.loops[plane].size, nest.loops[plane].source);
        let mut i = 0;
        while i < 4 && fewest <= 8 && source > 0 && source as usize <= LANE - nest.unit {
            let loads = [2, 3, 4, 8][i];
            i += 1;
            let stride = source as usize;
            let most = (LANE - nest.unit) / stride + 1;
            let planes = least(size, least(most, loads));
            let (form, units) = columns_form(loads, nest.unit);
            let own = Costed::new(*shape, loads);
            let (window, stored) = (Window { bytes: LANE, units }, shape.valid);
            let lanes = loads >= 4 || shape.valid < LANE;
            if loads < fewest || units == 0 || loads < 4 && planes < loads {
                continue;
            }
            let own = Costed { form, lanes, window, outputs: planes, stored, plane, ..own };
            let own = own.costed(nest, isa);
            if own.cost >= limit {
                continue;
            }
            let window = Window { bytes: LANE - (planes - 1) * stride, units };
            let windows = shape.windows(nest, window);
            if windows == loads || loads >= 4 && windows < loads {
                (best, limit) = (own, own.cost);
            }
        }
        plane += 1;
    }
    best
}

/// Returns columns of rows of 3 to 7 bytes in vectors of a line, if there are kernels for them. A window of 16 bytes
/// holds several columns.
pub(super) const fn columns_at_once(nest: &Nest, isa: Isa) -> Costed {
    let (rows, unit) = (nest.loops[0], nest.unit);
    let columns = match unit {
        3 => 4,
        5 => 3,
        6 | 7 => 2,
        _ => return Costed::NONE,
    };
    // Each lane of a load has a row, and there is one load for each column.
    let last = isa.permute() / 16 * columns;
    let shape = Shape::new(1, last, last * unit);
    let (plane, has_kernels) = (contiguous(nest, false), isa.permute() == LINE);
    let are_rows = has_kernels && rows.size >= shape.last && rows.follows(unit);
    if !are_rows || plane >= nest.count || nest.loops[plane].size < columns {
        return Costed::NONE;
    }
    if shape.windows(nest, Window::of(LANE)) != shape.last {
        return Costed::NONE;
    }
    let (form, units) = columns_form(columns, unit);
    let (own, window) = (Costed::new(shape, columns), Window { bytes: LANE, units });
    let (outputs, stored) = (columns, shape.valid);
    let own = Costed { form, lanes: true, window, outputs, stored, plane, ..own };
    own.costed(nest, isa)
}

/// Returns the vectors of interleaved lanes, if there are kernels for them: one lane of each row holds several columns,
/// which follow one another in the destination.
pub(super) const fn interleaved_lanes(nest: &Nest, isa: Isa) -> Costed {
    let has_kernels = isa.permute() == LINE;
    let Some(rows) = interleaved_digits(nest) else { return Costed::NONE };
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
    let (form, _) = columns_form(loads, nest.unit);
    let (window, stored) =
        (Window { bytes: LANE, units: last }, if loads < 4 { LINE } else { shape.valid / 4 });
    let own = Costed { form, lanes: true, window, stored, ..Costed::new(shape, loads) };
    Costed { outputs: loads, ..own }.costed(nest, isa)
}

/// Returns the digits of the destination that are faster than the digit of contiguous units of the source.
pub(super) const fn interleaved_digits(nest: &Nest) -> Option<Shape> {
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
pub(super) const fn block(nest: &Nest, isa: Isa, limit: usize) -> Costed {
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
        let fewer = with_digit(&shape, own.size, 2 * bytes / shape.valid);
        shape = with_digit(&shape, own.size, most);
        let (tries, mut i) = ([shape, fewer], 0);
        while i < 2 {
            let (shape, is_new) = (tries[i], i == 0 || fewer.last < tries[0].last);
            if is_new && shape.valid > bytes {
                best.keep(&block_of(nest, &shape, isa, least(best.cost, limit)));
            }
            i += 1;
        }
        if shape.last < own.size {
            break;
        }
    }
    best
}

/// Returns a shape with a digit more: at most `most` iterations of a loop of `size`.
const fn with_digit(before: &Shape, size: usize, most: usize) -> Shape {
    let last = balanced(size, most);
    Shape { count: before.count + 1, last, valid: before.valid * last, ..*before }
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
