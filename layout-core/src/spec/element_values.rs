//! Element types: their names, widths and values.

use core::fmt;

use super::element::{ElementType, IntegerWidth, Kind};
use super::error::LayoutError;
use super::half_floats;
use super::rules::Rule;
use super::text::{Name, same_text};

use ElementType::{BF16, F16, F32, F64, HighFirst, Integer, Plain};

/// The space of a row of `elements` elements that may be padded, `per_byte` of which share a byte: whole bytes, unless
/// several such rows fill one byte. `None` beyond `usize::MAX`.
#[inline(always)]
pub(crate) const fn padded_row(elements: usize, per_byte: usize) -> Option<usize> {
    match elements < per_byte && elements.is_power_of_two() {
        true => Some(elements),
        false => elements.checked_next_multiple_of(per_byte),
    }
}

/// The first named type for which a condition holds.
macro_rules! first_with {
    ($element:ident => $holds:expr) => {{
        let mut i = 0;
        while i < ElementType::NAMED.len() {
            let $element = ElementType::NAMED[i];
            if $holds {
                break;
            }
            i += 1;
        }
        if i < ElementType::NAMED.len() { Some(ElementType::NAMED[i]) } else { None }
    }};
}

/// Where elements of less than a byte lie: the number of those that share a byte, and whether the first of them is in
/// its highest bits.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct InBytes {
    per_byte: usize,
    is_high_first: bool,
}

impl InBytes {
    /// The byte of the element at `offset`, and the position of its lowest bit in that byte.
    #[inline(always)]
    pub const fn at(self, offset: usize) -> (usize, usize) {
        let Self { per_byte, is_high_first } = self;
        let first = offset % per_byte;
        let place = if is_high_first { per_byte - 1 - first } else { first };
        (offset / per_byte, place * (8 / per_byte))
    }
}

impl ElementType {
    /// Returns the type with this name in `layout!`.
    pub const fn from_name(name: &str) -> Option<Self> {
        if let Some(named) = first_with!(element => same_text(element.label(), name)) {
            return Some(named);
        }
        let (signed, bits) = match name.as_bytes() {
            [b'i', digits @ ..] => (true, digits),
            [b'u', digits @ ..] => (false, digits),
            _ => return None,
        };
        match bits {
            [ones @ b'1'..=b'9'] => Self::integer((*ones - b'0') as usize, signed),
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => {
                Self::integer((*tens - b'0') as usize * 10 + (*ones - b'0') as usize, signed)
            }
            _ => None,
        }
    }

    /// Returns the integer type whose values have this number of bits. `None` unless it is from 1 to 64.
    pub const fn integer(bits: usize, signed: bool) -> Option<Self> {
        if bits == 0 || bits > 64 {
            return None;
        }
        let named = first_with!(element => {
            let row = element.row();
            row.bits as usize == bits && matches!(row.kind, Kind::Integer { signed: is_signed } if is_signed == signed)
        });
        match named {
            Some(named) => Some(named),
            None => Some(Integer(IntegerWidth { bits: bits as u8, signed })),
        }
    }

    /// Returns the names in `layout!` of the types that other systems call `name`: `` f8e4m3` or `f8e5m2 ``. Empty if
    /// there is none.
    #[doc(hidden)]
    pub const fn names_for_foreign(name: &str) -> Name {
        let mut names = Name::EMPTY;
        each!(i, 0..Self::NAMED.len(), {
            let row = Self::NAMED[i].row();
            each!(other, 0..row.others.len(), {
                if same_text(row.others[other], name) {
                    names.push(if names.is_empty() { "" } else { "` or `" });
                    names.push(row.name);
                }
            });
        });
        names
    }

    /// The name in `layout!`. For a type of your own, it states the size.
    pub const fn name(self) -> Name {
        let mut name = Name::new(self.label());
        match self {
            HighFirst(_) => name.push(", high_first"),
            Integer(width) => {
                name.push(if width.signed { "i" } else { "u" });
                name.push_number(width.bits as usize);
            }
            Plain { bytes, .. } => {
                name.push_number(bytes);
                name.push("-byte element");
            }
            _ => {}
        }
        name
    }

