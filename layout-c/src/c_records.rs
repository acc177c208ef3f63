//! Functions of records. They allocate, and need a library for an operating system.

use core::ffi::{CStr, c_char, c_void};

use tensor_layout::records::{Quantizer, Record, RecordPlan, ValuePlan};

use crate::c_layouts::text_of;
use crate::c_memory::{check_apart, slice, slice_mut};
use crate::c_stored::{LayoutOfC, StoredOfC, exported, null};
use crate::c_text::{Fault, Status, print, report_caught};

/// A record: `tl_record`.
pub type RecordOfC = StoredOfC<Record, 200>;

/// A buffer that is read: `tl_source`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SourceOfC {
    data: *const c_void,
    bytes: usize,
}

/// A buffer that is written: `tl_destination`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DestinationOfC {
    data: *mut c_void,
    bytes: usize,
}

/// The buffers of both sides.
struct AllSides<'a> {
    sources: Vec<&'a [u8]>,
    destinations: Vec<&'a mut [u8]>,
}

impl AllSides<'_> {
    /// Returns the buffers, of which no destination overlaps another buffer.
    ///
    /// # Safety
    /// Both lists must be null or have their numbers of buffers, and these their numbers of bytes. Nothing may write the
    /// sources, or access the destinations, while the result is used.
    unsafe fn of(
        sources: (*const SourceOfC, usize),
        destinations: (*const DestinationOfC, usize),
    ) -> Result<Self, Fault> {
        // SAFETY: the caller's promise.
        let sources = unsafe { slice(sources.0, sources.1) }?;
        // SAFETY: the caller's promise.
        let destinations = unsafe { slice(destinations.0, destinations.1) }?;
        let range = |buffer: &DestinationOfC| (buffer.data as usize, buffer.bytes);
        for (at, destination) in destinations.iter().enumerate() {
            for source in sources {
                check_apart((source.data as usize, source.bytes), range(destination))?;
            }
            for other in &destinations[..at] {
                check_apart(range(other), range(destination))?;
            }
        }
        // SAFETY: the caller's promise.
        let read = |buffer: &SourceOfC| unsafe { slice(buffer.data.cast(), buffer.bytes) };
        // SAFETY: the caller's promise, and the destination is apart from all others.
        let written =
            |buffer: &DestinationOfC| unsafe { slice_mut(buffer.data.cast(), buffer.bytes) };
        Ok(Self {
            sources: sources.iter().map(read).collect::<Result<_, _>>()?,
            destinations: destinations.iter().map(written).collect::<Result<_, _>>()?,
        })
    }
}

exported! { report_caught;
    /// Reads a record.
    fn tl_record_parse(text: *const c_char, length: usize) -> record: RecordOfC {
        // SAFETY: the caller's promise.
        Record::parse(unsafe { text_of(text, length) }?)
    }
}

exported! { print;
    /// Writes a record as text, or what it is in words.
    fn tl_record_print(&record: RecordOfC, explain: core::ffi::c_int) {
        Ok(if explain == 0 { record.to_string() } else { record.explain().to_string() })
    }
}

exported! { report_caught;
    /// Finds the bytes of a buffer of a record, if it has one of this number.
    fn tl_record_bytes(&record: RecordOfC, buffer: usize) -> bytes: usize {
        match buffer < record.buffers() {
            true => Ok(record.bytes(buffer)),
            false => Err(Fault::Fixed(
                Status::NoElement,
                "the record has fewer buffers; give a smaller number",
            )),
        }
    }

    /// Finds where an element of a field begins, in bits.
    fn tl_record_offset(
        &record: RecordOfC,
        field: *const c_char,
        coordinate: *const usize,
        rank: usize,
    ) -> bit: u64 {
        // SAFETY: the caller's promise.
        let name = unsafe { name_of(field) }?.ok_or_else(null)?;
        // SAFETY: the caller's promise.
        record.bit_offset(name, unsafe { slice(coordinate, rank) }?)
    }

    /// Moves all fields of a record to another one.
    fn tl_record_move(
        &source: RecordOfC,
        &destination: RecordOfC,
        sources: *const SourceOfC,
        source_count: usize,
        destinations: *const DestinationOfC,
        destination_count: usize,
    ) {
        let plan = RecordPlan::new(source, destination)?;
        // SAFETY: the caller's promise.
        let mut all =
            unsafe { AllSides::of((sources, source_count), (destinations, destination_count)) }?;
        Ok(plan.run(&all.sources, &mut all.destinations)?)
    }

    /// Stores the numbers of a tensor in a record.
    fn tl_record_quantize(
        &layout: LayoutOfC,
        &record: RecordOfC,
        quantizer: *const c_char,
        source: SourceOfC,
        destinations: *const DestinationOfC,
        count: usize,
    ) {
        // SAFETY: the caller's promise.
        let quantizer = unsafe { name_of(quantizer) }?.map(Quantizer::named).transpose()?;
        let plan = ValuePlan::new(layout, record, quantizer)?;
        // SAFETY: the caller's promise.
        let mut all = unsafe { AllSides::of((&source, 1), (destinations, count)) }?;
        Ok(plan.run(&all.sources, &mut all.destinations)?)
    }

    /// Computes the values of a record.
    fn tl_record_dequantize(
        &record: RecordOfC,
        &layout: LayoutOfC,
        sources: *const SourceOfC,
        count: usize,
        destination: DestinationOfC,
    ) {
        let plan = ValuePlan::new(record, layout, None)?;
        // SAFETY: the caller's promise.
        let mut all = unsafe { AllSides::of((sources, count), (&destination, 1)) }?;
        Ok(plan.run(&all.sources, &mut all.destinations)?)
    }
}

/// Returns a name that ends with a 0, or `None` for null.
///
/// # Safety
/// `text` must be null or lead to a text that ends with a 0, which nothing changes while the result is used.
unsafe fn name_of<'a>(text: *const c_char) -> Result<Option<&'a str>, Fault> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    let text = text.to_str().map_err(|_| {
        Fault::Fixed(Status::Text, "a name is not UTF-8; give the name of a field or a quantizer")
    })?;
    Ok(Some(text))
}
