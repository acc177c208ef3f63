//! Compares the values of two checkpoints, whatever the layouts.

use std::collections::BTreeMap;
use std::fmt;

use crate::bands::Bands;
use crate::checkpoint::Checkpoint;
use crate::error::{CheckpointError, FileResult};
use crate::gather::{BandReader, SPAN, filled, room, span_of};
use crate::pieced_array::PiecedArray;
use crate::stored_tensor::StoredTensor;

/// How a tensor differs from the one of its name in another checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TensorDifference {
    /// The values are equal, and so are the layouts.
    None,
    /// The values are equal, and lie elsewhere.
    Layout(String, String),
    /// Elements or shapes differ.
    Kind(String, String),
    /// Elements at these coordinates differ, the first of them.
    Values(Vec<usize>),
    /// The other checkpoint has no such tensor.
    Missing,
    /// Only the other checkpoint has such a tensor.
    Added,
}

impl fmt::Display for TensorDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("equal"),
            Self::Layout(own, other) => write!(f, "equal values, {own} and {other}"),
            Self::Kind(own, other) => write!(f, "{own} and {other}"),
            Self::Values(at) => write!(f, "values differ, first at {at:?}"),
            Self::Missing => f.write_str("in the first alone"),
            Self::Added => f.write_str("in the second alone"),
        }
    }
}

/// What prints of a tensor: its layout, or its shape and elements.
fn text_of(tensor: &StoredTensor) -> FileResult<String> {
    Ok(match (tensor.record()?, tensor.layout()?) {
        (Some(record), _) => record.to_string(),
        (None, Some(layout)) => layout.to_string(),
        (None, None) => format!("{:?} of {}", tensor.shape, tensor.content),
    })
}

/// A tensor of each checkpoint, and its number there.
type TensorPair<'a> = [(usize, &'a StoredTensor); 2];

/// TensorPair tensors as arrays that can be compared, or how they differ: of the same kind and without values, or blocks of
/// one record, their bytes.
fn arrays(
    both: TensorPair<'_>,
    texts: &[String; 2],
) -> FileResult<Result<[PiecedArray; 2], TensorDifference>> {
    let is_same = texts[0] == texts[1];
    let has_blocks = both[0].1.record()?.is_some();
    let values = both.map(|(number, tensor)| tensor.values(number).map(|own| own.0));
    Ok(match values {
        [Ok(own), Ok(other)] if !(is_same && has_blocks) => Ok([own, other]),
        _ if is_same => Ok(both.map(|(number, tensor)| PiecedArray::bytes_of(number, tensor))),
        _ => Err(TensorDifference::Kind(texts[0].clone(), texts[1].clone())),
    })
}

/// Compares all tensors of two checkpoints by name, and returns how each differs. It takes about `memory` bytes.
///
/// # Errors
/// A file cannot be read, or a tensor has more bytes than the memory and a layout that cannot be cut.
pub fn compare(
    first: &Checkpoint,
    second: &Checkpoint,
    memory: usize,
) -> Result<Vec<(String, TensorDifference)>, CheckpointError> {
    let (mut left, mut right) = (BandReader::new(first)?, BandReader::new(second)?);
    let mut numbers: BTreeMap<&str, usize> =
        second.tensors().enumerate().map(|(i, own)| (own.name.as_str(), i)).collect();
    let mut all = Vec::new();
    for (number, tensor) in first.tensors().enumerate() {
        let difference = match numbers.remove(tensor.name.as_str()) {
            None => TensorDifference::Missing,
            Some(other) => {
                let of = |error| CheckpointError::of(format!("tensor `{}`", tensor.name), error);
                let both = [(number, tensor), (other, second.tensor(other).1)];
                let texts = [text_of(both[0].1).map_err(of)?, text_of(both[1].1).map_err(of)?];
                match arrays(both, &texts).map_err(of)? {
                    Ok([own, other]) => {
                        of_arrays((&own, &mut left), (&other, &mut right), memory, texts)?
                    }
                    Err(difference) => difference,
                }
            }
        };
        all.push((tensor.name.clone(), difference));
    }
    all.extend(numbers.into_keys().map(|name| (name.into(), TensorDifference::Added)));
    Ok(all)
}

fn of_arrays(
    (own, left): (&PiecedArray, &mut BandReader<'_>),
    (other, right): (&PiecedArray, &mut BandReader<'_>),
    memory: usize,
    [first, second]: [String; 2],
) -> FileResult<TensorDifference> {
    if own.extents != other.extents || own.element != other.element {
        return Ok(TensorDifference::Kind(first, second));
    }
    let unit = own.element.bits() / 8;
    let cost = |band: &crate::bands::Band| {
        let spans = span_of(&own.pieces[0], band) + span_of(&other.pieces[0], band);
        2 * SPAN + (2 * band.numel() + spans) * unit
    };
    let Some(bands) = Bands::of_array(&own.extents, memory, cost) else {
        return Err(CheckpointError::new(format!(
            "no band takes {memory} bytes; give more memory"
        )));
    };
    let mut sides = [Vec::new(), Vec::new()];
    for number in 0..bands.len() {
        let band = bands.band(number);
        let bytes = band.numel() * unit;
        left.read(own, &band, room(&mut sides[0], bytes))?;
        right.read(other, &band, room(&mut sides[1], bytes))?;
        let (one, two) = (filled(&sides[0], bytes), filled(&sides[1], bytes));
        if let Some(at) = one.iter().zip(two).position(|(one, two)| one != two) {
            let mut at = at / unit;
            let mut place = Vec::new();
            for range in band.ranges.iter().rev() {
                place.insert(0, range.start + at % range.len());
                at /= range.len();
            }
            return Ok(TensorDifference::Values(place));
        }
    }
    Ok(match first == second {
        true => TensorDifference::None,
        false => TensorDifference::Layout(first, second),
    })
}
