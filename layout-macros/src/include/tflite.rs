//! The tensors of .tflite files, which are FlatBuffers.
//!
//! Source: `tensorflow/lite/schema/schema.fbs`, whose order gives the fields their numbers.

use layout_core::ElementType;
use layout_types::FixedPoint;
use layout_types::numbers::ByteOrder;

use super::array::{Array, EpilogueValues, Quantization};
use super::flatbuffer::FlatTable;
use super::problem::Refusal;
use super::syntax::TensorName;
use super::texts;

/// The file is not what it claims to be.
pub(super) const BROKEN: &str = "it is cut short or is not a .tflite file; copy it again";

fn broken() -> Refusal {
    Refusal::File(BROKEN.into())
}

/// A file with one graph.
struct Network<'a> {
    codes: Vec<FlatTable<'a>>,
    tensors: Vec<FlatTable<'a>>,
    operators: Vec<FlatTable<'a>>,
    buffers: Vec<FlatTable<'a>>,
}

impl<'a> Network<'a> {
    fn read(file: &'a [u8]) -> Option<Self> {
        let model = FlatTable::root(file, b"TFL3")?;
        let graph = *model.tables(2)?.first()?;
        Some(Self {
            codes: model.tables(1)?,
            tensors: graph.tables(0)?,
            operators: graph.tables(3)?,
            buffers: model.tables(4)?,
        })
    }

    fn name(&self, tensor: usize) -> Option<&'a [u8]> {
        self.tensors.get(tensor)?.vector(3, 1).map(|(_, name)| name)
    }

    /// The names, for error texts. Long ones are cut, since many tensors of a hostile file may share one.
    fn names(&self) -> Option<Vec<String>> {
        const MOST: usize = 200;
        let text = |name: &[u8]| match name.get(..MOST) {
            Some(start) => format!("{}..", String::from_utf8_lossy(start)),
            None => String::from_utf8_lossy(name).into_owned(),
        };
        (0..self.tensors.len()).map(|tensor| self.name(tensor).map(text)).collect()
    }

    /// The element type of a tensor, as a number of the schema.
    fn element(&self, tensor: usize) -> Option<u8> {
        self.tensors.get(tensor)?.byte(1)
    }

    fn shape(&self, tensor: usize) -> Option<Vec<usize>> {
        let extents = self.tensors.get(tensor)?.numbers(0, i32::from_le_bytes)?;
        extents.into_iter().map(|extent| usize::try_from(extent).ok()).collect()
    }

    /// The elements in the file, which activations do not have.
    fn data(&self, tensor: usize) -> Option<&'a [u8]> {
        let buffer = self.buffers.get(self.tensors.get(tensor)?.word(2)? as usize)?;
        let [offset, size] = [1, 2].map(|number| buffer.number(number).map(u64::from_le_bytes));
        // Large files have their data after the tables.
        let (offset, size) = (usize::try_from(offset?).ok()?, usize::try_from(size?).ok()?);
        match offset {
            0 | 1 => buffer.vector(0, 1).map(|(_, data)| data),
            _ => buffer.bytes(offset, size),
        }
    }

    /// The scales, zero points and axis.
    fn quantization(&self, tensor: usize) -> Option<(Vec<f32>, Vec<i64>, usize)> {
        let Some(table) = self.tensors.get(tensor)?.table(4)? else {
            return Some((Vec::new(), Vec::new(), 0));
        };
        let axis = table.word(6)? as usize;
        Some((table.numbers(2, f32::from_le_bytes)?, table.numbers(3, i64::from_le_bytes)?, axis))
    }

    /// The scale and the zero point of an activation, if both are fit for an epilogue.
    fn scale(&self, tensor: i32) -> Option<(f32, i32)> {
        let (scales, points, _) = self.quantization(usize::try_from(tensor).ok()?)?;
        let scale = scales.first().copied().filter(|scale| is_scale(*scale))?;
        Some((scale, i32::try_from(*points.first()?).ok()?))
    }

    /// The first operator that reads a tensor as its weights, with its code.
    fn reader(&self, tensor: usize) -> Option<Option<(FlatTable<'a>, u32)>> {
        for operator in &self.operators {
            let inputs = operator.numbers(1, i32::from_le_bytes)?;
            if inputs.get(1).is_some_and(|input| usize::try_from(*input) == Ok(tensor)) {
                let code = self.codes.get(operator.word(0)? as usize)?;
                // Codes below 127 are in the older field.
                return Some(Some((*operator, code.word(3)?.max(u32::from(code.byte(0)?)))));
            }
        }
        Some(None)
    }

    /// What an operator does after its sums, `sums` being those of its weights for each output channel.
    fn epilogue(
        &self,
        operator: FlatTable<'_>,
        kind: &Operator,
        scales: &[f32],
        sums: &[i64],
    ) -> Option<EpilogueValues> {
        let inputs = operator.numbers(1, i32::from_le_bytes)?;
        let output = *operator.numbers(2, i32::from_le_bytes)?.first()?;
        let (input_scale, input_zero_point) = self.scale(*inputs.first()?)?;
        let (scale, zero_point) = self.scale(output)?;
        let biases = match inputs.get(2).map(|bias| usize::try_from(*bias)) {
            Some(Ok(bias)) => {
                let data = self.data(bias)?;
                data.chunks_exact(4)
                    .map(|chunk| chunk.first_chunk().map(|own| i32::from_le_bytes(*own)))
                    .collect::<Option<_>>()?
            }
            _ => vec![0; sums.len()],
        };
        let activation = match operator.table(4)? {
            Some(options) => options.byte(kind.activation)?,
            None => 0,
        };
        let (mut low, mut high) = (-128, 127);
        // As `CalculateActivationRangeQuantized`, in f32.
        let quantized = |value: f32| zero_point.saturating_add((value / scale).round() as i32);
        match activation {
            0 => {}
            1 => low = low.max(quantized(0.0)),
            2 => (low, high) = (low.max(quantized(-1.0)), high.min(quantized(1.0))),
            3 => (low, high) = (low.max(quantized(0.0)), high.min(quantized(6.0))),
            _ => return None,
        }
        let are_bytes =
            [input_zero_point, zero_point].iter().all(|point| i8::try_from(*point).is_ok());
        if biases.len() != sums.len() || !are_bytes {
            return None;
        }
        let (mut starts, mut multipliers, mut shifts) = (vec![], vec![], vec![]);
        for (channel, (bias, sum)) in biases.iter().zip(sums).enumerate() {
            let own = *scales.get(channel).or(scales.first())?;
            // Products of scales of whole tensors are f32 in fully connected layers alone.
            let product = match kind.is_dense && scales.len() == 1 {
                true => f64::from(input_scale * own),
                false => f64::from(input_scale) * f64::from(own),
            };
            let (multiplier, shift) = FixedPoint::factor(product / f64::from(scale))?;
            starts.push(i32::try_from(i64::from(*bias) - i64::from(input_zero_point) * sum).ok()?);
            multipliers.push(multiplier);
            shifts.push(shift);
        }
        let range = (low, high);
        Some(EpilogueValues { starts, multipliers, shifts, input_zero_point, zero_point, range })
    }
}

