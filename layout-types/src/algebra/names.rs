//! A layout in words.

use core::fmt;

use crate::layout::Layout;

/// `NCHW4c<2, 64, 3, 3> f16`, with the memory order first and the extents in coordinate order;
/// each axis is named where its strides were given: `[N: 4 x 24, C: 3 x 8] i8`.
impl fmt::Display for Layout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.explicit {
            formatter.write_str("[")?;
            for axis in 0..self.rank() {
                if axis > 0 {
                    formatter.write_str(", ")?;
                }
                let stride = self.strides().map_or(0, |strides| strides[axis]);
                let (letter, extent) = (self.letters.at(axis), self.extents[axis]);
                write!(formatter, "{letter}: {extent} x {stride}")?;
            }
            return write!(formatter, "] {}", self.element.name());
        }
        if self.rank() == 0 {
            formatter.write_str("SCALAR")?;
        }
        for digit in self.digits() {
            let letter = self.letters.at(digit.axis);
            if self.is_rest(digit) {
                write!(formatter, "{letter}")?;
            } else {
                write!(formatter, "{}{}", digit.size, letter.to_ascii_lowercase())?;
            }
        }
        formatter.write_str("<")?;
        for (axis, extent) in self.extents().iter().enumerate() {
            if axis > 0 {
                formatter.write_str(", ")?;
            }
            write!(formatter, "{extent}")?;
        }
        write!(formatter, "> {}", self.element.name())
    }
}

impl Layout {
    /// Whether the digit holds what remains of its axis after its blocks.
    fn is_rest(&self, digit: &crate::Digit) -> bool {
        self.digits().iter().all(|other| other.axis != digit.axis || other.weight <= digit.weight)
    }
}
