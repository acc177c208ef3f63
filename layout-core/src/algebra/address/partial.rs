//! What follows from a layout some of whose extents or pitches are unknown.

use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{
    ElementType, Factor, LayoutError, Length, MAX_FACTORS, MAX_RANK, Spec, Summary, Swizzle,
    Swizzling, greatest, open_pitches, padded_row, slot,
};

/// The digits of a layout some of whose extents or pitches are unknown, with the strides that do not depend on them. It
/// is a constant, so an offset compiles to the remaining arithmetic.
///
/// Law: the offset is the one with all numbers known. A digit from `counted` on has its stride. The slower digits
/// count in steps of the fastest of them, `((v0 * size1 + v1) * size2 + v2) * stride2`, one multiplication each. A new
/// such sum starts at each digit that is rounded up or has a pitch.
///
/// A digit of one value has no rounding of its own in a layout, but here it may have: the next digit rounds the space
/// to the same number.
#[derive(Clone, Copy)]
pub struct Partial {
    /// The digits, slowest first, broadcast digits last. An unknown size is [`Self::UNKNOWN`].
    digits: [Digit; MAX_FACTORS],
    count: usize,
    /// The number of slowest digits that count in steps. The stride of the last of them depends on no unknown extent,
    /// and those of all faster digits on no unknown number.
    counted: usize,
    /// What each digit counts in.
    steps: [Step; MAX_FACTORS],
    /// An unknown size is `(extent + extra) / weight`.
    extra: [usize; MAX_FACTORS],
    /// The extents. An unknown one is [`Self::UNKNOWN`].
    extents: [usize; MAX_RANK],
    /// The offset where all digits are 0, if it depends on no unknown extent. Without it, negative strides count from
    /// the last coordinate.
    pub base: Option<usize>,
    /// The XOR that is applied to the sum of the digits.
    pub swizzle: Option<Swizzle>,
    /// Whether `steps` describes all rounding of strides.
    pub is_complete: bool,
}

/// What a digit counts in.
#[derive(Clone, Copy)]
pub enum Step {
    /// The steps of the next faster digit.
    OfFaster,
    /// A number of elements.
    Constant(usize),
    /// The space of the faster digits, rounded up to a multiple of a number of elements.
    Multiple(usize),
    /// The space of the faster digits as a padded row. So many elements share a byte.
    Row(usize),
    /// An unknown pitch: its position among them, and a number of elements with the number of bytes that they take.
    Pitch(usize, usize, usize),
}

impl Step {
    /// The step of a digit with this pitch, a whole number of elements. Of unknown ones it is the one at `open`.
    const fn of_pitch(pitch: Length, open: usize, element: ElementType) -> Self {
        let (elements, bytes) = (element.per_byte(), element.bits().div_ceil(8));
        match pitch.value() {
            Some(pitch) => Self::Constant(pitch / bytes * elements),
            None => Self::Pitch(open, elements, bytes),
        }
    }

    /// The elements of one step after `space` elements of the faster digits, with these unknown pitches. It wraps.
    #[inline(always)]
    pub const fn after(self, space: usize, pitches: &[usize]) -> usize {
        match self {
            Self::OfFaster => space,
            Self::Constant(elements) => elements,
            Self::Multiple(multiple) => space.wrapping_add(multiple - 1) / multiple * multiple,
            Self::Row(per_byte) => match padded_row(space, per_byte) {
                Some(row) => row,
                None => space,
            },
            Self::Pitch(at, elements, bytes) => pitches[at].wrapping_mul(elements) / bytes,
        }
    }
}

impl Partial {
    /// Stands for an unknown number. A digit of unknown size needs no remainder. If only the extent is unknown, all
    /// sizes of the axis but that of its slowest digit are known.
    pub const UNKNOWN: usize = usize::MAX;

    /// Returns the digits of `spec`.
    ///
    /// # Errors
    /// A rule that `spec` breaks for any unknown extents.
    pub const fn new(spec: &Spec<'_>) -> Result<Self, LayoutError> {
        if let Some(error) = Layout::check(spec).first() {
            return Err(error);
        }
        let layout = ok!(placed Layout::smallest(spec));
        let mut new = Self {
            digits: layout.digits().list,
            count: layout.digit_count(),
            counted: 0,
            steps: [Step::OfFaster; MAX_FACTORS],
            extra: [0; MAX_FACTORS],
            extents: [0; MAX_RANK],
            base: None,
            swizzle: None,
            is_complete: true,
        };
        each!(i, 0..spec.axes.len(), {
            new.extents[i] = match spec.axes[i].extent.value() {
                Some(extent) => extent,
                None => Self::UNKNOWN,
            };
        });
        let summary = Summary::of_factors(spec.factors);
        each!(i, 0..new.count, {
            let digit = new.digits[i];
            if new.extents[digit.axis] == Self::UNKNOWN && layout.is_rest(&digit) {
                new.digits[i].size = Self::UNKNOWN;
                let (lanes, _) = summary.lanes(slot(layout.letters().at(digit.axis)));
                // Otherwise the extent is a multiple of the weight.
                if spec.fill.is_some() || lanes > 1 || summary.has_strides {
                    new.extra[i] = digit.weight - 1 + digit.shift;
                }
                if digit.stride != 0 && !summary.has_strides && i > 0 {
                    new.counted = i + 1;
                }
            }
        });
        new.is_complete = summary.has_strides || new.find_steps(spec);
        if summary.is_view {
            new.find_base(&layout, summary.part != Summary::NONE);
        }
        if let Some((Factor::Swizzle(swizzling), _)) = spec.factors.split_last() {
            match (swizzling, swizzling.of(spec.element, 0)) {
                // A row may be as long as an unknown extent.
                (Swizzling::Phases(..), _) | (_, Err(_)) => new.is_complete = false,
                (_, Ok(swizzle)) => new.swizzle = Some(swizzle),
            }
        }
        Ok(new)
    }

