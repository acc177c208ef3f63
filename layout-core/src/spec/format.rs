//! The notation of formats: letters in memory order, `NCHW4c`, `OIHW4i16o4i`, `aBcd16b`, `RC32r4r/32 4c`.

use core::fmt;
use core::str::FromStr;

use super::error::LayoutError;
use super::extents::coordinate_order;
use super::factor::{AxisExtent, Factor, Letters, MAX_FACTORS, MAX_RANK};
use super::given_extents::axes_in_order;
use super::rules::Rule;
use super::text::{Name, Text, same_text};
use super::weights::{canonical, misplaced};

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
    /// The format without axes.
    pub(crate) const SCALAR: Self = Self { factors: [Factor::Axis('A'); MAX_FACTORS], count: 0 };

    /// Parses a format: a name in [`NAMED_FORMATS`], or letters in memory order. A letter without a number is an axis,
    /// and a number with a letter is a block of that axis. Letters may be upper or lower case, and spaces may separate
    /// factors.
    ///
    /// Blocks of an axis are listed from the outer to the inner, as in `OIHW4i16o4i`, or with weights in any order.
    /// The weight is the number of coordinates in one step of the block: `4r/32` is `r / 32 % 4`. Blocks without a
    /// weight are listed from the outer to the inner among themselves.
    ///
    /// ```
    /// use tensor_layout::Format;
    ///
    /// // The scale factors of block-scaled matrix products on NVIDIA GPUs.
    /// let scales = Format::parse("RC32r4r/32 4c")?;
    /// assert_eq!(scales.to_string(), "RC32r4r/32 4c");
    /// // Weights that follow from the order are left out.
    /// assert_eq!(Format::parse("OIHW4i/4 16o4i")?, Format::parse("OIHW4i16o4i")?);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// - A character is not part of the notation, or a number has no letter.
    /// - A block has size 0, or its axis is missing.
    /// - An axis is repeated.
    /// - The blocks of an axis overlap or leave a gap.
    /// - There are more than [`MAX_RANK`] axes, or more than 16 factors.
    pub const fn parse(text: &str) -> Result<Self, LayoutError> {
        Ok(ok!(placed Self::parse_at(text)))
    }

    /// [`parse`](Self::parse). An error comes with the first and the last byte of the text that it is about.
    #[doc(hidden)]
    pub const fn parse_at(text: &str) -> Result<Self, (LayoutError, (usize, usize))> {
        each!(i, 0..NAMED_FORMATS.len(), {
            if same_text(NAMED_FORMATS[i].0, Name::new(text).upper().as_str()) {
                return Self::parse_letters(NAMED_FORMATS[i].1);
            }
        });
        Self::parse_letters(text)
    }

    const fn parse_letters(text: &str) -> Result<Self, (LayoutError, (usize, usize))> {
        let mut new = Self::SCALAR;
        let mut places = [(0, 0); MAX_FACTORS];
        let mut cursor = FactorCursor { text, at: 0 };
        while cursor.peek().is_some() {
            let start = cursor.at;
            let factor = match cursor.factor(new.blocked_axis()) {
                Ok(factor) => factor,
                Err(Rule::NumberWithoutLetter { format, number, .. }) if cursor.is_at_end() => {
                    let example = completed(&format, number, new.blocked_axis());
                    let rule = Rule::NumberWithoutLetter { format, number, example };
                    return Err((LayoutError(rule), (start, cursor.at)));
                }
                Err(rule) => return Err((LayoutError(rule), (start, cursor.at))),
            };
            if new.count == MAX_FACTORS {
                return Err((LayoutError(Rule::TooManyFactors), (0, text.len())));
            }
            (new.factors[new.count], places[new.count]) = (factor, (start, cursor.at - 1));
            new.count += 1;
        }
        match new.checked() {
            Ok(format) => Ok(format),
            Err((factor, rule)) => Err((LayoutError(rule), places[factor])),
        }
    }

    /// The axes that a text that is not a format names.
    pub(crate) const fn of_letters(text: &str) -> Self {
        let mut new = Self::SCALAR;
        let bytes = text.as_bytes();
        each!(i, 0..bytes.len(), {
            let letter = bytes[i].to_ascii_uppercase() as char;
            let is_new = letter.is_ascii_uppercase() && new.axes().position(letter).is_none();
            if is_new && new.count < MAX_RANK {
                new.factors[new.count] = Factor::Axis(letter);
                new.count += 1;
            }
        });
        new
    }

    /// A format of these factors, which must be valid axes and blocks.
    #[doc(hidden)]
    pub const fn of(factors: &[Factor]) -> Self {
        let mut new = Self { factors: [Factor::Axis('A'); MAX_FACTORS], count: factors.len() };
        each!(i, 0..factors.len(), {
            new.factors[i] = factors[i];
        });
        canonical(&mut new.factors, new.count);
        new
    }

    /// The axis that a block without a letter most likely belongs to: channels.
    const fn blocked_axis(&self) -> char {
        let mut last = 'C';
        each!(i, 0..self.count, {
            if let Factor::Axis(letter @ ('C' | 'I')) = self.factors[i] {
                return letter;
            }
            if let Factor::Axis(letter) = self.factors[i] {
                last = letter;
            }
        });
        last
    }

    /// The same format with its blocks in normal form, or the first factor that breaks a rule.
    const fn checked(mut self) -> Result<Self, (usize, Rule)> {
        let mut axes = Letters::EMPTY;
        each!(i, 0..self.count, {
            if let Factor::Axis(letter) = self.factors[i] {
                if axes.position(letter).is_some() {
                    return Err((i, Rule::RepeatedAxis { letter }));
                }
                if axes.count() == MAX_RANK {
                    return Err((i, Rule::TooManyAxes));
                }
                axes = axes.with(letter);
            }
        });
        each!(i, 0..self.count, {
            if let Factor::Block(letter, size) | Factor::Weighted(letter, size, _) = self.factors[i]
            {
                if axes.position(letter).is_none() {
                    return Err((i, Rule::BlockWithoutAxis { letter, size }));
                }
            }
        });
        if let Some(broken) = misplaced(self.factors()) {
            return Err(broken);
        }
        canonical(&mut self.factors, self.count);
        Ok(self)
    }

    /// The axes and blocks, slowest first.
    #[doc(hidden)]
    pub const fn factors(&self) -> &[Factor] {
        self.factors.split_at(self.count).0
    }

    /// The format as text: axes in upper case, blocks in lower case, such as `OIHW4i16o4i`. `SCALAR` if there is no
    /// axis. The text is truncated to the length of a [`Name`]. `Display` writes all of it.
    pub const fn name(&self) -> Name {
        self.written()
    }

    const fn written<const CAPACITY: usize>(&self) -> Text<CAPACITY> {
        let mut text = Text::EMPTY;
        if self.count == 0 {
            text.push(NAMED_FORMATS[0].0);
        }
        each!(i, 0..self.count, {
            match self.factors[i] {
                Factor::Block(letter, size) => text.push_block(letter, size, 1),
                Factor::Weighted(letter, size, weight) => {
                    text.push_block(letter, size, weight);
                    if i + 1 < self.count {
                        text.push(" ");
                    }
                }
                Factor::Axis(letter) => text.push_char(letter),
                // A format has only axes and blocks.
                _ => unreachable!(),
            }
        });
        text
    }

    /// The axes in memory order, without blocks.
    pub const fn axes(&self) -> Letters {
        let mut axes = Letters::EMPTY;
        each!(i, 0..self.count, {
            if let Factor::Axis(letter) = self.factors[i] {
                axes = axes.with(letter);
            }
        });
        axes
    }

    /// Returns the axes in coordinate order with these extents. Only the first entries of the array are valid.
    ///
    /// # Errors
    /// The number of extents is not the number of axes.
    #[doc(hidden)]
    pub const fn axes_of(&self, extents: &[usize]) -> Result<[AxisExtent; MAX_RANK], LayoutError> {
        axes_in_order(self.name(), self.coordinate_order(), extents)
    }

    /// The order of the indices of an element, unless the layout says another one: N C D H W for activations, G O I D
    /// H W for filters, M K N for matrices, alphabetical order for oneDNN's a b c d ..., and the order of the letters
    /// for all others.
    pub const fn coordinate_order(&self) -> Letters {
        coordinate_order(self.axes())
    }
}

