//! Values of a layout in text: numbers, fills and element types.

use super::cursor::{Cursor, Span};
use super::literal::{Literal, is_literal};
use crate::spec::{ElementType, LayoutError, Name, Rule, check_element, same_text};

/// A text without brackets around all of it: `64` of `{ 64 }`.
pub(super) const fn unbracketed(text: &str) -> &str {
    let mut bytes = text.as_bytes();
    let mut layers = layers(bytes);
    while let ([b'(', inner @ .., b')'] | [b'{', inner @ .., b'}'], 1..) = (bytes, layers) {
        bytes = inner.trim_ascii();
        layers -= 1;
    }
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        // Brackets and white space are ASCII.
        Err(_) => text,
    }
}

/// How many brackets are open from the first other byte to the last one: those around all of a text.
const fn layers(text: &[u8]) -> usize {
    let (mut depth, mut least, mut leading) = (0usize, usize::MAX, true);
    each!(i, 0..text.len(), {
        match text[i] {
            b'(' | b'{' => {
                // After `{ (1) + `, the bracket of 1 is closed.
                least = if leading || depth >= least { least } else { depth };
                depth += 1;
            }
            b')' | b'}' => {
                leading = false;
                depth = depth.saturating_sub(1);
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                leading = false;
                least = if depth < least { depth } else { least };
            }
        }
    });
    least
}

/// Parses a number of at least 0. Errors ask for at least `least`.
pub const fn unsigned(what: &'static str, least: usize, text: &str) -> Result<usize, Rule> {
    match Literal::read(text) {
        Literal::Whole { suffix, .. } if !is_suffix(suffix, "usize") => {
            Err(Rule::Suffix { what, text: Name::new(text), suffix: Name::new(suffix) })
        }
        Literal::Whole { value: Some(value), .. } if value < 0 => {
            Err(Rule::NotWhole { what, least, text: Name::new(text) })
        }
        Literal::Whole { value: Some(value), .. } if value <= usize::MAX as i128 => {
            Ok(value as usize)
        }
        Literal::Whole { .. } => Err(Rule::PastUsize { what, text: Name::new(text) }),
        Literal::Float { .. } if !is_fraction(text) => {
            Err(Rule::PastUsize { what, text: Name::new(text) })
        }
        _ => Err(Rule::NotWhole { what, least, text: Name::new(text) }),
    }
}

/// Parses a number that may be negative.
pub(super) const fn signed(what: &'static str, text: &str) -> Result<isize, Rule> {
    match Literal::read(text) {
        Literal::Whole { suffix, .. } if !is_suffix(suffix, "isize") => {
            Err(Rule::Suffix { what, text: Name::new(text), suffix: Name::new(suffix) })
        }
        Literal::Whole { value: Some(value), .. }
            if isize::MIN as i128 <= value && value <= isize::MAX as i128 =>
        {
            Ok(value as isize)
        }
        Literal::Whole { .. } => Err(Rule::PastIsize { what, text: Name::new(text) }),
        Literal::Float { .. } if !is_fraction(text) => {
            Err(Rule::PastIsize { what, text: Name::new(text) })
        }
        _ => Err(Rule::NotAnInteger { what, text: Name::new(text) }),
    }
}

const fn is_suffix(suffix: &str, name: &str) -> bool {
    suffix.is_empty() || same_text(suffix, name)
}

/// Whether a float has a point or an exponent, rather than being a long integer.
const fn is_fraction(text: &str) -> bool {
    let bytes = text.as_bytes();
    each!(i, 0..bytes.len(), {
        if matches!(bytes[i], b'.' | b'e' | b'E') {
            return true;
        }
    });
    false
}