    /// The number of bits of a value: 24 for `i24`, which takes 32.
    pub const fn value_bits(self) -> usize {
        match self {
            Plain { .. } => self.bits(),
            named => named.row().bits as usize,
        }
    }

    /// What the bits of an element mean.
    #[doc(hidden)]
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// Whether conversions read and write the type: all but types of your own and integers of a width without a
    /// variant.
    pub const fn is_number(self) -> bool {
        !matches!(self, Integer(_) | Plain { .. })
    }

    /// NumPy's name of the type, without the byte order, such as `f4`. `None` if NumPy does not have the type.
    pub const fn numpy_name(self) -> Option<&'static str> {
        self.row().numpy
    }

    /// Returns the type that NumPy calls `name`, without the byte order.
    pub const fn from_numpy_name(name: &str) -> Option<Self> {
        first_with!(element => matches!(element.row().numpy, Some(numpy) if same_text(numpy, name)))
    }

    /// The name of the type in .safetensors files. `None` if they do not have the type. Floats of 4 bits begin in the lowest
    /// bits of a byte there.
    pub const fn safetensors_name(self) -> Option<&'static str> {
        if self.is_high_first() { None } else { self.row().safetensors }
    }

    /// Returns the type that .safetensors files call `name`.
    pub const fn from_safetensors_name(name: &str) -> Option<Self> {
        first_with!(element => matches!(element.row().safetensors, Some(stored) if same_text(stored, name)))
    }

    /// DLPack's code of the type, `DLDataTypeCode`. Its number of bits there is [`bits`](Self::bits). `None` if DLPack
    /// does not have the type.
    pub const fn dlpack_code(self) -> Option<u8> {
        self.row().dlpack
    }

    /// Returns the type with this code and number of bits in DLPack.
    pub const fn from_dlpack(code: u8, bits: usize) -> Option<Self> {
        first_with!(element => matches!(element.row().dlpack, Some(listed) if listed == code) && element.bits() == bits)
    }

    /// Returns the same element type with the first element of a byte in its highest bits, as in torchao's packed
    /// `uint4` and in `numpy.packbits`. By default, the first element is in the lowest bits, as in ONNX, GGUF and the
    /// words of AWQ and GPTQ.
    ///
    /// # Errors
    /// The elements have a byte or more.
    pub const fn high_first(self) -> Result<Self, LayoutError> {
        match self.sub_byte() {
            Some(small) => Ok(HighFirst(small)),
            None => Err(LayoutError(Rule::HighFirst { element: self })),
        }
    }

    /// The same type with the first element of a byte in its lowest bits. Elements of a byte or more are unchanged.
    pub const fn low_first(self) -> Self {
        match self {
            HighFirst(element) => element.low_first(),
            other => other,
        }
    }

    /// Whether several elements share a byte, and the first of them is in the highest bits.
    pub const fn is_high_first(self) -> bool {
        matches!(self, HighFirst(_))
    }

    /// The number of elements in a byte: 8, 4 or 2 for elements of less than a byte, else 1.
    pub const fn per_byte(self) -> usize {
        match self.bits() {
            bits @ 1..8 => 8 / bits,
            _ => 1,
        }
    }

    /// Where elements of less than a byte lie in bytes. For the others, there is one in each.
    #[doc(hidden)]
    pub const fn in_bytes(self) -> InBytes {
        InBytes { per_byte: self.per_byte(), is_high_first: self.is_high_first() }
    }

    /// Whether a row of `elements` elements begins and ends at whole bytes, or several such rows fill one byte.
    #[doc(hidden)]
    pub const fn is_row(self, elements: usize) -> bool {
        matches!(padded_row(elements, self.per_byte()), Some(row) if row == elements)
    }

    /// The alignment in bytes that a pointer to elements needs on this machine.
    pub const fn align(self) -> usize {
        match self {
            Plain { align, .. } => align,
            F64 => align_of::<f64>(),
            other => match other.bits() {
                64 => align_of::<u64>(),
                bits => bits.div_ceil(8),
            },
        }
    }

    /// The bytes of `count` elements, or `None` beyond `isize::MAX` bytes or elements: distances in elements have a
    /// sign.
    pub const fn bytes_of(self, count: usize) -> Option<usize> {
        const MOST: usize = isize::MAX as usize;
        let bytes = match self {
            Plain { bytes, .. } => bytes,
            other => match other.bits() {
                bits @ 1..8 if count <= MOST => return Some(count.div_ceil(8 / bits)),
                bits => bits / 8,
            },
        };
        match count <= MOST && (bytes == 0 || count <= MOST / bytes) {
            true => Some(count * bytes),
            false => None,
        }
    }

    /// The number of elements in `bytes` bytes, or `None` if it is not a whole number.
    #[doc(hidden)]
    pub const fn count_in(self, bytes: usize) -> Option<usize> {
        match self.bits() {
            0 => None,
            bits if bits < 8 => bytes.checked_mul(8 / bits),
            bits if bytes % (bits / 8) == 0 => Some(bytes / (bits / 8)),
            _ => None,
        }
    }

    /// The bits of an integer as an element of an integer or float type. `None` if the type cannot hold it.
    #[doc(hidden)]
    pub const fn bits_of_integer(self, value: i128) -> Option<u64> {
        match self.integer_range() {
            Some((low, high)) if low <= value && value <= high => {
                Some(value as u64 & (u64::MAX >> (64 - self.bits())))
            }
            Some(_) => None,
            None => self.bits_of_float(value as f64),
        }
    }

    /// The bits of a number as an element of a float type, rounded to nearest. `None` if it is too large, or if the
    /// type is not a float.
    #[doc(hidden)]
    pub const fn bits_of_float(self, value: f64) -> Option<u64> {
        let (bits, rounded) = match self {
            F16 => {
                let bits = half_floats::f16_from_f64(value);
                (bits as u64, half_floats::f16_to_f32(bits) as f64)
            }
            BF16 => {
                let bits = half_floats::bf16_from_f64(value);
                (bits as u64, half_floats::bf16_to_f32(bits) as f64)
            }
            F32 => ((value as f32).to_bits() as u64, value as f32 as f64),
            F64 => (value.to_bits(), value),
            other => {
                let kind = other.kind();
                let bits = kind.nearest_small_float(half_floats::rounded_to_odd(value));
                let rounded = kind.small_float(bits) as f64;
                // A scale is its power of two, and a type without infinity has a largest number.
                let fits = match kind {
                    Kind::Scale => rounded == value,
                    _ => kind.has_nan() || value.abs() <= kind.largest_float(),
                };
                (bits as u64, if fits { rounded } else { f64::NAN })
            }
        };
        if rounded.is_finite() { Some(bits) } else { None }
    }

    /// Whether `bits` are the bits of one element, lowest bit first. Padding of a type of the user's own is always
    /// zero.
    #[doc(hidden)]
    pub const fn fits(self, bits: u64) -> bool {
        match self {
            Plain { .. } => bits == 0,
            ElementType::Bool => bits <= 1,
            other => match other.integer_range() {
                // The bits above a signed value equal its sign.
                Some((..0, _)) if other.value_bits() < other.bits() => {
                    let above = 64 - other.value_bits();
                    ((bits << above) as i64 >> above) as u64 & (u64::MAX >> (64 - other.bits()))
                        == bits
                }
                _ => other.value_bits() >= 64 || bits >> other.value_bits() == 0,
            },
        }
    }

    /// The smallest and the largest value of an integer type.
    #[doc(hidden)]
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        let bits = self.value_bits();
        match self.kind() {
            Kind::Integer { signed: true } => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            Kind::Integer { signed: false } => Some((0, (1 << bits) - 1)),
            Kind::Bool => Some((0, 1)),
            _ => None,
        }
    }

    /// `==` in a `const fn`.
    #[doc(hidden)]
    pub const fn same(self, other: Self) -> bool {
        match (self, other) {
            (Plain { bytes: a, align: b }, Plain { bytes: c, align: d }) => a == c && b == d,
            (Integer(a), Integer(b)) => a.bits == b.bits && a.signed == b.signed,
            (HighFirst(a), HighFirst(b)) => a.low_first().same(b.low_first()),
            (HighFirst(_), _) | (_, HighFirst(_)) => false,
            (a, b) => same_text(a.label(), b.label()),
        }
    }
}

