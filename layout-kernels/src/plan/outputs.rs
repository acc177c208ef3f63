//! Several vectors made by the same loads: planes, columns, interleaved rows, and units of a lane.

use super::loads::{Shape, Units};
use super::nests::Nest;
use super::thresholds as t;
use crate::steps::{
    Form, LINE, Loop, MAX_LOADS, MAX_OUTPUTS, MAX_PLANES, MAX_TABLES, MAX_WINDOWS, NONE,
    Permutation, distance, least,
};

/// Whether `rows` rows of `unit` bytes are interleaved without tables.
pub(super) const fn zips(rows: usize, unit: usize) -> bool {
    unit * rows <= 16 && (rows == 2 || rows == 4)
}

/// Whether two or four rows, of `loads` loads that have `bytes` bytes of each, are interleaved with tables in vectors
/// of `vector` bytes.
pub(super) const fn are_half_rows(
    nest: &Nest,
    (rows, loads): (usize, usize),
    (bytes, vector): (usize, usize),
) -> bool {
    let are_rows = zips(rows, nest.unit) && (rows == 4 || nest.unit == 8);
    let are_fast = nest.may_be_inlined || t::are_rows_of_lines(loads, nest.bytes);
    are_fast && are_rows && vector == LINE && bytes == LINE / 2
}

/// Returns an offset if it is negative, or else 0.
const fn below(offset: isize) -> isize {
    if offset < 0 { offset } else { 0 }
}

impl Permutation {
    /// Makes planes of two, four or eight loads, each of which holds a part of every plane's vector. Vectors have
    /// `lanes` lanes of `bytes` bytes with loads of their own. Returns false if loads are too many or
    /// too far apart.
    pub(super) const fn set_many_planes(
        &mut self,
        nest: &Nest,
        (plane, loads): (Loop, usize),
        range: (isize, isize),
        (bytes, lanes): (usize, usize),
    ) -> bool {
        let (pixels, unit, each) = (nest.loops[0].source, nest.unit, bytes / loads);
        // So the sums below stay within the offsets of windows.
        if loads > MAX_LOADS || distance(pixels) > i32::MAX as usize / 64 {
            return false;
        }
        // The pixels of a load, where its lowest unit is from the first one on, and the bytes from this to the end of
        // the highest.
        let of_load = Loop { size: each >> unit.trailing_zeros(), ..nest.loops[0] };
        let (step, pixel, last) =
            (of_load.size as isize * pixels, of_load.last().0, plane.last().0);
        let low = below(pixel) + below(last);
        let span = (distance(pixel) + distance(last) + unit) as isize;
        let mut all = Units::NONE;
        all.windows = loads * lanes;
        let mut window = 0;
        while window < all.windows {
            // The windows of a load follow one another.
            let (load, lane) = (window / lanes, window % lanes);
            all.starts[window] = low + (load + loads * lane) as isize * step;
            all.ends[window] = all.starts[window] + span;
            window += 1;
        }
        (self.loads, self.outputs, self.valid) = (loads, plane.size, bytes * lanes);
        self.stored = self.valid;
        self.lanes = lanes > 1;
        self.form = match loads {
            2 => Form::Halves,
            4 => Form::Quarters,
            _ => Form::Eighths,
        };
        if !self.place_windows(&mut all, nest, range, bytes) {
            return false;
        }
        let table = self.set_planes((unit, pixels), (plane, low), each);
        let mut window = 0;
        while window < all.windows {
            let (load, lane) = (window / lanes, window % lanes);
            // How much earlier the window begins.
            let start = low + (load + loads * lane) as isize * step;
            let more = (start - all.starts[window]) as u8;
            let own = &mut self.tables[load % MAX_TABLES];
            let mut byte = 0;
            while byte < each * plane.size {
                own[(bytes * lane + byte) & 63] = table[byte & 63] + more;
                byte += 1;
            }
            window += 1;
        }
        self.cover(plane);
        true
    }

    /// Transposes four rows, whose offsets the caller sets, of four columns of units of 16 bytes, `column` bytes apart
    /// in the destination.
    pub(super) const fn set_lanes(&mut self, column: isize) {
        (self.loads, self.outputs, self.valid, self.form) = (4, 4, 64, Form::Lanes);
        let mut i = 0;
        while i < 4 {
            self.output_offsets[i % MAX_PLANES] = column * i as isize;
            i += 1;
        }
    }

