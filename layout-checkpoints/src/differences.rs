//! Compares the values of two checkpoints, whatever the layouts.

use std::collections::BTreeMap;
use std::fmt;

use tensor_layout::ElementType;

use crate::bands::{Band, Bands};
use crate::checkpoint::Checkpoint;
use crate::element_moves::{is_converted, move_elements};
use crate::error::{CheckpointError, FileResult};
use crate::gather::{BandReader, SPAN, filled, room, span_of};
use crate::pieced_array::{PiecedArray, array_of};
use crate::stored_tensor::StoredTensor;

/// How a tensor differs from the one of its name in another checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub enum TensorDifference {
    /// The values are equal, and so are the layouts.
    None,
    /// The values are equal, and lie elsewhere or have other elements.
    Layout(String, String),
    /// Shapes differ, or elements that are not compared.
    Kind(String, String),
    /// Values differ.
    Values {
        /// The coordinate of the first of them.
        first: Vec<usize>,
        /// The largest difference, where both sides have floats that f32 or f64 holds. It is 0 where only the signs of
        /// zeros or the bits of NaN differ, and infinite where one side alone is NaN.
        most: Option<f64>,
    },
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
            Self::Values { first, most: None } => write!(f, "values differ, first at {first:?}"),
            Self::Values { first, most: Some(0.0) } => {
                write!(f, "bits of equal numbers differ, first at {first:?}")
            }
            Self::Values { first, most: Some(most) } => {
                write!(f, "values differ, first at {first:?}, by at most {most}")
            }
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

/// Returns both tensors as arrays to compare, or how they differ. Arrays have the bytes of tensors of one kind that have
/// no values, and of blocks of one record.
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
                        of_arrays([(&own, &mut left), (&other, &mut right)], memory, texts)?
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

/// The element type that has the numbers of both, if elements are converted to one.
fn wider(own: ElementType, other: ElementType) -> Option<ElementType> {
    let wide = match own {
        _ if own == other => own,
        _ if own == ElementType::F64 || other == ElementType::F64 => ElementType::F64,
        _ => ElementType::F32,
    };
    (is_converted(own, wide) && is_converted(other, wide)).then_some(wide)
}

/// The largest difference of numbers, of element types that [`wider`] converts to.
fn largest(element: ElementType, own: &[u8], other: &[u8]) -> Option<f64> {
    let number: fn(&[u8]) -> f64 = match element {
        ElementType::F32 => |own| f32::from_le_bytes(own.try_into().unwrap_or_default()).into(),
        ElementType::F64 => |own| f64::from_le_bytes(own.try_into().unwrap_or_default()),
        _ => return None,
    };
    let size = element.bits() / 8;
    let pairs = own.chunks(size).zip(other.chunks(size));
    let difference = |(own, other)| {
        let (own, other) = (number(own), number(other));
        if own.is_nan() != other.is_nan() { f64::INFINITY } else { (own - other).abs() }
    };
    Some(pairs.map(difference).fold(0.0, f64::max))
}

/// The coordinate of an element of a band, of which `before` elements come before it.
fn coordinate(band: &Band, mut before: usize) -> Vec<usize> {
    let mut place = Vec::new();
    for range in band.ranges.iter().rev() {
        place.insert(0, range.start + before % range.len());
        before /= range.len();
    }
    place
}

fn of_arrays(
    mut both: [(&PiecedArray, &mut BandReader<'_>); 2],
    memory: usize,
    [first, second]: [String; 2],
) -> FileResult<TensorDifference> {
    let [own, other] = [both[0].0, both[1].0];
    let wide = wider(own.element, other.element).filter(|_| own.extents == other.extents);
    let Some(wide) = wide else { return Ok(TensorDifference::Kind(first, second)) };
    let size = wide.bits() / 8;
    let cost = |band: &Band| {
        let each = [own, other].map(|array| {
            let read = if array.element == wide { 0 } else { band.numel() };
            band.numel() * size
                + (span_of(&array.pieces[0], band) + read) * array.element.bits() / 8
        });
        2 * SPAN + each[0] + each[1]
    };
    let Some(bands) = Bands::of_array(&own.extents, memory, cost) else {
        return Err(CheckpointError::new(format!(
            "no band takes {memory} bytes; give more memory"
        )));
    };
    let (mut sides, mut narrow) = ([Vec::new(), Vec::new()], Vec::new());
    let mut found: Option<(Vec<usize>, Option<f64>)> = None;
    for number in 0..bands.len() {
        let band = bands.band(number);
        let bytes = band.numel() * size;
        for ((array, reader), place) in both.iter_mut().zip(&mut sides) {
            let place = room(place, bytes);
            if array.element == wide {
                reader.read(array, &band, place)?;
                continue;
            }
            let read = room(&mut narrow, band.numel() * array.element.bits() / 8);
            reader.read(array, &band, read)?;
            let list = |element| array_of("A", &[band.numel()], element);
            move_elements((&list(array.element)?, &list(wide)?), read, place)?;
        }
        let (own, other) = (filled(&sides[0], bytes), filled(&sides[1], bytes));
        let Some(at) = own.iter().zip(other).position(|(own, other)| own != other) else {
            continue;
        };
        let by = largest(wide, own, other);
        let (_, most) = found.get_or_insert_with(|| (coordinate(&band, at / size), by));
        *most = by.zip(*most).map(|(by, most)| by.max(most));
        if most.is_none() {
            break;
        }
    }
    Ok(match found {
        Some((first, most)) => TensorDifference::Values { first, most },
        None if first == second => TensorDifference::None,
        None => TensorDifference::Layout(first, second),
    })
}
