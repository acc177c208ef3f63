//! The element types of .npy files: the strings that `numpy.dtype` takes.

use core::fmt;
use core::slice::EscapeAscii;
use core::str;

use layout_core::spec::ElementType;

use crate::numbers::ByteOrder;
use crate::numbers::{Element, complex_part};

/// NumPy's names of types that have the same size on every platform, and the same types as kind and bytes. Only a name
/// of one letter may follow a byte order.
const NAMES: &[(&str, &str)] = &[
    ("?", "b1"),
    ("b", "i1"),
    ("B", "u1"),
    ("h", "i2"),
    ("H", "u2"),
    ("i", "i4"),
    ("I", "u4"),
    ("q", "i8"),
    ("Q", "u8"),
    ("e", "f2"),
    ("f", "f4"),
    ("d", "f8"),
    ("F", "c8"),
    ("D", "c16"),
    ("bool", "b1"),
    ("bool_", "b1"),
    ("byte", "i1"),
    ("int8", "i1"),
    ("ubyte", "u1"),
    ("uint8", "u1"),
    ("short", "i2"),
    ("int16", "i2"),
    ("ushort", "u2"),
    ("uint16", "u2"),
    ("intc", "i4"),
    ("int32", "i4"),
    ("uintc", "u4"),
    ("uint32", "u4"),
    ("longlong", "i8"),
    ("int64", "i8"),
    ("ulonglong", "u8"),
    ("uint64", "u8"),
    ("half", "f2"),
    ("float16", "f2"),
    ("single", "f4"),
    ("float32", "f4"),
    ("double", "f8"),
    ("float", "f8"),
    ("float64", "f8"),
    ("csingle", "c8"),
    ("complex64", "c8"),
    ("cdouble", "c16"),
    ("complex", "c16"),
    ("complex128", "c16"),
];

/// NumPy's names of integers whose size depends on the platform.
const SIZED_BY_PLATFORM: &[&str] =
    &["l", "L", "n", "N", "p", "P", "long", "ulong", "int", "int_", "intp", "uint", "uintp"];

/// NumPy's names of types that are not numbers, and of floats that no element type has.
const NOT_ELEMENTS: &[&str] = &[
    "a",
    "c",
    "g",
    "G",
    "M",
    "m",
    "O",
    "S",
    "T",
    "U",
    "bytes",
    "bytes_",
    "clongdouble",
    "complex256",
    "float128",
    "longdouble",
    "object",
    "object_",
    "str",
    "str_",
    "unicode",
];

/// The element type of an .npy file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NpyType {
    /// The type of the elements; for complex numbers, that of their two parts.
    pub number: ElementType,
    /// Whether an element is a complex number: two numbers, the real part first.
    pub is_complex: bool,
    /// The byte order of the numbers.
    pub order: ByteOrder,
}

impl NpyType {
    /// Parses a type as a header names it: `<f4`, `f4`, `float32`. A type without a byte order has that of this
    /// machine, as in NumPy.
    ///
    /// # Errors
    /// NumPy does not have the type, or a layout cannot hold it.
    pub fn parse(name: &[u8]) -> Result<Self, NpyTypeError<'_>> {
        let (order, rest) = match name {
            [b'<', rest @ ..] => (ByteOrder::Little, rest),
            [b'>', rest @ ..] => (ByteOrder::Big, rest),
            [b'=' | b'|', rest @ ..] => (ByteOrder::NATIVE, rest),
            _ => (ByteOrder::NATIVE, name),
        };
        let listed =
            |name: &[u8]| NAMES.iter().find(|(listed_name, _)| listed_name.as_bytes() == name);
        let listed = if rest.len() == 1 { listed(rest) } else { listed(name) };
        let sized = listed.map_or(rest, |(_, sized)| sized.as_bytes());
        match number(sized) {
            Some((number, is_complex)) => Ok(Self { number, is_complex, order }),
            None => Err(NpyTypeError { name, reason: Reason::of(name, rest) }),
        }
    }

    /// Returns the type of elements in this machine's byte order. `None` if NumPy does not have it.
    pub fn of<E: Element>() -> Option<Self> {
        let part = complex_part::<E>();
        let number = part.unwrap_or(E::TYPE);
        number.numpy_name()?;
        Some(Self { number, is_complex: part.is_some(), order: ByteOrder::NATIVE })
    }

    /// Returns whether elements are the same numbers, in any byte order.
    pub fn has_numbers_of(&self, other: &Self) -> bool {
        self.number == other.number && self.is_complex == other.is_complex
    }

    /// Returns the element type of layouts. A complex number is a type of the user's own.
    pub fn element(&self) -> ElementType {
        match self.is_complex {
            false => self.number,
            true => {
                ElementType::Plain { bytes: self.number.bits() / 4, align: self.number.align() }
            }
        }
    }
}