    /// Sets where planes are, and returns the table of the first load in a lane, which begins at `low`: it collects
    /// `each` bytes of each plane. Pixels are `pixels` bytes apart.
    const fn set_planes(
        &mut self,
        (unit, pixels): (usize, isize),
        (plane, low): (Loop, isize),
        each: usize,
    ) -> [u8; 64] {
        let (mut table, mut output) = ([NONE; 64], 0);
        while output < plane.size {
            self.output_offsets[output % MAX_PLANES] = plane.destination * output as isize;
            let mut byte = 0;
            while byte < each {
                let pixel = (byte >> unit.trailing_zeros()) as isize * pixels;
                let own = pixel + output as isize * plane.source - low;
                table[(each * output + byte) & 63] = own as u8 + (byte & (unit - 1)) as u8;
                byte += 1;
            }
            output += 1;
        }
        table
    }

    /// Interleaves five to eight rows of `unit` bytes, whose offsets the caller sets. In each of `lanes` lanes of
    /// `window` bytes, eight vectors have an eighth of every row each. Loads that have no row repeat the first.
    const fn set_many_rows(
        &mut self,
        (rows, unit): (usize, usize),
        (window, lanes): (usize, usize),
    ) {
        let each = window / 8;
        (self.loads, self.outputs, self.stored) = (8, 8, each * rows);
        self.valid = window * lanes * rows;
        self.form = if lanes > 1 { Form::EighthRowsInLanes } else { Form::EighthRows };
        let mut byte = 0;
        while byte < each {
            let (column, mut row) = (byte >> unit.trailing_zeros(), 0);
            while row < rows {
                let position = (column * rows + row) * unit + (byte & (unit - 1));
                let mut lane = 0;
                while lane < lanes {
                    self.tables[0][(window * lane + position) & 63] = (each * row + byte) as u8;
                    lane += 1;
                }
                row += 1;
            }
            byte += 1;
        }
        let mut i = 0;
        while i < 8 {
            self.output_offsets[i % MAX_PLANES] = (each * rows * i) as isize;
            i += 1;
        }
    }

    /// Adds the next iterations of a loop over planes or columns, whose units are in the same loads. A vector has
    /// `vector` bytes. Four loads are transposed in quarters and eight in eighths. Returns false if vectors that are
    /// not in lanes are not whole, or if their loads lack a unit of an iteration.
    pub(crate) const fn set_outputs(&mut self, of: Loop, loads: usize, vector: usize) -> bool {
        debug_assert!(!self.pads && !self.has_gaps, "padding and gaps come from no load");
        let of_loads = self.tables;
        self.tables = [[NONE; 64]; MAX_TABLES];
        // The number of bytes of each load so far, and those of a transposed part.
        let (mut counts, bytes, mut position) = ([0; MAX_LOADS], vector / loads, 0);
        while position < self.valid {
            let mut load = 0;
            while of_loads[load % MAX_TABLES][position & 63] == NONE {
                load += 1;
            }
            let index = of_loads[load % MAX_TABLES][position & 63] as usize;
            let last = index + (of.size - 1) * of.source as usize;
            if !self.lanes && last >= vector {
                return false;
            }
            let byte = counts[load % MAX_LOADS];
            counts[load % MAX_LOADS] += 1;
            if loads < 4 {
                self.set_output((load, index, of.source as usize), position, of.size);
            } else {
                // First the bytes in the part of their own output, then in order, without those that no load needs.
                self.tables[loads % MAX_TABLES][position & 63] = (bytes * load + byte) as u8;
                let table = &mut self.tables[load % MAX_TABLES];
                let (mut own, mut at) = (index, byte);
                while own <= last {
                    table[at & 63] = own as u8;
                    (own, at) = (own + of.source as usize, at + bytes);
                }
            }
            position += 1;
        }
        let mut output = 0;
        while output < of.size {
            self.output_offsets[output % MAX_PLANES] = of.destination * output as isize;
            output += 1;
        }
        (self.loads, self.outputs) = (loads, of.size);
        self.form = match loads {
            8 => Form::EighthColumns,
            4 => Form::QuarterColumns,
            _ => Form::Tables,
        };
        let is_possible = self.lanes || self.valid == vector;
        self.stored = self.valid;
        self.cover(of);
        is_possible
    }

