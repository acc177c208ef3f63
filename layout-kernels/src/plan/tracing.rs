//! The tables of byte permutes: traces each unit from the load that has it to the vectors that get it.

use super::byte_move::Padding;
use super::loads::{MAX_UNITS, Units, Window};
use super::nests::Nest;
use super::shapes::{Costed, loads_of_block};
use crate::isa::{Isa, LANE};
use crate::steps::{
    Form, LINE, Loop, MAX_LOADS, MAX_OUTPUTS, MAX_PLANES, MAX_TABLES, NONE, Permutation, distance,
    each, least,
};

/// Returns a mask of the first bytes of a vector.
const fn prefix(bytes: usize) -> u64 {
    if bytes < LINE { (1 << bytes) - 1 } else { u64::MAX }
}

/// Returns the index of a table for a unit `more` bytes later in the same load.
const fn later(index: u8, more: u8) -> u8 {
    if index == NONE { NONE } else { index.wrapping_add(more) }
}

/// The load of each byte of the vectors, or [`NONE`], and the place of the byte in it.
struct Bytes {
    loads: [u8; MAX_UNITS + LANE],
    indices: [u8; MAX_UNITS + LANE],
}

impl Bytes {
    /// Returns those of units of `unit` bytes.
    const fn of(all: &Units, unit: usize) -> Self {
        let mut own = Self { loads: [NONE; MAX_UNITS + LANE], indices: [0; MAX_UNITS + LANE] };
        each!(i, 0..all.count, {
            let at = i % MAX_UNITS;
            each!(byte, 0..unit, {
                let position = (all.positions[at] as usize + byte) % MAX_UNITS;
                own.loads[position] = all.owners[at];
                own.indices[position] = all.sources[at].wrapping_add(byte as u8);
            });
        });
        own
    }