/// Parses the fill of padding to the bits of an element: a number, or `f16::from_bits(0x7e00)`.
pub const fn fill(element: ElementType, text: &str) -> Result<u64, Rule> {
    if let ElementType::Plain { .. } = element {
        return Err(Rule::PadOfPlain);
    }
    // The order in a byte is not a part of the value, and may be written after it.
    let element = element.low_first();
    let value = Name::new(text);
    let (bits, number) = match Literal::read(text) {
        Literal::Whole { value: Some(value), suffix }
            if is_suffix(suffix, element.name().as_str()) =>
        {
            (element.bits_of_integer(value), true)
        }
        Literal::Float { value, suffix } if is_suffix(suffix, element.name().as_str()) => {
            (element.bits_of_float(value), true)
        }
        Literal::Other => (from_bits(element, text), false),
        _ => (None, true),
    };
    match bits {
        Some(bits) => Ok(bits),
        None => Err(Rule::PadValue { text: value, element, number }),
    }
}

/// Parses `NAME::from_bits(BITS)`, where the name is that of the element type.
const fn from_bits(element: ElementType, text: &str) -> Option<u64> {
    let mut cursor = Cursor::new(text);
    let name = cursor.word();
    let is_own = same_text(cursor.text(name), element.name().as_str());
    if !is_own || !cursor.eat(b':') || !cursor.eat(b':') {
        return None;
    }
    let function = cursor.word();
    if !same_text(cursor.text(function), "from_bits") || !cursor.eat(b'(') {
        return None;
    }
    let bits = cursor.value(b')');
    if !cursor.eat(b')') || cursor.peek().is_some() {
        return None;
    }
    match Literal::read(cursor.text(bits)) {
        Literal::Whole { value: Some(bits), suffix }
            if suffix.is_empty()
                && 0 <= bits
                && bits <= u64::MAX as i128
                && element.fits(bits as u64) =>
        {
            Some(bits as u64)
        }
        _ => None,
    }
}

/// Parses the rest of `u4, high_first` after its name. `None` if it is something else.
const fn high_first(mut rest: Cursor<'_>, name: Span) -> Option<Result<ElementType, LayoutError>> {
    let Some(element) = ElementType::from_name(rest.text(name)) else { return None };
    if !rest.eat(b',') {
        return None;
    }
    let option = rest.word();
    match same_text(rest.text(option), "high_first") && rest.peek().is_none() {
        true => Some(element.high_first()),
        false => None,
    }
}

const fn whole(what: &'static str, text: &str) -> Result<usize, LayoutError> {
    match unsigned(what, 1, text) {
        Ok(number) => Ok(number),
        Err(rule) => Err(LayoutError(rule)),
    }
}

/// Parses the name of an element type with its order in a byte, or `plain(12, align = 4)` for a type of the user's own.
pub const fn element(text: &str) -> Result<ElementType, LayoutError> {
    if let Some(element) = ElementType::from_name(text) {
        return Ok(element);
    }
    let mut cursor = Cursor::new(text);
    let name = cursor.word();
    if let Some(element) = high_first(cursor, name) {
        return element;
    }
    if !same_text(cursor.text(name), "plain") || !cursor.eat(b'(') {
        return Err(LayoutError(Rule::UnknownElement { name: Name::new(text) }));
    }
    let form = Rule::OptionForm { name: "plain", form: PLAIN_FORM };
    let size = cursor.value(b')');
    let bytes = ok!(whole("size", cursor.text(size)));
    let mut align = 1;
    if cursor.eat(b',') {
        match cursor.name() {
            Some(name) if same_text(cursor.text(name), "align") => {}
            _ => return Err(LayoutError(form)),
        }
        let value = cursor.value(b')');
        align = ok!(whole("alignment", cursor.text(value)));
    }
    if !cursor.eat(b')') || cursor.peek().is_some() {
        return Err(LayoutError(form));
    }
    let element = ElementType::Plain { bytes, align };
    ok!(check_element(element));
    Ok(element)
}

/// The syntax of a type of the user's own.
const PLAIN_FORM: &str = "`plain(12, align = 4)`, by its size and alignment in bytes";

/// Whether a text may be a type of the user's own. A name of lower-case letters and digits is a misspelt element type
/// or one of another system. Rust's own types of that form are not elements.
pub(super) const fn could_be_a_type(text: &str) -> bool {
    let bytes = text.as_bytes();
    each!(i, 0..bytes.len(), {
        if !matches!(bytes[i], b'a'..=b'z' | b'0'..=b'9' | b'_') {
            return !is_literal(text);
        }
    });
    false
}
