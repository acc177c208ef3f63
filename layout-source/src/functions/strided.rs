//! A struct of extents and strides, for kernels that accept layouts known only at run time.

use core::fmt::{self, Display};

use layout_core::Layout;

use super::Code;
use crate::error::{NoSource, SourceError};
use crate::expression::Amount;
use crate::language::{Language, Parameters, show};
use crate::limits::{check, check_strides};
use crate::symbolic::{SourceDigit, Symbolic};

/// A struct of extents and strides with its functions as text, made by
/// [`Source::strides`](crate::Source::strides).
#[derive(Clone, Copy)]
pub struct Strides<'a> {
    pub(crate) code: Code<'a>,
    pub(crate) layout: Symbolic,
}

/// The struct as the host fills it.
impl Strides<'_> {
    /// Returns the fields of the struct of this layout in their order: extents, base, strides. Each is a word of 32
    /// bits, with strides in two's complement. After [`wide`](crate::Source::wide), each is a word of 64 bits.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.words_from(self.layout)
    }

    /// Returns the [`words`](Self::words) of another layout for the functions of this one. A host writes them into a
    /// buffer of parameters for a layout known only at run time.
    ///
    /// # Errors
    /// - The layout has other axes, blocks, swizzles, lanes or positions inside a block.
    /// - An axis is longer than a block, but not in the layout of the functions.
    /// - A number does not fit.
    ///
    /// ```
    /// use tensor_layout::Layout;
    /// use tensor_layout::source::{Language, Source};
    ///
    /// let example: Layout = "NHWC<N = 1, C = 3, H = 4, W = 5>, f32".parse()?;
    /// let kernel = Source::new("image", example).strides(Language::Cuda)?;
    /// // What arrives: planes, the rows backwards.
    /// let planes: Layout = "NCHW<2, 3, 4, 5>, f32".parse()?;
    /// let flipped = planes.flip('H')?;
    /// // Fields: extents N C H W, the base, and strides, named in the source text: N, H, W, C.
    /// let words: Vec<u32> = kernel.words_of(&flipped)?.map(|word| word as u32).collect();
    /// assert_eq!(words, [2, 3, 4, 5, 15, 60, -5i32 as u32, 1, 20]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words_of(
        &self,
        layout: &Layout,
    ) -> Result<impl Iterator<Item = u64> + use<>, SourceError> {
        let mut other = Symbolic::closed(layout);
        check(&other, self.code.target)?;
        check_strides(&other, self.code.target)?;
        match self.layout.take_order_of(&mut other) {
            true => Ok(self.words_from(other)),
            false => Err(SourceError(NoSource::OtherDigits)),
        }
    }

    fn words_from(&self, layout: Symbolic) -> impl Iterator<Item = u64> + use<> {
        let wide = self.code.target.wide;
        layout.fields().map(move |field| match field {
            Field::Index(number) | Field::Base(number) if wide => number,
            Field::Index(number) | Field::Base(number) => (number as u32).into(),
            Field::Stride(number) if wide => number as u64,
            Field::Stride(number) => (number as u32).into(),
        })
    }
}

/// Prints the source text.
impl Display for Strides<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, layout } = self;
        code.begin(f)?;
        code.structure(f, layout)?;
        code.values(f, layout)?;
        code.strided_contains(f, layout)?;
        code.strided_offset(f, layout)
    }
}

