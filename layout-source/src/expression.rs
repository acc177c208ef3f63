//! Arithmetic as text. It uses shifts and masks for powers of two.
//!
//! Every operation has its own parentheses, since operator precedence differs between the languages.

use core::fmt::Display;

use layout_core::Swizzle;

use crate::language::{Target, show};
use crate::symbolic::{
    ChangeKind, DigitSize, Rounding, SourceDigit, StoredChange, Stride, Symbolic, WholeBytes,
};

/// A known number, or the name of a variable.
#[derive(Clone, Copy)]
pub(crate) enum Amount<'a> {
    Known(u64),
    Named(&'a dyn Display),
    /// The variable of the stride of this digit.
    Stride(usize),
}

impl Symbolic {
    /// The stride of digit `i`: a number without its sign, or a variable.
    pub(crate) fn stride(&self, i: usize) -> Amount<'static> {
        let known = self.digits()[i].known_stride();
        known.map_or(Amount::Stride(i), |stride| Amount::Known(stride.unsigned_abs()))
    }
}

impl Target {
    pub(crate) fn amount<'a>(self, amount: Amount<'a>) -> impl Display + 'a {
        show(move |f| match amount {
            Amount::Known(number) => self.number(number).fmt(f),
            Amount::Named(name) => name.fmt(f),
            Amount::Stride(i) => write!(f, "stride_{i}"),
        })
    }

    /// `value * amount`
    pub(crate) fn times<'a>(
        self,
        value: impl Display + 'a,
        amount: Amount<'a>,
    ) -> impl Display + 'a {
        self.scaled(value, "<<", "*", amount)
    }

    /// `value / amount`
    pub(crate) fn over<'a>(
        self,
        value: impl Display + 'a,
        amount: Amount<'a>,
    ) -> impl Display + 'a {
        self.scaled(value, ">>", "/", amount)
    }

    /// A product or a quotient, as a shift by a power of two.
    fn scaled<'a>(
        self,
        value: impl Display + 'a,
        shift: &'static str,
        sign: &'static str,
        amount: Amount<'a>,
    ) -> impl Display + 'a {
        show(move |f| match amount {
            Amount::Known(1) => value.fmt(f),
            Amount::Known(n) if n.is_power_of_two() => {
                write!(f, "({value} {shift} {}u)", n.trailing_zeros())
            }
            _ => write!(f, "({value} {sign} {})", self.amount(amount)),
        })
    }

    /// `value % amount`
    pub(crate) fn rest<'a>(
        self,
        value: impl Display + 'a,
        amount: Amount<'a>,
    ) -> impl Display + 'a {
        show(move |f| match amount {
            Amount::Known(n) if n.is_power_of_two() => {
                write!(f, "({value} & {})", self.number(n - 1))
            }
            _ => write!(f, "({value} % {})", self.amount(amount)),
        })
    }

    /// `value + number`
    pub(crate) fn plus<'a>(self, value: impl Display + 'a, number: u64) -> impl Display + 'a {
        show(move |f| match number {
            0 => value.fmt(f),
            _ => write!(f, "({value} + {})", self.number(number)),
        })
    }

    /// Returns the extent of an axis: a number, or the parameter.
    pub(crate) fn extent(self, layout: &Symbolic, axis: usize) -> impl Display + '_ {
        show(move |f| match layout.extent(axis) {
            Some(extent) => self.number(extent).fmt(f),
            None => write!(f, "extent_{}", layout.letter(axis)),
        })
    }

    /// Returns the number of values of a digit.
    pub(crate) fn size<'a>(
        self,
        layout: &'a Symbolic,
        digit: &'a SourceDigit,
    ) -> impl Display + 'a {
        show(move |f| match digit.size {
            DigitSize::Known(size) => self.number(size).fmt(f),
            DigitSize::Open { extra } => {
                let end = self.plus(self.extent(layout, digit.axis), extra);
                self.over(end, Amount::Known(digit.weight)).fmt(f)
            }
        })
    }

    /// Returns the value of a digit in a coordinate, as it is stored.
    pub(crate) fn value<'a>(
        self,
        layout: &'a Symbolic,
        digit: &'a SourceDigit,
    ) -> impl Display + 'a {
        show(move |f| {
            let position = self.plus(layout.letter(digit.axis), digit.shift);
            let value = self.over(position, Amount::Known(digit.weight));
            let value = show(|f| match digit.size {
                DigitSize::Known(size) if layout.carries(digit) => {
                    self.rest(&value, Amount::Known(size)).fmt(f)
                }
                _ => value.fmt(f),
            });
            let Some(StoredChange { how, axis, weight, size }) = digit.change else {
                return value.fmt(f);
            };
            let other = self.over(layout.letter(axis), Amount::Known(weight));
            self.changed(value, digit, how, self.rest(other, Amount::Known(size))).fmt(f)
        })
    }

    /// Returns the value that a digit becomes with the value of another one.
    pub(crate) fn changed<'a>(
        self,
        value: impl Display + 'a,
        digit: &'a SourceDigit,
        how: ChangeKind,
        other: impl Display + 'a,
    ) -> impl Display + 'a {
        let size = digit.known_size().unwrap_or(1);
        show(move |f| {
            let whole = self.number(size);
            let sum = show(|f| match how {
                ChangeKind::Plus => write!(f, "({value} + {other})"),
                _ => {
                    let other = self.rest(&other, Amount::Known(size));
                    write!(f, "(({value} + {whole}) - {other})")
                }
            });
            match how {
                ChangeKind::Xor => write!(f, "({value} ^ {other})"),
                _ => self.rest(sum, Amount::Known(size)).fmt(f),
            }
        })
    }

    /// Returns a length or a stride, using the variables of [`Symbolic::stride`].
    pub(crate) fn elements<'a>(self, layout: &'a Symbolic, elements: Stride) -> impl Display + 'a {
        show(move |f| match elements {
            Stride::Known(number) => self.number(number.unsigned_abs()).fmt(f),
            Stride::Span => {
                let one = self.number(1);
                for (i, digit) in layout.moving() {
                    let steps = show(|f| write!(f, "({} - {one})", self.size(layout, digit)));
                    write!(f, "{} + ", self.times(steps, layout.stride(i)))?;
                }
                one.fmt(f)
            }
            Stride::After { faster, rounding } => {
                let size = self.size(layout, &layout.digits()[faster]);
                self.rounded(self.times(size, layout.stride(faster)), rounding).fmt(f)
            }
        })
    }

    /// Returns the length of a buffer.
    pub(crate) fn len(self, layout: &Symbolic) -> impl Display + '_ {
        show(move |f| {
            let pattern = layout.pattern();
            let len = self.elements(layout, layout.len);
            match layout.known_len() {
                Some(len) => self.number(len).fmt(f),
                None if pattern == 1 => len.fmt(f),
                None => {
                    let above = show(|f| write!(f, "({len} + {})", self.number(pattern - 1)));
                    let patterns = self.over(above, Amount::Known(pattern));
                    self.times(patterns, Amount::Known(pattern)).fmt(f)
                }
            }
        })
    }

    /// Returns the swizzled offset: the bits that the swizzle reads are XORed into those that it changes.
    pub(crate) fn swizzled(self, offset: &'static str, swizzle: Swizzle) -> impl Display {
        show(move |f| {
            let (base, apart) = (swizzle.base(), swizzle.shift().unsigned_abs());
            let (from, to) = match swizzle.shift() < 0 {
                true => (base, base + apart),
                false => (base + apart, base),
            };
            let mask = self.number((1 << swizzle.bits()) - 1);
            write!(f, "{offset} ^ ((({offset} >> {from}u) & {mask}) << {to}u)")
        })
    }

    /// Rounds up a number of elements.
    fn rounded(self, elements: impl Display, rounding: Rounding) -> impl Display {
        show(move |f| {
            let multiple = rounding.multiple;
            let aligned = show(|f| match multiple {
                1 => elements.fmt(f),
                _ => {
                    let above = self.plus(&elements, multiple - 1);
                    let count = self.over(above, Amount::Known(multiple));
                    self.times(count, Amount::Known(multiple)).fmt(f)
                }
            });
            let whole = show(|f| {
                let count = self.plus(&aligned, rounding.per_byte - 1);
                let count = self.over(count, Amount::Known(rounding.per_byte));
                self.times(count, Amount::Known(rounding.per_byte)).fmt(f)
            });
            match rounding.bytes {
                // If the number is not of whole bytes, the extents break a rule.
                _ if multiple > 1 => aligned.fmt(f),
                WholeBytes::Always | WholeBytes::Must | WholeBytes::MustInLanes => aligned.fmt(f),
                WholeBytes::Lanes => whole.fmt(f),
                WholeBytes::Rows => {
                    self.choose(self.fills_no_byte(&aligned, rounding), &whole, &aligned).fmt(f)
                }
            }
        })
    }

    /// Whether rows of `elements` elements are longer than a byte, or do not fill a byte together.
    pub(crate) fn fills_no_byte(self, elements: impl Display, rounding: Rounding) -> impl Display {
        let half = rounding.per_byte / 2;
        show(move |f| match half {
            // Of 1, 2, 3 and 4 elements, all but 3 divide the 8 elements of a byte.
            4 => {
                let (three, four) = (self.number(3), self.number(4));
                write!(f, "({elements} == {three} || {elements} > {four})")
            }
            _ => write!(f, "({elements} > {})", self.number(half)),
        })
    }
}
