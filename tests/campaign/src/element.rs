//! Element types by the names that the notation has for them.

use std::fmt;

use test_support::elements::elements;

/// An element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// A type with a name of its own.
    Named(&'static str),
    /// One of less than a byte, the first element of a byte in its highest bits.
    HighFirst(&'static str),
    /// `[u8; N]`, a type of the user's own.
    Bytes(usize),
}

/// A name of the table and the bits that an element takes.
fn named(name: &str) -> Option<(&'static str, usize)> {
    elements().find(|element| element.name == name).map(|element| (element.name, element.bits.1))
}

impl Element {
    /// The element types that random layouts have.
    pub const ALL: [Self; 17] = [
        Self::Named("u8"),
        Self::Named("i8"),
        Self::Named("i4"),
        Self::Named("u4"),
        Self::Named("u1"),
        Self::Named("i2"),
        Self::Named("u2"),
        Self::HighFirst("u4"),
        Self::HighFirst("u1"),
        Self::Named("f16"),
        Self::Named("f32"),
        Self::Named("f64"),
        Self::Named("u16"),
        Self::Named("i32"),
        Self::Bytes(3),
        Self::Bytes(12),
        Self::Bytes(16),
    ];

    /// The element type of this name.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some((name, _)) = named(text) {
            return Some(Self::Named(name));
        }
        let count = match text.strip_prefix("plain(") {
            Some(rest) => rest.strip_suffix(')')?.trim_end_matches(", align = 1"),
            None => text.strip_prefix("[u8;")?.strip_suffix(']')?,
        };
        Some(Self::Bytes(count.trim().parse().ok()?))
    }

    /// The same type with the elements of a byte in this order; of whole bytes as it is.
    pub fn ordered(self, high_first: bool) -> Self {
        match self {
            Self::Named(name) | Self::HighFirst(name) if self.per_byte() > 1 => match high_first {
                true => Self::HighFirst(name),
                false => Self::Named(name),
            },
            own => own,
        }
    }

    /// The elements that share a byte, 1 where none do.
    pub fn per_byte(self) -> usize {
        (8 / self.bits()).max(1)
    }

    /// The byte in which an element of less than a byte begins, and the bits below it.
    pub fn place(self, offset: usize) -> (usize, usize) {
        let (bits, within) = (self.bits(), offset % self.per_byte());
        let below = match self {
            Self::HighFirst(_) => 8 - bits * (within + 1),
            _ => bits * within,
        };
        (offset / self.per_byte(), below)
    }

    /// The bits of an element: 1, 2, 4, or a multiple of 8.
    pub fn bits(self) -> usize {
        match self {
            Self::Named(own) | Self::HighFirst(own) => named(own).expect("a name").1,
            Self::Bytes(bytes) => 8 * bytes,
        }
    }

    /// The option of padding that holds the element of these bits.
    pub fn filled(self, bits: u64) -> String {
        match self {
            Self::Named(name) | Self::HighFirst(name) if name.starts_with('i') => {
                let above = 64 - self.bits();
                format!("pad = {}", (bits << above) as i64 >> above)
            }
            Self::Named(name) if bits > 0 && name.contains('f') => {
                format!("pad = {name}::from_bits({bits})")
            }
            Self::Bytes(_) => "pad".to_string(),
            _ => format!("pad = {bits}"),
        }
    }

    /// The bytes that a storage of `count` elements takes.
    pub fn bytes_of(self, count: usize) -> usize {
        (count * self.bits()).div_ceil(8)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) | Self::HighFirst(name) => formatter.write_str(name),
            Self::Bytes(bytes) => write!(formatter, "plain({bytes})"),
        }
    }
}
