//! The header of .gguf files: keys with their values, then what is said of each tensor. The bytes of all tensors follow.
//!
//! Source: the description of the format beside the library `ggml`. Little-endian files of versions 2 and 3 are alike.

use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;
use core::str;

use layout_core::ElementType;

use super::{MOST_HEADER, MOST_NAME, MOST_TENSORS};

macro_rules! refuse {
    ($($text:tt)+) => {
        Err(B::refusal(format!($($text)+)))
    };
}

/// The numbers of types that are not records.
pub const GGUF_ELEMENTS: [(u32, ElementType); 8] = [
    (0, ElementType::F32),
    (1, ElementType::F16),
    (24, ElementType::I8),
    (25, ElementType::I16),
    (26, ElementType::I32),
    (27, ElementType::I64),
    (28, ElementType::F64),
    (30, ElementType::BF16),
];

/// The bytes of values, by the numbers of their types.
const VALUE_BYTES: [u64; 13] = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
const TEXT: u32 = 8;
const ARRAY: u32 = 9;

/// The most axes of a tensor that are read, twice as many as ggml has.
const MOST_AXES: usize = 8;

/// What positions are multiples of, unless a key says otherwise, and the most: more would fill a file with what is
/// between tensors.
pub const GGUF_ALIGN: u32 = 32;
const MOST_ALIGN: u32 = 64 << 10;

/// What is said of a file that is shorter than its header.
pub const GGUF_SHORT: &str = "it ends within its header; copy the whole file again";

/// Where the bytes of a file come from: from memory, or from a reader, which keeps what it has read and not forgotten.
pub trait HeaderBytes {
    /// Why there are no more bytes, or why they are no header: a fact, and the remedy after `;`.
    type Error;

    /// The error of this text.
    fn refusal(text: String) -> Self::Error;

    /// Returns the first bytes that are not forgotten, at least so many.
    ///
    /// # Errors
    /// The file has fewer, or it cannot be read.
    fn first(&mut self, count: usize) -> Result<&[u8], Self::Error>;

    /// Forgets the first bytes, which [`first`](Self::first) has returned.
    fn forget(&mut self, count: usize);
}

impl HeaderBytes for &[u8] {
    type Error = String;

    fn refusal(text: String) -> String {
        text
    }

    fn first(&mut self, count: usize) -> Result<&[u8], String> {
        if count <= self.len() { Ok(self) } else { Err(GGUF_SHORT.into()) }
    }

    fn forget(&mut self, count: usize) {
        *self = &self[count..];
    }
}

/// A part of a header.
#[derive(Clone, Copy, Debug)]
pub enum GgufPart<'a> {
    /// A key: its name, the text if its value is one, and the bytes of both in the file.
    Key(&'a [u8], Option<&'a [u8]>, &'a [u8]),
    /// A tensor: its name, its extents with the slowest first, the number of its type, and its position after the header.
    Tensor(&'a str, &'a [usize], u32, u64),
}

