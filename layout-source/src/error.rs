//! Why a layout has no source text in a language.

use core::fmt;

use crate::Language;

/// The error of a layout that has no source text in a language. It says what to do instead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SourceError(pub(crate) NoSource);

layout_core::error_texts! {
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoSource () {
    Name => "the name is not an identifier in every language; write lower-case letters, digits and single underscores, a letter first and no underscore last, at most 40 characters";
    Word => "the name of a table is a word of C or C++; write another name";
    NoWideIntegers { language: Language } =>
        "{language} has no integers of 64 bits; leave out `.wide()` and split larger tensors";
    Alignments { bytes: usize } =>
        "rows are rounded up to {bytes} bytes and to another alignment at the same place; make one a multiple of the other";
    NoStaticType => "the layout is a value and not part of the type; pass it to `Source::new`";
    OpenExtents => "extents of the layout are known only at run time, so it has no constants; write them, or use `functions`, which take them as parameters";
    OtherDigits => "the layout has other axes, blocks or swizzles than the functions; make the functions of a layout with the same ones, in which blocked axes are longer than a block";
    OpenView => "a view with blocks or with a part of a buffer has extents that are known only at run time; write all extents, or strides without blocks";
    OpenPitch => "a pitch of the layout is known only at run time; write it, or make the source of the layout's value";
    SwizzledRows => "the swizzle counts rows, whose length is known only at run time; write it as `swizzle(B, M, S)`, or write all extents";
} [
    TooLarge { language: Language, what: Quantity, value: u128, limit: u128 } => write_too_large;
] }

/// The quantity that is too large.
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
        self.0.fmt(f)
    }
}

/// The error of a number that does not fit the language's integers.
fn write_too_large(
    f: &mut fmt::Formatter<'_>,
    language: &Language,
    what: &Quantity,
    value: &u128,
    limit: &u128,
) -> fmt::Result {
    match what {
        Quantity::Len => write!(f, "the length of {value} elements")?,
        Quantity::Bytes => write!(f, "the size of {value} bytes")?,
        Quantity::Extent(letter) => write!(f, "axis `{letter}` ends at {value}, which")?,
        Quantity::Stride => write!(f, "a stride of {value} elements")?,
        Quantity::Pattern => write!(f, "the swizzle of {value} elements")?,
        Quantity::Span => write!(f, "the span of all digits, {value} elements,")?,
    }
    write!(f, " is above {limit}; ")?;
    match language.has_wide_integers() && *limit < u128::from(u64::MAX) / 2 {
        true => f.write_str("add `.wide()` for indices of 64 bits"),
        false => write!(f, "{language} has no larger integers, so split the tensor"),
    }
}

layout_core::debug_as_display!(SourceError);

impl core::error::Error for SourceError {}
