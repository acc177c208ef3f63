//! Functions that check whether a coordinate is inside the extents, and whether run-time extents are valid.

use core::fmt::{self, Display};

use super::Code;
use crate::expression::Amount;
use crate::language::{Parameters, show};
use crate::symbolic::{DigitSize, Rounding, Stride, Symbolic, WholeBytes};

impl Code<'_> {
    /// Writes the function that checks a coordinate.
    pub(crate) fn contains(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(f, &"Whether a coordinate is inside the extents.")?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            self.extents(list, layout)?;
            (0..layout.rank()).try_for_each(|axis| list.index(&layout.letter(axis)))
        };
        self.target.function(f, "bool", &self.named("contains"), parameters, |f| {
            if layout.rank() == 0 {
                return f.write_str("    return true;\n");
            }
            if layout.is_empty() {
                self.all_unused(f, layout, &|axis| layout.letter(axis))?;
                return f.write_str("    return false;\n");
            }
            f.write_str("    return ")?;
            for axis in 0..layout.rank() {
                let and = if axis > 0 { " && " } else { "" };
                write!(f, "{and}{} < {}", layout.letter(axis), self.target.extent(layout, axis))?;
            }
            f.write_str(";\n")
        })
    }

    /// Marks all parameters of a function of an empty layout as unused.
    pub(super) fn all_unused(
        &self,
        f: &mut fmt::Formatter<'_>,
        layout: &Symbolic,
        name: &dyn Fn(usize) -> char,
    ) -> fmt::Result {
        for axis in 0..layout.rank() {
            if layout.extent(axis).is_none() {
                self.unused(f, &self.target.extent(layout, axis))?;
            }
            self.unused(f, &name(axis))?;
        }
        Ok(())
    }

    /// Writes the function for the length of a buffer with extents known only at run time.
    pub(crate) fn len(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(f, &"The number of elements in a buffer, including padding.")?;
        let parameters = |list: &mut Parameters<'_, '_>| self.extents(list, layout);
        self.target.function(f, self.target.index(), &self.named("len"), parameters, |f| {
            if layout.is_empty() {
                self.all_unused_extents(f, layout)?;
                return writeln!(f, "    return {};", self.target.number(0));
            }
            self.return_if_empty(f, layout, &self.target.number(0))?;
            self.strides(f, layout, 0)?;
            writeln!(f, "    return {};", self.target.len(layout))
        })
    }

    fn all_unused_extents(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        layout.open_axes().try_for_each(|axis| self.unused(f, &self.target.extent(layout, axis)))
    }

    /// Writes a return of `value` for the case that an extent is 0.
    fn return_if_empty(
        &self,
        f: &mut fmt::Formatter<'_>,
        layout: &Symbolic,
        value: &dyn Display,
    ) -> fmt::Result {
        let is_0 = show(|f| write!(f, " == {}", self.target.number(0)));
        writeln!(f, "    if ({}) {{ return {value}; }}", self.joined(layout, " || ", &is_0))
    }

    /// Writes the function that checks run-time extents: whole blocks, and no number too large.
    pub(crate) fn fits(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(
            f,
            &"Whether these extents are valid and no number overflows. The other functions rely on it.",
        )?;
        let parameters = |list: &mut Parameters<'_, '_>| self.extents(list, layout);
        self.target.function(f, "bool", &self.named("fits"), parameters, |f| {
            if layout.is_empty() {
                self.all_unused_extents(f, layout)?;
                return f.write_str("    return true;\n");
            }
            self.whole_blocks(f, layout)?;
            self.return_if_empty(f, layout, &"true")?;
            if layout.explicit {
                self.span_fits(f, layout)?;
            } else {
                for i in (0..layout.digits().len()).rev() {
                    let name = self.target.amount(layout.stride(i));
                    self.stride_fits(f, layout, layout.digits()[i].stride, &name)?;
                }
                self.stride_fits(f, layout, layout.len, &"length")?;
            }
            if layout.pattern() > 1 {
                let (len, target) = (self.target.elements(layout, layout.len), self.target);
                let last = target.number(target.limit().saturating_sub(layout.pattern() - 1));
                self.fail_if(f, &show(|f| write!(f, "{len} > {last}")))?;
            }
            f.write_str("    return true;\n")
        })
    }

    /// Writes a return of false for the case that `condition` holds.
    fn fail_if(&self, f: &mut fmt::Formatter<'_>, condition: &dyn Display) -> fmt::Result {
        writeln!(f, "    if ({condition}) {{ return false; }}")
    }

    /// Writes the checks that extents are multiples of their blocks, or can be rounded up to them.
    fn whole_blocks(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        let target = self.target;
        for digit in layout.digits() {
            let DigitSize::Open { extra } = digit.size else { continue };
            let extent = target.extent(layout, digit.axis);
            if extra > 0 {
                let last = target.number(target.limit() - extra.min(target.limit()));
                self.fail_if(f, &show(|f| write!(f, "{extent} > {last}")))?;
            } else if digit.weight > 1 {
                let rest = target.rest(&extent, Amount::Known(digit.weight));
                let zero = target.number(0);
                self.fail_if(f, &show(|f| write!(f, "{rest} != {zero}")))?;
            }
        }
        Ok(())
    }

    /// Declares a stride or the length, after the checks that it does not overflow.
    fn stride_fits(
        &self,
        f: &mut fmt::Formatter<'_>,
        layout: &Symbolic,
        stride: Stride,
        name: &dyn Display,
    ) -> fmt::Result {
        let target = self.target;
        let Stride::After { faster, rounding } = stride else { return Ok(()) };
        let digit = &layout.digits()[faster];
        let (amount, size) = (target.amount(layout.stride(faster)), target.size(layout, digit));
        let limit = target.number(target.limit());
        // The size is not 0, so dividing by it is safe.
        self.fail_if(f, &show(|f| write!(f, "{amount} > {limit} / {size}")))?;
        let all = show(|f| write!(f, "({amount} * {size})"));
        let Rounding { multiple, bytes, per_byte } = rounding;
        let more = multiple.max(per_byte) - 1;
        if multiple > 1 || matches!(bytes, WholeBytes::Rows | WholeBytes::Lanes) {
            let last = target.number(target.limit() - more.min(target.limit()));
            self.fail_if(f, &show(|f| write!(f, "{all} > {last}")))?;
        }
        let rest = target.number(per_byte.max(2) - 1);
        let odd = show(|f| write!(f, "({all} & {rest}) != {}", target.number(0)));
        match bytes {
            _ if multiple > 1 => {}
            WholeBytes::Must => {
                let cut = target.fills_no_byte(&all, rounding);
                self.fail_if(f, &show(|f| write!(f, "{cut} && {odd}")))?;
            }
            WholeBytes::MustInLanes => self.fail_if(f, &odd)?,
            _ => {}
        }
        // The length comes last, and nothing depends on it.
        let is_last = stride == layout.len;
        match is_last {
            true => Ok(()),
            false => target.declare(f, 1, name, &target.elements(layout, stride)),
        }
    }

    /// For explicit strides, writes the checks that the distance from the first to the last element does not
    /// overflow.
    fn span_fits(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        let target = self.target;
        let one = target.number(1);
        let mut above = None;
        for (i, digit) in layout.moving() {
            let (size, stride) = (target.size(layout, digit), target.amount(layout.stride(i)));
            let rest = show(|f| match above {
                None => target.number(target.limit() - 1).fmt(f),
                Some(other) => write!(f, "rest_{other}"),
            });
            let has_rest = show(|f| write!(f, "({size} - {one}) > {rest} / {stride}"));
            self.fail_if(f, &has_rest)?;
            let left = show(|f| write!(f, "{rest} - (({size} - {one}) * {stride})"));
            let is_last = layout.moving().all(|(other, _)| other <= i);
            if !is_last {
                target.declare(f, 1, &show(|f| write!(f, "rest_{i}")), &left)?;
            }
            above = Some(i);
        }
        Ok(())
    }
}
