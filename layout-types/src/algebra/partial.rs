//! What follows from a layout some of whose extents are not known yet.

use super::Digit;
use crate::layout::Layout;
use crate::spec::{Factor, LayoutError, MAX_FACTORS, MAX_RANK, Spec};

/// The digits of a layout some of whose extents are not known, with those strides that do not
/// depend on them. A constant, so that an offset compiles to the arithmetic that is left.
///
/// Law: the offset is the one with all extents known. A digit from `constant` on has its stride.
/// The slower ones count in steps of that digit, `((v0 * size1 + v1) * size2 + v2) * stride2`, one
/// multiplication each, and begin anew where what is faster is rounded up.
#[derive(Clone, Copy)]
pub(crate) struct Partial {
    /// Slowest first, broadcast digits last. An unknown size is [`Self::UNKNOWN`].
    digits: [Digit; MAX_FACTORS],
    count: usize,
    /// The slowest digit whose stride depends on no unknown extent.
    constant: usize,
    /// What is faster than a digit is rounded up to a multiple of so many elements.
    multiples: [usize; MAX_FACTORS],
    /// An unknown extent is [`Self::UNKNOWN`].
    extents: [usize; MAX_RANK],
    /// Whether strides are rounded in no way that `multiples` cannot tell.
    pub(crate) is_complete: bool,
}

impl Partial {
    /// Stands for a number that is not known. As a size it needs no remainder, as an extent all
    /// sizes but that do.
    pub(crate) const UNKNOWN: usize = usize::MAX;

    /// The digits of `spec`.
    ///
    /// # Errors
    /// A rule that `spec` breaks whatever the unknown extents are.
    pub(crate) const fn new(spec: &Spec<'_>) -> Result<Self, LayoutError> {
        if let Some(error) = Layout::check(spec).first() {
            return Err(error);
        }
        let layout = match Layout::smallest(spec) {
            Ok(layout) => layout,
            Err((error, _)) => return Err(error),
        };
        let mut new = Self {
            digits: layout.digits,
            count: layout.digit_count,
            constant: 0,
            multiples: [1; MAX_FACTORS],
            extents: layout.extents,
            is_complete: true,
        };
        let mut i = 0;
        while i < spec.axes.len() {
            if spec.axes[i].extent.value().is_none() {
                new.extents[i] = Self::UNKNOWN;
            }
            i += 1;
        }
        let mut i = 0;
        while i < new.count {
            let digit = &layout.digits[i];
            if new.extents[digit.axis] == Self::UNKNOWN && layout.is_rest(digit) {
                new.digits[i].size = Self::UNKNOWN;
                if digit.stride != 0 && !layout.explicit {
                    new.constant = i;
                }
            }
            i += 1;
        }
        new.is_complete = layout.explicit || new.round(spec);
        Ok(new)
    }

    /// Finds the multiples of the digits without a constant stride; false where one has none.
    const fn round(&mut self, spec: &Spec<'_>) -> bool {
        let mut digit = self.count;
        while digit > 0 && self.digits[digit - 1].stride == 0 {
            digit -= 1;
        }
        let mut multiple = 1;
        let mut i = spec.factors.len();
        while i > 0 {
            i -= 1;
            match spec.factors[i] {
                Factor::Align(bytes) => {
                    let Some(elements) = spec.element.count_in(bytes) else { return false };
                    multiple = match (elements % multiple, multiple % elements) {
                        (0, _) => elements,
                        (_, 0) => multiple,
                        _ => return false,
                    };
                }
                Factor::Block(_, 1) | Factor::Broadcast(_) => {}
                Factor::Axis(_) | Factor::Block(..) if digit > 0 => {
                    digit -= 1;
                    if digit < self.constant {
                        // Padded rows of 4-bit elements are rounded up where they are longer than 1.
                        if spec.element.bits() < 8 && spec.fill.is_some() {
                            return false;
                        }
                        self.multiples[digit] = multiple;
                    }
                    multiple = 1;
                }
                _ => return false,
            }
        }
        digit == 0
    }

    /// The digit at `i`, or one that is always 0.
    pub(crate) const fn digit(&self, i: usize) -> Digit {
        if i < self.count { self.digits[i] } else { Digit::NONE }
    }

    /// Whether digit `i` adds its value times its stride.
    pub(crate) const fn is_constant(&self, i: usize) -> bool {
        i < self.count && (i > self.constant || self.constant == 0)
    }

    /// Whether digit `i` counts in steps of a faster one, or is the one that slower ones count in.
    pub(crate) const fn is_counted(&self, i: usize) -> bool {
        self.constant > 0 && i <= self.constant
    }

    /// Whether slower digits, and this one, count in steps of digit `i`.
    pub(crate) const fn is_step(&self, i: usize) -> bool {
        i == self.constant || self.multiples[i] > 1
    }

    /// What is faster than digit `i` is rounded up to a multiple of so many elements; 1 where it
    /// is not.
    pub(crate) const fn multiple(&self, i: usize) -> usize {
        self.multiples[i]
    }

    /// Whether no axis is cut into several digits.
    pub(crate) const fn is_strided(&self) -> bool {
        let mut i = 0;
        while i < self.count {
            if self.digits[i].weight > 1 {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The extent of the digit's axis.
    pub(crate) const fn extent(&self, i: usize) -> usize {
        self.extents[self.digit(i).axis]
    }
}
