//! Elements of 4 bits, two in a byte: the even offset in the low half.

use core::fmt;

use layout_types::ElementType;

use super::Code;
use crate::language::{Language, Parameters, show};
use crate::symbolic::Symbolic;

impl Code<'_> {
    /// The functions that read and write one element.
    pub(crate) fn nibbles(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        let is_signed = layout.element == ElementType::I4;
        match self.target.language.has_bytes() {
            true => self.of_bytes(f, is_signed),
            false => self.of_words(f, is_signed),
        }
    }

    /// In a buffer of bytes.
    fn of_bytes(&self, f: &mut fmt::Formatter<'_>, is_signed: bool) -> fmt::Result {
        let (byte, signed, space) = match self.target.language {
            Language::C => ("uint8_t", "int8_t", ""),
            Language::Cuda => ("unsigned char", "signed char", ""),
            Language::OpenCl => ("uchar", "char", "__global "),
            _ => ("uchar", "char", "device "),
        };
        let value = if is_signed { signed } else { byte };
        let buffer = |constant: &'static str| show(move |f| write!(f, "{space}{constant}{byte}"));
        self.comment(f, &"The element at an offset.")?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            list.of(&buffer("const "), &"*buffer")?;
            list.index(&"offset")
        };
        self.target.function(f, value, &self.named("load"), parameters, |f| {
            writeln!(
                f,
                "    const int bits = (buffer[offset >> 1u] >> ((offset & 1u) << 2u)) & 15;"
            )?;
            match is_signed {
                true => writeln!(f, "    return ({value})((bits ^ 8) - 8);"),
                false => writeln!(f, "    return ({value})bits;"),
            }
        })?;
        self.comment(
            f,
            &"Writes the element at an offset. The other half of its byte is read and written too.",
        )?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            list.of(&buffer(""), &"*buffer")?;
            list.index(&"offset")?;
            list.of(&value, &"value")
        };
        self.target.function(f, "void", &self.named("store"), parameters, |f| {
            writeln!(f, "    const int shift = (int)((offset & 1u) << 2u);")?;
            writeln!(f, "    const int other = buffer[offset >> 1u] & (240 >> shift);")?;
            writeln!(f, "    buffer[offset >> 1u] = ({byte})(other | ((value & 15) << shift));")
        })
    }

    /// In words of 32 bits, which the caller reads and writes.
    fn of_words(&self, f: &mut fmt::Formatter<'_>, is_signed: bool) -> fmt::Result {
        let language = self.target.language;
        let value = match (language, is_signed) {
            (Language::Wgsl, true) => "i32",
            (Language::Wgsl, false) => "u32",
            (_, true) => "int",
            (_, false) => "uint",
        };
        let index = self.target.index();
        let cast = if language == Language::Wgsl { "i32" } else { "int" };
        self.comment(f, &"The element at an offset, in word `offset / 8` of the buffer.")?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            list.index(&"word")?;
            list.index(&"offset")
        };
        self.target.function(f, value, &self.named("load"), parameters, |f| {
            let bits = show(|f| f.write_str("((word >> ((offset & 7u) << 2u)) & 15u)"));
            match is_signed {
                true => writeln!(f, "    return {cast}({bits} ^ 8u) - 8;"),
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
            self.target.declare(f, 1, &"shift", &"(offset & 7u) << 2u")?;
            writeln!(f, "    return (word & ~(15u << shift)) | (({index}(value) & 15u) << shift);")
        })
    }
}
