//! Rows of a tensor as blocks of a record, whose scales are chosen from the numbers.

use std::ops::Range;

use tensor_layout::ElementType;
use tensor_layout::records::{
    self, KNOWN_RECORDS, Quantizer, RecordError, RecordTemplate, ValuePlan,
};

use crate::bands::{Band, Bands};
use crate::error::{CheckpointError, FileResult, refuse};
use crate::pieced_array::array_of;
use crate::rows_of_blocks::{KeptPlan, RecordRows};
use crate::stored_tensor::{Content, StoredTensor, record_of};

/// A record that a tensor is quantized to.
#[derive(Clone, Debug)]
pub(crate) struct QuantizedRows {
    rows: RecordRows,
    quantizer: Option<Quantizer>,
}

impl QuantizedRows {
    /// Whether a target is a record and no layout.
    pub(crate) fn is_record(to: &str) -> bool {
        to.contains("::") || to.contains('{')
    }

    /// Reads a record with the axes of an array, whose letters are given in the order of the file.
    pub(crate) fn read(
        to: &str,
        quantizer: Option<&str>,
        (letters, extents): (&str, &[usize]),
        element: ElementType,
    ) -> FileResult<Self> {
        let of = |error: RecordError| CheckpointError::of(format!("in `{to}`"), error);
        let quantizer = quantizer.map(Quantizer::named).transpose().map_err(of)?;
        let template = RecordTemplate::parse(to).map_err(of)?;
        let known = letters.chars().zip(extents.iter().copied());
        let open = known.filter(|(letter, _)| template.unknown().position(*letter).is_some());
        let record = template.with_extents(&open.collect::<Vec<_>>()).map_err(of)?;
        let is_same = record.letters().as_str() == letters && record.extents() == extents;
        if !is_same || extents.is_empty() {
            return refuse(format!(
                "`{to}` is not a record of {letters} with extents {extents:?}; write `_` for extents, and these letters \
                 in this order"
            ));
        }
        let new = Self { rows: RecordRows::new(record)?, quantizer };
        let first = 0..new.rows.step.min(new.rows.count());
        new.plan(&first, element).map(|_| new)
    }

    /// The name of the record where files know it, the shape that they give it, its text and its bytes.
    pub(crate) fn stored(&self, extents: &[usize]) -> (Content, Vec<usize>, String, usize) {
        let record = &self.rows.record;
        let (text, bytes) = (record.to_string(), record.bytes(0));
        match records::known(record) {
            Some(known) if extents.len() == 2 => {
                (Content::Record(known), extents.to_vec(), text, bytes)
            }
            _ => (Content::Element(ElementType::U8), vec![bytes], text, bytes),
        }
    }

    /// The bands of whole rows that take at most `budget` by `cost`.
    pub(crate) fn bands(&self, budget: usize, cost: impl Fn(&Band) -> usize) -> Option<Bands> {
        Bands::of_rows(self.rows.record.extents(), self.rows.step, budget, cost)
    }

    /// The bytes of a band in the tensor of the file.
    pub(crate) fn place(&self, band: &Band) -> FileResult<Range<usize>> {
        self.rows.place(&band.ranges.first().cloned().unwrap_or(0..1))
    }

    /// Quantizes rows of elements to their bytes. `tensor` tells them from those of others.
    pub(crate) fn write(
        &self,
        (tensor, kept): (usize, &mut KeptPlan),
        rows: &Range<usize>,
        element: ElementType,
        (source, destination): (&[u8], &mut [u8]),
    ) -> FileResult<()> {
        let plan = kept.of((tensor, rows.len()), || self.plan(rows, element))?;
        Ok(plan.run(&[source], &mut [destination])?)
    }

    fn plan(&self, rows: &Range<usize>, element: ElementType) -> FileResult<ValuePlan> {
        let record = self.rows.part(rows)?;
        let source = array_of(record.letters().as_str(), record.extents(), element)?;
        Ok(ValuePlan::new(&source, &record, self.quantizer)?)
    }
}

/// Names the blocks of a tensor that has the text of their record, as a file of another format does, if GGUF has them:
/// rows of blocks, whatever the axes before the last one.
pub(crate) fn name_blocks(tensor: &mut StoredTensor) -> FileResult<()> {
    let Some(record) = tensor.record()? else { return Ok(()) };
    let (text, letters) = (record.to_string(), record.letters());
    // Of a text such as `EMK<2, 4, 64>, { d: f16, q: 32k i8 }`, the first letters are in the order of memory.
    let is_in_order = text.split('<').next() == Some(letters.as_str());
    if !is_in_order || !letters.as_str().ends_with('K') {
        return Ok(());
    }
    let fields = |text: &str| text.find('{').map(|at| text[at..].to_string());
    for known in KNOWN_RECORDS.iter().filter(|own| own.gguf_type().is_some()) {
        let same = record_of(known, record.extents()).map(|own| own.to_string());
        if same.is_ok_and(|same| fields(&same) == fields(&text)) {
            (tensor.content, tensor.shape) = (Content::Record(known), record.extents().to_vec());
            return Ok(());
        }
    }
    Ok(())
}