/// Writes the [`name`](ElementType::name): `f32`.
impl fmt::Display for ElementType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name(), formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::ElementType::*;
    use super::*;

    #[test]
    fn names_lead_back_to_their_types() {
        let integers = (1..=64).flat_map(|bits| {
            [true, false].map(|signed| ElementType::integer(bits, signed).unwrap())
        });
        for element in integers.chain(ElementType::NAMED.iter().copied()) {
            assert_eq!(ElementType::from_name(element.name().as_str()), Some(element));
            assert_eq!(std::format!("{element}").parse(), Ok(element));
            for name in element.row().others {
                assert_eq!(ElementType::from_name(name), None, "{name} has two readings");
            }
        }
        assert_eq!("plain(12, align = 4)".parse(), Ok(Plain { bytes: 12, align: 4 }));
        let error = "float32".parse::<ElementType>().unwrap_err().message();
        assert_eq!(error.as_str(), "unknown element type `float32`; write `f32`");
        assert_eq!(ElementType::from_name("bf16"), Some(BF16));
        for name in ["plain", "", "i", "i0", "i03", "u65", "i128", "u1x", "i3 "] {
            assert_eq!(ElementType::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn numbers_as_bits() {
        assert_eq!(I8.bits_of_integer(-1), Some(0xff));
        assert_eq!(I4.bits_of_integer(8), None);
        assert_eq!(U64.bits_of_integer(-1), None);
        assert_eq!(F16.bits_of_integer(1), Some(0x3c00));
        assert_eq!(F16.bits_of_float(65519.0), Some(0x7bff));
        assert_eq!(F16.bits_of_float(65520.0), None);
        assert_eq!(BF16.bits_of_float(-2.0), Some(0xc000));
        assert_eq!(F32.bits_of_float(1e39), None);
        assert_eq!(I8.bits_of_float(0.5), None);
        assert!(U4.fits(15) && !U4.fits(16) && U64.fits(u64::MAX));
        assert!(Bool.fits(1) && !Bool.fits(2));
        assert_eq!([0, 1, 2].map(|value| Bool.bits_of_integer(value)), [Some(0), Some(1), None]);
    }

    #[test]
    fn elements_of_less_than_a_byte_lie_in_either_order() {
        let high = |element: ElementType| element.high_first().unwrap();
        assert_eq!((U4.in_bytes().at(3), high(U4).in_bytes().at(3)), ((1, 4), (1, 0)));
        assert_eq!((U2.in_bytes().at(5), high(U2).in_bytes().at(5)), ((1, 2), (1, 4)));
        assert_eq!((U1.in_bytes().at(15), high(U1).in_bytes().at(15)), ((1, 7), (1, 0)));
        assert_eq!((high(I2).low_first(), high(high(I2))), (I2, high(I2)));
        assert_eq!((high(I4).integer_range(), high(I4).bits()), (Some((-8, 7)), 4));
        assert!(F32.high_first().is_err() && !high(U4).same(U4) && high(U4).same(high(U4)));
        assert_eq!(
            [1, 2, 3, 4, 6, 8].map(|row| U2.is_row(row)),
            [true, true, false, true, false, true]
        );
    }

    #[test]
    fn widths_ranges_and_bytes() {
        assert_eq!(I4.integer_range(), Some((-8, 7)));
        assert_eq!(U64.integer_range(), Some((0, u64::MAX as i128)));
        assert_eq!(F16.integer_range(), None);
        assert_eq!(I4.bytes_of(7), Some(4));
        assert_eq!([8, 9].map(|count| U1.bytes_of(count)), [Some(1), Some(2)]);
        assert_eq!(I2.integer_range(), Some((-2, 1)));
        assert_eq!(F32.bytes_of(isize::MAX as usize), None);
        assert_eq!(U1.bytes_of(isize::MAX as usize), Some(1 << (usize::BITS - 4)));
        assert_eq!(U1.bytes_of(1 << (usize::BITS - 1)), None);
        assert_eq!(Plain { bytes: 3, align: 1 }.bytes_of(5), Some(15));
    }
}