/// Completes a format that ends in a number with this letter. If that is not a format, returns the block alone. A
/// block of 0 positions stands for a channel count that other notations leave open.
const fn completed(format: &Name, number: usize, letter: char) -> Name {
    let mut whole = *format;
    whole.push_char(letter.to_ascii_lowercase());
    if !format.is_cut() && Format::parse(whole.as_str()).is_ok() {
        return whole;
    }
    Name::of_block(letter, if number == 0 { 16 } else { number }, 1)
}

impl FromStr for Format {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        Self::parse(text)
    }
}

/// A format as a value or as text, such as `&str` or `String`. Functions that take a format at run time accept both.
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
    /// Returns the format.
    ///
    /// # Errors
    /// [`Format::parse`] cannot read the text.
    fn as_format(&self) -> Result<Format, LayoutError>;
}

impl AsFormat for Format {
    fn as_format(&self) -> Result<Format, LayoutError> {
        Ok(*self)
    }
}

impl AsFormat for &Format {
    fn as_format(&self) -> Result<Format, LayoutError> {
        Ok(**self)
    }
}

impl<T: AsRef<str> + ?Sized> AsFormat for T {
    fn as_format(&self) -> Result<Format, LayoutError> {
        Format::parse(self.as_ref())
    }
}

/// Writes axes in upper case and blocks in lower case. [`Format::parse`] reads the same text.
impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A factor has one letter, at most 20 digits of a number, and at most 20 digits of a weight between `/` and a
        // space.
        self.written::<{ MAX_FACTORS * 43 }>().fmt(formatter)
    }
}

