//! The sides of a conversion of values: records and layouts, and where their elements lie.

use alloc::vec::Vec;

use layout_records::{Record, RecordError, RecordField, UseFault};
use layout_types::spec::half_floats::{bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};
use layout_types::{ElementType, Layout};

use super::record_buffer::fault;
use super::value_form::{ValueForm, number_of};

/// What a conversion of values reads or writes: a record by its value rule, or a tensor of plain numbers.
#[derive(Clone, Copy, Debug)]
pub enum ValueSide<'a> {
    /// The values of a record. A record of one field without a rule has the values of that field.
    Record(&'a Record),
    /// A tensor of one buffer, which holds the bytes of its units in native byte order.
    Layout(&'a Layout),
}

impl<'a> From<&'a Record> for ValueSide<'a> {
    fn from(record: &'a Record) -> Self {
        Self::Record(record)
    }
}

impl<'a> From<&'a Layout> for ValueSide<'a> {
    fn from(layout: &'a Layout) -> Self {
        Self::Layout(layout)
    }
}

impl ValueSide<'_> {
    /// The letters and extents of the axes.
    pub(super) fn axes(&self) -> Vec<(char, usize)> {
        let (letters, extents) = match self {
            Self::Record(record) => (record.letters(), record.extents()),
            Self::Layout(layout) => (layout.letters(), layout.extents()),
        };
        (0..letters.count()).map(|axis| (letters.at(axis), extents[axis])).collect()
    }

    /// The value rule as written.
    pub(super) fn rule(&self) -> &str {
        match self {
            Self::Record(record) => record.value().unwrap_or(""),
            Self::Layout(_) => "",
        }
    }

    /// Whether it is a record of ggml.
    pub(super) fn is_of_ggml(&self) -> bool {
        let known = match self {
            Self::Record(record) => layout_records::known(record),
            Self::Layout(_) => None,
        };
        known.is_some_and(|known| known.name().starts_with("ggml::"))
    }

    /// The bytes of each buffer.
    pub(super) fn bytes(&self) -> Vec<usize> {
        match self {
            Self::Record(record) => (0..record.buffers()).map(|i| record.bytes(i)).collect(),
            Self::Layout(layout) => alloc::vec![layout.bytes()],
        }
    }

    /// The form of the values, and the fields that it names.
    pub(super) fn parts(&self) -> Result<(ValueForm, Vec<StoredField>), RecordError> {
        match *self {
            Self::Layout(layout) => {
                if layout.swizzle().is_some() {
                    return Err(fault(UseFault::ValueDigit("", true)));
                }
                let element = layout.element();
                let place = StoredPlace::Layout(*layout);
                let field = StoredField::new(place, element, element.value_bits(), 0)?;
                Ok((ValueForm::of_field(0), alloc::vec![field]))
            }
            Self::Record(record) => {
                let form = ValueForm::of(record)?;
                let fields = (0..record.field_count()).map(|i| {
                    let field = record.field(record.field_name(i).as_str())?;
                    let (element, bits) = (field.element(), field.bits());
                    let buffer = field.buffer();
                    StoredField::new(StoredPlace::Field(field), element, bits, buffer)
                });
                Ok((form, fields.collect::<Result<_, _>>()?))
            }
        }
    }
}

/// Where elements lie.
#[derive(Clone, Debug)]
enum StoredPlace {
    Field(RecordField),
    Layout(Layout),
}

/// A field of a record, or the elements of a layout.
#[derive(Clone, Debug)]
pub(super) struct StoredField {
    place: StoredPlace,
    element: ElementType,
    pub(super) bits: usize,
    pub(super) buffer: usize,
    /// Whether the first bit of a byte is its highest one.
    is_high_first: bool,
    /// Whether bytes are in the order of the machine.
    is_native: bool,
}

