//! The tables of byte permutes: traces each byte from the load that has it to the vectors that get it.

use super::byte_move::Padding;
use super::loads::{Units, Window};
use super::nests::Nest;
use super::shared::{Costed, LANE, loads_of_block};
use crate::isa::Isa;
use crate::steps::{
    Form, Loop, MAX_LOADS, MAX_OUTPUTS, MAX_PLANES, MAX_TABLES, MAX_WINDOWS, NONE, Permutation,
    distance, extended, least,
};

/// Sets `unit` bytes of a table, from byte `position` on, to consecutive numbers from `byte` on.
#[inline(always)]
const fn set_bytes(table: &mut [u8; 64], position: usize, byte: usize, unit: usize) {
    let mut i = 0;
    while i < unit {
        table[(position + i) % 64] = (byte + i) as u8;
        i += 1;
    }
}

/// Returns a mask of the first bytes of a vector.
const fn prefix(bytes: usize) -> u64 {
    if bytes < 64 { (1 << bytes) - 1 } else { u64::MAX }
}

impl Costed {
    /// Sets the loads, the tables and the outputs of the vectors. The loops around them move their loads by `range.0`
    /// to `range.1` bytes. Returns false if there are too many windows, or an offset exceeds an `i32`.
    pub(super) const fn set(
        &self,
        nest: &Nest,
        isa: Isa,
        range: (isize, isize),
        made: &mut Permutation,
    ) -> bool {
        // A vector has at most as many units as bytes. Of several that follow one another, all bytes may be traced.
        let is_traced = matches!(self.form, Form::Tables | Form::Parts { before: true, .. });
        if cfg!(vectors) && is_traced && self.shape.valid > 64 {
            self.solve::<256>(nest, isa, range, made)
        } else {
            self.solve::<64>(nest, isa, range, made)
        }
    }

    #[inline(never)]
    const fn solve<const N: usize>(
        &self,
        nest: &Nest,
        isa: Isa,
        range: (isize, isize),
        made: &mut Permutation,
    ) -> bool {
        let mut all = Units::<N>::NONE;
        let Self { mut shape, outputs, lanes, window, .. } = *self;
        let planes = self.planes(nest);
        let more = distance(planes.last().0);
        (all.starts[0], all.ends[0]) = extended((0, nest.unit as isize), planes.last().0);
        all.count = 1;
        (made.form, made.loads, made.outputs) = (self.form, self.loads, outputs);
        (made.lanes, made.stored, made.valid) = (lanes, self.stored, shape.valid);
        (made.pads, made.has_gaps) = (shape.pads, shape.has_gaps);
        let each = if lanes { isa.permute() / LANE } else { 1 };
        // The first part of each load shows where all bytes of a row go.
        if matches!(self.form, Form::Zips(_) | Form::Parts { before: false, .. }) {
            shape.last = window.units;
        }
        let mut unit = nest.unit;
        if self.is_block() && loads_of_block(nest, &shape, window.bytes).1 {
            // Bytes of a unit may be in different windows.
            all.repeat(unit, (1, 0, 1));
            unit = 1;
            shape.set_units(nest, Window::of(usize::MAX), &mut all);
            all.set_consecutive(shape.span(nest), window.bytes);
        } else {
            shape.set_units(nest, Window { bytes: window.bytes - more, ..window }, &mut all);
            if all.windows > self.loads * each || all.windows == 0 {
                return false;
            }
        }
        if !made.place_windows(&mut all, nest, range, window.bytes) {
            return false;
        }
        made.set_outputs(&planes);
        let is_possible = made.set_tables(&all, unit, planes.source, (isa.permute(), each));
        if let (true, Some((padding, _))) = (shape.pads, nest.padding) {
            made.set_fill(padding, shape.valid);
        }
        // The outputs after the first may follow it in the destination.
        if outputs > 1 && planes.follows(made.valid) {
            made.valid *= outputs;
        }
        is_possible
    }
}

impl Permutation {
    /// Sets the offsets of outputs: those of planes, or else they follow one another, and the last ends with the last
    /// byte.
    const fn set_outputs(&mut self, planes: &Loop) {
        let mut i = 0;
        while i < self.outputs {
            self.output_offsets[i % MAX_PLANES] = if planes.size > 1 {
                planes.destination * i as isize
            } else {
                least(i * self.stored, self.valid - self.stored) as isize
            };
            i += 1;
        }
    }