/// An operator with weights.
struct Operator {
    code: u32,
    /// The position of the output channels in the shape of the weights.
    channels: usize,
    /// The number of the field that names the activation.
    activation: usize,
    is_dense: bool,
}

/// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED.
const KINDS: [Operator; 3] = [
    Operator { code: 3, channels: 0, activation: 3, is_dense: false },
    Operator { code: 4, channels: 3, activation: 4, is_dense: false },
    Operator { code: 9, channels: 0, activation: 0, is_dense: true },
];

/// Returns a tensor of a file.
pub(super) fn array<'a>(
    path: &'a str,
    file: &'a [u8],
    name: &TensorName,
) -> Result<Array<'a>, Refusal> {
    let model = Network::read(file).ok_or_else(broken)?;
    let count = model.tensors.len();
    let tensor = match name {
        TensorName::Text(text) => {
            let text = text.value();
            match (0..count).find(|&tensor| model.name(tensor) == Some(text.as_bytes())) {
                Some(tensor) => tensor,
                None => {
                    let names = nearest(&text, model.names().ok_or_else(broken)?);
                    return Err(Refusal::Name(texts::unknown_tensor(&text, &names)));
                }
            }
        }
        TensorName::Index(index) => match index.base10_parse::<usize>() {
            Ok(index) if index < count => index,
            _ => return Err(Refusal::Name(texts::tensor_index(index.base10_digits(), count))),
        },
    };
    let code = model.element(tensor).ok_or_else(broken)?;
    let element = element(code).ok_or_else(|| Refusal::File(texts::tensor_type(tensor, code)))?;
    let (scales, ..) = model.quantization(tensor).ok_or_else(broken)?;
    if let Some(i) = scales.iter().position(|scale| !is_scale(*scale)) {
        return Err(Refusal::File(texts::scale(tensor, i, scales[i])));
    }
    whole(path, &model, tensor, element).ok_or_else(broken)
}

