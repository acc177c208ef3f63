//! The graph of a .tflite file: its tensors and operators, in FlatBuffers: tables with offsets to their fields. Every offset
//! and length is compared with the file before it is followed.
//!
//! Source: `tensorflow/lite/schema/schema.fbs`, whose order gives the fields their numbers.

use layout_core::ElementType;

/// A table: the position of its first byte.
#[derive(Clone, Copy)]
pub(super) struct FlatTable<'a> {
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

impl<'a> FlatTable<'a> {
    /// The first table of a file with this identifier.
    pub(super) fn root(file: &'a [u8], identifier: &[u8; 4]) -> Option<Self> {
        let found: [u8; 4] = bytes(file, 4)?;
        Some(Self { file, at: follow(file, 0)? }).filter(|_| found == *identifier)
    }

    /// Bytes of the file.
    pub(super) fn bytes(self, offset: usize, size: usize) -> Option<&'a [u8]> {
        self.file.get(offset..offset.checked_add(size)?)
    }

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
    pub(super) fn number<const SIZE: usize>(self, number: usize) -> Option<[u8; SIZE]> {
        self.field(number)?.map_or(Some([0; SIZE]), |at| bytes(self.file, at))
    }

    pub(super) fn byte(self, number: usize) -> Option<u8> {
        self.number(number).map(u8::from_le_bytes)
    }

    pub(super) fn word(self, number: usize) -> Option<u32> {
        self.number(number).map(u32::from_le_bytes)
    }

    pub(super) fn table(self, number: usize) -> Option<Option<Self>> {
        let Some(at) = self.field(number)? else { return Some(None) };
        Some(Some(Self { at: follow(self.file, at)?, ..self }))
    }

    /// The bytes of a vector of elements of `size` bytes, with the position of the first.
    pub(super) fn vector(self, number: usize, size: usize) -> Option<(usize, &'a [u8])> {
        let Some(at) = self.field(number)? else { return Some((0, &[])) };
        let at = follow(self.file, at)?;
        let length = (u32::from_le_bytes(bytes(self.file, at)?) as usize).checked_mul(size)?;
        let start = at + 4;
        Some((start, self.file.get(start..start.checked_add(length)?)?))
    }

    /// A vector of numbers of `SIZE` bytes.
    pub(super) fn numbers<const SIZE: usize, T>(
        self,
        number: usize,
        read: fn([u8; SIZE]) -> T,
    ) -> Option<Vec<T>> {
        let (_, bytes) = self.vector(number, SIZE)?;
        Some(
            bytes
                .chunks_exact(SIZE)
                .filter_map(|chunk| chunk.first_chunk().copied())
                .map(read)
                .collect(),
        )
    }

    /// A vector of tables.
    pub(super) fn tables(self, number: usize) -> Option<Vec<Self>> {
        let (start, offsets) = self.vector(number, 4)?;
        let places = (0..offsets.len()).step_by(4).map(|i| follow(self.file, start + i));
        places.map(|at| Some(Self { at: at?, ..self })).collect()
    }
}

/// Numbers of element types in the schema.
const I8: u8 = 9;
pub(super) const I32: u8 = 2;

/// A file with one graph.
pub(super) struct Network<'a> {
    codes: Vec<FlatTable<'a>>,
    pub(super) tensors: Vec<FlatTable<'a>>,
    operators: Vec<FlatTable<'a>>,
    buffers: Vec<FlatTable<'a>>,
}

impl<'a> Network<'a> {
    pub(super) fn read(file: &'a [u8]) -> Option<Self> {
        let model = FlatTable::root(file, b"TFL3")?;
        let graph = *model.tables(2)?.first()?;
        Some(Self {
            codes: model.tables(1)?,
            tensors: graph.tables(0)?,
            operators: graph.tables(3)?,
            buffers: model.tables(4)?,
        })
    }

    pub(super) fn name(&self, tensor: usize) -> Option<&'a [u8]> {
        self.tensors.get(tensor)?.vector(3, 1).map(|(_, name)| name)
    }

    /// The names, for error texts. Long ones are cut, since many tensors of a hostile file may share one.
    pub(super) fn names(&self) -> Option<Vec<String>> {
        const MOST: usize = 200;
        let text = |name: &[u8]| match name.get(..MOST) {
            Some(start) => format!("{}..", String::from_utf8_lossy(start)),
            None => String::from_utf8_lossy(name).into_owned(),
        };
        (0..self.tensors.len()).map(|tensor| self.name(tensor).map(text)).collect()
    }

    /// The number of a tensor's element type in the schema.
    pub(super) fn element_code(&self, tensor: usize) -> Option<u8> {
        self.tensors.get(tensor)?.byte(1)
    }

    pub(super) fn shape(&self, tensor: usize) -> Option<Vec<usize>> {
        let extents = self.tensors.get(tensor)?.numbers(0, i32::from_le_bytes)?;
        extents.into_iter().map(|extent| usize::try_from(extent).ok()).collect()
    }

    /// The elements in the file, which activations do not have.
    pub(super) fn data(&self, tensor: usize) -> Option<&'a [u8]> {
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
    pub(super) fn quantization(&self, tensor: usize) -> Option<(Vec<f32>, Vec<i64>, usize)> {
        let Some(table) = self.tensors.get(tensor)?.table(4)? else {
            return Some((Vec::new(), Vec::new(), 0));
        };
        let axis = table.word(6)? as usize;
        Some((table.numbers(2, f32::from_le_bytes)?, table.numbers(3, i64::from_le_bytes)?, axis))
    }

    /// The scale and the zero point of an activation of int8, if both are fit for an epilogue.
    pub(super) fn scale(&self, tensor: i32) -> Option<(f32, i32)> {
        let tensor = usize::try_from(tensor).ok()?;
        let (scales, points, _) = self.quantization(tensor)?;
        if self.element_code(tensor)? != I8 {
            return None;
        }
        let scale = scales.first().copied().filter(|scale| is_scale(*scale))?;
        Some((scale, i32::try_from(*points.first()?).ok()?))
    }

    /// The operators that read a tensor as their weights, with their codes.
    pub(super) fn readers(&self, tensor: usize) -> Option<Vec<(FlatTable<'a>, u32)>> {
        let mut readers = Vec::new();
        for operator in &self.operators {
            let (_, inputs) = operator.vector(1, 4)?;
            let weights = inputs.get(4..).and_then(|rest| rest.first_chunk().copied());
            if weights.is_some_and(|index| usize::try_from(i32::from_le_bytes(index)) == Ok(tensor))
            {
                let code = self.codes.get(operator.word(0)? as usize)?;
                // Codes below 127 are in the older field.
                readers.push((*operator, code.word(3)?.max(u32::from(code.byte(0)?))));
            }
        }
        Some(readers)
    }
}

/// Whether a step of integers can have this value.
pub(super) fn is_scale(scale: f32) -> bool {
    scale.is_finite() && scale > 0.0
}

/// The element type of a number of the schema.
pub(super) fn element(code: u8) -> Option<ElementType> {
    Some(match code {
        0 => ElementType::F32,
        1 => ElementType::F16,
        I32 => ElementType::I32,
        3 => ElementType::U8,
        4 => ElementType::I64,
        6 => ElementType::Bool,
        7 => ElementType::I16,
        I8 => ElementType::I8,
        10 => ElementType::F64,
        12 => ElementType::U64,
        15 => ElementType::U32,
        16 => ElementType::U16,
        17 => ElementType::I4,
        18 => ElementType::BF16,
        _ => return None,
    })
}
