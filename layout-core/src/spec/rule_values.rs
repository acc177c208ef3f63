//! Computed values of rule texts.

use super::element::{ElementType, Kind};
use super::factor::Letters;
use super::template::Value;
use super::text::{ListText, Message, Name, same_text};

/// The letter in lower case, as in blocks.
pub(super) const fn lower(letter: char) -> Value<'static> {
    Value::Character(letter.to_ascii_lowercase())
}

/// The bytes of one element, or of a byte of elements.
pub(super) const fn bytes_of(element: ElementType) -> Value<'static> {
    Value::Number(element.bits().div_ceil(8))
}

/// The bits of one element.
pub(super) const fn bits_of(element: ElementType) -> Value<'static> {
    Value::Number(element.bits())
}

/// The number of elements that share a byte.
pub(super) const fn per_byte(element: ElementType) -> Value<'static> {
    Value::Number(element.per_byte())
}

/// Whether two elements share a byte.
pub(super) const fn are_halves(element: ElementType) -> Value<'static> {
    Value::Flag(element.per_byte() == 2)
}

/// The largest multiple of `step` that is at most `number`.
pub(super) const fn below(number: usize, step: usize) -> Value<'static> {
    Value::Number(number / step * step)
}

/// The smallest multiple of `step` that is larger than `number`, unless it overflows.
pub(super) const fn above(number: usize, step: usize) -> Value<'static> {
    match (number / step * step).checked_add(step) {
        Some(above) => Value::Number(above),
        None => Value::Flag(false),
    }
}

/// The largest number of coordinates that a slice of an axis can take.
pub(super) const fn most_of_slice(extent: usize, start: usize, step: isize) -> usize {
    let rest = if step < 0 { start } else { extent.saturating_sub(1).saturating_sub(start) };
    match rest.checked_div(step.unsigned_abs()) {
        // If the start is out of bounds, the text does not use this number.
        Some(steps) => steps.saturating_add(1),
        None => 1,
    }
}

/// The first coordinate of an axis from which tiles of `size` would fit, if the axis begins at `start` in a block.
/// Each of its coordinates is `inside` of the coordinates that count sizes and blocks.
pub(super) const fn next_start(start: usize, block: usize, size: usize, inside: usize) -> usize {
    let step = if block % size == 0 && size % inside == 0 { size } else { block };
    (step - start % step) / inside
}

/// The number of coordinates that a block and those below it cover, or 1 without a block.
pub(super) const fn covered(size: usize, weight: usize) -> usize {
    if size == 0 { 1 } else { size.saturating_mul(weight) }
}

/// A block of `size` directly above another one.
pub(super) const fn above_block(letter: char, size: usize, below: usize, weight: usize) -> Name {
    Name::of_block(letter, size, covered(below, weight))
}

/// What a conversion of this name converts.
pub(super) const fn converts(name: &str) -> &'static str {
    const ALL: [(&str, &str); 5] = [
        ("quantize", "floats to integers of up to 32 bits"),
        ("dequantize", "integers of up to 32 bits to floats"),
        ("requantize", "`i64` or integers that `i32` holds to integers that `i32` holds"),
        ("offset", "integers of up to 32 bits to integers of up to 32 bits"),
        ("wrapping", "integers to integers"),
    ];
    each!(i, 0..ALL.len(), {
        if same_text(name, ALL[i].0) {
            return ALL[i].1;
        }
    });
    "numbers to floats"
}

/// A number with its sign.
pub(super) const fn signed(number: isize) -> Name {
    let mut text = Name::EMPTY;
    text.push_signed(number);
    text
}

/// An address, which may not fit in `usize`.
pub(super) const fn wide(number: u64) -> Name {
    let mut text = Name::EMPTY;
    text.push_wide(number);
    text
}

/// An expression in `layout!`. A template has no braces of its own.
pub(super) const EXPRESSION: &str = "{ const expression }";

