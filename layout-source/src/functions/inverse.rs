//! From an offset to its coordinate. The digits are computed from the slowest to the fastest, each with a division.
//!
//! If strides do not nest, several values of a digit are tried, the largest first. The number of tries is bounded by
//! what the faster digits can make up for.

use core::fmt::{self, Display};

use super::Code;
use crate::expression::Amount;
use crate::language::{Parameters, indentation, show};
use crate::symbolic::{DigitSize, SourceDigit, Stride, Symbolic};

impl Code<'_> {
    /// Writes the function from an offset to its coordinate.
    pub(crate) fn coordinate(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        self.comment(
            f,
            &"Whether an offset is that of an element, and not of padding. Writes the element's coordinate. If\n\
              // coordinates share the element, it writes the lowest.",
        )?;
        let parameters = |list: &mut Parameters<'_, '_>| {
            self.extents(list, layout)?;
            list.index(&"offset")?;
            (0..layout.rank()).try_for_each(|axis| list.output(&layout.letter(axis)))
        };
        self.target.function(f, "bool", &self.named("coordinate"), parameters, |f| {
            if layout.is_empty() {
                self.unused(f, &"offset")?;
                self.all_unused(f, layout, &|axis| layout.letter(axis))?;
                return f.write_str("    return false;\n");
            }
            let mut search = Search { code: self, layout, f, depth: 1 };
            search.begin()?;
            let mut level = 0;
            let mut before = None;
            for (i, _) in layout.moving() {
                search.digit(i, level, before)?;
                before = Some(i);
                level += 1;
            }
            search.end(level, before)
        })
    }

    /// Writes the distance that the digits after `i` span together.
    fn span_after(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic, i: usize) -> fmt::Result {
        let target = self.target;
        if let Some(span) = layout.span_from(i + 1) {
            return target.number(span as u64).fmt(f);
        }
        f.write_str("(")?;
        let one = target.number(1);
        for (k, (at, digit)) in layout.moving().filter(|(at, _)| *at > i).enumerate() {
            let plus = if k > 0 { " + " } else { "" };
            let size = target.size(layout, digit);
            let steps = show(|f| write!(f, "({size} - {one})"));
            // Only explicit strides may not nest.
            write!(f, "{plus}{}", target.times(steps, layout.stride(at)))?;
        }
        f.write_str(")")
    }
}

/// The body of the function while it is being written.
struct Search<'a, 'f, 's> {
    code: &'a Code<'a>,
    layout: &'a Symbolic,
    f: &'s mut fmt::Formatter<'f>,
    /// The indentation of the line: one level for each open loop, plus one.
    depth: usize,
}