    /// Finds the base of a view. It depends on all extents if the view begins where its lowest element is.
    const fn find_base(&mut self, layout: &Layout, has_part: bool) {
        let mut is_lowest = !layout.has_shift();
        each!(i, 0..self.count, {
            is_lowest &= self.digits[i].stride >= 0;
        });
        self.base = Some(layout.base());
        self.is_complete &= has_part || is_lowest;
    }

    /// Finds the step of each digit that counts in steps. Returns false if no [`Step`] has the rounding of a digit.
    const fn find_steps(&mut self, spec: &Spec<'_>) -> bool {
        let (per_byte, mut digit) = (spec.element.per_byte(), self.count);
        while digit > 0 && self.digits[digit - 1].stride == 0 {
            digit -= 1;
        }
        let (mut multiple, mut pitch) = (1, None);
        let mut open = open_pitches(spec.factors).count();
        // Whether the space is a whole number of bytes, which padded rows of elements of less than a byte end at.
        let mut whole = per_byte == 1 || spec.fill.is_none();
        each!(rev i, 0..spec.factors.len(), {
            match spec.factors[i] {
                Factor::Pitch(bytes) => {
                    open -= bytes.value().is_none() as usize;
                    pitch = Some(Step::of_pitch(bytes, open, spec.element));
                }
                Factor::Align(bytes) => {
                    let Some(elements) = spec.element.count_in(bytes) else { return false };
                    multiple = match multiple_of_both(elements, multiple) {
                        Some(multiple) if pitch.is_none() => multiple,
                        _ => return false,
                    };
                }
                Factor::Block(_, 1)
                | Factor::Weighted(_, 1, _)
                | Factor::Lanes(_, 1, _)
                | Factor::Broadcast(_)
                | Factor::LaneArray(_)
                | Factor::Start(_)
                | Factor::Swizzle(_) => {}
                Factor::Axis(_) | Factor::Block(..) | Factor::Weighted(..) | Factor::Lanes(..)
                    if digit > 0 =>
                {
                    digit -= 1;
                    if !whole && multiple == 1 && matches!(spec.factors[i], Factor::Lanes(..)) {
                        multiple = per_byte;
                    }
                    if let Some(step) = pitch.take() {
                        self.steps[digit] = step;
                        if let Step::Pitch(..) = step {
                            self.counted = greatest(self.counted, digit + 1);
                        }
                    } else if digit + 1 < self.counted {
                        self.steps[digit] = match multiple {
                            1 if whole || self.digits[digit].size == 1 => Step::OfFaster,
                            1 => Step::Row(per_byte),
                            multiple => Step::Multiple(multiple),
                        };
                        whole |= multiple > 1;
                    } else if digit + 1 == greatest(self.counted, 1) {
                        whole = self.end_constant(digit, whole, per_byte);
                    }
                    multiple = 1;
                }
                _ => return false,
            }
        });
        digit == 0
    }

    /// Sets the step of the slowest digit of a constant stride. Returns whether it is a whole number of bytes.
    const fn end_constant(&mut self, digit: usize, whole: bool, per_byte: usize) -> bool {
        // The digit of one value of the smallest layout was not rounded.
        let mut stride = self.digits[digit].stride as usize;
        if !whole {
            stride = Step::Row(per_byte).after(stride, &[]);
        }
        self.digits[digit].stride = stride as isize;
        self.steps[digit] = Step::Constant(stride);
        whole || stride % per_byte == 0
    }

    /// The number of digits.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The digit at `i`, or one that is always 0.
    pub const fn digit(&self, i: usize) -> Digit {
        if i < self.count { self.digits[i] } else { Digit::NONE }
    }

    /// Whether digit `i` adds its value times its stride.
    pub const fn is_constant(&self, i: usize) -> bool {
        i < self.count && i >= self.counted
    }

    /// Whether digit `i` counts in steps, or is the one that slower digits count in.
    pub const fn is_counted(&self, i: usize) -> bool {
        i < self.counted
    }

