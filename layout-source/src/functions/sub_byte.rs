//! Elements of less than a byte: several in a byte, the first in the lowest or the highest bits.

use core::fmt::{self, Display};

use layout_core::ElementType;

use super::Code;
use crate::language::{Language, Parameters, show};
use crate::symbolic::Symbolic;

impl Code<'_> {
    /// Writes the functions that read and write one element.
    pub(crate) fn sub_byte(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        match self.target.language.has_bytes() {
            true => self.of_bytes(f, layout.element),
            false => self.of_words(f, layout.element),
        }
    }

    /// Writes the functions for a buffer of bytes.
    fn of_bytes(&self, f: &mut fmt::Formatter<'_>, element: ElementType) -> fmt::Result {
        let (byte, signed, space) = match self.target.language {
            Language::C => ("uint8_t", "int8_t", ""),
            Language::Cuda => ("unsigned char", "signed char", ""),
            Language::OpenCl => ("uchar", "char", "__global "),
            _ => ("uchar", "char", "device "),
        };
        let is_signed = is_signed(element);
        let value = if is_signed { signed } else { byte };
        let buffer = |constant: &'static str| show(move |f| write!(f, "{space}{constant}{byte}"));
        let (mask, log) = (mask(element), element.per_byte().ilog2());
        let shift = shift_in(element, element.per_byte());
        self.comment(f, &"The element at an offset.")?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            list.of(&buffer("const "), &"*buffer")?;
            list.index(&"offset")
        };
        self.target.function(f, value, &self.named("load"), parameters, |f| {
            writeln!(f, "    const int bits = (buffer[offset >> {log}u] >> ({shift})) & {mask};")?;
            let sign = mask / 2 + 1;
            match is_signed {
                true => writeln!(f, "    return ({value})((bits ^ {sign}) - {sign});"),
                false => writeln!(f, "    return ({value})bits;"),
            }
        })?;
        let others = match element.per_byte() {
            2 => "other half of its byte is",
            _ => "others of its byte are",
        };
        let note = show(|f| {
            write!(f, "Writes the element at an offset. The {others} read and written too.")
        });
        self.comment(f, &note)?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            list.of(&buffer(""), &"*buffer")?;
            list.index(&"offset")?;
            list.of(&value, &"value")
        };
        self.target.function(f, "void", &self.named("store"), parameters, |f| {
            writeln!(f, "    const int shift = (int)({shift});")?;
            writeln!(f, "    const int other = buffer[offset >> {log}u] & ~({mask} << shift);")?;
            writeln!(
                f,
                "    buffer[offset >> {log}u] = ({byte})(other | ((value & {mask}) << shift));"
            )
        })
    }

    /// Writes the functions for words of 32 bits, which the caller reads and writes.
    fn of_words(&self, f: &mut fmt::Formatter<'_>, element: ElementType) -> fmt::Result {
        let (language, is_signed) = (self.target.language, is_signed(element));
        let value = match (language, is_signed) {
            (Language::Wgsl, true) => "i32",
            (Language::Wgsl, false) => "u32",
            (_, true) => "int",
            (_, false) => "uint",
        };
        let index = self.target.index();
        let cast = if language == Language::Wgsl { "i32" } else { "int" };
        let (mask, per_word) = (mask(element), 4 * element.per_byte());
        let shift = shift_in(element, per_word);
        let note = show(|f| {
            write!(f, "The element at an offset, in word `offset / {per_word}` of the buffer.")
        });
        self.comment(f, &note)?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            list.index(&"word")?;
            list.index(&"offset")
        };
        self.target.function(f, value, &self.named("load"), parameters, |f| {
            let bits = show(|f| write!(f, "((word >> ({shift})) & {mask}u)"));
            let sign = mask / 2 + 1;
            match is_signed {
                true => writeln!(f, "    return {cast}({bits} ^ {sign}u) - {sign};"),
                false => writeln!(f, "    return {bits};"),
            }
        })?;
        self.comment(f, &"The word with another element at an offset.")?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            list.index(&"word")?;
            list.index(&"offset")?;
            list.of(&value, &"value")
        };
        self.target.function(f, index, &self.named("store"), parameters, |f| {
            self.target.declare(f, 1, &"shift", &shift)?;
            writeln!(
                f,
                "    return (word & ~({mask}u << shift)) | (({index}(value) & {mask}u) << shift);"
            )
        })
    }
}

/// Returns an element whose bits are all 1.
fn mask(element: ElementType) -> u32 {
    (1 << element.bits()) - 1
}

fn is_signed(element: ElementType) -> bool {
    element.integer_range().is_some_and(|(low, _)| low < 0)
}

/// Returns the shift of the element at an offset within a byte, or within a word of `count` elements.
fn shift_in(element: ElementType, count: usize) -> impl Display {
    show(move |f| {
        let last = element.per_byte() - 1;
        match element.is_high_first() {
            true => write!(f, "((offset ^ {last}u) & {}u)", count - 1)?,
            false => write!(f, "(offset & {}u)", count - 1)?,
        }
        match element.bits() {
            1 => Ok(()),
            bits => write!(f, " << {}u", bits.ilog2()),
        }
    })
}