    /// Takes in the outputs after the first if they follow one another in the destination, as
    /// [`Costed::covered`](super::shared::Costed::covered) says.
    const fn cover(&mut self, outputs: Loop) {
        if outputs.follows(self.valid) {
            self.valid *= outputs.size;
        }
    }

    /// Byte `position` of the first output is byte `index` of a load, those of the next are `stride` bytes apart.
    const fn set_output(
        &mut self,
        (load, index, stride): (usize, usize, usize),
        position: usize,
        outputs: usize,
    ) {
        let mut output = 0;
        while output < outputs {
            let table = &mut self.tables[(load * MAX_OUTPUTS + output) % MAX_TABLES];
            table[position & 63] = (index + output * stride) as u8;
            output += 1;
        }
    }

    /// Takes in the next columns, which follow one another in the destination, and whose units the same windows hold.
    pub(crate) const fn set_interleaved_lanes(&mut self, unit: usize, columns: usize) {
        debug_assert!(!self.pads && !self.has_gaps, "padding and gaps come from no load");
        let (of_loads, column) = (self.tables, self.valid);
        self.tables = [[NONE; 64]; MAX_TABLES];
        (self.valid, self.outputs) = (column * columns, self.loads);
        self.stored = if self.loads < 4 { 64 } else { self.valid / 4 };
        self.form = if self.loads < 4 { Form::Tables } else { Form::QuarterColumns };
        self.set_consecutive();
        let mut row = 0;
        while row < column {
            let mut load = 0;
            while of_loads[load & 3][row & 63] == NONE {
                load += 1;
            }
            let (index, mut at) = (of_loads[load & 3][row & 63], 0);
            let mut position = row;
            while at < columns * unit {
                let mut byte = 0;
                while byte < unit {
                    self.set_interleaved(load & 3, index + at as u8, position + byte, at);
                    (byte, at) = (byte + 1, at + 1);
                }
                position += column;
            }
            row += unit;
        }
    }

    /// Sets the offsets of outputs that follow one another. The last one ends with the last byte. If it has at most
    /// half a line of its own, it stores only 8, 16 or 32 bytes.
    pub(super) const fn set_consecutive(&mut self) {
        let (valid, stored, count) = (self.valid, self.stored, self.outputs);
        self.tail = match valid.saturating_sub((count - 1) * stored) {
            _ if stored < LINE => 0,
            1..=8 => 8,
            9..=16 => 16,
            17..=32 => 32,
            _ => 0,
        };
        let mut i = 0;
        while i < count {
            let length = if i + 1 == count && self.tail > 0 { self.tail } else { stored };
            let (position, last) = (i * stored, valid - length);
            self.output_offsets[i % MAX_PLANES] = least(position, last) as isize;
            i += 1;
        }
    }

    /// Byte `position` of interleaved columns is byte `index` of a load, and byte `at` of its lane. Masks keep indices
    /// inside tables.
    #[inline(always)]
    const fn set_interleaved(&mut self, load: usize, index: u8, position: usize, at: usize) {
        if self.loads == 4 {
            // In the quarter of its vector; then in order.
            let (output, lane) = (at / 4, index as usize / 16);
            self.tables[load][(16 * output + 4 * lane + at % 4) & 63] = index;
            let own = (16 * load + 4 * lane + at % 4) as u8;
            // Without vectors there is one table, and no plan gets here.
            self.tables[4 % MAX_TABLES][(position - output * self.stored) & 63] = own;
            return;
        }
        let (output, last) = (position / 64, self.output_offsets[self.outputs - 1] as usize);
        // Where the last one begins no later than the one before it, it overwrites all of that one.
        if output + 1 < self.outputs {
            self.tables[load * MAX_OUTPUTS + output][position & 63] = index;
        }
        if position >= last {
            self.tables[load * MAX_OUTPUTS + self.outputs - 1][(position - last) & 63] = index;
        }
    }

