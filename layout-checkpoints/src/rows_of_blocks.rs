//! Records whose blocks lie in rows, some of which are read or written at a time.

use std::ops::Range;

use tensor_layout::records::{Record, ValuePlan};

use crate::error::{FileResult, refuse};

/// The most rows that lie in blocks together.
const MOST_ROWS: usize = 256;

/// A record of one buffer, in rows of its first axis.
#[derive(Clone, Debug)]
pub(crate) struct RecordRows {
    pub(crate) record: Box<Record>,
    /// The rows that lie in blocks together: 1, or 8 of `ggml::q4_0x8_8`.
    pub(crate) step: usize,
}

impl RecordRows {
    pub(crate) fn new(record: Record) -> FileResult<Self> {
        if record.buffers() != 1 || record.extents().is_empty() || cfg!(target_endian = "big") {
            return refuse(format!(
                "`{record}` has {} buffers, and a tensor of a file one; write a record with axes, with commas between its \
                 fields, on a little-endian machine",
                record.buffers()
            ));
        }
        let mut new = Self { record: Box::new(record), step: 1 };
        let rows = new.count();
        let is_whole = |&step: &usize| step < rows && new.record.rows(new.axis(), 0..step).is_ok();
        new.step = (1..=rows.min(MOST_ROWS)).find(is_whole).unwrap_or(rows.max(1));
        Ok(new)
    }

    /// The letter of the rows.
    fn axis(&self) -> char {
        self.record.letters().at(0)
    }

    /// The number of rows.
    pub(crate) fn count(&self) -> usize {
        self.record.extents()[0]
    }

    /// The bytes of these rows in the tensor of the file.
    pub(crate) fn place(&self, rows: &Range<usize>) -> FileResult<Range<usize>> {
        if rows.len() == self.count() {
            return Ok(0..self.record.bytes(0));
        }
        Ok(self.record.row_bytes(0, self.axis(), rows.clone())?)
    }

    /// These rows as a record of their own.
    pub(crate) fn part(&self, rows: &Range<usize>) -> FileResult<Record> {
        if rows.len() == self.count() {
            return Ok(*self.record);
        }
        Ok(self.record.rows(self.axis(), rows.clone())?)
    }
}

/// The last plan of rows, since most bands have the same number of rows: the number of the tensor, and that of the rows.
#[derive(Default)]
pub(crate) struct KeptPlan(Option<((usize, usize), ValuePlan)>);

impl KeptPlan {
    /// The plan of these rows of a tensor, which is made if it is not the last one.
    pub(crate) fn of(
        &mut self,
        key: (usize, usize),
        make: impl FnOnce() -> FileResult<ValuePlan>,
    ) -> FileResult<&ValuePlan> {
        let kept = match self.0.take() {
            Some(own) if own.0 == key => own,
            _ => (key, make()?),
        };
        Ok(&self.0.insert(kept).1)
    }
}
