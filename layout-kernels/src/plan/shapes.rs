//! Shapes: the vectors that a byte permute can make of a nest, one or several of the same loads, and their cost.

use super::loads::{MAX_DIGITS, Shape, Window};
use super::machine::{LEAST_NON_TEMPORAL, Machine, of_vectors};
use super::nests::Nest;
use crate::isa::{Isa, LANE};
use crate::steps::{
    Form, LINE, Loop, MAX_LOADS, MAX_LOOPS, MAX_OUTPUTS, balanced, distance, each, greater, least,
};

/// The parts of a load, and as many loads: a transpose of parts makes each part one of another vector.
const QUARTERS: usize = 4;
const EIGHTHS: usize = 8;

/// The least bytes of a vector that kernels of several vectors store: half a lane.
const HALF: usize = LANE / 2;

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
    const fn new(shape: Shape, loads: usize) -> Self {
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
        let is_run = self.outputs > 1 && self.plane == MAX_LOOPS && !self.lanes;
        is_run && matches!(self.form, Form::Tables)
    }

    /// Returns the contiguous bytes of the destination that the vectors cover: columns may follow one another.
    pub(super) const fn covered(&self, nest: &Nest) -> usize {
        let (valid, planes) = (self.shape.valid, self.planes(nest));
        if planes.follows(valid) { valid * planes.size } else { valid }
    }

    /// Returns the number of iterations of a loop that the vectors contain.
    pub(super) const fn chunk(&self, nest: &Nest, of: usize) -> usize {
        if of == self.plane { self.outputs } else { self.shape.chunk(nest, of) }
    }

    /// Replaces the vectors if others are cheaper.
    #[inline(always)]
    const fn keep(&mut self, other: &Self) {
        if other.cost < self.cost {
            *self = *other;
        }
    }

    /// Sets the cost, to which what the last vectors of a digit or of planes move twice adds.
    const fn costed(mut self, nest: &Nest, isa: Isa) -> Self {
        let Shape { count, last, .. } = self.shape;
        let size = if count > 0 { nest.loops[count - 1].size } else { last };
        let more = self.ends(nest, isa, size.div_ceil(last));
        self.cost = in_chunks(self.cost_of_vectors(nest, isa, more), size, last);
        if self.plane < nest.count {
            self.cost = in_chunks(self.cost, nest.loops[self.plane].size, self.outputs);
        }
        self
    }

    /// Returns the cost of making the vectors with `more` tenths of a cycle each time.
    const fn cost_of_vectors(&self, nest: &Nest, isa: Isa, more: usize) -> usize {
        if let Form::Lanes = self.form {
            return Machine::of(isa).lanes;
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
        let bytes = self.shape.moved(nest) * self.planes(nest).size;
        of_vectors(vector).network([loads, inserts, zips, tables, stores], bytes, more)
    }

    /// Returns what ends of runs take, in tenths of a cycle for each time that the same loads make vectors. The last
    /// digit of the shape has `count` chunks; vectors may follow one another along another loop. If those of a line do
    /// not, a kernel takes the next loop as a run.
    const fn ends(&self, nest: &Nest, isa: Isa, count: usize) -> usize {
        let is_line = isa.permute() == LINE;
        let each = Machine::of(isa).ends(self.shape.valid, isa);
        if each == 0 || is_line && nest.may_be_inlined {
            return 0;
        }
        let (covered, mut run, mut i) = (self.covered(nest), count, self.shape.count);
        // Whole vectors are stored if later ones overwrite the excess.
        while i < nest.count && run == 1 {
            let (own, chunk) = (nest.loops[i], self.chunk(nest, i));
            if is_line || own.destination as usize * chunk == covered {
                run = own.size.div_ceil(chunk);
            }
            i += 1;
        }
        if is_line { each / run } else { each * self.planes(nest).size / run }
    }
}

/// Returns the cheapest vectors that cost less than `limit`, if there are any.
#[inline(never)]
pub(super) const fn cheapest(nest: &Nest, isa: Isa, limit: usize) -> Costed {
    let mut best = Costed { cost: limit, ..Costed::NONE };
    if isa.has_avx2() && nest.padding.is_none() {
        best.keep(&rows_of_lanes(nest, isa));
        if let Some(rows) = interleaved_digits(nest) {
            interleaved_rows(nest, &rows, isa, &mut best);
            best.keep(&interleaved_lanes(nest, &rows, isa));
        }
        blocks(nest, isa, &mut best);
    }
    vectors(nest, isa, &mut best);
    if best.loads == 0 { Costed::NONE } else { best }
}

