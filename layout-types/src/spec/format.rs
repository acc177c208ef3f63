//! The notation of formats: letters in memory order, `NCHW4c`, `OIHW4i16o4i`, `aBcd16b`.

use core::fmt;
use core::str::FromStr;

use super::error::LayoutError;
use super::extents::coordinate_order;
use super::factor::{AxisExtent, Factor, Length, Letters, MAX_FACTORS, MAX_RANK};
use super::named_formats::NAMED_FORMATS;
use super::rules::Rule;
use super::text::{Name, Text, same_text};

/// A memory order: axes and blocks, slowest first.
///
/// ```
/// use tensor_layout::Format;
///
/// let format: Format = "nChw16c".parse()?;
/// assert_eq!(format, "NCHW16".parse()?);
/// assert_eq!(format.to_string(), "NCHW16c");
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Format {
    factors: [Factor; MAX_FACTORS],
    count: usize,
}

impl Format {
    /// No axes.
    pub(crate) const SCALAR: Self = Self { factors: [Factor::Axis('A'); MAX_FACTORS], count: 0 };

    /// Reads a format: a name of [`NAMED_FORMATS`], or letters in memory order, where a letter
    /// with no number before it is an axis and a number with a letter is a block of that axis.
    /// Case says nothing.
    ///
    /// # Errors
    /// A character that is neither a letter nor a digit, a number with no letter, a block of 0, a
    /// repeated axis, a block with no axis, or more than [`MAX_RANK`] axes or 16
    /// factors.
    pub const fn parse(text: &str) -> Result<Self, LayoutError> {
        let mut i = 0;
        while i < NAMED_FORMATS.len() {
            if same_text(NAMED_FORMATS[i].0, Name::new(text).upper().as_str()) {
                return Self::parse_letters(NAMED_FORMATS[i].1);
            }
            i += 1;
        }
        Self::parse_letters(text)
    }

    const fn parse_letters(text: &str) -> Result<Self, LayoutError> {
        let format = Name::new(text);
        let bytes = text.as_bytes();
        let mut new = Self { factors: [Factor::Axis('A'); MAX_FACTORS], count: 0 };
        let mut number: Option<usize> = None;
        let mut i = 0;
        while i < bytes.len() {
            let byte = bytes[i];
            if byte.is_ascii_digit() {
                let digit = (byte - b'0') as usize;
                number = match number {
                    None => Some(digit),
                    Some(high) => match high.checked_mul(10) {
                        Some(tens) if tens <= usize::MAX - digit => Some(tens + digit),
                        _ => {
                            return Err(LayoutError(Rule::BlockTooLarge { format }));
                        }
                    },
                };
            } else if byte.is_ascii_alphabetic() {
                let letter = byte.to_ascii_uppercase() as char;
                let factor = match number.take() {
                    None => Factor::Axis(letter),
                    Some(0) => return Err(LayoutError(Rule::EmptyBlock { letter })),
                    Some(size) => Factor::Block(letter, size),
                };
                if new.count == MAX_FACTORS {
                    return Err(LayoutError(Rule::TooManyFactors));
                }
                new.factors[new.count] = factor;
                new.count += 1;
            } else {
                return Err(LayoutError(Rule::FormatCharacter {
                    format,
                    character: character_at(text, i),
                }));
            }
            i += 1;
        }
        if let Some(number) = number {
            let letter = new.blocked_axis();
            let example = block_named(&format, number, letter);
            return Err(LayoutError(Rule::NumberWithoutLetter { format, number, example }));
        }
        new.checked()
    }

    /// These factors, which must be axes and blocks that make a format.
    pub(crate) const fn of(factors: &[Factor]) -> Self {
        let mut new = Self { factors: [Factor::Axis('A'); MAX_FACTORS], count: factors.len() };
        let mut i = 0;
        while i < factors.len() {
            new.factors[i] = factors[i];
            i += 1;
        }
        new
    }

    /// The axis that an unnamed block most likely belongs to: channels.
    const fn blocked_axis(&self) -> char {
        let mut last = 'C';
        let mut i = 0;
        while i < self.count {
            if let Factor::Axis(letter @ ('C' | 'I')) = self.factors[i] {
                return letter;
            }
            if let Factor::Axis(letter) = self.factors[i] {
                last = letter;
            }
            i += 1;
        }
        last
    }

