//! Element types: their names and widths.

use core::fmt;

use super::half_floats;
use super::text::{Name, same_text};

/// The type of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum ElementType {
    /// Unsigned 1-bit integer, eight per byte, the first in the lowest bit.
    U1,
    /// Signed 2-bit integer, four per byte, the first in the lowest bits.
    I2,
    /// Unsigned 2-bit integer, four per byte, the first in the lowest bits.
    U2,
    /// Signed 4-bit integer, two per byte, the even offset in the low nibble.
    I4,
    /// Unsigned 4-bit integer, two per byte, the even offset in the low nibble.
    U4,
    /// Elements of less than a byte, with the first one of a byte in its highest bits.
    HighFirst(SubByte),
    /// A byte: 0 is false, every other value is true. `true` is stored as 1.
    Bool,
    /// Signed 8-bit integer.
    I8,
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 64-bit integer.
    U64,
    /// IEEE 754 binary16.
    F16,
    /// bfloat16: the upper half of an [`F32`](Self::F32).
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// OCP's 8-bit float with 4 exponent and 3 mantissa bits.
    F8E4M3,
    /// OCP's 8-bit float with 5 exponent and 2 mantissa bits.
    F8E5M2,
    /// A type of your own.
    Plain {
        /// Its size in bytes.
        bytes: usize,
        /// Its alignment in bytes.
        align: usize,
    },
}

/// The space of a row of `elements` elements that may be padded, `per_byte` of which share a byte: whole bytes, unless
/// several such rows fill one byte. `None` beyond `usize::MAX`.
#[inline(always)]
pub(crate) const fn padded_row(elements: usize, per_byte: usize) -> Option<usize> {
    match elements < per_byte && elements.is_power_of_two() {
        true => Some(elements),
        false => elements.checked_next_multiple_of(per_byte),
    }
}

use ElementType::*;

/// The element types of less than a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SubByte {
    /// [`ElementType::U1`].
    U1,
    /// [`ElementType::I2`].
    I2,
    /// [`ElementType::U2`].
    U2,
    /// [`ElementType::I4`].
    I4,
    /// [`ElementType::U4`].
    U4,
}

impl SubByte {
    /// The type with the first element of a byte in its lowest bits.
    const fn low_first(self) -> ElementType {
        match self {
            Self::U1 => U1,
            Self::I2 => I2,
            Self::U2 => U2,
            Self::I4 => I4,
            Self::U4 => U4,
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::U1 => "u1, high_first",
            Self::I2 => "i2, high_first",
            Self::U2 => "u2, high_first",
            Self::I4 => "i4, high_first",
            Self::U4 => "u4, high_first",
        }
    }
}

/// The types that have a name.
const NAMED: &[ElementType] = &[
    U1, I2, U2, I4, U4, Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64, F8E4M3,
    F8E5M2,
];

/// Names of the same types in other systems.
const FOREIGN: &[(&str, &str)] = &[
    ("int2", "i2"),
    ("int4", "i4"),
    ("s2", "i2"),
    ("s4", "i4"),
    ("uint1", "u1"),
    ("uint2", "u2"),
    ("uint4", "u4"),
    ("s8", "i8"),
    ("int8", "i8"),
    ("qint8", "i8"),
    ("uint8", "u8"),
    ("quint8", "u8"),
    ("byte", "u8"),
    ("int16", "i16"),
    ("short", "i16"),
    ("uint16", "u16"),
    ("s32", "i32"),
    ("int32", "i32"),
    ("int", "i32"),
    ("uint32", "u32"),
    ("int64", "i64"),
    ("long", "i64"),
    ("uint64", "u64"),
    ("fp16", "f16"),
    ("float16", "f16"),
    ("half", "f16"),
    ("bfp16", "bf16"),
    ("bfloat16", "bf16"),
    ("fp32", "f32"),
    ("float32", "f32"),
    ("float", "f32"),
    ("fp64", "f64"),
    ("float64", "f64"),
    ("double", "f64"),
    ("f8", "f8e4m3` or `f8e5m2"),
    ("fp8", "f8e4m3` or `f8e5m2"),
    ("float8", "f8e4m3` or `f8e5m2"),
    ("float8_e4m3", "f8e4m3"),
    ("float8_e4m3fn", "f8e4m3"),
    ("float8_e5m2", "f8e5m2"),
];

impl ElementType {
    /// Returns the type with this name in `layout!`.
    pub const fn from_name(name: &str) -> Option<Self> {
        let mut i = 0;
        while i < NAMED.len() {
            if same_text(NAMED[i].label(), name) {
                return Some(NAMED[i]);
            }
            i += 1;
        }
        None
    }

