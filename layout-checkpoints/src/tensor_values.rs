//! The values of a tensor of a file as an array.

use std::ops::Range;

use tensor_layout::records::{Record, ValuePlan};
use tensor_layout::{Digit, ElementType, Layout};

use crate::error::{CheckpointError, FileResult, refuse};
use crate::npy::LETTERS;
use crate::pieced_array::{PiecedArray, SourceForm, array_of};
use crate::rows_of_blocks::RecordRows;
use crate::stored_tensor::{Content, StoredTensor};

impl StoredTensor {
    /// The record that values are read from: that of the tensor, or if its elements are not whole bytes, one with rows of
    /// whole bytes, unless it has no axes or more axes than letters.
    pub(crate) fn blocks(&self) -> FileResult<Option<Record>> {
        if let Some(record) = self.record()? {
            return Ok(Some(record));
        }
        let element = match self.content {
            Content::Element(element) if self.layout.is_none() => element,
            _ => return Ok(None),
        };
        let letters = LETTERS.get(..self.shape.len()).unwrap_or_default();
        let Some(last) = letters.chars().last().filter(|_| element.bits() % 8 != 0) else {
            return Ok(None);
        };
        let codes = 8 >> element.bits().trailing_zeros();
        if let Some(row) = self.shape.last().filter(|&&row| row % codes != 0) {
            return refuse(format!(
                "its rows of {row} elements of {element} end inside a byte; it can be kept, dropped or renamed alone"
            ));
        }
        let extents = format!("{:?}", self.shape);
        let text = format!(
            "{letters}<{}>, {{ q: {codes}{} {element} }} = q",
            extents.trim_matches(['[', ']']),
            last.to_ascii_lowercase()
        );
        let of = |error| CheckpointError::of(format!("elements of {element}"), error);
        Record::parse(&text).map(Some).map_err(of)
    }

    /// The values of the tensor as an array, and the letters of its axes, if the file names them. `number` is that of the
    /// tensor in the checkpoint.
    pub(crate) fn values(&self, number: usize) -> FileResult<(PiecedArray, Option<String>)> {
        if let Some(record) = self.blocks()? {
            let rows = RecordRows::new(record)?;
            let first = 0..rows.step.min(rows.count());
            dequantizes(&rows, &first)?;
            let (extents, letters) = match (&self.content, &self.layout) {
                (Content::Record(_), _) | (_, None) => (self.shape.clone(), None),
                _ => (record.extents().to_vec(), Some(record.letters().as_str().to_string())),
            };
            let form = SourceForm::Record(rows);
            return Ok((PiecedArray::whole(number, extents, ElementType::F32, form), letters));
        }
        let (extents, element, form, letters) = match (self.layout()?, &self.content) {
            (Some(layout), _) => {
                let letters = layout.letters().as_str().to_string();
                let (extents, element) = (layout.extents().to_vec(), layout.element());
                let form = match order_of(&layout) {
                    Some(order) => SourceForm::Array(order),
                    None => SourceForm::Layout(Box::new(layout)),
                };
                (extents, element, form, Some(letters))
            }
            (None, Content::Element(element)) => {
                let order = (0..self.shape.len()).collect();
                (self.shape.clone(), *element, SourceForm::Array(order), None)
            }
            (None, content) => {
                return refuse(format!(
                    "it holds {content}, and can be kept, dropped or renamed alone; leave out the other keys"
                ));
            }
        };
        if element.bits() % 8 != 0 {
            return refuse(format!(
                "it has elements of {element}, which are not whole bytes; it can be kept, dropped or renamed alone"
            ));
        }
        Ok((PiecedArray::whole(number, extents, element, form), letters))
    }
}

/// The axes from the slowest to the fastest, of a layout that orders them and does nothing else.
fn order_of(layout: &Layout) -> Option<Vec<usize>> {
    let digits = layout.digits();
    let is_plain = digits.len() == layout.rank() && layout.swizzle().is_none();
    let mut stride = 1;
    let mut follows = |digit: &Digit| {
        let is_next = digit.stride == stride && digit.size == layout.extent(digit.axis);
        stride *= digit.size as isize;
        is_next
    };
    let is_dense = layout.numel() == layout.len() && digits.iter().rev().all(&mut follows);
    (is_plain && is_dense).then(|| digits.iter().map(|digit| digit.axis).collect())
}

/// The plan that computes the values of rows as an array of `f32` in C order.
pub(crate) fn dequantizes(rows: &RecordRows, of: &Range<usize>) -> FileResult<ValuePlan> {
    let record = rows.part(of)?;
    let array = array_of(record.letters().as_str(), record.extents(), ElementType::F32)?;
    Ok(ValuePlan::new(&record, &array, None)?)
}
