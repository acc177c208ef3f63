//! A layout in the notation of `layout!`.

use core::fmt;

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::layout::{Digit, LaneImage};
use crate::spec::half_floats;
use crate::spec::{ElementType, Letters, MAX_FACTORS, MAX_RANK, coordinate_order};

/// What `layout!` reads: `NCHW4c<2, 63, 3, 3>, i8, pad = -1`. The same address map can be written in
/// several notations; this is one of them.
///
/// What is printed of a view, `layout!` does not read: where in its buffer it begins, `from 3 of 96`;
/// in blocks, a stride for each axis and block as the format lists them, and where in a block an axis
/// begins, `C from 3`.
impl fmt::Display for Layout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_format(formatter)?;
        if self.rank() > 0 {
            self.write_extents(formatter)?;
        }
        write!(formatter, ", {}", self.element.name())?;
        match self.fill {
            Some(0) => formatter.write_str(", pad")?,
            Some(bits) => write!(formatter, ", pad = {}", Fill { bits, element: self.element })?,
            None => {}
        }
        match (self.explicit, self.strides()) {
            (true, Some(strides)) => {
                write_list(formatter, ", strides = ", &strides[..self.rank()])?
            }
            (true, None) => self.write_digits(formatter)?,
            (false, _) => self.write_alignments(formatter)?,
        }
        self.write_broadcast(formatter)?;
        self.write_lanes(formatter)?;
        self.write_place(formatter)
    }
}

/// What prints, and what else two layouts can differ in.
impl fmt::Debug for Layout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { element, base, length, alignment, explicit, .. } = self;
        formatter
            .debug_struct("Layout")
            .field("layout", &format_args!("{self}"))
            .field("element", element)
            .field("digits", &self.digits())
            .field("base", base)
            .field("length", length)
            .field("alignment", alignment)
            .field("explicit", explicit)
            .finish()
    }
}

impl Layout {
    /// The format of [`Display`](fmt::Display), cut at the length of a [`Name`].
    #[cfg(feature = "bytemuck")]
    pub(crate) fn format_name(&self) -> crate::spec::Name {
        let mut name = crate::spec::Name::EMPTY;
        // A name takes all that is written to it, and cuts it.
        let _ = self.write_format(&mut name);
        name
    }

    fn write_format(&self, formatter: &mut impl fmt::Write) -> fmt::Result {
        if self.rank() == 0 {
            return formatter.write_str("SCALAR");
        }
        if self.explicit && self.strides().is_some() {
            return (0..self.rank())
                .try_for_each(|axis| write!(formatter, "{}", self.letters.at(axis)));
        }
        for digit in self.digits().iter().filter(|digit| !self.is_lane(digit)) {
            let letter = self.letters.at(digit.axis);
            match self.is_rest(digit) {
                true => write!(formatter, "{letter}")?,
                false => write!(formatter, "{}{}", digit.size, letter.to_ascii_lowercase())?,
            }
        }
        Ok(())
    }

    /// The extents, with names where their order could be another.
    fn write_extents(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order: Letters = self.letters;
        let named = coordinate_order(order) != Some(order);
        for (axis, extent) in self.extents().iter().enumerate() {
            formatter.write_str(if axis == 0 { "<" } else { ", " })?;
            if named {
                write!(formatter, "{} = ", order.at(axis))?;
            }
            write!(formatter, "{extent}")?;
        }
        formatter.write_str(">")
    }

    /// The strides of a view in blocks, one for each axis and block as the format lists them, and
    /// where in a block an axis begins.
    fn write_digits(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strides: [isize; MAX_FACTORS] = core::array::from_fn(|i| self.digits[i].stride);
        write_list(formatter, ", strides = ", &strides[..self.digit_count])?;
        for axis in 0..self.rank() {
            let shift = AxisDigits::of(self, axis).shift;
            if shift > 0 {
                write!(formatter, ", {} from {shift}", self.letters.at(axis))?;
            }
        }
        Ok(())
    }

    /// Where in the buffer a view begins and how long that is, if its strides do not say so.
    fn write_place(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = self.range();
        if !self.explicit || (range.start == 0 && range.end == self.length) {
            return Ok(());
        }
        let start = match self.count() {
            0 => self.base,
            _ => self.offset(&[0; MAX_RANK][..self.rank()]),
        };
        write!(formatter, ", from {start} of {}", self.length)
    }

