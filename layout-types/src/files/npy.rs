//! The header of .npy files: a magic string, a version, a length, and a Python dictionary such as
//! `{'descr': '<f4', 'fortran_order': False, 'shape': (64, 3, 7, 7), }`.
//!
//! Source: `numpy.lib.format`. NumPy reads any Python literal that is such a dictionary. This module reads those
//! without comments, escapes, other brackets, other notations of numbers, and repeated keys, none of which NumPy writes.

use core::fmt;
use core::str;

use super::npy_type::shown;

/// The first bytes of a file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy's own limit of the dictionary, in bytes.
const MOST_BYTES: u32 = 10_000;

/// What the dictionary says about the array of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NpyHeader<'a> {
    /// The element type for [`NpyType::parse`](super::NpyType::parse): `<f4`. For records, it is Python's text of the
    /// list of their fields.
    pub element: &'a [u8],
    /// Whether the first axis is the fastest.
    pub is_fortran: bool,
    /// The extents without their brackets: `64, 3L, 7, 7`.
    extents: &'a [u8],
}

impl<'a> NpyHeader<'a> {
    /// The number of bytes that [`length`](Self::length) needs.
    pub const START: usize = 12;

    /// Returns the number of bytes before the array from the first [`START`](Self::START) bytes of a file.
    ///
    /// # Errors
    /// The file is not an .npy file, or no .npy file has such a header.
    pub fn length(start: &[u8]) -> Result<usize, NpyError<'_>> {
        let rest = match start.strip_prefix(MAGIC) {
            Some(rest) => rest,
            None if MAGIC.starts_with(start) => return Err(NpyError::Short),
            None => return Err(NpyError::Magic),
        };
        let (length, before) = match *rest {
            [1, 0, low, high, ..] => (u16::from_le_bytes([low, high]).into(), MAGIC.len() + 4),
            [2 | 3, 0, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]), MAGIC.len() + 6),
            [1..=3, 0, ..] | [1..=3] | [] => return Err(NpyError::Short),
            [major, minor, ..] => return Err(NpyError::Version(major, minor)),
            [major] => return Err(NpyError::Version(major, 0)),
        };
        match length <= MOST_BYTES {
            true => Ok(before + length as usize),
            false => Err(NpyError::Length(length)),
        }
    }

    /// Reads the header of a file. Returns it with the bytes after it. The array may be missing or cut off.
    ///
    /// # Errors
    /// - The file is not an .npy file, or ends before its header does.
    /// - The header is not one that NumPy writes.
    /// - The elements are more than `usize` can count. Extents of 0 do not change that.
    pub fn parse(file: &'a [u8]) -> Result<(Self, &'a [u8]), NpyError<'a>> {
        let length = Self::length(file)?;
        let (header, array) = file.split_at_checked(length).ok_or(NpyError::Short)?;
        let version = header[MAGIC.len()];
        let at = MAGIC.len() + if version == 1 { 4 } else { 6 };
        let mut cursor = Cursor { bytes: header, at, has_long: version < 3 };
        let (mut element, mut is_fortran, mut extents) = (None, None, None);
        cursor.expect(b"{", "`{`")?;
        while !cursor.takes(b"}") {
            let key = cursor.string()?;
            cursor.expect(b":", "`:`")?;
            let is_first = match key {
                b"descr" => element.replace(cursor.element()?).is_none(),
                b"fortran_order" => is_fortran.replace(cursor.boolean()?).is_none(),
                b"shape" => extents.replace(cursor.extents()?).is_none(),
                _ => return Err(NpyError::Key(key)),
            };
            if !is_first {
                return Err(NpyError::Twice(key));
            }
            if !cursor.takes(b",") {
                cursor.expect(b"}", "`,` or `}`")?;
                break;
            }
        }
        cursor.end()?;
        let header = Self {
            element: element.ok_or(NpyError::Missing("descr"))?,
            is_fortran: is_fortran.ok_or(NpyError::Missing("fortran_order"))?,
            extents: extents.ok_or(NpyError::Missing("shape"))?,
        };
        let product = |product: usize, extent: Option<usize>| product.checked_mul(extent?.max(1));
        match sizes(header.extents).try_fold(1, product) {
            Some(_) => Ok((header, array)),
            None => Err(NpyError::Extents(header.extents)),
        }
    }

    /// Returns the extents in the order of the file. In Fortran order, the first is that of the fastest axis.
    pub fn shape(&self) -> impl Iterator<Item = usize> + 'a {
        // `parse` has read them all.
        sizes(self.extents).flatten()
    }
}

/// Returns the numbers of a list, `None` for those that `usize` cannot hold.
fn sizes(list: &[u8]) -> impl Iterator<Item = Option<usize>> {
    let numbers = list.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    numbers.filter(|number| !number.is_empty()).map(|number| {
        let digits = number.strip_suffix(b"L").unwrap_or(number);
        str::from_utf8(digits).ok()?.parse().ok()
    })
}

/// Reads a header from its beginning to its end.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether an `L` may follow a number, as in headers that Python 2 wrote.
    has_long: bool,
}