/// Names and memory orders. Names are not case-sensitive.
///
/// Names with a number and no letter are MegEngine's (`dnn/include/megdnn/basic_types.h`). `NCHW44` and `NCHW88`
/// differ from `NCHW4` and `NCHW8` only in their filters.
pub const NAMED_FORMATS: &[(&str, &str)] = &[
    ("SCALAR", ""),
    ("NCHW4", "NCHW4c"),
    ("NCHW8", "NCHW8c"),
    ("NCHW16", "NCHW16c"),
    ("NCHW32", "NCHW32c"),
    ("NCHW64", "NCHW64c"),
    ("NCHW44", "NCHW4c"),
    ("NCHW88", "NCHW8c"),
    ("CHWN4", "CHWN4c"),
    ("NHWCD4", "NHCW4c"),
];

/// A format as text, and the position up to which it is parsed.
pub(super) struct FactorCursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl FactorCursor<'_> {
    /// The next byte after white space, or `None` at the end.
    pub(super) const fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.byte()
    }

    const fn byte(&self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        if self.at < bytes.len() { Some(bytes[self.at]) } else { None }
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Parses the next axis or block. If a block has no letter, the error proposes axis `unnamed`.
    pub(super) const fn factor(&mut self, unnamed: char) -> Result<Factor, Rule> {
        let format = Name::new(self.text);
        let number = ok!(self.number());
        let byte = match (self.byte(), number) {
            (Some(byte), _) if byte.is_ascii_alphabetic() => byte,
            (None | Some(b' '), Some(number)) => {
                let example = Name::of_block(unnamed, number, 1);
                return Err(Rule::NumberWithoutLetter { format, number, example });
            }
            _ => {
                let character = character_at(self.text, self.at);
                return Err(Rule::FormatCharacter { format, character });
            }
        };
        self.at += 1;
        let letter = byte.to_ascii_uppercase() as char;
        let has_weight = matches!(self.peek(), Some(b'/'));
        match number {
            None if has_weight => Err(Rule::AxisWeight { letter }),
            None => Ok(Factor::Axis(letter)),
            Some(0) => Err(Rule::EmptyBlock { letter }),
            Some(size) if has_weight => self.weighted(letter, size),
            Some(size) => Ok(Factor::Block(letter, size)),
        }
    }

    /// Parses the weight of a block, after `/`.
    const fn weighted(&mut self, letter: char, size: usize) -> Result<Factor, Rule> {
        self.at += 1;
        self.peek();
        let weight = match self.number() {
            Ok(Some(weight)) => weight,
            Ok(None) => {
                let format = Name::new(self.text);
                return Err(Rule::WeightExpected { format, letter, size });
            }
            Err(rule) => return Err(rule),
        };
        match self.byte() {
            // `4r/324c` could also mean 4 channels after a weight of 32.
            Some(byte) if byte.is_ascii_alphabetic() => {
                Err(Rule::WeightEnd { weight, letter: byte as char })
            }
            _ => Ok(Factor::Weighted(letter, size, weight)),
        }
    }

    /// Parses a number, if one begins here.
    const fn number(&mut self) -> Result<Option<usize>, Rule> {
        let mut number: Option<usize> = None;
        while let Some(byte @ b'0'..=b'9') = self.byte() {
            let digit = (byte - b'0') as usize;
            number = match number {
                None => Some(digit),
                Some(high) => match high.checked_mul(10) {
                    Some(tens) if tens <= usize::MAX - digit => Some(tens + digit),
                    _ => return Err(Rule::BlockTooLarge { format: Name::new(self.text) }),
                },
            };
            self.at += 1;
        }
        Ok(number)
    }
}

/// The character that byte `at` belongs to.
pub(crate) const fn character_at(text: &str, at: usize) -> char {
    let bytes = text.as_bytes();
    if bytes[at].is_ascii() {
        return bytes[at] as char;
    }
    // The first byte of a longer character has its high bits. Each following byte has six bits.
    let length = bytes[at].leading_ones() as usize;
    let mut code = bytes[at] as u32 & (0x7f >> length);
    each!(i, 1..length, {
        code = code << 6 | (bytes[at + i] & 0x3f) as u32;
    });
    match char::from_u32(code) {
        Some(character) => character,
        None => char::REPLACEMENT_CHARACTER,
    }
}