impl Search<'_, '_, '_> {
    fn declare(&mut self, name: &dyn Display, value: &dyn Display) -> fmt::Result {
        self.code.target.declare(self.f, self.depth, name, value)
    }

    /// Continues with the next value, or returns false if there are no loops.
    fn fail_if(&mut self, condition: &dyn Display) -> fmt::Result {
        let what = if self.depth > 1 { "continue" } else { "return false" };
        writeln!(self.f, "{}if ({condition}) {{ {what}; }}", indentation(self.depth))
    }

    /// Writes the distance from the lowest element. After this, the offset is known to be inside the buffer.
    fn begin(&mut self) -> fmt::Result {
        let (target, layout) = (self.code.target, self.layout);
        let offset = match layout.swizzle {
            None => "offset",
            // The swizzle is its own inverse.
            Some(swizzle) => {
                self.declare(&"linear", &target.swizzled("offset", swizzle))?;
                "linear"
            }
        };
        if !layout.is_fixed() {
            let len =
                show(|f| write!(f, "{}({})", self.code.named("len"), self.code.arguments(layout)));
            self.fail_if(&show(|f| write!(f, "{offset} >= {len}")))?;
            if let Some((first, _)) = layout.moving().next() {
                self.code.strides(self.f, layout, first)?;
            }
            return self.declare(&"rest_0", &offset);
        }
        let lowest = layout.lowest();
        let distance = target.number(lowest.unsigned_abs() as u64);
        match lowest {
            0 => self.declare(&"rest_0", &offset)?,
            1.. => self.declare(&"rest_0", &show(|f| write!(f, "{offset} - {distance}")))?,
            _ => self.declare(&"rest_0", &show(|f| write!(f, "{offset} + {distance}")))?,
        }
        // An offset outside the buffer wraps to a number that is larger than all others, or to that of padding.
        let span = layout.span_from(0).unwrap_or(0) as u64;
        self.fail_if(&show(|f| write!(f, "rest_0 > {}", target.number(span))))
    }

    /// Writes the value of digit `i`, computed from `rest_level`, and the remainder.
    fn digit(&mut self, i: usize, level: usize, before: Option<usize>) -> fmt::Result {
        let (target, layout) = (self.code.target, self.layout);
        let digit = &layout.digits()[i];
        let stride = layout.stride(i);
        let rest = show(|f| write!(f, "rest_{level}"));
        let next = show(|f| write!(f, "rest_{}", level + 1));
        let name = show(|f| write!(f, "digit_{i}"));
        let size = target.size(layout, digit);
        let past = show(|f| write!(f, "{name} >= {size}"));
        let quotient = target.over(&rest, stride);
        if layout.is_nested(i) {
            self.declare(&name, &quotient)?;
            if !layout.is_bounded(i, before) {
                self.fail_if(&past)?;
            }
            return match layout.is_last(i) && digit.has_unit_stride() {
                true => Ok(()),
                false => self.declare(&next, &target.rest(&rest, stride)),
            };
        }
        let tries = show(|f| write!(f, "tries_{i}"));
        let code = self.code;
        let span = show(|f| code.span_after(f, layout, i));
        let window = show(|f| write!(f, "{} + {}", target.over(&span, stride), target.number(1)));
        target.count_to(self.f, self.depth, &tries, &window)?;
        self.depth += 1;
        // A negative value wraps to a number after the end.
        self.declare(&name, &show(|f| write!(f, "{quotient} - {tries}")))?;
        self.fail_if(&past)?;
        let left = show(|f| write!(f, "{rest} - {}", target.times(&name, stride)));
        self.declare(&next, &left)?;
        self.fail_if(&show(|f| write!(f, "{next} > {span}")))
    }

    /// Checks the remainder, and writes the coordinate.
    fn end(&mut self, level: usize, last: Option<usize>) -> fmt::Result {
        let (target, layout) = (self.code.target, self.layout);
        let has_rest = match last {
            Some(i) => !(layout.digits()[i].has_unit_stride() && layout.is_nested(i)),
            // Without digits, a known offset has been compared above.
            None => !layout.is_fixed(),
        };
        if has_rest {
            self.fail_if(&show(|f| write!(f, "rest_{level} != {}", target.number(0))))?;
        }
        for (i, digit) in layout.digits().iter().enumerate().filter(|(_, digit)| digit.is_free()) {
            let name = show(|f| write!(f, "digit_{i}"));
            target.count_to(self.f, self.depth, &name, &target.size(layout, digit))?;
            self.depth += 1;
        }
        for axis in 0..layout.rank() {
            self.index(axis)?;
        }
        for axis in 0..layout.rank() {
            let letter = layout.letter(axis);
            let index = show(|f| write!(f, "index_{letter}"));
            target.assign(self.f, self.depth, &letter, &index)?;
        }
        writeln!(self.f, "{}return true;", indentation(self.depth))?;
        let has_loops = self.depth > 1;
        while self.depth > 1 {
            self.depth -= 1;
            writeln!(self.f, "{}}}", indentation(self.depth))?;
        }
        match has_loops {
            true => self.f.write_str("    return false;\n"),
            false => Ok(()),
        }
    }

    /// Writes the coordinate of an axis, computed from its digits. It may be one of padding.
    fn index(&mut self, axis: usize) -> fmt::Result {
        let (target, layout) = (self.code.target, self.layout);
        let shift = layout.digits().iter().find(|digit| digit.axis == axis).map_or(0, |d| d.shift);
        let position = show(|f| {
            let digits = layout.digits().iter().enumerate();
            let of_axis = digits.filter(|(_, d)| d.axis == axis && (d.moves() || d.is_free()));
            let mut terms = 0;
            for (i, digit) in of_axis {
                let plus = if terms > 0 { " + " } else { "" };
                let up = show(|f| match digit.is_negative() {
                    true => {
                        let size = target.size(layout, digit);
                        write!(f, "({size} - {} - digit_{i})", target.number(1))
                    }
                    false => write!(f, "digit_{i}"),
                });
                let term = show(|f| match digit.change {
                    Some(change) => {
                        let other = layout.digits().iter().position(|other| {
                            (other.axis, other.weight) == (change.axis, change.weight)
                        });
                        let other = show(|f| match other {
                            Some(other) => write!(f, "digit_{other}"),
                            None => target.number(0).fmt(f),
                        });
                        target.changed(&up, digit, change.how.inverse(), other).fmt(f)
                    }
                    None => up.fmt(f),
                });
                write!(f, "{plus}{}", target.times(term, Amount::Known(digit.weight)))?;
                terms += 1;
            }
            if terms == 0 { target.number(0).fmt(f) } else { Ok(()) }
        });
        let index = show(|f| match shift {
            0 => position.fmt(f),
            _ => write!(f, "(({position}) - {})", target.number(shift)),
        });
        let letter = layout.letter(axis);
        self.declare(&show(|f| write!(f, "index_{letter}")), &index)?;
        if layout.has_padding(axis) {
            // A position before the first coordinate wraps.
            let extent = target.extent(layout, axis);
            self.fail_if(&show(|f| write!(f, "index_{letter} >= {extent}")))?;
        }
        Ok(())
    }
}