    /// Whether digit `i` counts in other steps than those of the next faster digit, if it
    /// [counts](Self::is_counted) in steps.
    pub const fn is_step(&self, i: usize) -> bool {
        !matches!(self.steps[i], Step::OfFaster)
    }

    /// What digit `i` counts in, if it [counts](Self::is_counted) in steps.
    pub const fn step(&self, i: usize) -> Step {
        self.steps[i]
    }

    /// An unknown size is `(extent + extra) / weight`.
    pub const fn extra(&self, i: usize) -> usize {
        self.extra[i]
    }

    /// Whether no axis has several digits.
    pub const fn is_strided(&self) -> bool {
        each!(i, 0..self.count, {
            if self.digits[i].weight > 1 {
                return false;
            }
        });
        true
    }

    /// The extent of the digit's axis.
    pub const fn extent(&self, i: usize) -> usize {
        self.extents[self.digit(i).axis]
    }

    /// Whether the digits give each coordinate of `layout`, which has the same factors, its offset. `pitches` are those
    /// that are unknown, in bytes.
    pub const fn agrees(&self, layout: &Layout, pitches: &[usize]) -> bool {
        if layout.numel() == 0 || !self.is_complete {
            return true;
        }
        let mut space = 0;
        each!(rev i, 0..self.count, {
            let digit = &self.digits[i];
            let stride = match self.is_counted(i) {
                true => self.steps[i].after(space, pitches) as isize,
                false => digit.stride,
            };
            let size = match digit.size {
                Self::UNKNOWN => (layout.extent(digit.axis) + self.extra[i]) / digit.weight,
                size => size,
            };
            let Some(other) = layout.digit_of(digit.axis, digit.weight) else { return false };
            if size != other.size || digit.shift != other.shift {
                return false;
            }
            if size > 1 && stride != other.stride {
                return false;
            }
            space = (stride as usize).wrapping_mul(size);
        });
        let is_same_swizzle = match (self.swizzle, layout.swizzle()) {
            (Some(swizzle), Some(other)) => swizzle.same(other),
            // A layout has no swizzle that changes no offset.
            (Some(swizzle), None) => swizzle.is_identity() || swizzle.first_read() >= layout.len(),
            (None, other) => other.is_none(),
        };
        let is_same_base = match self.base {
            Some(base) => base == layout.base(),
            None => true,
        };
        self.count == layout.digit_count() && is_same_base && is_same_swizzle
    }
}

/// The larger of two numbers, if it is a multiple of the smaller.
const fn multiple_of_both(a: usize, b: usize) -> Option<usize> {
    match (a % b, b % a) {
        (0, _) => Some(a),
        (_, 0) => Some(b),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;
    use crate::spec::AxisExtent;

    /// The digits of axes A, B and C in this memory order. A has extent 2, the others are unknown.
    fn partial(factors: &[Factor], element: ElementType, fill: Option<u64>) -> Partial {
        let axes = [('A', Length::Fixed(2)), ('B', Length::Unknown), ('C', Length::Unknown)];
        let axes = axes.map(|(letter, extent)| AxisExtent { letter, extent });
        Partial::new(&Spec { element, axes: &axes, factors, fill }).unwrap()
    }

    #[test]
    fn strides_up_to_the_fastest_unknown_digit_are_constant() {
        let [a, b, c] = ['A', 'B', 'C'].map(Factor::Axis);
        for (factors, counted) in [
            (vec![b, a, c], 3),
            (vec![c, b, a], 2),
            (vec![a, b, c, Factor::Block('A', 2), Factor::Block('C', 4)], 3),
            (vec![a, Factor::Pitch(Length::Unknown), b, c], 3),
            (vec![c, b, a, Factor::Pitch(Length::Unknown)], 3),
            (vec![b, Factor::Pitch(Length::Fixed(64)), a, c], 3),
            (vec![b, Factor::Broadcast('C'), a], 0),
            (['A', 'B', 'C'].map(Factor::Broadcast).to_vec(), 0),
        ] {
            let partial = partial(&factors, ElementType::U8, None);
            assert!(partial.is_complete && partial.counted == counted, "{factors:?}");
        }
        let strides = [('A', 1), ('B', 2), ('C', 64)].map(|(axis, n)| Factor::Stride(axis, n));
        assert!(partial(&strides, ElementType::U8, None).is_constant(0));
    }

    #[test]
    fn rounding_that_no_step_can_tell_is_found() {
        let [a, b, c] = ['A', 'B', 'C'].map(Factor::Axis);
        let (twelve, eight, six) = (Factor::Align(12), Factor::Align(8), Factor::Align(6));
        for (factors, is_complete) in [
            (vec![a, b, eight, c], true),
            (vec![a, six, Factor::Broadcast('B'), twelve, c], true),
            (vec![a, eight, Factor::Broadcast('B'), twelve, c], false),
            (vec![b, eight, twelve, a, c], false),
        ] {
            let partial = partial(&factors, ElementType::U8, None);
            assert_eq!(partial.is_complete, is_complete, "{factors:?}");
        }
    }
}
