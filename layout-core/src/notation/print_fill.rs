//! The fill of padding as text.

use core::fmt;

use super::values;
use crate::spec::half_floats;
use crate::spec::{ElementType, Kind, Name};

/// The element that fills padding, in the syntax of `pad = VALUE`.
pub(super) struct Fill {
    pub(super) bits: u64,
    pub(super) element: ElementType,
}

impl fmt::Display for Fill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bits, element } = *self;
        if let Some((low, _)) = element.integer_range() {
            // The bits above the sign bit equal the sign bit.
            let above = 64 - element.bits();
            return match low < 0 {
                true => fmt::Display::fmt(&(((bits << above) as i64) >> above), formatter),
                false => fmt::Display::fmt(&bits, formatter),
            };
        }
        // The shortest number that parses to these bits, if there is one.
        let forms = float(bits, element).map(|float| match element {
            ElementType::F64 => {
                [written(format_args!("{float}")), written(format_args!("{float:e}"))]
            }
            _ => {
                let float = float as f32;
                [written(format_args!("{float}")), written(format_args!("{float:e}"))]
            }
        });
        let read = |form: &&Name| values::fill(element, form.as_str()).ok() == Some(bits);
        match forms.iter().flatten().find(read) {
            Some(number) => fmt::Display::fmt(number, formatter),
            None => write!(formatter, "{}::from_bits({bits:#x})", element.low_first()),
        }
    }
}

/// Text of at most the length of a [`Name`]. Longer text ends in a character that no number has.
fn written(text: fmt::Arguments<'_>) -> Name {
    let mut name = Name::EMPTY;
    // A name truncates text, so writing to it cannot fail.
    let _ = fmt::write(&mut name, text);
    name
}

/// The value of a float with these bits.
fn float(bits: u64, element: ElementType) -> Option<f64> {
    match element {
        ElementType::F16 => Some(f64::from(half_floats::f16_to_f32(bits as u16))),
        ElementType::BF16 => Some(f64::from(half_floats::bf16_to_f32(bits as u16))),
        ElementType::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        ElementType::F64 => Some(f64::from_bits(bits)),
        other => match other.kind() {
            kind @ (Kind::Float(_) | Kind::Scale) => Some(f64::from(kind.small_float(bits as u8))),
            _ => None,
        },
    }
}