/// Bits in hexadecimal.
pub(super) const fn hexadecimal(bits: u64) -> Name {
    let mut text = Name::EMPTY;
    text.push_bits(bits);
    text
}

/// `[0, 1, 0, 0]`
pub(super) const fn numbers(numbers: &[u32]) -> Message {
    let mut text = Message::EMPTY;
    text.push_list(numbers);
    text
}

/// `N, C, H, W`
pub(super) const fn letters(letters: Letters) -> Message {
    let mut text = Message::EMPTY;
    each!(i, 0..letters.count(), {
        text.push(separator(i, usize::MAX));
        text.push_char(letters.at(i));
    });
    text
}

/// The letters as names of indices: `c, h, w`.
pub(super) const fn order_of(letters: Letters) -> Message {
    let mut text = Message::EMPTY;
    each!(i, 0..letters.count(), {
        text.push(if i == 0 { "" } else { ", " });
        text.push_char(letters.at(i).to_ascii_lowercase());
    });
    text
}

/// Part `i` of a list whose parts commas separate, the format first, or `..` if the list is cut.
pub(super) const fn value_of(list: &ListText, i: usize) -> &str {
    if list.is_cut() {
        return "..";
    }
    let (mut start, mut left) = (0, i);
    let bytes = list.as_str().as_bytes();
    while left > 0 && start < bytes.len() {
        left -= (bytes[start] == b',') as usize;
        start += 1;
    }
    let mut end = start;
    while end < bytes.len() && bytes[end] != b',' {
        end += 1;
    }
    match core::str::from_utf8(bytes.split_at(end).0.split_at(start).1) {
        Ok(text) => text,
        // Commas are characters of their own.
        Err(_) => "..",
    }
}

/// The values of a list with these names: `HWC<H = 480, W = 640, C = 3>`, or in brackets without a format.
pub(super) const fn pairs(list: &ListText, names: Letters) -> Message {
    let format = value_of(list, 0);
    let mut text = Message::new(format);
    let (open, close) = if format.is_empty() { ("[", "]") } else { ("<", ">") };
    text.push(open);
    each!(i, 0..names.count(), {
        text.push(separator(i, usize::MAX));
        text.push_char(names.at(i));
        text.push(" = ");
        text.push(value_of(list, i + 1));
    });
    text.push(close);
    text
}

/// The same without values: `HWC<C = .., H = .., W = ..>`.
pub(super) const fn unknown_pairs(names: Letters, format: &str) -> Message {
    let mut list = ListText::new(format);
    each!(_, 0..names.count(), {
        list.push(",..");
    });
    pairs(&list, names)
}

/// A named extent for each of these axes, as a function takes them.
pub(super) const fn named(letters: Letters) -> Message {
    let mut text = Message::EMPTY;
    each!(i, 0..letters.count(), {
        text.push(separator(i, usize::MAX));
        text.push("('");
        text.push_char(letters.at(i));
        text.push("', ..)");
    });
    text
}

/// A constant whose name is this letter, as an expression.
pub(super) const fn braced(letter: char) -> Name {
    let mut text = Name::new("{ ");
    text.push_char(letter);
    text.push(" }");
    text
}

/// `` `a`, `b` or `c` ``
pub(super) const fn names(names: &[&str]) -> Message {
    let mut text = Message::EMPTY;
    each!(i, 0..names.len(), {
        text.push(separator(i, names.len()));
        text.push("`");
        text.push(names[i]);
        text.push("`");
    });
    text
}

/// `i8, u8 or f32`
pub(super) const fn types(elements: &[ElementType]) -> Message {
    let mut text = Message::EMPTY;
    each!(i, 0..elements.len(), {
        text.push(separator(i, elements.len()));
        text.push(elements[i].name().as_str());
    });
    text
}

/// The separator before entry `i` of `count` alternatives.
const fn separator(i: usize, count: usize) -> &'static str {
    match i {
        0 => "",
        _ if i + 1 == count => " or ",
        _ => ", ",
    }
}

