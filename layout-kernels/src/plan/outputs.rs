//! Several vectors made by the same loads: planes, columns, interleaved rows, and units of a lane.

use super::loads::{Shape, Units};
use super::nests::Nest;
use crate::steps::{
    Form, Loop, MAX_LOADS, MAX_OUTPUTS, MAX_PLANES, MAX_TABLES, NONE, Permutation, distance, least,
};

/// Whether `rows` rows of `unit` bytes are interleaved without tables.
pub(super) const fn zips(rows: usize, unit: usize) -> bool {
    unit * rows <= 16 && (rows == 2 || rows == 4)
}

/// Returns an offset if it is negative, or else 0.
const fn below(offset: isize) -> isize {
    if offset < 0 { offset } else { 0 }
}

impl Permutation {
    /// Makes planes of four or eight loads, each of which holds a part of every plane's vector. Returns false if loads
    /// are too many or too far apart.
    pub(super) const fn set_many_planes(
        &mut self,
        nest: &Nest,
        (plane, loads): (Loop, usize),
        range: (isize, isize),
        bytes: usize,
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
        let (mut all, mut load) = (Units::NONE, 0);
        all.windows = loads;
        while load < loads {
            all.starts[load] = low + load as isize * step;
            all.ends[load] = all.starts[load] + span;
            load += 1;
        }
        (self.loads, self.outputs, self.valid, self.stored) = (loads, plane.size, bytes, bytes);
        self.form = if loads == 4 { Form::Quarters } else { Form::Eighths };
        if !self.place_windows(&mut all, nest, range, bytes) {
            return false;
        }
        let table = self.set_planes((unit, pixels), (plane, low), each);
        let mut load = 0;
        while load < loads {
            // How much earlier the window begins.
            let more = (low + load as isize * step - all.starts[load]) as u8;
            let (own, mut byte) = (&mut self.tables[load % MAX_TABLES], 0);
            while byte < each * plane.size {
                own[byte & 63] = table[byte & 63] + more;
                byte += 1;
            }
            load += 1;
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

    /// Sets where planes are, and returns the table of the first load, which begins at `low`: it collects `each` bytes
    /// of each plane. Pixels are `pixels` bytes apart.
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

    /// Interleaves five to eight rows of `unit` bytes, whose offsets the caller sets: eight vectors of `bytes` bytes
    /// have an eighth of every row each. Loads that have no row repeat the first.
    const fn set_many_rows(&mut self, (rows, unit): (usize, usize), bytes: usize) {
        let (each, mut byte) = (bytes / 8, 0);
        (self.loads, self.outputs, self.stored) = (8, 8, each * rows);
        (self.valid, self.form) = (bytes * rows, Form::EighthRows);
        while byte < each {
            let (column, mut row) = (byte >> unit.trailing_zeros(), 0);
            while row < rows {
                let position = (column * rows + row) * unit + (byte & (unit - 1));
                self.tables[0][position & 63] = (each * row + byte) as u8;
                row += 1;
            }
            byte += 1;
        }
        self.set_consecutive();
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

    /// Sets the offsets of outputs that follow one another. The last one ends with the last byte.
    pub(super) const fn set_consecutive(&mut self) {
        let (last, mut i) = (self.valid - self.stored, 0);
        while i < self.outputs {
            self.output_offsets[i % MAX_PLANES] = least(i * self.stored, last) as isize;
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
        match shape.valid / vector {
            3 => self.set_three(unit, bytes),
            rows if zips(rows, unit) => self.set_zips(rows, unit, vector),
            rows => self.set_many_rows((rows, unit), bytes),
        }
    }

    /// Interleaves three rows of `unit` bytes, whose offsets the caller sets, in three vectors of `bytes` bytes.
    const fn set_three(&mut self, unit: usize, bytes: usize) {
        (self.loads, self.outputs, self.stored, self.valid) = (3, 3, bytes, 3 * bytes);
        // Each byte of each row. Units and vectors are powers of two, and masks keep indices inside the tables.
        let (shift, of_unit, vector) = (unit.trailing_zeros(), unit - 1, bytes.trailing_zeros());
        let mut index = 0;
        while index < bytes {
            let mut at = 3 * (index >> shift << shift) + (index & of_unit);
            let mut row = 0;
            while row < 3 {
                let table = &mut self.tables[(row * MAX_OUTPUTS + (at >> vector & 3)) % MAX_TABLES];
                table[at & (bytes - 1) & 63] = index as u8;
                (row, at) = (row + 1, at + unit);
            }
            index += 1;
        }
        self.set_consecutive();
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
}