    /// The axes that begin farther apart than what is faster takes, and the alignment of the buffer
    /// where it does not follow from them.
    fn write_alignments(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = 1;
        let mut reached = self.element.align();
        let mut even = None;
        // Rows of 4-bit elements are rounded up to whole bytes without being asked.
        let rounded = |stride, space| self.element.bits() < 8 && stride == space + 1;
        let bytes = |stride| self.element.bytes_of(stride).unwrap_or(usize::MAX);
        let placed = |digit: &&Digit| digit.stride != 0 && !self.is_lane(digit);
        for digit in self.digits().iter().rev().filter(placed) {
            let stride = digit.stride.unsigned_abs();
            let letter = self.letters.at(digit.axis);
            if stride != space && !rounded(stride, space) {
                let alignment = self.alignment_between(bytes(space), bytes(stride));
                reached = reached.max(power_of_two_in(alignment));
                write!(formatter, ", align({letter} = {alignment})")?;
            } else if even.is_none() && self.is_rest(digit) && bytes(stride) % self.alignment == 0 {
                even = Some(letter);
            }
            space = self.space_after(stride, digit.size).unwrap_or(usize::MAX);
        }
        let rest = self.alignment;
        match (self.lanes, even) {
            (Some(LaneImage { length, .. }), _)
                if length > 0 && length != space && !rounded(length, space) =>
            {
                let alignment = self.alignment_between(bytes(space), bytes(length));
                write!(formatter, ", align(lanes = {alignment})")
            }
            (Some(_), _) if reached < rest => write!(formatter, ", align(lanes = {rest})"),
            (None, Some(letter)) if reached < rest => {
                write!(formatter, ", align({letter} = {rest})")
            }
            _ => Ok(()),
        }
    }

    /// An alignment that rounds `space` up to `stride`, both in bytes, and aligns the buffer no more
    /// than it is.
    fn alignment_between(&self, space: usize, stride: usize) -> usize {
        if space.checked_next_multiple_of(self.alignment) == Some(stride) {
            return self.alignment;
        }
        let mut alignment = stride;
        while power_of_two_in(alignment) > self.alignment {
            alignment /= 2;
        }
        alignment
    }

    fn write_lanes(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(LaneImage { lanes, axis, .. }) = self.lanes else { return Ok(()) };
        write!(formatter, ", lanes({axis}, {lanes}")?;
        match self.start_lane() {
            0 => formatter.write_str(")"),
            start => write!(formatter, ", start = {start})"),
        }
    }

    fn write_broadcast(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Explicit strides say of themselves which axes of extent 1 have stride 0, and which blocks.
        let broadcast = |digit: &&Digit| {
            let whole = digit.weight == 1 && self.is_rest(digit);
            digit.stride == 0 && whole && !(self.explicit && digit.size < 2)
        };
        for (i, digit) in self.digits().iter().filter(broadcast).enumerate() {
            formatter.write_str(if i == 0 { ", broadcast(" } else { ", " })?;
            write!(formatter, "{}", self.letters.at(digit.axis))?;
        }
        if self.digits().iter().any(|digit| broadcast(&digit)) {
            formatter.write_str(")")?;
        }
        Ok(())
    }

    /// Whether the digit holds what remains of its axis after its blocks.
    pub(crate) const fn is_rest(&self, digit: &Digit) -> bool {
        let mut i = 0;
        while i < self.digit_count {
            let other = &self.digits[i];
            if other.axis == digit.axis && other.weight > digit.weight {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// The largest power of two that divides `bytes`.
fn power_of_two_in(bytes: usize) -> usize {
    1 << bytes.trailing_zeros().min(usize::BITS - 1)
}

/// `[1, 2, 3]`
fn write_list(formatter: &mut fmt::Formatter<'_>, name: &str, list: &[isize]) -> fmt::Result {
    write!(formatter, "{name}{list:?}")
}

/// The element that padding holds, as `pad = VALUE` takes it.
struct Fill {
    bits: u64,
    element: ElementType,
}

impl fmt::Display for Fill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bits, element } = *self;
        match element {
            ElementType::F16 => fmt::Display::fmt(&half_floats::f16_to_f32(bits as u16), formatter),
            ElementType::BF16 => {
                fmt::Display::fmt(&half_floats::bf16_to_f32(bits as u16), formatter)
            }
            ElementType::F32 => fmt::Display::fmt(&f32::from_bits(bits as u32), formatter),
            ElementType::F64 => fmt::Display::fmt(&f64::from_bits(bits), formatter),
            other => match other.integer_range() {
                // The bits above the sign bit are all as it is.
                Some((low, _)) if low < 0 => {
                    let above = 64 - other.bits();
                    fmt::Display::fmt(&(((bits << above) as i64) >> above), formatter)
                }
                _ => fmt::Display::fmt(&bits, formatter),
            },
        }
    }
}