    /// Interleaves the rows of a shape, whose offsets the caller sets.
    pub(super) const fn set_rows(&mut self, nest: &Nest, shape: &Shape, bytes: usize) {
        let (unit, vector) = (nest.unit, shape.last * nest.unit);
        let loads = nest.loops[shape.count - 1].size / shape.last;
        match shape.valid / vector {
            3 => self.set_three(unit, None, (bytes, vector / bytes)),
            rows if are_half_rows(nest, (rows, loads), (vector, bytes)) => {
                self.set_half_rows(rows, unit)
            }
            rows if zips(rows, unit) => self.set_zips(rows, unit, vector),
            rows => self.set_many_rows((rows, unit), (bytes, vector / bytes)),
        }
    }

    /// Separates three planes of units of `unit` bytes, whose distance in the destination is given, or interleaves
    /// three rows, whose offsets the caller sets. Three loads of `bytes` bytes make three vectors in each of `lanes`
    /// lanes.
    pub(super) const fn set_three(
        &mut self,
        unit: usize,
        planes: Option<isize>,
        (bytes, lanes): (usize, usize),
    ) {
        (self.loads, self.outputs, self.stored) = (3, 3, bytes);
        self.form = if lanes > 1 { Form::ThreeRowsInLanes } else { Form::Tables };
        // Each byte of each row. Units and vectors are powers of two, and masks keep indices inside the tables.
        let (shift, of_unit, vector) = (unit.trailing_zeros(), unit - 1, bytes.trailing_zeros());
        let mut index = 0;
        while index < bytes {
            let mut at = 3 * (index >> shift << shift) + (index & of_unit);
            let mut row = 0;
            while row < 3 {
                let (owner, position) = (at >> vector & 3, at & (bytes - 1));
                let (load, output, own, byte) = match planes {
                    None => (row, owner, position, index),
                    Some(_) => (owner, row, index, position),
                };
                let mut lane = 0;
                while lane < lanes {
                    let table = &mut self.tables[(load * MAX_OUTPUTS + output) % MAX_TABLES];
                    table[(bytes * lane + own) & 63] = byte as u8;
                    lane += 1;
                }
                (row, at) = (row + 1, at + unit);
            }
            index += 1;
        }
        let mut i = 0;
        while i < 3 {
            self.offsets[i % MAX_WINDOWS] = (bytes * i) as i32;
            self.output_offsets[i % MAX_PLANES] = match planes {
                None => bytes as isize,
                Some(stride) => stride,
            } * i as isize;
            i += 1;
        }
        self.valid = if planes.is_none() { 3 * bytes * lanes } else { bytes };
    }

    /// Interleaves two or four rows of `unit` bytes, whose offsets the caller sets. For each row there is a vector of
    /// `bytes` bytes, of one or two lanes. The lower lanes begin at the offsets; the upper ones follow all of them.
    const fn set_zips(&mut self, rows: usize, unit: usize, bytes: usize) {
        (self.loads, self.outputs, self.valid) = (rows, rows, rows * bytes);
        self.form = Form::Zips(unit);
        let mut i = 0;
        while i < rows {
            self.output_offsets[i % MAX_PLANES] = 16 * i as isize;
            i += 1;
        }
    }

    /// Interleaves two or four rows of `unit` bytes, whose offsets the caller sets. Each load has half a line of each
    /// of two rows.
    const fn set_half_rows(&mut self, rows: usize, unit: usize) {
        let count = rows / 2;
        (self.loads, self.outputs, self.valid, self.stored) = (count, count, LINE * count, LINE);
        self.form = Form::HalfRows;
        let (shift, mut position) = (unit.trailing_zeros(), 0);
        while position < self.valid {
            // Rows and units are powers of two.
            let (row, column) =
                (position >> shift & (rows - 1), position >> shift >> rows.trailing_zeros());
            let table = (row / 2 * MAX_OUTPUTS + position / LINE) % MAX_TABLES;
            let half = LINE / 2 * (row % 2);
            self.tables[table][position % LINE] =
                (half + (column << shift) + (position & (unit - 1))) as u8;
            position += 1;
        }
        self.set_consecutive();
    }
}