    /// Sets the tables: where each byte of each unit of `unit` bytes goes. Units of the next plane are `plane` bytes
    /// later in the same load. Loads have `each` windows, vectors `vector` bytes. Returns false if bytes of a part are
    /// not in the load's part.
    const fn set_tables<const N: usize>(
        &mut self,
        all: &Units<N>,
        unit: usize,
        plane: isize,
        (vector, each): (usize, usize),
    ) -> bool {
        let (before, after) = match self.form {
            Form::Parts { before, after } => (before, after),
            Form::Lanes | Form::Zips(_) => return true,
            _ => (false, false),
        };
        let (part, last) = (vector / self.loads, self.outputs - 1);
        // Outputs that follow one another. Without tables before them, the order of the first is that of all.
        let is_run = last > 0 && plane == 0 && (before || !after);
        let (mut counts, mut output, mut i) = ([[0; MAX_PLANES]; MAX_LOADS], 0, 0);
        while i < all.count {
            let (owner, position) = (all.owners[i % N] as usize, all.positions[i % N] as usize);
            let (load, lane) = (owner >> each.trailing_zeros(), LANE * (owner & (each - 1)));
            let first = (all.sources[i % N] - all.starts[owner % MAX_WINDOWS]) as usize + lane;
            i += 1;
            let (counts, mut byte) = (&mut counts[load % MAX_LOADS], 0);
            // The last output may overlap the one before it.
            while is_run && byte < unit {
                let (index, at) = (first + byte, position + byte);
                output += (output < last && at >= (output + 1) * self.stored) as usize;
                self.set_byte((load, index), (at, output), (part, counts));
                if output < last && at >= self.output_offsets[last % MAX_PLANES] as usize {
                    self.set_byte((load, index), (at, last), (part, counts));
                }
                byte += 1;
            }
            if is_run {
                continue;
            }
            // Where the unit is in its part of the load, or else in the vector.
            let place = match (before, after) {
                (true, true) => counts[0],
                (true, false) => position.wrapping_sub(part * load),
                (_, true) => first,
                _ => position,
            };
            if before && (place >= part || place + unit > part) {
                return false;
            }
            counts[0] += unit;
            if before || !after {
                self.mask |= prefix(unit) << position;
                let table = if before || last == 0 { load } else { load * MAX_OUTPUTS };
                let table = least(table, MAX_TABLES - 1);
                set_bytes(&mut self.tables[table], place, first, unit);
            }
            if after {
                let table = if before { least(self.loads, MAX_TABLES - 1) } else { 0 };
                set_bytes(&mut self.tables[table], position, part * load + place, unit);
            }
        }
        self.repeat(plane as u8, if before { part } else { 64 });
        true
    }

    /// Sets the tables of all planes, if there are any: units of the next one are `plane` bytes later in the same load.
    /// Each has `part` bytes of the table of a load, or 64 for a table of its own.
    const fn repeat(&mut self, plane: u8, part: usize) {
        // Constant numbers, so that the compiler makes vectors of the bytes.
        match part {
            _ if plane == 0 => {}
            2 => self.repeat_tables::<2>(plane),
            4 => self.repeat_tables::<4>(plane),
            8 => self.repeat_tables::<8>(plane),
            16 => self.repeat_tables::<16>(plane),
            _ => self.repeat_tables::<64>(plane),
        }
    }

    /// Byte `index` of a load goes to byte `at` of outputs that follow one another, which belongs to `output`. The parts
    /// of the load, of `part` bytes, have `counts` bytes so far.
    const fn set_byte(
        &mut self,
        (load, index): (usize, usize),
        (at, output): (usize, usize),
        (part, counts): (usize, &mut [usize; MAX_PLANES]),
    ) {
        let at = at - self.output_offsets[output % MAX_PLANES] as usize;
        let (mut table, mut place) = (load * MAX_OUTPUTS + output, at);
        if matches!(self.form, Form::Parts { .. }) {
            let count = &mut counts[output % MAX_PLANES];
            let order = &mut self.tables[least(self.loads, MAX_TABLES - 1)];
            order[at % 64] = (part * load + *count) as u8;
            (table, place) = (load, part * output + *count);
            *count += 1;
        }
        self.tables[least(table, MAX_TABLES - 1)][place % 64] = index as u8;
    }

    /// Sets the tables of all planes from those of the first one: units of the next plane are `plane` bytes later in
    /// the same load. The table of a load has a part of `PART` bytes for each plane, or each plane has its own table.
    const fn repeat_tables<const PART: usize>(&mut self, plane: u8) {
        let mut load = 0;
        while load < self.loads {
            let table = least(if PART < 64 { load } else { load * MAX_OUTPUTS }, MAX_TABLES - 1);
            let (first, mut output) = (self.tables[table], 1);
            while output < self.outputs {
                let (own, begin) =
                    if PART < 64 { (table, PART * output % 64) } else { (table + output, 0) };
                let (own, more) = (
                    &mut self.tables[least(own, MAX_TABLES - 1)],
                    plane.wrapping_mul(output as u8),
                );
                let mut i = 0;
                while i < PART {
                    own[begin + i] =
                        if first[i] == NONE { NONE } else { first[i].wrapping_add(more) };
                    i += 1;
                }
                output += 1;
            }
            load += 1;
        }
    }

    /// Fills the bytes of a vector of `valid` bytes that no unit has.
    const fn set_fill(&mut self, padding: Padding, valid: usize) {
        let (mut rest, mut group) = (prefix(valid) & !self.mask, 0);
        while rest != 0 {
            let byte = rest.trailing_zeros() as usize;
            while byte >= group + padding.group {
                group += padding.group;
            }
            self.fill[byte % 64] = padding.fill[(byte - group) % 8];
            rest &= rest - 1;
        }
        self.mask = prefix(valid);
    }
}
