//! Element types by the names that the notation has for them.

use std::fmt;

/// An element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// A type with a name of its own.
    Named(&'static str),
    /// `[u8; N]`, a type of the user's own.
    Bytes(usize),
}

/// The names with the bits of an element.
const NAMED: [(&str, usize); 16] = [
    ("i4", 4),
    ("u4", 4),
    ("i8", 8),
    ("u8", 8),
    ("i16", 16),
    ("u16", 16),
    ("i32", 32),
    ("u32", 32),
    ("i64", 64),
    ("u64", 64),
    ("f16", 16),
    ("bf16", 16),
    ("f32", 32),
    ("f64", 64),
    ("f8e4m3", 8),
    ("f8e5m2", 8),
];

impl Element {
    /// The element types that random layouts have.
    pub const ALL: [Self; 12] = [
        Self::Named("u8"),
        Self::Named("i8"),
        Self::Named("i4"),
        Self::Named("u4"),
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
        if let Some((name, _)) = NAMED.iter().find(|(name, _)| *name == text) {
            return Some(Self::Named(name));
        }
        let count = text.strip_prefix("[u8;")?.strip_suffix(']')?;
        Some(Self::Bytes(count.trim().parse().ok()?))
    }

    /// The bits of an element: 4, or a multiple of 8.
    pub fn bits(self) -> usize {
        match self {
            Self::Named(own) => NAMED.iter().find(|(name, _)| *name == own).expect("a name").1,
            Self::Bytes(bytes) => 8 * bytes,
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
            Self::Named(name) => formatter.write_str(name),
            Self::Bytes(bytes) => write!(formatter, "[u8; {bytes}]"),
        }
    }
}
