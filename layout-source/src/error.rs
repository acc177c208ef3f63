//! Why a layout has no source text in a language.

use core::fmt;

use crate::Language;

/// Why there is no source text, and what to do instead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SourceError(pub(crate) Reason);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// The name is no identifier in all languages.
    Name,
    /// A table has the name of a word of C or C++.
    Word,
    /// A number does not fit the integers that indices are.
    TooLarge { language: Language, what: Quantity, value: u128, limit: u128 },
    /// Indices of 64 bits.
    NoWideIntegers { language: Language },
    /// Alignments at one place, neither a multiple of the other.
    Alignments { bytes: usize },
    /// A layout type whose layout is a value.
    NoStaticType,
    /// A struct or a header of a layout that leaves extents to run time.
    OpenExtents,
    /// A layout for a struct of strides whose digits are others.
    OtherDigits,
    /// Triton's swizzle, where the length of rows is not known.
    SwizzledRows,
}

/// What has become too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantity {
    Len,
    Bytes,
    Extent(char),
    Span,
    Stride,
    Pattern,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Reason::Name => f.write_str(
                "the name is not an identifier in every language; write lower-case letters, digits and single \
                 underscores, a letter first and no underscore last, at most 40 characters",
            ),
            Reason::Word => {
                f.write_str("the name of a table is a word of C or C++; write another name")
            }
            Reason::TooLarge { language, what, value, limit } => {
                match what {
                    Quantity::Len => write!(f, "the length of {value} elements")?,
                    Quantity::Bytes => write!(f, "the size of {value} bytes")?,
                    Quantity::Extent(letter) => write!(f, "axis `{letter}` ends at {value}, which")?,
                    Quantity::Stride => write!(f, "a stride of {value} elements")?,
                    Quantity::Pattern => write!(f, "the swizzle of {value} elements")?,
                    Quantity::Span => write!(f, "the span of all digits, {value} elements,")?,
                }
                write!(f, " is above {limit}; ")?;
                match language.has_wide_integers() && limit < u128::from(u64::MAX) / 2 {
                    true => f.write_str("add `.wide()` for indices of 64 bits"),
                    false => write!(f, "{language} has no larger integers, so split the tensor"),
                }
            }
            Reason::NoWideIntegers { language } => write!(
                f,
                "{language} has no integers of 64 bits; leave out `.wide()` and split larger tensors"
            ),
            Reason::Alignments { bytes } => write!(
                f,
                "rows are rounded up to {bytes} bytes and to another alignment at the same place; make one \
                 a multiple of the other"
            ),
            Reason::NoStaticType => f.write_str(
                "the layout is a value and not part of the type; pass it to `Source::new`",
            ),
            Reason::OpenExtents => f.write_str(
                "the layout leaves extents to run time, so it has no constants; write all extents, or use \
                 `functions`, which take them as parameters",
            ),
            Reason::OtherDigits => f.write_str(
                "the layout has other axes, blocks or swizzles than the functions; make the functions of a layout \
                 with the same ones, in which blocked axes are longer than a block",
            ),
            Reason::SwizzledRows => f.write_str(
                "the swizzle counts rows, whose length is left to run time; write it as `swizzle(B, M, S)`, or \
                 write all extents",
            ),
        }
    }
}

/// As [`Display`](fmt::Display): a program whose `main` returns the error prints it so.
impl fmt::Debug for SourceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl core::error::Error for SourceError {}
