//! A record in words: what shares each field.

use core::fmt;

use crate::field::RecordField;
use crate::record::Record;

/// What a record is, a line for each field. [`Record::explain`] makes it.
#[derive(Clone, Copy, Debug)]
pub struct RecordExplanation(Record);

impl Record {
    /// Says for each field what it holds, what shares an element of it, and where it begins.
    ///
    /// A digit that is forgotten can leave a record valid, and then one element is for all coordinates of an axis. This
    /// shows it.
    ///
    /// ```
    /// use tensor_layout::records::Record;
    ///
    /// let packed = Record::parse("MK<16, 64>, { d: 8m f16, q: 2k/8 8m 8k 2k/16 i4, s: f32 }")?;
    /// assert_eq!(
    ///     packed.explain().to_string(),
    ///     "d: f16, M = 16, K = 2, from byte 0: one for 32 of k\n\
    ///      q: i4, M = 16, K = 64, from byte 16\n\
    ///      s: f32, M = 2, K = 2, from byte 144: one for 8 of m and 32 of k\n\
    ///      592 bytes",
    /// );
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    pub const fn explain(&self) -> RecordExplanation {
        RecordExplanation(*self)
    }
}

impl fmt::Display for RecordExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = &self.0;
        for i in 0..record.field_count() {
            let name = record.field_name(i);
            match record.field(name.as_str()) {
                Ok(field) => write_field(f, record, &field)?,
                Err(error) => writeln!(f, "{name}: {error}")?,
            }
        }
        for buffer in 0..record.buffers() {
            write!(f, "{}{}", if buffer > 0 { " and " } else { "" }, record.bytes(buffer))?;
        }
        let is_one = record.buffers() == 1 && record.bytes(0) == 1;
        f.write_str(if is_one { " byte" } else { " bytes" })
    }
}

fn write_field(f: &mut fmt::Formatter<'_>, record: &Record, field: &RecordField) -> fmt::Result {
    let name = if field.name().is_empty() { "elements" } else { field.name() };
    write!(f, "{name}: {}", field.element().name())?;
    for (i, extent) in field.extents().iter().enumerate() {
        write!(f, ", {} = {extent}", field.letters().at(i))?;
    }
    if record.buffers() > 1 {
        write!(f, ", buffer {}", field.buffer())?;
    }
    let first = [0; layout_core::spec::MAX_RANK];
    if let Ok(bit) = field.bit_offset(&first[..field.letters().count()]) {
        write!(f, ", from byte {}", bit / 8)?;
        if bit % 8 > 0 {
            write!(f, " bit {}", bit % 8)?;
        }
    }
    let mut before = ": one for ";
    for i in 0..record.letters().count() {
        let letter = record.letters().at(i);
        let shared = match field.letters().position(letter) {
            Some(axis) if field.shared(axis) == 1 => continue,
            Some(axis) => Some(field.shared(axis)),
            None if record.extents()[i] == 1 => continue,
            None => None,
        };
        f.write_str(before)?;
        before = " and ";
        match shared {
            Some(count) => write!(f, "{count} of ")?,
            None => f.write_str("all of ")?,
        }
        write!(f, "{}", letter.to_ascii_lowercase())?;
    }
    f.write_str("\n")
}