impl StoredField {
    fn new(
        place: StoredPlace,
        element: ElementType,
        bits: usize,
        buffer: usize,
    ) -> Result<Self, RecordError> {
        if !element.is_number() && element.integer_range().is_none() {
            return Err(fault(UseFault::ValueElement(element)));
        }
        let (is_high_first, is_native) = match &place {
            StoredPlace::Field(field) => (field.is_high_first(), false),
            StoredPlace::Layout(_) => (element.low_first() != element, true),
        };
        if is_high_first && bits > 8 || bits > 64 {
            return Err(fault(UseFault::ValueElement(element)));
        }
        Ok(Self { place, element: element.low_first(), bits, buffer, is_high_first, is_native })
    }

    pub(super) const fn element(&self) -> ElementType {
        self.element
    }

    /// How many coordinates of an axis share an element; 0 stands for all of them.
    pub(super) fn shared(&self, letter: char) -> usize {
        match &self.place {
            StoredPlace::Layout(_) => 1,
            StoredPlace::Field(field) => {
                field.letters().position(letter).map_or(0, |axis| field.shared(axis))
            }
        }
    }

    /// The sizes of tiles of an axis with which the tiles lie alike: those that divide each of these numbers or are
    /// multiples of it.
    pub(super) fn weights(&self, letter: char) -> Result<Vec<usize>, RecordError> {
        match &self.place {
            StoredPlace::Layout(layout) => {
                let axis = layout.letters().position(letter);
                let digits = layout.digits();
                let own = digits.as_slice().iter().filter(|digit| Some(digit.axis) == axis);
                // A tile of one coordinate lies where its coordinate does.
                if own.clone().any(|digit| digit.shift > 0) {
                    return Ok(alloc::vec![1, usize::MAX]);
                }
                Ok(own.map(|digit| digit.weight).collect())
            }
            StoredPlace::Field(field) => {
                let weights = field.weights(letter);
                let weights =
                    weights.ok_or_else(|| fault(UseFault::ValueDigit(field.name(), false)))?;
                Ok(weights.chain([self.shared(letter).max(1)]).collect())
            }
        }
    }

    /// The first bit of the element at a coordinate, which `axes` gives in the order of the side.
    pub(super) fn bit(&self, coordinate: &[usize]) -> i64 {
        match &self.place {
            StoredPlace::Layout(layout) => {
                let offset = layout.offset(coordinate) as i64;
                offset * layout.element().bits() as i64
            }
            StoredPlace::Field(field) => field.bit_of(coordinate).unwrap_or(0) as i64,
        }
    }

    /// Reads the element at a bit: its lowest bits.
    #[inline(always)]
    pub(super) fn code(&self, bytes: &[u8], bit: usize) -> u8 {
        let (byte, within, bits) = (bit / 8, bit % 8, self.bits);
        let mask = (u16::MAX >> (16 - bits)) as u8;
        if within + bits <= 8 {
            let shift = if self.is_high_first { 8 - within - bits } else { within };
            return bytes[byte] >> shift & mask;
        }
        let (first, second) = (u16::from(bytes[byte]), u16::from(bytes[byte + 1]));
        let (pair, shift) = match self.is_high_first {
            false => (first | second << 8, within),
            true => (second | first << 8, 16 - within - bits),
        };
        (pair >> shift) as u8 & mask
    }

    /// Writes the element at a bit.
    #[inline(always)]
    pub(super) fn set_code(&self, bytes: &mut [u8], bit: usize, code: u8) {
        let (byte, within, bits) = (bit / 8, bit % 8, self.bits);
        let mask = u16::MAX >> (16 - bits);
        let is_one = within + bits <= 8;
        let width = if is_one { 8 } else { 16 };
        let shift = if self.is_high_first { width - within - bits } else { within };
        let (mask, code) = (mask << shift, u16::from(code) << shift);
        if is_one {
            bytes[byte] = bytes[byte] & !(mask as u8) | code as u8;
            return;
        }
        let places = if self.is_high_first { [byte + 1, byte] } else { [byte, byte + 1] };
        for (i, place) in places.into_iter().enumerate() {
            let shift = 8 * i;
            bytes[place] = bytes[place] & !((mask >> shift) as u8) | (code >> shift) as u8;
        }
    }