impl SourceDigit {
    fn has_unit_stride(&self) -> bool {
        self.known_stride().is_some_and(|stride| stride.unsigned_abs() == 1)
    }

    /// Whether the offset does not determine the digit, and coordinate 0 may have a value of the digit other than 0.
    fn is_free(&self) -> bool {
        self.stride == Stride::Known(0) && self.shift > 0 && self.size != DigitSize::Known(1)
    }
}

impl Symbolic {
    fn is_last(&self, i: usize) -> bool {
        self.moving().all(|(other, _)| other <= i)
    }

    /// Whether the remainder before digit `i` is too small for more steps than the digit has.
    fn is_bounded(&self, i: usize, before: Option<usize>) -> bool {
        let digit = &self.digits()[i];
        let Some(before) = before else {
            // The offset has been compared with the span.
            return self.is_fixed();
        };
        // The remainder is one of the slower stride.
        let slower = &self.digits()[before];
        let sizes = (slower.known_stride(), digit.known_stride(), digit.known_size());
        self.is_nested(before)
            && match sizes {
                (Some(slower), Some(stride), Some(size)) => {
                    let all = u128::from(stride.unsigned_abs()) * u128::from(size);
                    u128::from(slower.unsigned_abs()) == all
                }
                _ => false,
            }
    }

    /// Whether the digits of an axis can be those of a position outside it. They hold all positions up to the last
    /// coordinate, which is after `extent` if the first is not at 0.
    fn has_padding(&self, axis: usize) -> bool {
        let of_axis = self.digits().iter().filter(|digit| digit.axis == axis);
        let of_axis = of_axis.filter(|digit| digit.moves() || digit.is_free());
        // The size of the only digit of an axis is its extent, and has been compared.
        if of_axis
            .clone()
            .all(|digit| digit.weight == 1 && digit.size == (DigitSize::Open { extra: 0 }))
        {
            return false;
        }
        let last = of_axis
            .map(|digit| Some(u128::from(digit.known_size()? - 1) * u128::from(digit.weight)))
            .try_fold(0u128, |sum, value| sum.checked_add(value?));
        match (last, self.extent(axis)) {
            (Some(last), Some(extent)) => last >= u128::from(extent),
            _ => true,
        }
    }
}
