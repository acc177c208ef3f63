//! What follows from a layout some of whose extents are unknown.

use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{
    Factor, LayoutError, MAX_FACTORS, MAX_RANK, Spec, Summary, Swizzle, Swizzling, slot,
};

/// The digits of a layout some of whose extents are unknown, with the strides that do not depend on them. It is a
/// constant, so an offset compiles to the remaining arithmetic.
///
/// Law: the offset is the one with all extents known. A digit from `constant` on has its stride. The slower digits
/// count in steps of digit `constant`, `((v0 * size1 + v1) * size2 + v2) * stride2`, one multiplication each. A new
/// such sum starts at each digit that is rounded up.
#[derive(Clone, Copy)]
pub struct Partial {
    /// The digits, slowest first, broadcast digits last. An unknown size is [`Self::UNKNOWN`].
    digits: [Digit; MAX_FACTORS],
    count: usize,
    /// The slowest digit whose stride depends on no unknown extent.
    constant: usize,
    /// For each digit, the space of the faster digits is rounded up to a multiple of this, in elements.
    multiples: [usize; MAX_FACTORS],
    /// An unknown size is `(extent + extra) / weight`.
    extra: [usize; MAX_FACTORS],
    /// The extents. An unknown one is [`Self::UNKNOWN`].
    extents: [usize; MAX_RANK],
    /// The XOR that is applied to the sum of the digits.
    pub swizzle: Option<Swizzle>,
    /// Whether `multiples` describes all rounding of strides.
    pub is_complete: bool,
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
        let layout = match Layout::smallest(spec) {
            Ok(layout) => layout,
            Err((error, _)) => return Err(error),
        };
        let mut new = Self {
            digits: layout.digits,
            count: layout.digit_count,
            constant: 0,
            multiples: [1; MAX_FACTORS],
            extra: [0; MAX_FACTORS],
            extents: layout.extents,
            swizzle: None,
            is_complete: true,
        };
        let mut i = 0;
        while i < spec.axes.len() {
            if spec.axes[i].extent.value().is_none() {
                new.extents[i] = Self::UNKNOWN;
            }
            i += 1;
        }
        let summary = Summary::of_factors(spec.factors);
        let mut i = 0;
        while i < new.count {
            let digit = &layout.digits[i];
            if new.extents[digit.axis] == Self::UNKNOWN && layout.is_rest(digit) {
                new.digits[i].size = Self::UNKNOWN;
                let (lanes, _) = summary.lanes(slot(layout.letters().at(digit.axis)));
                // Otherwise the extent is a multiple of the weight.
                if spec.fill.is_some() || lanes > 1 {
                    new.extra[i] = digit.weight - 1 + digit.shift;
                }
                if digit.stride != 0 && !layout.explicit {
                    new.constant = i;
                }
            }
            i += 1;
        }
        new.is_complete = layout.explicit || new.round(spec);
        if let Some((Factor::Swizzle(swizzling), _)) = spec.factors.split_last() {
            match (swizzling, swizzling.of(spec.element, 0)) {
                // A row may be as long as an unknown extent.
                (Swizzling::Phases(..), _) | (_, Err(_)) => new.is_complete = false,
                (_, Ok(swizzle)) => new.swizzle = Some(swizzle),
            }
        }
        Ok(new)
    }

    /// Finds the multiples of the digits without a constant stride. Returns false if `multiples` cannot describe them.
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
                Factor::Block(_, 1)
                | Factor::Weighted(_, 1, _)
                | Factor::Lanes(_, 1, _)
                | Factor::Broadcast(_)
                | Factor::LaneArray(_)
                | Factor::Swizzle(_) => {}
                Factor::Axis(_) | Factor::Block(..) | Factor::Weighted(..) | Factor::Lanes(..)
                    if digit > 0 =>
                {
                    digit -= 1;
                    if digit < self.constant {
                        // Padded rows of elements of less than a byte are rounded up, except very short ones.
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
    pub const fn digit(&self, i: usize) -> Digit {
        if i < self.count { self.digits[i] } else { Digit::NONE }
    }

    /// Whether digit `i` adds its value times its stride.
    pub const fn is_constant(&self, i: usize) -> bool {
        i < self.count && (i > self.constant || self.constant == 0)
    }

    /// Whether digit `i` counts in steps of a faster digit, or is the one that slower digits count in.
    pub const fn is_counted(&self, i: usize) -> bool {
        self.constant > 0 && i <= self.constant
    }

    /// Whether digit `i` and the slower ones count in steps of digit `i`.
    pub const fn is_step(&self, i: usize) -> bool {
        i == self.constant || self.multiples[i] > 1
    }

    /// The space of the digits faster than `i` is rounded up to a multiple of this, in elements; 1 without rounding.
    pub const fn multiple(&self, i: usize) -> usize {
        self.multiples[i]
    }

    /// An unknown size is `(extent + extra) / weight`.
    pub const fn extra(&self, i: usize) -> usize {
        self.extra[i]
    }

    /// Whether no axis has several digits.
    pub const fn is_strided(&self) -> bool {
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
    pub const fn extent(&self, i: usize) -> usize {
        self.extents[self.digit(i).axis]
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::spec::{AxisExtent, ElementType, Length};

    /// The digits of axes A, B and C in this memory order. A has extent 2, the others are unknown.
    fn partial(factors: &[Factor], element: ElementType, fill: Option<u64>) -> Partial {
        let axes = [('A', Length::Fixed(2)), ('B', Length::Unknown), ('C', Length::Unknown)];
        let axes = axes.map(|(letter, extent)| AxisExtent { letter, extent });
        Partial::new(&Spec { element, axes: &axes, factors, fill }).unwrap()
    }

    #[test]
    fn strides_up_to_the_fastest_unknown_digit_are_constant() {
        let [a, b, c] = ['A', 'B', 'C'].map(Factor::Axis);
        for (factors, constant, is_strided) in [
            (vec![b, a, c], 2, true),
            (vec![c, b, a], 1, true),
            (vec![a, b, c, Factor::Block('A', 2), Factor::Block('C', 4)], 2, false),
            (vec![b, Factor::Broadcast('C'), a], 0, true),
            (['A', 'B', 'C'].map(Factor::Broadcast).to_vec(), 0, true),
        ] {
            let partial = partial(&factors, ElementType::U8, None);
            assert!(partial.is_complete && partial.constant == constant, "{factors:?}");
            assert_eq!(partial.is_strided(), is_strided, "{factors:?}");
        }
        let strides = [('A', 1), ('B', 2), ('C', 64)].map(|(axis, n)| Factor::Stride(axis, n));
        assert!(partial(&strides, ElementType::U8, None).is_constant(0));
    }

    #[test]
    fn rounding_that_no_multiple_can_tell_is_found() {
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
        assert!(!partial(&[a, b, c], ElementType::I4, Some(0)).is_complete);
        assert!(partial(&[a, b, c], ElementType::I4, None).is_complete);
        assert!(partial(&[a, b, c], ElementType::I8, Some(0)).is_complete);
    }

    /// The offset by definition: strides from the fastest digit on, then the sum of every digit times its stride.
    fn offset(partial: &Partial, extents: &[usize], coordinate: &[usize]) -> usize {
        let size = |i: usize| match partial.digit(i) {
            Digit { size: Partial::UNKNOWN, axis, weight, .. } => {
                (extents[axis] + partial.extra(i)) / weight
            }
            Digit { size, .. } => size,
        };
        let mut strides = [0; MAX_FACTORS];
        for i in (0..partial.count).rev() {
            strides[i] = match partial.is_counted(i) && i < partial.constant {
                true => (strides[i + 1] * size(i + 1)).next_multiple_of(partial.multiple(i)),
                false => partial.digit(i).stride as usize,
            };
            // From one step to the next there is no rounding.
            let is_step = partial.is_step(i) || i > partial.constant;
            assert!(is_step || strides[i] == strides[i + 1] * size(i + 1));
        }
        assert_eq!(
            (partial.digit(partial.count), partial.is_constant(partial.count)),
            (Digit::NONE, false)
        );
        let places = (0..partial.count).map(|i| {
            assert!(partial.is_constant(i) != partial.is_counted(i));
            let digit = partial.digit(i);
            digit.value(coordinate[digit.axis], partial.extent(i)) * strides[i]
        });
        places.sum()
    }

    /// All permutations of `factors`.
    fn orders(factors: &[Factor]) -> Vec<Vec<Factor>> {
        if factors.is_empty() {
            return vec![vec![]];
        }
        let mut all = vec![];
        for (i, &first) in factors.iter().enumerate() {
            let rest = [&factors[..i], &factors[i + 1..]].concat();
            all.extend(orders(&rest).into_iter().map(|rest| [vec![first], rest].concat()));
        }
        all
    }

    #[test]
    fn offsets_are_those_with_all_extents_known() {
        let factors = [
            Factor::Axis('A'),
            Factor::Axis('B'),
            Factor::Axis('C'),
            Factor::Block('A', 2),
            Factor::Block('B', 3),
            Factor::Align(4),
        ];
        let mut incomplete = 0;
        for factors in orders(&factors) {
            for (extents, fill) in [([4, 6, 2], None), ([3, 4, 3], Some(0)), ([1, 1, 1], Some(0))] {
                let axes = [0, 1, 2].map(|axis| AxisExtent {
                    letter: ['A', 'B', 'C'][axis],
                    extent: Length::Runtime(extents[axis]),
                });
                let element = ElementType::U8;
                let spec = Spec { element, axes: &axes, factors: &factors, fill };
                let layout = Layout::new(&spec).unwrap();
                for unknown in 0..8 {
                    let mut axes = axes;
                    for axis in (0..3).filter(|axis| unknown >> axis & 1 == 1) {
                        axes[axis].extent = Length::Unknown;
                    }
                    let partial = Partial::new(&Spec { axes: &axes, ..spec }).unwrap();
                    incomplete += usize::from(!partial.is_complete);
                    for number in 0..layout.count() {
                        let [_, b, c] = extents;
                        let at = [number / c / b, number / c % b, number % c];
                        let found = offset(&partial, &extents, &at);
                        assert_eq!(found, layout.offset(&at), "{factors:?}, {unknown:b}, {at:?}");
                    }
                }
            }
        }
        assert_eq!(incomplete, 0);
    }
}