/// Tries single vectors: the digits that fit whole, then some iterations of the next one.
const fn vectors(nest: &Nest, isa: Isa, best: &mut Costed) {
    let bytes = isa.permute();
    let Some((group, moved)) = padded_group(nest, bytes) else { return };
    let is_padded = nest.padding.is_some();
    let mut shape = Shape::new(0, 1, nest.unit);
    loop {
        if shape.valid == moved {
            (shape.valid, shape.pads) = (group, true);
        }
        if shape.count == nest.count || shape.count == MAX_DIGITS {
            break;
        }
        let own = nest.loops[shape.count];
        if !own.follows(shape.valid) {
            let stride = own.destination as usize;
            let is_kept = isa.stores_some() && !is_padded && stride > shape.valid;
            if !is_kept || stride > bytes / 2 {
                break;
            }
            // A vector with the bytes between iterations, or one for each.
            try_vector(nest, isa, &shape, best);
            (shape.valid, shape.has_gaps) = (stride, true);
        }
        let (before, most) = (shape.valid, bytes / shape.valid);
        if most < 2 {
            break;
        }
        shape.count += 1;
        (shape.last, shape.valid) = (least(own.size, most), before * least(own.size, most));
        if own.size <= most {
            continue;
        }
        // As many iterations as fit, as even numbers as possible, or a multiple of four.
        let (tries, mut i) = ([balanced(own.size, most), most & !3], 0);
        while i < 2 && (shape.pads || !is_padded) {
            if tries[i] < most && tries[i] > 0 {
                let (last, valid) = (tries[i], before * tries[i]);
                try_vector(nest, isa, &Shape { last, valid, ..shape }, best);
            }
            i += 1;
        }
        break;
    }
    if !is_padded || shape.pads {
        try_vector(nest, isa, &shape, best);
    }
}

/// Returns the bytes of a group with its padding and without it, or 0 if nothing is padded. Returns `None` if no
/// vector of `bytes` bytes holds a unit or a group.
const fn padded_group(nest: &Nest, bytes: usize) -> Option<(usize, usize)> {
    let (group, moved) = match nest.padding {
        Some((padding, moved)) => (padding.group, moved),
        None => (0, 0),
    };
    let is_word = bytes < LANE && (group != bytes || moved != nest.unit);
    if bytes == 0 || nest.unit > bytes || group > bytes || is_word {
        None
    } else {
        Some((group, moved))
    }
}

/// Tries a vector of a shape, and planes of it.
const fn try_vector(nest: &Nest, isa: Isa, shape: &Shape, best: &mut Costed) {
    let bytes = isa.permute();
    if shape.count == 0 && !shape.pads && !shape.has_gaps {
        // Copies do the same.
        return;
    }
    // Loads of a vector, and of 16 bytes for each lane.
    let windows = [(bytes, 1, MAX_LOADS), (LANE, bytes / LANE, QUARTERS)];
    each!(i, 0..if bytes > LANE { 2 } else { 1 }, {
        let ((window, each, most), lanes) = (windows[i], i == 1);
        let window = Window::of(window);
        let own = Costed { lanes, window, ..Costed::new(*shape, 1) };
        // Counting windows takes longer. Lanes that nothing needs are loaded too.
        if nest.unit <= window.bytes && own.costed(nest, isa).cost < best.cost {
            let count = shape.windows(nest, window);
            if count <= most * each {
                best.keep(&Costed { loads: count.div_ceil(each), ..own }.costed(nest, isa));
            }
        }
    });
    if isa.has_avx2() && !shape.has_gaps && nest.padding.is_none() && nest.unit < LANE {
        try_planes(nest, isa, shape, best);
    }
}

/// The numbers of loads of planes.
const NUMBERS_OF_PLANES: [usize; 4] = [2, 3, QUARTERS, EIGHTHS];