layout_core::debug_as_display!(Strides<'_>);

impl Code<'_> {
    fn structure(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(f, &"Extents, the offset where all digits are 0, and strides.")?;
        let target = self.target;
        writeln!(f, "struct {} {{", self.named("strides"))?;
        let field =
            |f: &mut fmt::Formatter<'_>, kind: &str, name: &dyn Display| match target.language {
                Language::Wgsl => writeln!(f, "    {name}: {kind},"),
                _ => writeln!(f, "    {kind} {name};"),
            };
        for axis in 0..layout.rank() {
            field(f, target.index(), &show(|f| write!(f, "extent_{}", layout.letter(axis))))?;
        }
        field(f, target.index(), &"base")?;
        for digit in layout.digits() {
            field(f, target.signed(), &layout.stride_name(digit))?;
        }
        match target.language {
            Language::Wgsl => f.write_str("}\n"),
            _ => f.write_str("};\n"),
        }
    }

    /// Writes the struct of this layout as a constant.
    fn values(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        let target = self.target;
        self.comment(f, &"The struct of this layout.")?;
        let list = show(|f| {
            for (i, field) in layout.fields().enumerate() {
                f.write_str(if i > 0 { ", " } else { "" })?;
                match field {
                    Field::Index(number) => target.number(number).fmt(f)?,
                    Field::Base(number) if target.wide => target.number(number).fmt(f)?,
                    // As an unsigned number of 32 bits, which wraps as sums of offsets do.
                    Field::Base(number) => target.number((number as u32).into()).fmt(f)?,
                    Field::Stride(number) => target.signed_number(number).fmt(f)?,
                }
            }
            Ok(())
        });
        let (kind, full) = (self.named("strides"), self.upper("STRIDES"));
        match target.language {
            Language::C | Language::OpenCl | Language::Cuda => {
                writeln!(f, "#define {full} {{{list}}}")
            }
            Language::Metal => writeln!(f, "constant constexpr {kind} {full} = {{{list}}};"),
            Language::Wgsl => writeln!(f, "const {full} = {kind}({list});"),
            Language::Glsl => writeln!(f, "const {kind} {full} = {kind}({list});"),
        }
    }

    fn strided_parameters(&self, list: &mut Parameters<'_, '_>, layout: &Symbolic) -> fmt::Result {
        let kind = show(|f| match self.target.language {
            Language::C | Language::OpenCl => write!(f, "struct {}", self.named("strides")),
            _ => self.named("strides").fmt(f),
        });
        list.of(&kind, &"strides")?;
        (0..layout.rank()).try_for_each(|axis| list.index(&layout.letter(axis)))
    }

    fn strided_contains(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(f, &"Whether a coordinate is inside the extents.")?;
        let parameters = |list: &mut Parameters<'_, '_>| self.strided_parameters(list, layout);
        self.target.function(f, "bool", &self.named("strided_contains"), parameters, |f| {
            if layout.rank() == 0 {
                self.unused(f, &"strides")?;
                return f.write_str("    return true;\n");
            }
            f.write_str("    return ")?;
            for axis in 0..layout.rank() {
                let (and, letter) = (if axis > 0 { " && " } else { "" }, layout.letter(axis));
                write!(f, "{and}{letter} < strides.extent_{letter}")?;
            }
            f.write_str(";\n")
        })
    }

    fn strided_offset(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(f, &"The offset of a coordinate inside the extents.")?;
        let (index, target) = (self.target.index(), self.target);
        let parameters = |list: &mut Parameters<'_, '_>| self.strided_parameters(list, layout);
        self.target.function(f, index, &self.named("strided_offset"), parameters, |f| {
            let sum = show(|f| {
                f.write_str("strides.base")?;
                for digit in layout.digits() {
                    let name = layout.stride_name(digit);
                    let stride = show(|f| match target.language {
                        Language::Wgsl | Language::Glsl => write!(f, "{index}(strides.{name})"),
                        _ => write!(f, "({index})strides.{name}"),
                    });
                    let value = target.value(layout, digit);
                    write!(f, "\n        + {}", target.times(value, Amount::Named(&stride)))?;
                }
                Ok(())
            });
            self.return_offset(f, layout, &sum)
        })
    }
}

/// A field of the struct.
enum Field {
    Index(u64),
    Base(u64),
    Stride(i64),
}

impl Symbolic {
    /// Returns the fields of the struct of a layout whose extents are known, in their order.
    fn fields(self) -> impl Iterator<Item = Field> {
        let extents = (0..self.rank()).map(move |axis| self.extent(axis).unwrap_or(0));
        let strides = (0..self.digits().len()).map(move |i| {
            let digit = &self.digits()[i];
            // The stride of a digit without steps may be out of range.
            if digit.moves() { digit.known_stride().unwrap_or(0) } else { 0 }
        });
        let base = core::iter::once(Field::Base(self.base as u64));
        extents.map(Field::Index).chain(base).chain(strides.map(Field::Stride))
    }

    /// Reorders the digits of the other layout as these. Returns false if the functions of this layout do not apply
    /// to it.
    fn take_order_of(&self, other: &mut Self) -> bool {
        let is_like = self.letters == other.letters
            && self.swizzle == other.swizzle
            && self.digits().len() == other.digits().len();
        let digits = *other;
        is_like
            && self.digits().iter().enumerate().all(|(i, slower)| {
                let is_own = |digit: &&SourceDigit| {
                    (digit.axis, digit.weight) == (slower.axis, slower.weight)
                };
                let mut found = digits.digits().iter().filter(is_own);
                let (Some(digit), None) = (found.next(), found.next()) else { return false };
                let remainder = digits.carries(digit);
                let fits = !remainder || self.carries(slower) && digit.size == slower.size;
                // The functions take a remainder, which leaves smaller values unchanged.
                let whole = !self.carries(slower) || digits.fits_below(digit, slower);
                other.set_digit(i, *digit);
                let is_alike = digit.shift == slower.shift && digit.change == slower.change;
                fits && whole && is_alike
            })
    }

    /// Whether the values of a digit are less than the size of another.
    fn fits_below(&self, digit: &SourceDigit, room: &SourceDigit) -> bool {
        digit.known_size() <= room.known_size()
    }

    /// Returns `stride_` with the axis, and with the weight if the axis has several digits.
    fn stride_name<'a>(&'a self, digit: &'a SourceDigit) -> impl Display + 'a {
        show(move |f| {
            write!(f, "stride_{}", self.letter(digit.axis))?;
            match self.digits().iter().filter(|other| other.axis == digit.axis).count() {
                1 => Ok(()),
                _ => write!(f, "_{}", digit.weight),
            }
        })
    }
}
