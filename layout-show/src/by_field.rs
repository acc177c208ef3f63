//! Records by bits: the buffers in rows, with a color for each field.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::spec::gcd;
use layout_records::{Record, RecordField};

use crate::color::distinct;
use crate::grid::Limits;
use crate::sheet::{Cell, Kind, Panel, Sheet, counted};
use crate::unreached;

/// The most cells of a row.
const WIDEST: u64 = 20;

/// A buffer of a record, in cells of several bits each.
struct RecordCells<'a> {
    record: &'a Record,
    /// Its fields, with their positions among those of all records.
    fields: Vec<(usize, RecordField)>,
    /// The bits of a cell, and the number of cells.
    unit: u64,
    count: usize,
}

/// The names of the fields of all records, each once.
fn names(records: &[Record]) -> Vec<String> {
    let mut names = Vec::new();
    for record in records {
        let of_record = (0..record.field_count()).map(|field| record.field_name(field).to_string());
        of_record.for_each(|name| names.extend((!names.contains(&name)).then_some(name)));
    }
    names
}

impl<'a> RecordCells<'a> {
    fn new(record: &'a Record, names: &[String], buffer: usize) -> Self {
        let fields = names.iter().enumerate();
        let fields = fields.filter_map(|(i, name)| Some((i, record.field(name).ok()?)));
        let fields: Vec<_> = fields.filter(|(_, field)| field.buffer() == buffer).collect();
        let bits = 8 * record.bytes(buffer) as u64;
        let unit = fields.iter().fold(bits, |unit, (_, field)| gcd(field.common_bits(), unit));
        let (unit, count) = (unit.max(1), bits / unit.max(1));
        Self { record, fields, unit, count: usize::try_from(count).unwrap_or(usize::MAX) }
    }

    /// The cells of a row: several steps of a digit of the first field, or a part of one.
    fn width(&self, limits: Limits) -> usize {
        let most = WIDEST.min(limits.columns.max(1) as u64);
        let steps = self.fields.iter().take(1).flat_map(|(_, field)| field.distances());
        let steps: Vec<u64> = steps.map(|step| step / self.unit).collect();
        let width = match steps.iter().filter(|step| (2..=most).contains(step)).max() {
            Some(step) => step * (most / 2 / step).max(1),
            None => {
                let step = steps.iter().filter(|step| **step > most).min();
                let divides = |width: &u64| step.is_none_or(|step| step % width == 0);
                (most / 2..=most).rev().find(divides).unwrap_or(most)
            }
        };
        (width as usize).clamp(1, self.count.max(1))
    }

    /// A cell with the name of its field and the first coordinate of the record that has its element.
    fn cell(&self, cell: usize) -> Cell {
        let bit = cell as u64 * self.unit;
        for (i, field) in &self.fields {
            let Some(coordinate) = field.coordinate(bit) else { continue };
            let kind = Kind::Element(distinct(*i));
            let is_first = field.bit_offset(&coordinate).is_ok_and(|first| first == bit);
            let long = (0..coordinate.len()).filter(|axis| {
                let axis = self.record.letters().position(field.letters().at(*axis));
                axis.is_none_or(|axis| self.record.extents()[axis] > 1)
            });
            let at = unreached::listed(long.map(|axis| coordinate[axis] * field.shared(axis)));
            let text = if is_first { format!("{} {at}", field.name()) } else { String::new() };
            return Cell { text: text.trim().into(), kind };
        }
        Cell { text: String::new(), kind: Kind::Padding }
    }

    fn panel(&self, caption: String, limits: Limits) -> Panel {
        let width = self.width(limits);
        let rows = self.count.div_ceil(width);
        let (shown, width) = limits.panel(rows, width);
        let cell = |cell: usize| match cell < self.count {
            true => self.cell(cell),
            false => Cell { text: String::new(), kind: Kind::Nothing },
        };
        let label = |row: usize| {
            let bit = (row * width) as u64 * self.unit;
            if bit % 8 == 0 { (bit / 8).to_string() } else { format!("{}:{}", bit / 8, bit % 8) }
        };
        Panel {
            caption,
            corner: "byte".into(),
            rows: (0..shown).map(label).collect(),
            columns: (0..width).map(|column| format!("+{column}")).collect(),
            cells: (0..shown * width).map(cell).collect(),
            rows_left_out: rows - shown,
            columns_left_out: 0,
        }
    }
}

/// Draws the buffers of records.
pub(crate) fn sheet(records: &[Record], limits: Limits) -> Sheet {
    let names = names(records);
    let buffers: usize = records.iter().map(Record::buffers).sum();
    let limits = Limits { cells: limits.cells / buffers.max(1), ..limits };
    let (mut panels, mut notes) = (Vec::new(), Vec::new());
    for record in records {
        let label = if records.len() > 1 { record.to_string() } else { String::new() };
        for buffer in 0..record.buffers() {
            let all = RecordCells::new(record, &names, buffer);
            let number = format!("buffer {buffer}, ");
            let number = if record.buffers() > 1 { &*number } else { "" };
            let cells = format!("cells of {}", counted(all.unit as usize, "bit"));
            let separator = if label.is_empty() { "" } else { ": " };
            panels.push(all.panel(format!("{label}{separator}{number}{cells}"), limits));
        }
        notes.extend(record.explain().to_string().lines().map(String::from));
    }
    let is_hatched = panels.iter().flat_map(|of| &of.cells).any(|of| of.kind == Kind::Padding);
    notes.insert(
        0,
        "one color for each field; the first cell of an element has its coordinate".into(),
    );
    notes.extend(is_hatched.then(|| "hatched: bits that belong to no element".into()));
    let title = records.iter().map(Record::to_string).collect::<Vec<_>>().join(" => ");
    Sheet { title, panels, notes }
}
