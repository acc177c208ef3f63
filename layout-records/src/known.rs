//! The records of other libraries, a line each.

use layout_core::spec::Name;

use crate::error::RecordError;
use crate::known_records::{KNOWN_RECORDS, KnownRecord, find, nearest};
use crate::record::{Record, RecordTemplate};
use crate::record_rules::RecordRule;

impl KnownRecord {
    /// The record without extents.
    ///
    /// # Errors
    /// None for the records of the table.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn template(&self) -> Result<RecordTemplate, RecordError> {
        RecordTemplate::parse(self.text())
    }
}

/// The record of this name, such as `ggml::Q4_0`.
///
/// # Errors
/// No record has this name.
#[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
pub const fn named(name: &str) -> Result<&'static KnownRecord, RecordError> {
    match find(name) {
        Some(found) => Ok(found),
        None => {
            let near = Name::new(nearest(name));
            Err(RecordError::new(RecordRule::UnknownRecord { name: Name::new(name), near }))
        }
    }
}

/// The record of the type with this number in GGUF files. `None` for other numbers, and for types whose blocks are not
/// sums of digits.
pub const fn of_gguf_type(number: u32) -> Option<&'static KnownRecord> {
    let mut i = 0;
    while i < KNOWN_RECORDS.len() {
        match KNOWN_RECORDS[i].gguf_type() {
            Some(own) if own == number => return Some(&KNOWN_RECORDS[i]),
            _ => i += 1,
        }
    }
    None
}

/// The first record of the library with the same axes, fields, value rules and marks, whatever its extents are.
pub fn known(record: &Record) -> Option<&'static KnownRecord> {
    KNOWN_RECORDS.iter().find(|own| own.template().is_ok_and(|own| own.tree() == record.tree()))
}