    const fn checked(self) -> Result<Self, LayoutError> {
        let mut axes = Letters::EMPTY;
        let mut i = 0;
        while i < self.count {
            if let Factor::Axis(letter) = self.factors[i] {
                if axes.position(letter).is_some() {
                    return Err(LayoutError(Rule::RepeatedAxis { letter }));
                }
                if axes.count() == MAX_RANK {
                    return Err(LayoutError(Rule::TooManyAxes));
                }
                axes = axes.with(letter);
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.count {
            if let Factor::Block(letter, size) = self.factors[i] {
                if axes.position(letter).is_none() {
                    return Err(LayoutError(Rule::BlockWithoutAxis { letter, size }));
                }
            }
            i += 1;
        }
        Ok(self)
    }

    /// Axes and blocks, slowest first.
    #[doc(hidden)]
    pub const fn factors(&self) -> &[Factor] {
        self.factors.split_at(self.count).0
    }

    /// Axes in upper case, blocks in lower case: `OIHW4i16o4i`; `SCALAR` where there is no axis.
    /// Cut at the length of a [`Name`]; `Display` writes all of it.
    pub const fn name(&self) -> Name {
        self.written()
    }

    const fn written<const CAPACITY: usize>(&self) -> Text<CAPACITY> {
        let mut text = Text::EMPTY;
        if self.count == 0 {
            text.push(NAMED_FORMATS[0].0);
        }
        let mut i = 0;
        while i < self.count {
            match self.factors[i] {
                Factor::Block(letter, size) => {
                    text.push_number(size);
                    text.push_char(letter.to_ascii_lowercase());
                }
                Factor::Axis(letter) => text.push_char(letter),
                // A format has axes and blocks only.
                _ => unreachable!(),
            }
            i += 1;
        }
        text
    }

    /// The axes in memory order, blocks left out.
    pub const fn axes(&self) -> Letters {
        let mut axes = Letters::EMPTY;
        let mut i = 0;
        while i < self.count {
            if let Factor::Axis(letter) = self.factors[i] {
                axes = axes.with(letter);
            }
            i += 1;
        }
        axes
    }

    /// The axes in coordinate order with these extents; only the first ones count.
    ///
    /// # Errors
    /// Axes whose order is not known, or another number of extents.
    pub(crate) const fn axes_of(
        &self,
        extents: &[usize],
    ) -> Result<[AxisExtent; MAX_RANK], LayoutError> {
        let Some(order) = self.coordinate_order() else {
            return Err(LayoutError(Rule::UnknownOrder { axes: self.axes() }));
        };
        if extents.len() != order.count() {
            let (format, given) = (self.name(), extents.len());
            return Err(LayoutError(Rule::ExtentCount { format, axes: order, given }));
        }
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        let mut i = 0;
        while i < extents.len() {
            axes[i] = AxisExtent { letter: order.at(i), extent: Length::Runtime(extents[i]) };
            i += 1;
        }
        Ok(axes)
    }

    /// The order of extents and coordinates, where these axes have a known one.
    pub const fn coordinate_order(&self) -> Option<Letters> {
        coordinate_order(self.axes())
    }
}

/// The format with this letter after it, or the block alone where that is not a format. A block of no
/// positions stands for a channel count that other notations leave open.
const fn block_named(format: &Name, number: usize, letter: char) -> Name {
    let mut whole = *format;
    whole.push_char(letter.to_ascii_lowercase());
    if !format.is_cut() && Format::parse(whole.as_str()).is_ok() {
        return whole;
    }
    let mut block = Name::EMPTY;
    block.push_number(if number == 0 { 16 } else { number });
    block.push_char(letter.to_ascii_lowercase());
    block
}

/// The character at byte `at`, which may be any part of it.
pub(crate) const fn character_at(text: &str, at: usize) -> char {
    let bytes = text.as_bytes();
    if bytes[at].is_ascii() {
        return bytes[at] as char;
    }
    // The first byte of a longer character carries its high bits, the others six bits each.
    let length = bytes[at].leading_ones() as usize;
    let mut code = bytes[at] as u32 & (0x7f >> length);
    let mut i = 1;
    while i < length {
        code = code << 6 | (bytes[at + i] & 0x3f) as u32;
        i += 1;
    }
    match char::from_u32(code) {
        Some(character) => character,
        None => char::REPLACEMENT_CHARACTER,
    }
}

impl FromStr for Format {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        Self::parse(text)
    }
}

/// A format as a value or as text: what takes a format at run time takes both.
///
/// ```
/// use tensor_layout::{ElementType, Format, Layout};
///
/// let nhwc: Format = "NHWC".parse()?;
/// let image = Layout::of("NHWC", &[1, 3, 4, 4], ElementType::U8)?;
/// assert_eq!(image, Layout::of(nhwc, &[1, 3, 4, 4], ElementType::U8)?);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a format",
    label = "expected a `Format` or text such as \"NHWC\""
)]
pub trait AsFormat {
    /// The format.
    ///
    /// # Errors
    /// Text that [`Format::parse`] does not read.
    fn as_format(&self) -> Result<Format, LayoutError>;
}

impl AsFormat for Format {
    fn as_format(&self) -> Result<Format, LayoutError> {
        Ok(*self)
    }
}

impl AsFormat for str {
    fn as_format(&self) -> Result<Format, LayoutError> {
        Format::parse(self)
    }
}

impl<T: AsFormat + ?Sized> AsFormat for &T {
    fn as_format(&self) -> Result<Format, LayoutError> {
        (**self).as_format()
    }
}

/// Axes in upper case, blocks in lower case; what [`Format::parse`] reads.
impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A factor is a letter and at most the 20 digits of a number.
        self.written::<{ MAX_FACTORS * 21 }>().fmt(formatter)
    }
}