/// The values that a fill of this type can have.
pub(super) const fn range_of(element: ElementType) -> Message {
    let mut text = Message::EMPTY;
    match (element.integer_range(), element) {
        (Some((low, high)), _) => {
            text.push("an integer from ");
            if low < 0 {
                text.push("-");
            }
            text.push_wide(low.unsigned_abs() as u64);
            text.push(" to ");
            text.push_wide(high as u64);
        }
        // The largest number has one digit after the point at most.
        _ if element.kind().largest_float() < 1e6 => {
            let tenths = (element.kind().largest_float() * 10.0) as usize;
            let signs = ["a number from -", " to "];
            each!(i, 0..2, {
                text.push(signs[i]);
                text.push_number(tenths / 10);
                if tenths % 10 > 0 {
                    text.push(".");
                    text.push_number(tenths % 10);
                }
            });
            if element.bits() <= 8 {
                text.push(", or bits as in `");
                text.push(element.name().as_str());
                text.push("::from_bits(0x1)`");
            }
        }
        _ if matches!(element.kind(), Kind::Scale) => {
            text.push("a power of two, or its bits as in `");
            text.push(element.name().as_str());
            text.push("::from_bits(0x7f)`");
        }
        _ => {
            text.push("a number that `");
            text.push(element.name().as_str());
            text.push("` can hold");
        }
    }
    text
}

/// The value of a field in a template.
macro_rules! value {
    (Address, $field:ident) => {
        Value::List((*$field != 0) as usize, wide(*$field).as_str())
    };
    (Bits, $field:ident) => {
        Value::List((*$field != 0) as usize, hexadecimal(*$field).as_str())
    };
    (Count, $field:ident) => {
        match *$field {
            Some(count) => Value::Number(count),
            None => Value::Flag(false),
        }
    };
    (Element, $field:ident) => {
        Value::Text($field.name().as_str())
    };
    (Elements, $field:ident) => {
        Value::List($field.len(), types($field).as_str())
    };
    (Index, $field:ident) => {
        Value::Text(numbers($field).as_str())
    };
    (Letters, $field:ident) => {
        Value::List($field.count(), letters(*$field).as_str())
    };
    (ListText, $field:ident) => {
        Value::Text($field.as_str())
    };
    (Name, $field:ident) => {
        Value::Text($field.as_str())
    };
    (Names, $field:ident) => {
        Value::List($field.len(), names($field).as_str())
    };
    (Str, $field:ident) => {
        Value::Text($field)
    };
    (bool, $field:ident) => {
        Value::Flag(*$field)
    };
    (char, $field:ident) => {
        Value::Character(*$field)
    };
    (i32, $field:ident) => {
        Value::List((*$field != 0) as usize, signed(*$field as isize).as_str())
    };
    (isize, $field:ident) => {
        Value::List((*$field != 0) as usize, signed(*$field).as_str())
    };
    (usize, $field:ident) => {
        Value::Number(*$field)
    };
}

pub(super) use value;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_numbers_are_texts() {
        let axes = Letters::EMPTY.with('N').with('C');
        for (text, expected) in [
            (letters(Letters::EMPTY), ""),
            (letters(axes), "N, C"),
            (named(axes), "('N', ..), ('C', ..)"),
            (names(&["a"]), "`a`"),
            (names(&["a", "b", "c"]), "`a`, `b` or `c`"),
            (types(&[ElementType::I4, ElementType::F16]), "i4 or f16"),
            (numbers(&[1, 0]), "[1, 0]"),
            (range_of(ElementType::I8), "an integer from -128 to 127"),
        ] {
            assert_eq!(text.as_str(), expected);
        }
        assert_eq!(signed(-3).as_str(), "-3");
        assert_eq!(hexadecimal(0xff0).as_str(), "0xff0");
        assert_eq!(wide(u64::MAX).as_str(), "18446744073709551615");
    }
}