impl<'a> Cursor<'a> {
    /// Returns the next byte that is not a space.
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// Returns the error that something else belongs here.
    fn wrong<T>(&self, expected: &'static str) -> Result<T, NpyError<'a>> {
        let (at, found) = (self.at, self.bytes.get(self.at).copied());
        Err(NpyError::Text { at, found, expected })
    }

    /// Passes over `word` if it is next.
    fn takes(&mut self, word: &[u8]) -> bool {
        self.peek();
        let is_next = self.bytes[self.at..].starts_with(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    fn expect(&mut self, word: &[u8], expected: &'static str) -> Result<(), NpyError<'a>> {
        if self.takes(word) { Ok(()) } else { self.wrong(expected) }
    }

    /// Nothing but spaces follows.
    fn end(&mut self) -> Result<(), NpyError<'a>> {
        if self.peek().is_none() { Ok(()) } else { self.wrong("the end") }
    }

    /// Reads a string without escapes, which may be Python 2's `u'descr'`.
    fn string(&mut self) -> Result<&'a [u8], NpyError<'a>> {
        if let Some(b'u' | b'U') = self.peek() {
            self.at += 1;
        }
        let Some(&quote @ (b'\'' | b'"')) = self.bytes.get(self.at) else {
            return self.wrong("a string");
        };
        let start = self.at + 1;
        self.at = start;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                _ if byte == quote => {
                    self.at += 1;
                    return Ok(&self.bytes[start..self.at - 1]);
                }
                b'\\' => return self.wrong("a string without escapes"),
                b'\n' | b'\r' | 0 => break,
                _ => self.at += 1,
            }
        }
        self.wrong("the end of a string")
    }

    /// Reads an element type, or passes over the fields of records.
    fn element(&mut self) -> Result<&'a [u8], NpyError<'a>> {
        let Some(b'[' | b'(') = self.peek() else { return self.string() };
        let start = self.at;
        let (mut depth, mut quote) = (0, None);
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                _ if quote == Some(byte) => quote = None,
                b'\\' => self.at += 1,
                _ if quote.is_some() => {}
                b'\'' | b'"' => quote = Some(byte),
                b'[' | b'(' | b'{' => depth += 1,
                b']' | b')' | b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(&self.bytes[start..self.at]);
            }
        }
        self.at = self.bytes.len();
        self.wrong("a closing bracket")
    }

    fn boolean(&mut self) -> Result<bool, NpyError<'a>> {
        if self.takes(b"True") {
            return Ok(true);
        }
        self.expect(b"False", "`True` or `False`").map(|()| false)
    }

    /// Reads a tuple of sizes: `()`, `(3,)`, `(2, 3)`, `(2L, 3L)`.
    fn extents(&mut self) -> Result<&'a [u8], NpyError<'a>> {
        self.expect(b"(", "`(`")?;
        let (start, mut sizes) = (self.at, 0);
        while !self.takes(b")") {
            let first = self.at;
            while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
                self.at += 1;
            }
            match &self.bytes[first..self.at] {
                [] => return self.wrong("a size or `)`"),
                [b'0', _, ..] => return self.wrong("a size without zeros in front"),
                _ => sizes += 1,
            }
            if self.has_long && self.bytes.get(self.at) == Some(&b'L') {
                self.at += 1;
            }
            // Python reads `(3)` as a number.
            if !self.takes(b",") && (sizes == 1 || self.peek() != Some(b')')) {
                return self.wrong(if sizes == 1 { "`,`" } else { "`,` or `)`" });
            }
        }
        Ok(&self.bytes[start..self.at - 1])
    }
}

/// Why a file has no header that can be read. It prints as a sentence without its remedy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NpyError<'a> {
    /// The file does not begin as .npy files do.
    Magic,
    /// The header is cut off.
    Short,
    /// The version is not 1.0, 2.0 or 3.0.
    Version(u8, u8),
    /// The header is longer than NumPy reads.
    Length(u32),
    /// Something else belongs at this byte of the file.
    Text {
        /// The position in the file.
        at: usize,
        /// The byte there, or `None` at the end of the header.
        found: Option<u8>,
        /// What belongs there.
        expected: &'static str,
    },
    /// A key is missing.
    Missing(&'static str),
    /// A key occurs twice.
    Twice(&'a [u8]),
    /// A key that .npy files do not have.
    Key(&'a [u8]),
    /// More elements than `usize` can count, in an array of these extents.
    Extents(&'a [u8]),
}

impl fmt::Display for NpyError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Magic => f.write_str("it does not begin with `\\x93NUMPY`"),
            Self::Short => f.write_str("it ends before its header does"),
            Self::Version(major, minor) => {
                write!(f, "its version is {major}.{minor}, not 1.0, 2.0 or 3.0")
            }
            Self::Length(length) => write!(
                f,
                "its header would be {length} bytes long, and NumPy reads at most {MOST_BYTES}"
            ),
            Self::Text { found: None, expected, .. } => {
                write!(f, "its header ends where {expected} belongs")
            }
            Self::Text { at, found: Some(byte), expected } => {
                let byte = core::ascii::escape_default(byte);
                write!(f, "its header has `{byte}` at byte {at} where {expected} belongs")
            }
            Self::Missing(key) => write!(f, "its header has no `{key}`"),
            Self::Twice(key) => write!(f, "its header has `{}` twice", shown(key)),
            Self::Key(key) => write!(
                f,
                "its header has `{}`, which is not one of `descr`, `fortran_order` and `shape`",
                shown(key)
            ),
            Self::Extents(extents) => {
                write!(f, "its shape ({}) has more elements than `usize` can count", shown(extents))
            }
        }
    }
}