/// Returns the names of the tensors, for error texts.
pub(super) fn names(file: &[u8]) -> Option<Vec<String>> {
    Network::read(file)?.names()
}

/// Whether a step of integers can have this value.
fn is_scale(scale: f32) -> bool {
    scale.is_finite() && scale > 0.0
}

/// Reads a tensor with its quantization.
fn whole<'a>(
    path: &'a str,
    model: &Network<'a>,
    tensor: usize,
    element: ElementType,
) -> Option<Array<'a>> {
    let shape = model.shape(tensor)?;
    let bytes = model.data(tensor)?;
    let (scales, zero_points, axis) = model.quantization(tensor)?;
    let is_activation = bytes.is_empty() && !shape.contains(&0);
    let mut stored = Quantization { scales, zero_points, axis, is_activation, epilogue: None };
    let is_consistent = stored.zero_points.len() == stored.scales.len()
        && (stored.scales.len() < 2 || shape.get(axis) == Some(&stored.scales.len()));
    if !is_consistent {
        return None;
    }
    let is_quantized = element == ElementType::I8 && !is_activation && !stored.scales.is_empty();
    if let Some((operator, code)) = model.reader(tensor)?.filter(|_| is_quantized) {
        let kind = KINDS.iter().find(|kind| kind.code == code);
        stored.epilogue = Some(match kind {
            Some(kind)
                if stored.zero_points.iter().all(|point| *point == 0)
                    && (stored.scales.len() == 1 || axis == kind.channels) =>
            {
                let sums = sums(bytes, &shape, kind.channels)?;
                let found = model.epilogue(operator, kind, &stored.scales, &sums);
                found.ok_or_else(|| texts::NO_EPILOGUE.into())
            }
            Some(_) => Err(texts::NO_EPILOGUE.into()),
            None => Err(texts::operator(code)),
        });
    }
    let (order, shape) = (ByteOrder::Little, Some(shape));
    Some(Array { path, element, order, shape, is_fortran: false, bytes, stored: Some(stored) })
}

/// The sums of bytes with a sign at each coordinate of an axis.
pub(super) fn sums(bytes: &[u8], shape: &[usize], axis: usize) -> Option<Vec<i64>> {
    let extent = *shape.get(axis)?;
    let product = |shape: &[usize]| shape.iter().try_fold(1usize, |all, own| all.checked_mul(*own));
    let after = product(&shape[axis + 1..])?;
    if product(shape)? != bytes.len() || extent > bytes.len() {
        return None;
    }
    let mut sums = vec![0; extent];
    for (i, byte) in bytes.iter().enumerate() {
        sums[i / after % extent] += i64::from(*byte as i8);
    }
    Some(sums)
}

/// The names that share most letters in a row with a wrong one, most first.
fn nearest(wrong: &str, mut names: Vec<String>) -> Vec<String> {
    let wrong = wrong.to_lowercase();
    let shared = |name: &String| {
        let name = name.to_lowercase();
        let runs = wrong.char_indices().map(|(start, _)| {
            let ends = wrong[start..].char_indices().map(|(end, own)| end + own.len_utf8());
            ends.take_while(|end| name.contains(&wrong[start..start + end])).last().unwrap_or(0)
        });
        std::cmp::Reverse(runs.max().unwrap_or(0))
    };
    names.sort_by_cached_key(shared);
    names
}