    /// The number of bytes of an element out of its buffer.
    pub(super) const fn held(&self) -> usize {
        if self.bits <= 8 { 1 } else { self.bits.div_ceil(8) }
    }

    /// The values of elements out of their buffer.
    pub(super) fn decode(&self, held: &[u8], values: &mut [f32]) {
        let element = self.element;
        if self.bits <= 8 {
            for (value, &code) in values.iter_mut().zip(held) {
                *value = number_of(element, self.bits, code);
            }
            return;
        }
        match element {
            ElementType::F16 => self.each(held, values, |b| f16_to_f32(u16::from_le_bytes(b))),
            ElementType::BF16 => self.each(held, values, |b| bf16_to_f32(u16::from_le_bytes(b))),
            ElementType::F32 => self.each(held, values, f32::from_le_bytes),
            ElementType::F64 => self.each(held, values, |b| f64::from_le_bytes(b) as f32),
            _ => {
                let is_signed = element.integer_range().is_some_and(|range| range.0 < 0);
                for (value, own) in values.iter_mut().zip(held.chunks_exact(self.held())) {
                    let mut bits = [0; 8];
                    bits[..own.len()].copy_from_slice(own);
                    if self.is_native && cfg!(target_endian = "big") {
                        bits[..own.len()].reverse();
                    }
                    let above = 64 - self.bits;
                    let bits = u64::from_le_bytes(bits) << above;
                    *value = match is_signed {
                        true => (bits as i64 >> above) as f32,
                        false => (bits >> above) as f32,
                    };
                }
            }
        }
    }

    #[inline(always)]
    fn each<const BYTES: usize>(
        &self,
        held: &[u8],
        values: &mut [f32],
        of: impl Fn([u8; BYTES]) -> f32,
    ) {
        let turns = self.is_native && cfg!(target_endian = "big");
        for (value, own) in values.iter_mut().zip(held.chunks_exact(BYTES)) {
            let mut bytes = [0; BYTES];
            bytes.copy_from_slice(own);
            if turns {
                bytes.reverse();
            }
            *value = of(bytes);
        }
    }

    /// Whether values can be written to the field: it has floats.
    pub(super) fn is_float(&self) -> bool {
        self.element.integer_range().is_none()
    }

    /// The elements that are nearest to values, out of their buffer.
    pub(super) fn encode(&self, values: &[f32], held: &mut [u8]) {
        match self.element {
            ElementType::F16 => self.put(values, held, |v| f16_from_f32(v).to_le_bytes()),
            ElementType::BF16 => self.put(values, held, |v| bf16_from_f32(v).to_le_bytes()),
            ElementType::F32 => self.put(values, held, f32::to_le_bytes),
            ElementType::F64 => self.put(values, held, |v| f64::from(v).to_le_bytes()),
            element if element.integer_range().is_some() => {
                let whole = |value: f32| (value as i64).to_le_bytes();
                for (value, own) in values.iter().zip(held.chunks_exact_mut(self.held())) {
                    own.copy_from_slice(&whole(*value)[..own.len()]);
                    if self.is_native && cfg!(target_endian = "big") {
                        own.reverse();
                    }
                    own[0] &= (u16::MAX >> (16 - self.bits.min(8))) as u8;
                }
            }
            element => {
                for (value, own) in values.iter().zip(held) {
                    *own = element.kind().nearest_small_float(*value);
                }
            }
        }
    }

    #[inline(always)]
    fn put<const BYTES: usize>(
        &self,
        values: &[f32],
        held: &mut [u8],
        of: impl Fn(f32) -> [u8; BYTES],
    ) {
        let turns = self.is_native && cfg!(target_endian = "big");
        for (value, own) in values.iter().zip(held.chunks_exact_mut(BYTES)) {
            let mut bytes = of(*value);
            if turns {
                bytes.reverse();
            }
            own.copy_from_slice(&bytes);
        }
    }
}