    /// Returns the name in `layout!` of the type that another system calls `name`.
    #[doc(hidden)]
    pub const fn name_for_foreign(name: &str) -> Option<&'static str> {
        let mut i = 0;
        while i < FOREIGN.len() {
            if same_text(FOREIGN[i].0, name) {
                return Some(FOREIGN[i].1);
            }
            i += 1;
        }
        None
    }

    /// The name in `layout!`. For a type of your own, it states the size.
    pub const fn name(self) -> Name {
        if let Plain { bytes, .. } = self {
            let mut name = Name::EMPTY;
            name.push_number(bytes);
            name.push("-byte element");
            return name;
        }
        Name::new(self.label())
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            U1 => "u1",
            I2 => "i2",
            U2 => "u2",
            I4 => "i4",
            U4 => "u4",
            HighFirst(element) => element.label(),
            Bool => "bool",
            I8 => "i8",
            U8 => "u8",
            I16 => "i16",
            U16 => "u16",
            I32 => "i32",
            U32 => "u32",
            I64 => "i64",
            U64 => "u64",
            F16 => "f16",
            BF16 => "bf16",
            F32 => "f32",
            F64 => "f64",
            F8E4M3 => "f8e4m3",
            F8E5M2 => "f8e5m2",
            Plain { .. } => "plain",
        }
    }

    /// The width in bits: 1, 2, 4, or a multiple of 8.
    pub const fn bits(self) -> usize {
        match self {
            U1 => 1,
            I2 | U2 => 2,
            I4 | U4 => 4,
            HighFirst(element) => element.low_first().bits(),
            Bool | I8 | U8 | F8E4M3 | F8E5M2 => 8,
            I16 | U16 | F16 | BF16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 => 64,
            // `check_element` refuses a size whose bits overflow.
            Plain { bytes, .. } => bytes.saturating_mul(8),
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

    /// For elements of less than a byte: the byte of the element at `offset`, and the position of its lowest bit in
    /// that byte.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn bits_at(self, offset: usize) -> (usize, usize) {
        let per_byte = self.per_byte();
        let first = offset % per_byte;
        let place = if self.is_high_first() { per_byte - 1 - first } else { first };
        (offset / per_byte, place * self.bits())
    }

    /// Whether a row of `elements` elements begins and ends at whole bytes, or several such rows fill one byte.
    #[doc(hidden)]
    pub const fn is_row(self, elements: usize) -> bool {
        matches!(padded_row(elements, self.per_byte()), Some(row) if row == elements)
    }

    /// The alignment in bytes that a pointer to elements needs on this machine.
    pub const fn align(self) -> usize {
        match self {
            I64 | U64 => align_of::<u64>(),
            F64 => align_of::<f64>(),
            Plain { align, .. } => align,
            other => other.bits().div_ceil(8),
        }
    }

    /// The bytes of `count` elements, or `None` beyond `isize::MAX` bytes or elements: distances in elements have a sign.
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
    /// type is not a float. 8-bit floats take only 0.
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
            F8E4M3 | F8E5M2 if value.to_bits() == 0 => (0, 0.0),
            _ => return None,
        };
        if rounded.is_finite() { Some(bits) } else { None }
    }

    /// Whether `bits` are the bits of one element, lowest bit first. Padding of a type of the user's own is always
    /// zero.
    #[doc(hidden)]
    pub const fn fits(self, bits: u64) -> bool {
        match self {
            Plain { .. } => bits == 0,
            Bool => bits <= 1,
            other => other.bits() >= 64 || bits >> other.bits() == 0,
        }
    }

    /// The smallest and the largest value of an integer type.
    #[doc(hidden)]
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        match self.low_first() {
            I2 | I4 | I8 | I16 | I32 | I64 => {
                let half = 1i128 << (self.bits() - 1);
                Some((-half, half - 1))
            }
            Bool => Some((0, 1)),
            U1 | U2 | U4 | U8 | U16 | U32 | U64 => Some((0, (1i128 << self.bits()) - 1)),
            _ => None,
        }
    }

    /// `==` in a `const fn`.
    #[doc(hidden)]
    pub const fn same(self, other: Self) -> bool {
        match (self, other) {
            (Plain { bytes: a, align: b }, Plain { bytes: c, align: d }) => a == c && b == d,
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
    use super::*;

    #[test]
    fn names_lead_back_to_their_types() {
        for &element in NAMED {
            assert_eq!(ElementType::from_name(element.name().as_str()), Some(element));
            assert_eq!(std::format!("{element}").parse(), Ok(element));
        }
        assert_eq!("plain(12, align = 4)".parse(), Ok(Plain { bytes: 12, align: 4 }));
        let error = "float32".parse::<ElementType>().unwrap_err().message();
        assert_eq!(error.as_str(), "unknown element type `float32`; write `f32`");
        assert_eq!(ElementType::from_name("bf16"), Some(BF16));
        assert_eq!(ElementType::from_name("plain"), None);
        for &(name, _) in FOREIGN {
            assert_eq!(ElementType::from_name(name), None, "{name} has two readings");
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
        assert_eq!((U4.bits_at(3), high(U4).bits_at(3)), ((1, 4), (1, 0)));
        assert_eq!((U2.bits_at(5), high(U2).bits_at(5)), ((1, 2), (1, 4)));
        assert_eq!((U1.bits_at(15), high(U1).bits_at(15)), ((1, 7), (1, 0)));
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