/// Reads a header, and no byte after it. Returns what the positions of tensors are multiples of, and where they begin.
/// Keys take at most 16 MiB, and tensors too, whatever the header says. What types and positions mean is not checked.
///
/// # Errors
/// - The file is no .gguf file, ends before its header does, or has a header that no such file has.
/// - `visit` refuses a part.
pub fn read_gguf<B: HeaderBytes>(
    file: &mut B,
    mut visit: impl FnMut(GgufPart<'_>) -> Result<(), B::Error>,
) -> Result<(u32, usize), B::Error> {
    let mut all = Cursor { file, at: 0, end: 24, forgotten: 0, words: [""; 2] };
    if all.number()? != *b"GGUF" {
        return refuse!("it does not begin with `GGUF`; name a .gguf file");
    }
    let version = all.u32()?;
    if matches!(version.swap_bytes(), 2 | 3) {
        return refuse!("it is big-endian, and little-endian files are read; convert it first");
    }
    if !matches!(version, 2 | 3) {
        return refuse!("its version of GGUF is {version}, not 2 or 3; convert it first");
    }
    let (tensors, keys, mut align) = (all.u64()?, all.u64()?, None);
    if tensors > MOST_TENSORS as u64 {
        return refuse!("it has {tensors} tensors, more than {MOST_TENSORS}; save several files");
    }
    all.limit("keys take", "drop keys of it");
    for _ in 0..keys {
        all.forget();
        let (name, kind) = (all.text()?, all.u32()?);
        let value = all.value(kind, 0)?;
        let file = &all.file.first(all.at)?[..all.at];
        if file[name.clone()] == *b"general.alignment" {
            let Some(bytes) = file[value.clone()].first_chunk().filter(|_| kind == 4) else {
                return refuse!(
                    "its alignment is a value of type {kind}, and alignments are of type 4 (u32); save the file again"
                );
            };
            if align.replace(u32::from_le_bytes(*bytes)).is_some() {
                return refuse!("it has two keys `general.alignment`; drop one of them");
            }
        }
        let text = (kind == TEXT).then_some(&file[value]);
        visit(GgufPart::Key(&file[name], text, file))?;
    }
    let align = align.unwrap_or(GGUF_ALIGN);
    if !align.is_power_of_two() || align > MOST_ALIGN {
        return refuse!(
            "its alignment is {align}, and alignments are powers of two up to {MOST_ALIGN}; save the file again"
        );
    }
    all.limit("list of tensors takes", "save several files, or shorter names");
    for _ in 0..tensors {
        all.forget();
        all.tensor(&mut visit)?;
    }
    Ok((align, (all.forgotten + all.at).next_multiple_of(align as usize)))
}

/// Reads parts of a header one after another.
struct Cursor<'a, B> {
    file: &'a mut B,
    /// The position after the bytes that are forgotten.
    at: usize,
    /// Where the part must end.
    end: usize,
    forgotten: usize,
    words: [&'static str; 2],
}

impl<B: HeaderBytes> Cursor<'_, B> {
    /// Begins a part, and says what takes its bytes and what to do if they are too many.
    fn limit(&mut self, what: &'static str, remedy: &'static str) {
        (self.end, self.words) = (self.at + MOST_HEADER, [what, remedy]);
    }

    /// Forgets what is passed over.
    fn forget(&mut self) {
        self.file.forget(self.at);
        (self.forgotten, self.end) = (self.forgotten + self.at, self.end - self.at);
        self.at = 0;
    }

    /// Passes over bytes, and returns where they are.
    fn take(&mut self, bytes: u64) -> Result<Range<usize>, B::Error> {
        if bytes > (self.end - self.at) as u64 {
            let [what, remedy] = self.words;
            return refuse!("its {what} more than {MOST_HEADER} bytes; {remedy}");
        }
        let range = self.at..self.at + bytes as usize;
        self.file.first(range.end)?;
        self.at = range.end;
        Ok(range)
    }

    fn number<const BYTES: usize>(&mut self) -> Result<[u8; BYTES], B::Error> {
        let (range, mut number) = (self.take(BYTES as u64)?, [0; BYTES]);
        number.copy_from_slice(&self.file.first(range.end)?[range]);
        Ok(number)
    }

    fn u32(&mut self) -> Result<u32, B::Error> {
        self.number().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, B::Error> {
        self.number().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<Range<usize>, B::Error> {
        let length = self.u64()?;
        self.take(length)
    }

    /// Passes over a value, and returns where its last part is.
    fn value(&mut self, kind: u32, depth: usize) -> Result<Range<usize>, B::Error> {
        match (kind, VALUE_BYTES.get(kind as usize)) {
            (TEXT, _) => self.text(),
            (ARRAY, _) if depth == 4 => {
                refuse!("it has arrays in arrays, more than 4 deep; drop keys of it")
            }
            (ARRAY, _) => {
                let (kind, count) = (self.u32()?, self.u64()?);
                if let Some(&bytes @ 1..) = VALUE_BYTES.get(kind as usize) {
                    return self.take(count.saturating_mul(bytes));
                }
                let mut last = self.at..self.at;
                for _ in 0..count {
                    last = self.value(kind, depth + 1)?;
                }
                Ok(last)
            }
            (_, Some(bytes)) => self.take(*bytes),
            (_, None) => {
                refuse!("it has a value of type {kind}, and types are 0 to 12; save the file again")
            }
        }
    }

    /// Visits what is said of a tensor.
    fn tensor(
        &mut self,
        visit: &mut impl FnMut(GgufPart<'_>) -> Result<(), B::Error>,
    ) -> Result<(), B::Error> {
        let length = self.u64()?;
        if length > MOST_NAME as u64 {
            return refuse!(
                "the name of a tensor has {length} bytes, more than {MOST_NAME}; rename it"
            );
        }
        let range = self.take(length)?;
        let Ok(name) = str::from_utf8(&self.file.first(range.end)?[range]).map(str::to_string)
        else {
            return refuse!("the name of a tensor is not UTF-8; save the file again");
        };
        let rank = self.u32()?;
        if rank > MOST_AXES as u32 {
            return refuse!(
                "tensor `{name}` has {rank} axes, more than {MOST_AXES}; save it with fewer"
            );
        }
        let mut extents = [0; MOST_AXES];
        let shape = &mut extents[..rank as usize];
        for extent in shape.iter_mut().rev() {
            let value = self.u64()?;
            let Ok(value) = usize::try_from(value) else {
                return refuse!(
                    "tensor `{name}` has an extent of {value}, too large; save the file again"
                );
            };
            *extent = value;
        }
        let (kind, at) = (self.u32()?, self.u64()?);
        visit(GgufPart::Tensor(&name, shape, kind, at))
    }
}
