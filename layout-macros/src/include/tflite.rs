//! The tensors of .tflite files, which are FlatBuffers: tables with offsets to their fields. Every offset and length is
//! compared with the file before it is followed.
//!
//! Source: `tensorflow/lite/schema/schema.fbs`, whose order gives the fields their numbers.

use layout_core::ElementType;
use layout_types::FixedPoint;
use layout_types::numbers::ByteOrder;

use super::array::Array;
use super::syntax::Name;
use super::texts;

/// The quantization of a tensor.
pub(super) struct Stored {
    pub(super) scales: Vec<f32>,
    pub(super) zero_points: Vec<i64>,
    /// The position in the shape of the axis whose coordinates have a scale each.
    pub(super) axis: usize,
    /// Whether the tensor is an activation, which has no elements in the file.
    pub(super) is_activation: bool,
    /// What the operator that reads the tensor as its weights does after its sums, or why this is unknown.
    pub(super) epilogue: Option<Result<Epilogue, String>>,
}

/// The fields of `layout_types::Epilogue`.
pub(super) struct Epilogue {
    pub(super) starts: Vec<i32>,
    pub(super) multipliers: Vec<i32>,
    pub(super) shifts: Vec<i32>,
    pub(super) input_zero_point: i32,
    pub(super) zero_point: i32,
    pub(super) range: (i32, i32),
}

/// Why a tensor cannot be read.
pub(super) enum Refusal {
    /// The file has no such tensor.
    Name(String),
    File(String),
}

/// The file is not what it claims to be.
pub(super) const BROKEN: &str = "it is cut short or is not a .tflite file; copy it again";

impl Refusal {
    fn broken() -> Self {
        Self::File(BROKEN.into())
    }
}

/// A table: the position of its first byte.
#[derive(Clone, Copy)]
struct Table<'a> {
    file: &'a [u8],
    at: usize,
}

/// The little-endian number of `SIZE` bytes at a position.
fn bytes<const SIZE: usize>(file: &[u8], at: usize) -> Option<[u8; SIZE]> {
    file.get(at..)?.first_chunk().copied()
}

/// The position that the offset at `at` leads to.
fn follow(file: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32::from_le_bytes(bytes(file, at)?) as usize)
}

impl<'a> Table<'a> {
    /// The position of a field, or `None` inside if the table does not have it.
    fn field(self, number: usize) -> Option<Option<usize>> {
        let back = i32::from_le_bytes(bytes(self.file, self.at)?);
        let entries = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let length = u16::from_le_bytes(bytes(self.file, entries)?);
        let entry = 4 + 2 * number;
        if entry + 2 > usize::from(length) {
            return Some(None);
        }
        let offset = u16::from_le_bytes(bytes(self.file, entries.checked_add(entry)?)?);
        Some((offset != 0).then_some(self.at + usize::from(offset)))
    }

    /// A number, which is 0 where it is left out.
    fn number<const SIZE: usize>(self, number: usize) -> Option<[u8; SIZE]> {
        self.field(number)?.map_or(Some([0; SIZE]), |at| bytes(self.file, at))
    }

    fn byte(self, number: usize) -> Option<u8> {
        self.number(number).map(u8::from_le_bytes)
    }

    fn word(self, number: usize) -> Option<u32> {
        self.number(number).map(u32::from_le_bytes)
    }

    fn table(self, number: usize) -> Option<Option<Self>> {
        let Some(at) = self.field(number)? else { return Some(None) };
        Some(Some(Self { at: follow(self.file, at)?, ..self }))
    }

    /// The bytes of a vector of elements of `size` bytes, with the position of the first.
    fn vector(self, number: usize, size: usize) -> Option<(usize, &'a [u8])> {
        let Some(at) = self.field(number)? else { return Some((0, &[])) };
        let at = follow(self.file, at)?;
        let length = (u32::from_le_bytes(bytes(self.file, at)?) as usize).checked_mul(size)?;
        let start = at + 4;
        Some((start, self.file.get(start..start.checked_add(length)?)?))
    }

    /// A vector of numbers of `SIZE` bytes.
    fn numbers<const SIZE: usize, T>(
        self,
        number: usize,
        read: fn([u8; SIZE]) -> T,
    ) -> Option<Vec<T>> {
        let (_, bytes) = self.vector(number, SIZE)?;
        Some(bytes.chunks_exact(SIZE).filter_map(|chunk| chunk.first_chunk().copied()).map(read).collect())
    }

    /// A vector of tables.
    fn tables(self, number: usize) -> Option<Vec<Self>> {
        let (start, offsets) = self.vector(number, 4)?;
        let places = (0..offsets.len()).step_by(4).map(|i| follow(self.file, start + i));
        places.map(|at| Some(Self { at: at?, ..self })).collect()
    }
}

/// A file with one graph.
struct Model<'a> {
    codes: Vec<Table<'a>>,
    tensors: Vec<Table<'a>>,
    operators: Vec<Table<'a>>,
    buffers: Vec<Table<'a>>,
}

