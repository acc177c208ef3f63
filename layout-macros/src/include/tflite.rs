//! The tensors of .tflite files, and what operators do with them.

use layout_core::ElementType;
use layout_types::FixedPoint;
use layout_types::numbers::ByteOrder;

use super::array::{EpilogueValues, FileArray, Quantization};
use super::network::{FlatTable, I32, Network, element, is_scale};
use super::syntax::TensorName;
use super::texts::{self, Refusal};

/// The file is not what it claims to be.
pub(super) const BROKEN: &str = "it is cut short or is not a .tflite file; copy it again";

fn broken() -> Refusal {
    Refusal::File(BROKEN.into())
}

impl Network<'_> {
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
                if self.element_code(bias)? != I32 {
                    return None;
                }
                let data = self.data(bias)?;
                data.chunks_exact(4)
                    .map(|chunk| chunk.first_chunk().map(|value| i32::from_le_bytes(*value)))
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
            let weight_scale = *scales.get(channel).or(scales.first())?;
            // Products of scales of whole tensors are f32 in fully connected layers alone.
            let product = match kind.is_dense && scales.len() == 1 {
                true => f64::from(input_scale * weight_scale),
                false => f64::from(input_scale) * f64::from(weight_scale),
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
) -> Result<FileArray<'a>, Refusal> {
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
    let code = model.element_code(tensor).ok_or_else(broken)?;
    let element = element(code).ok_or_else(|| Refusal::File(texts::tensor_type(tensor, code)))?;
    let shape = model.shape(tensor).ok_or_else(broken)?;
    let (scales, zero_points, axis) = model.quantization(tensor).ok_or_else(broken)?;
    if let Some(i) = scales.iter().position(|scale| !is_scale(*scale)) {
        return Err(Refusal::File(texts::scale(tensor, i, scales[i])));
    }
    let is_consistent = zero_points.len() == scales.len()
        && (scales.len() < 2 || shape.get(axis) == Some(&scales.len()));
    if !is_consistent {
        let counts = [scales.len(), zero_points.len()];
        return Err(Refusal::File(texts::quantization(tensor, counts, axis, &shape)));
    }
    let is_activation = false;
    let stored = Quantization { scales, zero_points, axis, is_activation, epilogue: None };
    whole(path, &model, tensor, element, shape, stored).ok_or_else(broken)
}

/// Returns the names of the tensors, for error texts.
pub(super) fn names(file: &[u8]) -> Option<Vec<String>> {
    Network::read(file)?.names()
}

/// Reads the elements of a tensor, and the epilogue of its operator.
fn whole<'a>(
    path: &'a str,
    model: &Network<'a>,
    tensor: usize,
    element: ElementType,
    shape: Vec<usize>,
    mut stored: Quantization,
) -> Option<FileArray<'a>> {
    let bytes = model.data(tensor)?;
    stored.is_activation = bytes.is_empty() && !shape.contains(&0);
    if element == ElementType::I8 && !stored.is_activation && !stored.scales.is_empty() {
        stored.epilogue = match model.readers(tensor)?[..] {
            [] => None,
            [(operator, code)] => Some(match KINDS.iter().find(|kind| kind.code == code) {
                Some(kind)
                    if stored.zero_points.iter().all(|point| *point == 0)
                        && (stored.scales.len() == 1 || stored.axis == kind.channels) =>
                {
                    let sums = sums(bytes, &shape, kind.channels)?;
                    let found = model.epilogue(operator, kind, &stored.scales, &sums);
                    found.ok_or_else(|| texts::NO_EPILOGUE.into())
                }
                Some(_) => Err(texts::NO_EPILOGUE.into()),
                None => Err(texts::operator(code)),
            }),
            _ => Some(Err(texts::SEVERAL_OPERATORS.into())),
        };
    }
    let (order, shape) = (ByteOrder::Little, Some(shape));
    Some(FileArray {
        path,
        element,
        order,
        shape,
        is_fortran: false,
        bytes,
        blocks: None,
        stored: Some(stored),
    })
}

/// The sums of bytes with a sign at each coordinate of an axis.
pub(super) fn sums(bytes: &[u8], shape: &[usize], axis: usize) -> Option<Vec<i64>> {
    let extent = *shape.get(axis)?;
    let product =
        |shape: &[usize]| shape.iter().try_fold(1usize, |all, extent| all.checked_mul(*extent));
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
            let ends = wrong[start..].char_indices().map(|(end, letter)| end + letter.len_utf8());
            ends.take_while(|end| name.contains(&wrong[start..start + end])).last().unwrap_or(0)
        });
        std::cmp::Reverse(runs.max().unwrap_or(0))
    };
    names.sort_by_cached_key(shared);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &[u8] = include_bytes!("../../../tests/files/small.tflite");
    const SPEECH: &[u8] = include_bytes!("../../../examples/networks/models/speech.tflite");

    fn named<'a>(file: &'a [u8], name: &str) -> Option<FileArray<'a>> {
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

    /// Whether the weights have an epilogue in the file with other bytes at positions, each of which has `before`.
    fn has_epilogue(changes: &[(usize, &[u8], &[u8])]) -> bool {
        let mut file = SMALL.to_vec();
        for (at, before, after) in changes {
            assert!(file[*at..].starts_with(before), "{at}");
            file[*at..at + after.len()].copy_from_slice(after);
        }
        matches!(named(&file, "dense/weights").unwrap().stored.unwrap().epilogue, Some(Ok(_)))
    }

    #[test]
    fn epilogues_of_int8_are_for_activations_of_int8_and_a_bias_of_int32() {
        const INT16: &[u8] = &[7];
        assert!(has_epilogue(&[]));
        let [input, output, bias] = [855, 571, 659];
        assert!(!has_epilogue(&[(input, &[9], INT16)]));
        assert!(!has_epilogue(&[(output, &[9], INT16)]));
        assert!(!has_epilogue(&[(bias, &[2], &[0])]), "a bias of floats");
        // The bias is the third input; without one, sums begin at 0.
        let no_bias: (_, &[u8], &[u8]) = (360, &[2, 0, 0, 0], &[255; 4]);
        assert!(has_epilogue(&[no_bias]));
        assert!(!has_epilogue(&[no_bias, (input, &[9], INT16), (output, &[9], INT16)]));
        // The second operator reads these weights too.
        assert!(!has_epilogue(&[(284, &[5, 0, 0, 0], &[1])]));
    }

    #[test]
    fn scales_without_zero_points_are_not_a_file_that_is_cut_short() {
        let file = changed(772, &[0]);
        assert_eq!(SMALL[772..776], [1, 0, 0, 0], "the number of zero points");
        let name = TensorName::Index(syn::LitInt::new("1", proc_macro2::Span::call_site()));
        let Err(Refusal::File(text)) = array("", &file, &name) else { panic!("no zero point") };
        assert!(text.starts_with("its tensor 1 of shape [3, 4] has 1 scale and 0 zero"), "{text}");
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