/// Returns the number type and whether there are two of it, from a kind and a number of bytes.
fn number(sized: &[u8]) -> Option<(ElementType, bool)> {
    let (&kind, bytes) = sized.split_first()?;
    match (kind, count(bytes)?) {
        (b'c', 8) => Some((ElementType::F32, true)),
        (b'c', 16) => Some((ElementType::F64, true)),
        (_, bytes @ 1..=8) => {
            let name = [kind, b'0' + bytes as u8];
            Some((ElementType::from_numpy_name(str::from_utf8(&name).ok()?)?, false))
        }
        _ => None,
    }
}

/// Parses a number of bytes as C's `strtol` does, which NumPy calls: spaces, a plus sign and zeros may be in front.
fn count(text: &[u8]) -> Option<u32> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let start = text.iter().position(|byte| !is_space(byte))?;
    let digits = text[start..].strip_prefix(b"+").unwrap_or(&text[start..]);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
}

/// Prints the type as NumPy writes it: `<f4`, `|u1`.
impl fmt::Display for NpyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.number.bits() / 8;
        let order = match self.order {
            _ if bytes == 1 => '|',
            ByteOrder::Little => '<',
            ByteOrder::Big => '>',
        };
        match self.is_complex {
            true => write!(f, "{order}c{}", 2 * bytes),
            false => write!(f, "{order}{}", self.number.numpy_name().unwrap_or("V")),
        }
    }
}

/// Returns the beginning of a text, as far as a sentence has room for it.
pub(super) fn shown(text: &[u8]) -> EscapeAscii<'_> {
    const MOST: usize = 60;
    text[..text.len().min(MOST)].escape_ascii()
}

/// Why no layout can hold the elements of a file. It prints as the end of a sentence whose subject is the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NpyTypeError<'a> {
    name: &'a [u8],
    reason: Reason,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    /// NumPy does not have the type.
    Unknown,
    /// Texts, objects, dates, and floats of more than 64 bits.
    NoElement,
    /// Integers of 4 bytes on some platforms and 8 on others.
    SizedByPlatform,
    /// Bytes without a meaning.
    Bytes,
    /// Several values in an element.
    Record,
}

impl Reason {
    /// `rest` is `name` without the byte order.
    fn of(name: &[u8], rest: &[u8]) -> Self {
        let is_one_of = |names: &[&str]| {
            let name = if rest.len() == 1 { rest } else { name };
            names.iter().any(|listed_name| listed_name.as_bytes() == name)
        };
        let is_dated = |prefix: &str| {
            let unit = rest.strip_prefix(prefix.as_bytes());
            unit.is_some_and(|unit| unit.is_empty() || unit.starts_with(b"["))
        };
        match rest {
            _ if is_one_of(SIZED_BY_PLATFORM) => Self::SizedByPlatform,
            _ if is_one_of(NOT_ELEMENTS) => Self::NoElement,
            _ if ["M8", "m8", "datetime64", "timedelta64"].into_iter().any(is_dated) => {
                Self::NoElement
            }
            b"V" | b"void" => Self::Bytes,
            [b'V', bytes @ ..] if count(bytes).is_some() => Self::Bytes,
            [b'S' | b'a' | b'U' | b'O', bytes @ ..] if count(bytes).is_some() => Self::NoElement,
            [b'f', bytes @ ..] if count(bytes).is_some_and(|bytes| bytes > 8) => Self::NoElement,
            [b'c', bytes @ ..] if count(bytes).is_some_and(|bytes| bytes > 16) => Self::NoElement,
            [b'[' | b'(' | b'0'..=b'9', ..] => Self::Record,
            _ if rest.contains(&b',') => Self::Record,
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for NpyTypeError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = shown(self.name);
        match self.reason {
            Reason::Unknown => {
                write!(f, "holds `{name}`, which is not a type of NumPy; save it again with NumPy")
            }
            Reason::NoElement => {
                write!(f, "holds `{name}`, which is not an element type; save it as another type")
            }
            Reason::SizedByPlatform => write!(
                f,
                "holds `{name}`, which has 4 bytes on some platforms and 8 on others; save it as `i4` or `i8`"
            ),
            Reason::Bytes => write!(
                f,
                "holds `{name}`, bytes without a type; save elements that NumPy does not have, such as bf16, in a \
                 .safetensors file"
            ),
            Reason::Record => {
                f.write_str("holds records, several values in an element; save one field of them")
            }
        }
    }
}