impl<'a> Model<'a> {
    fn read(file: &'a [u8]) -> Option<Self> {
        if bytes(file, 4)? != *b"TFL3" {
            return None;
        }
        let model = Table { file, at: follow(file, 0)? };
        let graph = *model.tables(2)?.first()?;
        Some(Self {
            codes: model.tables(1)?,
            tensors: graph.tables(0)?,
            operators: graph.tables(3)?,
            buffers: model.tables(4)?,
        })
    }

    fn name(&self, tensor: usize) -> Option<String> {
        let (_, name) = self.tensors.get(tensor)?.vector(3, 1)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    fn names(&self) -> Option<Vec<String>> {
        (0..self.tensors.len()).map(|tensor| self.name(tensor)).collect()
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
            _ => buffer.file.get(offset..offset.checked_add(size)?),
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

    /// The scale and the zero point of an activation.
    fn scale(&self, tensor: i32) -> Option<(f32, i32)> {
        let (scales, points, _) = self.quantization(usize::try_from(tensor).ok()?)?;
        Some((*scales.first()?, i32::try_from(*points.first()?).ok()?))
    }

    /// The first operator that reads a tensor as its weights, with its code.
    fn reader(&self, tensor: usize) -> Option<Option<(Table<'a>, u32)>> {
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
    fn epilogue(&self, operator: Table<'_>, kind: &Kind, scales: &[f32], sums: &[i64]) -> Option<Epilogue> {
        let inputs = operator.numbers(1, i32::from_le_bytes)?;
        let output = *operator.numbers(2, i32::from_le_bytes)?.first()?;
        let (input_scale, input_zero_point) = self.scale(*inputs.first()?)?;
        let (scale, zero_point) = self.scale(output)?;
        let biases = match inputs.get(2).map(|bias| usize::try_from(*bias)) {
            Some(Ok(bias)) => {
                let data = self.data(bias)?;
                data.chunks_exact(4).map(|chunk| chunk.first_chunk().map(|own| i32::from_le_bytes(*own))).collect::<Option<_>>()?
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
        if biases.len() != sums.len() {
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
        Some(Epilogue { starts, multipliers, shifts, input_zero_point, zero_point, range })
    }
}

/// An operator with weights.
struct Kind {
    code: u32,
    /// The position of the output channels in the shape of the weights.
    channels: usize,
    /// The number of the field that names the activation.
    activation: usize,
    is_dense: bool,
}

/// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED.
const KINDS: [Kind; 3] = [
    Kind { code: 3, channels: 0, activation: 3, is_dense: false },
    Kind { code: 4, channels: 3, activation: 4, is_dense: false },
    Kind { code: 9, channels: 0, activation: 0, is_dense: true },
];

/// Returns a tensor of a file.
pub(super) fn array<'a>(path: &'a str, file: &'a [u8], name: &Name) -> Result<Array<'a>, Refusal> {
    let model = Model::read(file).ok_or_else(Refusal::broken)?;
    let names = model.names().ok_or_else(Refusal::broken)?;
    let tensor = match name {
        Name::Text(text) => {
            let text = text.value();
            let found = names.iter().position(|name| *name == text);
            found.ok_or_else(|| Refusal::Name(texts::unknown_tensor(&text, &nearest(&text, names))))?
        }
        Name::Index(index) => match index.base10_parse::<usize>() {
            Ok(index) if index < names.len() => index,
            _ => return Err(Refusal::Name(texts::tensor_index(index.base10_digits(), names.len()))),
        },
    };
    let code = model.tensors[tensor].byte(1).ok_or_else(Refusal::broken)?;
    let element = element(code).ok_or_else(|| {
        Refusal::File(format!("its tensor {tensor} has elements of type {code} of the schema, which is not an element type; convert the model"))
    })?;
    whole(path, &model, tensor, element).ok_or_else(Refusal::broken)
}

/// Returns the names of the tensors, for error texts.
pub(super) fn names(file: &[u8]) -> Option<Vec<String>> {
    Model::read(file)?.names()
}

/// Reads a tensor with its quantization.
fn whole<'a>(
    path: &'a str,
    model: &Model<'a>,
    tensor: usize,
    element: ElementType,
) -> Option<Array<'a>> {
    let shape = model.shape(tensor)?;
    let bytes = model.data(tensor)?;
    let (scales, zero_points, axis) = model.quantization(tensor)?;
    let is_activation = bytes.is_empty() && !shape.contains(&0);
    let mut stored = Stored { scales, zero_points, axis, is_activation, epilogue: None };
    let is_consistent = stored.zero_points.len() == stored.scales.len()
        && (stored.scales.len() < 2 || shape.get(axis) == Some(&stored.scales.len()));
    if !is_consistent {
        return None;
    }
    let is_quantized = element == ElementType::I8 && !is_activation && !stored.scales.is_empty();
    if let Some((operator, code)) = model.reader(tensor)?.filter(|_| is_quantized) {
        let kind = KINDS.iter().find(|kind| kind.code == code);
        stored.epilogue = Some(match kind {
            Some(kind) if stored.zero_points.iter().all(|point| *point == 0) => {
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
    let after = shape[axis + 1..].iter().try_fold(1usize, |count, own| count.checked_mul(*own))?;
    if extent > bytes.len() {
        return None;
    }
    let mut sums = vec![0; extent];
    for (i, byte) in bytes.iter().enumerate() {
        sums[i / after.max(1) % extent] += i64::from(*byte as i8);
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
