//! Computed values of rule texts.

use super::element::ElementType;
use super::template::Value;
use super::text::Name;

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

/// Our name of the element type that other systems call `name`.
pub(super) const fn known(name: &str) -> Value<'static> {
    match ElementType::name_for_foreign(name) {
        Some(known) => Value::Text(known),
        None => Value::Flag(false),
    }
}

/// The bits of an integer whose elements would cross bytes, such as `u3`: 3, 5, 6 or 7. 0 for all other names.
pub(super) const fn bits_across_bytes(name: &str) -> Value<'static> {
    Value::Number(match name.as_bytes() {
        [b'i' | b'u', digit @ (b'3' | b'5'..=b'7')] => (*digit - b'0') as usize,
        _ => 0,
    })
}

/// The smallest integer type that holds the integers of such a name.
pub(super) const fn wider(name: &str) -> Value<'static> {
    Value::Text(match name.as_bytes() {
        b"i3" => "i4",
        b"u3" => "u4",
        [b'i', ..] => "i8",
        _ => "u8",
    })
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

/// The value of a field in a template.
macro_rules! value {
    (Address, $field:ident) => {
        Value::Wide(*$field)
    };
    (Bits, $field:ident) => {
        Value::Bits(*$field)
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
        Value::Elements($field)
    };
    (Index, $field:ident) => {
        Value::Indices($field)
    };
    (Letters, $field:ident) => {
        Value::Letters(*$field)
    };
    (Name, $field:ident) => {
        Value::Text($field.as_str())
    };
    (Names, $field:ident) => {
        Value::Names($field)
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
        Value::Signed(*$field as isize)
    };
    (isize, $field:ident) => {
        Value::Signed(*$field)
    };
    (usize, $field:ident) => {
        Value::Number(*$field)
    };
}

pub(super) use value;
