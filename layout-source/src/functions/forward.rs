//! From a coordinate to its offset.

use core::fmt::{self, Display};

use super::Code;
use crate::language::show;
use crate::symbolic::{DigitSize, SourceDigit, Symbolic};

impl Code<'_> {
    /// Writes the function from a coordinate to its offset.
    pub(crate) fn offset(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(f, &"The offset of a coordinate inside the extents.")?;
        let index = self.target.index();
        let parameters = |list: &mut crate::language::Parameters<'_, '_>| {
            self.extents(list, layout)?;
            (0..layout.rank()).try_for_each(|axis| list.index(&layout.letter(axis)))
        };
        self.target.function(f, index, &self.named("offset"), parameters, |f| {
            self.unused_in_offset(f, layout)?;
            if let Some((first, _)) = layout.moving().next() {
                self.strides(f, layout, first)?;
            }
            self.return_offset(f, layout, &self.sum(layout))
        })
    }

    /// Writes the return of the sum of the digits, swizzled if there is a swizzle.
    pub(super) fn return_offset(
        &self,
        f: &mut fmt::Formatter<'_>,
        layout: &Symbolic,
        sum: &dyn Display,
    ) -> fmt::Result {
        let Some(swizzle) = layout.swizzle else { return writeln!(f, "    return {sum};") };
        self.target.declare(f, 1, &"linear", sum)?;
        writeln!(f, "    return {};", self.target.swizzled("linear", swizzle))
    }

    /// Returns the sum of all digits. Digits that count up come first, so that no partial sum is negative.
    fn sum<'a>(&'a self, layout: &'a Symbolic) -> impl Display + 'a {
        show(move |f| {
            let base = layout.base;
            let mut terms = 0;
            let mut term = |f: &mut fmt::Formatter<'_>, sign: char, term: &dyn Display| {
                terms += 1;
                match (terms, sign) {
                    (1, '+') => write!(f, "{term}"),
                    (1, _) => write!(f, "{}\n        - {term}", self.target.number(0)),
                    _ => write!(f, "\n        {sign} {term}"),
                }
            };
            if base > 0 {
                term(f, '+', &self.target.number(base as u64))?;
            }
            for (i, digit) in layout.moving().filter(|(_, digit)| !digit.is_subtracted()) {
                term(f, '+', &self.term(layout, i, digit))?;
            }
            if base < 0 {
                term(f, '-', &self.target.number(base.unsigned_abs()))?;
            }
            for (i, digit) in layout.moving().filter(|(_, digit)| digit.is_subtracted()) {
                term(f, '-', &self.term(layout, i, digit))?;
            }
            match terms {
                0 => self.target.number(0).fmt(f),
                _ => Ok(()),
            }
        })
    }

    /// Returns what digit `i` adds or subtracts.
    fn term<'a>(
        &'a self,
        layout: &'a Symbolic,
        i: usize,
        digit: &'a SourceDigit,
    ) -> impl Display + 'a {
        show(move |f| {
            let target = self.target;
            let value = show(|f| match digit.is_negative() && !digit.is_subtracted() {
                // The last coordinate has the lowest offset.
                true => {
                    let (extent, one) = (target.extent(layout, digit.axis), target.number(1));
                    write!(f, "({extent} - {one} - {})", layout.letter(digit.axis))
                }
                false => target.value(layout, digit).fmt(f),
            });
            target.times(value, layout.stride(i)).fmt(f)
        })
    }

    fn unused_in_offset(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        let first = layout.moving().next().map_or(usize::MAX, |(first, _)| first);
        for axis in 0..layout.rank() {
            // Extents also occur in the strides of slower digits, and in digits that count down.
            let counts = |(i, digit): (usize, &SourceDigit)| {
                let is_part = i > first && !layout.explicit;
                digit.axis == axis
                    && matches!(digit.size, DigitSize::Open { .. })
                    && (is_part && digit.known_stride() != Some(0) || digit.is_negative())
            };
            let mut digits = layout.digits().iter().enumerate();
            if layout.extent(axis).is_none() && !digits.any(counts) {
                self.unused(f, &self.target.extent(layout, axis))?;
            }
            if !layout.moving().any(|(_, digit)| digit.axis == axis) {
                self.unused(f, &layout.letter(axis))?;
            }
        }
        Ok(())
    }
}

impl SourceDigit {
    /// Whether the digit's value is subtracted from the offset of coordinate 0, which is a number.
    fn is_subtracted(&self) -> bool {
        self.is_negative() && self.known_size().is_some()
    }
}
