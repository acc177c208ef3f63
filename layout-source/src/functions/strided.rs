//! A struct of extents and strides, for kernels that take layouts found at run time.

use core::fmt::{self, Display};

use super::Code;
use crate::expression::Amount;
use crate::language::{Language, Parameters, show};
use crate::symbolic::{Digit, Symbolic};

/// A struct of extents and strides with its functions as text, made by
/// [`Source::strides`](crate::Source::strides).
#[derive(Clone, Copy)]
pub struct Strides<'a> {
    pub(crate) code: Code<'a>,
    pub(crate) layout: Symbolic,
}

/// The source text.
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

impl fmt::Debug for Strides<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

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

    /// The struct of this layout as a constant.
    fn values(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        let target = self.target;
        self.comment(f, &"The struct of this layout.")?;
        let list = show(|f| {
            for axis in 0..layout.rank() {
                write!(f, "{}, ", target.extent(layout, axis))?;
            }
            match target.wide {
                true => target.number(layout.base as u64).fmt(f)?,
                // As a number of 32 bits, which wraps as sums of offsets do.
                false => target.number((layout.base as u32).into()).fmt(f)?,
            }
            for digit in layout.digits() {
                // A stride that nothing steps by may be out of range.
                let stride = if digit.moves() { digit.known_stride().unwrap_or(0) } else { 0 };
                write!(f, ", {}", target.signed_number(stride))?;
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

impl Symbolic {
    /// `stride_` and the axis; of several digits of an axis, with their weight.
    fn stride_name<'a>(&'a self, digit: &'a Digit) -> impl Display + 'a {
        show(move |f| {
            write!(f, "stride_{}", self.letter(digit.axis))?;
            match self.digits().iter().filter(|other| other.axis == digit.axis).count() {
                1 => Ok(()),
                _ => write!(f, "_{}", digit.weight),
            }
        })
    }
}