/// Tries vectors of a shape whose loads also hold the units of several iterations of another loop, planes or columns.
/// Two loads make two vectors, three make three. Four are transposed in quarters and eight in eighths; some of these
/// may be left over.
///
/// For example, two pixels of eight channels of a byte are one load. Eight loads of two pixels make eight vectors, each
/// of sixteen pixels of a channel, whatever order those pixels have in the destination.
///
/// A load is a vector. Of rows of 3 to 7 bytes, each lane of a load of a line has a row.
const fn try_planes(nest: &Nest, isa: Isa, of: &Shape, best: &mut Costed) {
    let (unit, bytes, is_line) = (nest.unit, isa.permute(), isa.permute() == LINE);
    let in_lanes = is_line && !unit.is_power_of_two();
    let mut shape = *of;
    if in_lanes {
        shape.last = bytes / LANE * columns_of_lane(unit);
        shape.valid = shape.last * unit;
    }
    // Kernels store at least half a lane, and of lines all.
    let fits = match of.count {
        1 => in_lanes || of.valid >= if is_line { LINE } else { HALF },
        _ => !is_line && of.valid >= HALF,
    };
    // Four vectors of four loads cost least.
    let (all, zips) = (QUARTERS, QUARTERS * QUARTERS.trailing_zeros() as usize);
    let least = of_vectors(bytes).network([all, 0, zips, all, all], all * bytes, 0);
    if !fits || shape.last > of.last || least >= best.cost {
        return;
    }
    let window = if in_lanes { LANE } else { bytes };
    // Each iteration of a digit with such strides has a window of its own.
    let mut fewest = 1;
    each!(i, 0..shape.count, {
        let is_far = distance(nest.loops[i].source) > window - unit;
        fewest *= if is_far { shape.chunk(nest, i) } else { 1 };
    });
    each!(plane, shape.count..nest.count, {
        let stride = distance(nest.loops[plane].source);
        if stride == 0 || stride > window - unit {
            continue;
        }
        each!(i, 0..NUMBERS_OF_PLANES.len(), {
            let loads = NUMBERS_OF_PLANES[i];
            let has_kernel = !in_lanes || loads == columns_of_lane(unit);
            if has_kernel && loads * (bytes / window) >= fewest {
                planes_by(nest, isa, &shape, (plane, loads, window), best);
            }
        });
    });
}

/// Returns the number of columns in a lane, for each of which there is one load.
const fn columns_of_lane(unit: usize) -> usize {
    least(LANE / unit, QUARTERS)
}

/// Tries the vectors of a shape that `loads` loads make for a loop over planes, with windows of `window` bytes.
const fn planes_by(
    nest: &Nest,
    isa: Isa,
    shape: &Shape,
    (plane, loads, window): (usize, usize, usize),
    best: &mut Costed,
) {
    let (unit, bytes, is_line) = (nest.unit, isa.permute(), isa.permute() == LINE);
    let (each, in_lanes) = (bytes / window, window < bytes);
    let Loop { size, source, .. } = nest.loops[plane];
    let outputs = least(size, least((window - unit) / distance(source) + 1, loads));
    let units = if loads < QUARTERS { usize::MAX } else { window / loads / unit };
    // The parts of one digit are in order. Those of a line are, and all planes come at once.
    let fills = units.saturating_mul(loads) == shape.last && shape.valid == bytes;
    let after = loads >= QUARTERS && !(shape.count == 1 && fills);
    let has_kernel = in_lanes || !is_line || loads != 3 && !after && outputs == size;
    if !has_kernel || units == 0 || loads < QUARTERS && outputs < loads {
        return;
    }
    let form = if loads < QUARTERS { Form::Tables } else { Form::Parts { before: true, after } };
    let (lanes, stored) = (in_lanes || after || shape.valid < LANE, shape.valid);
    let own = Costed::new(*shape, loads);
    let own = Costed { form, lanes, window: Window { bytes: window, units }, outputs, ..own };
    let own = Costed { stored, plane, ..own }.costed(nest, isa);
    if own.cost < best.cost {
        let bytes = window - (outputs - 1) * distance(source);
        let windows = shape.windows(nest, Window { bytes, units });
        if windows == loads * each || after && !in_lanes && windows < loads {
            *best = own;
        }
    }
}

/// Returns four rows of four columns of units of a lane, if there is a kernel for them.
const fn rows_of_lanes(nest: &Nest, isa: Isa) -> Costed {
    let (unit, rows, count) = (nest.unit, nest.loops[0], LINE / LANE);
    // The loop over columns: its units are contiguous in the source.
    let mut plane = 1;
    while plane < nest.count && nest.loops[plane % MAX_LOOPS].source != unit as isize {
        plane += 1;
    }
    let is_possible = unit == LANE && rows.follows(unit) && plane < nest.count;
    if !is_possible || least(rows.size, nest.loops[plane].size) < count {
        return Costed::NONE;
    }
    let (form, window) = (Form::Lanes, Window { bytes: LINE, units: 1 });
    let own = Costed::new(Shape::new(1, count, LINE), count);
    Costed { form, window, outputs: count, plane, ..own }.costed(nest, isa)
}