    /// Returns the table of a load: its bytes of those from `begin` on. Loads that differ in no bit of `mask` are one.
    const fn table(&self, load: u8, mask: u8, begin: usize, vector: usize) -> [u8; LINE] {
        let (mut table, mut lane) = ([NONE; LINE], 0);
        while lane < vector {
            let from = (begin + lane) % MAX_UNITS;
            let loads = self.loads.split_at(from).1.first_chunk::<LANE>();
            let indices = self.indices.split_at(from).1.first_chunk::<LANE>();
            let own = table.split_at_mut(lane).1.first_chunk_mut::<LANE>();
            if let (Some(loads), Some(indices), Some(own)) = (loads, indices, own) {
                each!(at, 0..LANE, {
                    // Without a branch, so that the compiler makes vectors of the bytes.
                    let other = (((loads[at] ^ load) & mask != 0) as u8).wrapping_neg();
                    own[at] = indices[at] & !other | NONE & other;
                });
            }
            lane += LANE;
        }
        table
    }
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
        let Self { mut shape, outputs, lanes, window, .. } = *self;
        let planes = self.planes(nest);
        let more = distance(planes.last().0);
        let mut all = Units::new(nest.unit, planes.last().0);
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
        let is_possible = made.set_tables(&mut all, unit, planes.source, (isa.permute(), each));
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
        each!(i, 0..self.outputs, {
            self.output_offsets[i % MAX_PLANES] = if planes.size > 1 {
                planes.destination * i as isize
            } else {
                least(i * self.stored, self.valid - self.stored) as isize
            };
        });
    }

    /// Sets the tables: where each byte of each unit of `unit` bytes goes. Units of the next plane are `plane` bytes
    /// later in the same load. Loads have `each` windows, vectors `vector` bytes. Returns false if bytes of a part are
    /// not in the load's part.
    const fn set_tables(
        &mut self,
        all: &mut Units,
        unit: usize,
        plane: isize,
        (vector, each): (usize, usize),
    ) -> bool {
        let (before, after) = match self.form {
            Form::Parts { before, after } => (before, after),
            Form::Lanes | Form::Zips(_) => return true,
            _ => (false, false),
        };
        let part = vector / self.loads;
        all.set_loads(each, if after && !before { part } else { 0 });
        let bytes = Bytes::of(all, unit);
        // Planes are traced once, and without tables before it, the order of the first output is that of all.
        let traced = if plane == 0 && before == after { self.outputs } else { 1 };
        // Loads without tables after them have the same units.
        let loads = if before == after { self.loads } else { 1 };
        let tables = if before || self.outputs == 1 { 1 } else { MAX_OUTPUTS };
        let mask = if after { NONE } else { u8::MAX };
        each!(output, 0..traced, {
            let begin = self.output_offsets[output % MAX_PLANES] as usize;
            if before && after {
                if !self.set_parts(&bytes, part, (output, begin)) {
                    return false;
                }
            } else {
                each!(load, 0..loads, {
                    let table = least(load * tables + output, MAX_TABLES - 1);
                    self.tables[table] = bytes.table(load as u8, mask, begin, vector);
                });
            }
        });
        let mut at = 0;
        while at < LINE && self.outputs == 1 {
            self.mask |= ((bytes.loads[at] != NONE) as u64) << at;
            at += 1;
        }
        if plane != 0 {
            self.repeat(plane as u8, loads, if before { part } else { LINE });
        }
        let (mut load, count) = (1, all.count / self.loads);
        while before && !after && load < self.loads {
            let more = all.sources[load * count % MAX_UNITS].wrapping_sub(all.sources[0]);
            each!(at, 0..vector, {
                self.tables[least(load, MAX_TABLES - 1)][at % LINE] =
                    later(self.tables[0][at % LINE], more);
            });
            load += 1;
        }
        true
    }

    /// Sets the tables of an output from byte `begin` on: those of loads, which collect its bytes in a part of `part` bytes,
    /// and their order. Returns false if a part has more.
    const fn set_parts(
        &mut self,
        bytes: &Bytes,
        part: usize,
        (output, begin): (usize, usize),
    ) -> bool {
        let mut counts = [0; MAX_LOADS];
        each!(at, 0..self.stored, {
            let from = (begin + at) % MAX_UNITS;
            let load = bytes.loads[from] as usize % MAX_LOADS;
            if counts[load] == part {
                return false;
            }
            let order = &mut self.tables[least(self.loads, MAX_TABLES - 1)];
            order[at % LINE] = (part * load + counts[load]) as u8;
            let table = &mut self.tables[least(load, MAX_TABLES - 1)];
            table[(part * output + counts[load]) % LINE] = bytes.indices[from];
            counts[load] += 1;
        });
        true
    }

    /// Sets the tables of all planes of some loads from those of the first one: units of the next plane are `plane`
    /// bytes later in the same load. The table of a load has a part of `part` bytes for each plane, or each plane has
    /// its own table.
    const fn repeat(&mut self, plane: u8, loads: usize, part: usize) {
        each!(load, 0..loads, {
            each!(output, 1..self.outputs, {
                let (first, own, begin) = match part < LINE {
                    true => (load, load, part * output),
                    false => (load * MAX_OUTPUTS, load * MAX_OUTPUTS + output, 0),
                };
                let first = self.tables[least(first, MAX_TABLES - 1)];
                let own = &mut self.tables[least(own, MAX_TABLES - 1)];
                let more = plane.wrapping_mul(output as u8);
                each!(i, 0..part, {
                    own[(begin + i) % LINE] = later(first[i % LINE], more);
                });
            });
        });
    }

    /// Fills the bytes of a vector of `valid` bytes that no unit has.
    const fn set_fill(&mut self, padding: Padding, valid: usize) {
        let (mut rest, mut group) = (prefix(valid) & !self.mask, 0);
        while rest != 0 {
            let byte = rest.trailing_zeros() as usize;
            while byte >= group + padding.group {
                group += padding.group;
            }
            self.fill[byte % LINE] = padding.fill[(byte - group) % 8];
            rest &= rest - 1;
        }
        self.mask = prefix(valid);
    }
}