/// The element type of a number of the schema.
fn element(code: u8) -> Option<ElementType> {
    Some(match code {
        0 => ElementType::F32,
        1 => ElementType::F16,
        2 => ElementType::I32,
        3 => ElementType::U8,
        4 => ElementType::I64,
        6 => ElementType::Bool,
        7 => ElementType::I16,
        9 => ElementType::I8,
        10 => ElementType::F64,
        12 => ElementType::U64,
        15 => ElementType::U32,
        16 => ElementType::U16,
        17 => ElementType::I4,
        18 => ElementType::BF16,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &[u8] = include_bytes!("../../../tests/files/small.tflite");
    const SPEECH: &[u8] = include_bytes!("../../../examples/networks/models/speech.tflite");

    fn named<'a>(file: &'a [u8], name: &str) -> Option<Array<'a>> {
        let name = TensorName::Text(syn::LitStr::new(name, proc_macro2::Span::call_site()));
        array("", file, &name).ok()
    }

    /// The generator of the file says what is in it.
    #[test]
    fn a_fully_connected_layer() {
        let weights = named(SMALL, "dense/weights").unwrap();
        assert_eq!(weights.shape, Some(vec![3, 4]));
        assert_eq!(weights.bytes, (-6..6).map(|value: i8| value as u8).collect::<Vec<_>>());
        let stored = weights.stored.unwrap();
        assert_eq!((stored.scales, stored.zero_points), (vec![0.25], vec![0]));
        let Some(Ok(epilogue)) = stored.epilogue else { panic!("it has an epilogue") };
        // Sums -18, -2 and 14 times the zero point -3, and a factor of .5 * .25.
        assert_eq!(epilogue.starts, [10 - 54, -20 - 6, 300 + 42]);
        assert_eq!((epilogue.multipliers, epilogue.shifts), (vec![1 << 30; 3], vec![-2; 3]));
        assert_eq!((epilogue.input_zero_point, epilogue.zero_point), (-3, -3));
        assert_eq!(epilogue.range, (-3, 127), "ReLU begins at the zero point");
        assert!(matches!(named(SMALL, "added").unwrap().stored.unwrap().epilogue, Some(Err(_))));
        assert!(named(SMALL, "input").unwrap().stored.unwrap().is_activation);
        assert_eq!(named(SMALL, "floats").unwrap().element, ElementType::F32);
    }

    /// The file with other bytes at a position.
    fn changed(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = SMALL.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    }

    #[test]
    fn scales_that_no_step_of_integers_can_have_are_errors() {
        let (weights, input) = (788, 904);
        assert!(SMALL[weights..].starts_with(&0.25f32.to_le_bytes()));
        assert!(SMALL[input..].starts_with(&0.5f32.to_le_bytes()));
        for scale in [f32::NAN, f32::INFINITY, 0.0, -0.25] {
            let file = changed(weights, &scale.to_le_bytes());
            let name = TensorName::Index(syn::LitInt::new("1", proc_macro2::Span::call_site()));
            let Err(Refusal::File(text)) = array("", &file, &name) else { panic!("{scale}") };
            assert!(text.starts_with(&format!("scale 0 of its tensor 1 is {scale},")), "{text}");
            let file = changed(input, &scale.to_le_bytes());
            assert!(named(&file, "input").is_none());
            let stored = named(&file, "dense/weights").unwrap().stored.unwrap();
            assert!(matches!(stored.epilogue, Some(Err(_))), "{scale}");
        }
    }

    #[test]
    fn scales_of_filters() {
        let stored = named(SPEECH, "first_weights/read").unwrap().stored.unwrap();
        assert_eq!((stored.axis, stored.scales.len(), stored.scales[1]), (3, 8, 0.00014269954));
    }

    #[test]
    fn files_that_are_cut_short_or_damaged_have_the_same_tensor_or_an_error() {
        let whole = named(SPEECH, "first_weights/read").unwrap().bytes;
        for length in (0..SPEECH.len()).step_by(5) {
            let found = named(&SPEECH[..length], "first_weights/read");
            assert!(found.is_none_or(|array| array.bytes == whole), "{length}");
        }
        for (file, count) in [(SMALL, 30_000), (SPEECH, 300)] {
            let mut state = 1u64;
            let mut random = move |below: usize| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) as usize % below
            };
            for _ in 0..count {
                let mut damaged = file.to_vec();
                for _ in 0..=random(3) {
                    let at = random(damaged.len().min(2000));
                    let values = [0, 1, 127, 128, 255, random(256) as u8];
                    damaged[at] = values[random(values.len())];
                }
                for name in ["dense/weights", "first_weights/read"] {
                    let array = named(&damaged, name);
                    assert!(array.is_none_or(|array| array.bytes.len() <= damaged.len()));
                }
            }
        }
    }

    #[test]
    fn names_that_are_near_come_first() {
        let names = ["conv/bias", "dense/bias", "dense/weights"].map(String::from).to_vec();
        assert_eq!(nearest("Dense/weight", names)[0], "dense/weights");
    }
}