/// Tries rows whose units are interleaved in the destination.
const fn interleaved_rows(nest: &Nest, of_rows: &Shape, isa: Isa, best: &mut Costed) {
    let (unit, rows) = (nest.unit, of_rows.valid / nest.unit);
    // Those without tables have no non-temporal stores, and vectors of one or two lanes.
    let may_stream = isa.permute() > LANE && nest.bytes >= LEAST_NON_TEMPORAL;
    let are_zips = unit * rows <= LANE && rows <= QUARTERS && rows.is_power_of_two() && !may_stream;
    let are_eighths = rows > QUARTERS && rows <= EIGHTHS && unit <= isa.permute() / EIGHTHS;
    if !unit.is_power_of_two() || !are_zips && !are_eighths {
        return;
    }
    let (mut bytes, most) = if are_zips { (LANE, 2 * LANE) } else { (isa.permute(), LINE) };
    while bytes <= most && nest.loops[of_rows.count].size >= bytes / unit {
        let (form, loads, units, stored) = if are_zips {
            (Form::Zips(unit), rows, 1, LANE)
        } else {
            let (form, part) = (Form::Parts { before: false, after: true }, bytes / EIGHTHS);
            (form, EIGHTHS, part / unit, part * rows)
        };
        let own = Costed::new(Shape::new(of_rows.count + 1, bytes / unit, rows * bytes), loads);
        let window = Window { bytes, units };
        best.keep(&Costed { form, window, outputs: loads, stored, ..own }.costed(nest, isa));
        bytes = if are_zips { 2 * bytes } else { usize::MAX };
    }
}

/// Returns the vectors of interleaved lanes, if there are kernels for them: one lane of each row holds several columns,
/// which follow one another in the destination.
const fn interleaved_lanes(nest: &Nest, rows: &Shape, isa: Isa) -> Costed {
    let loads = (rows.valid / nest.unit).div_ceil(LINE / LANE);
    let has_kernels = isa.permute() == LINE && loads >= 2 && loads <= MAX_OUTPUTS;
    if !has_kernels || rows.windows(nest, Window::of(LANE)) * nest.unit != rows.valid {
        return Costed::NONE;
    }
    let most = LANE / nest.unit;
    let last = least(nest.loops[rows.count].size, most);
    let shape = Shape::new(rows.count + 1, last, rows.valid * last);
    // Vectors overlap. Four of them are transposed in quarters.
    if shape.valid < LINE || loads == QUARTERS && (last < most || !nest.unit.is_power_of_two()) {
        return Costed::NONE;
    }
    let (form, stored) = match loads {
        QUARTERS => (Form::Parts { before: true, after: true }, shape.valid / QUARTERS),
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
        if own.follows(shape.valid) && own.source == nest.unit as isize {
            return if shape.count > 0 { Some(shape) } else { None };
        }
        if !own.follows(shape.valid) || own.size > LINE / shape.valid {
            return None;
        }
        shape = Shape::new(shape.count + 1, own.size, shape.valid * own.size);
    }
    None
}

/// The maximal number of vectors of a block, and of its loads.
const MAX_BLOCK: usize = 3;

/// Tries blocks: two or three vectors that follow one another.
const fn blocks(nest: &Nest, isa: Isa, best: &mut Costed) {
    let bytes = isa.permute();
    if nest.unit >= least(LINE / 2, bytes) {
        return;
    }
    let (mut count, mut valid) = (0, nest.unit);
    while count < nest.count && count < MAX_DIGITS {
        let (own, most) = (nest.loops[count], MAX_BLOCK * bytes / valid);
        if !own.follows(valid) || most < 2 {
            break;
        }
        // Two vectors may need no more than two loads where three need more than three.
        let tries = [balanced(own.size, most), balanced(own.size, 2 * bytes / valid)];
        each!(i, 0..2, {
            let next = Shape::new(count + 1, tries[i], valid * tries[i]);
            if (i == 0 || tries[1] < tries[0]) && next.valid > bytes {
                try_block(nest, isa, &next, best);
            }
        });
        if tries[0] < own.size {
            break;
        }
        (count, valid) = (count + 1, valid * own.size);
    }
}

/// Tries a block of a shape, with at least a load for each vector.
const fn try_block(nest: &Nest, isa: Isa, shape: &Shape, best: &mut Costed) {
    let bytes = isa.permute();
    let (outputs, window) = (shape.valid.div_ceil(bytes), Window::of(bytes));
    let own = Costed { window, outputs, stored: bytes, ..Costed::new(*shape, outputs) };
    // This is the cost if there are no more loads than vectors; counting loads takes longer.
    if own.costed(nest, isa).cost < best.cost {
        let (loads, _) = loads_of_block(nest, shape, bytes);
        if loads >= 2 && loads <= MAX_BLOCK {
            best.keep(&Costed { loads: greater(loads, outputs), ..own }.costed(nest, isa));
        }
    }
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
const fn in_chunks(cost: usize, size: usize, chunk: usize) -> usize {
    scaled(cost, size.div_ceil(chunk) * chunk, size)
}
