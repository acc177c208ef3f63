//! The same bytes as elements of another width.

use crate::algebra::AxisDigits;
use crate::layout::{Digit, LaneImage, Layout};
use crate::spec::{ElementType, LayoutError, MAX_FACTORS, Rule, Swizzle};

impl Layout {
    /// The same bytes as elements of another width: CuTe's `recast`. The coordinates of `axis` count the new
    /// elements; with narrower ones it is that many times as long, with wider ones that many times shorter.
    /// Types of one width change the element alone. An axis that is distributed over lanes or
    /// broadcast makes the result a view.
    ///
    /// Law, where an element is `n` new ones: `offset(recast, d) == offset(self, c) * n + b` if index `i` of
    /// the axis is `i * n + b` in `d`, and all other indices are equal. With wider elements it is the same
    /// law the other way round.
    ///
    /// # Errors
    /// An axis that there is not; types of which neither width is a multiple of the other; padding that holds
    /// another value than 0; and of wider elements, an axis whose elements do not lie side by side in such
    /// groups, strides, swizzles or a length that would split a new element.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let rows: Layout = "MK<8, 64>, f16, swizzle = b128".parse()?;
    /// let words = rows.recast(ElementType::U32, 'K')?;
    /// assert_eq!(words.to_string(), "MK<8, 32>, u32, swizzle(3, 2, 3)");
    /// assert_eq!(words.offset(&[1, 9]) * 2, rows.offset(&[1, 18]));
    /// assert_eq!(words.recast(ElementType::F16, 'K')?, rows);
    ///
    /// let error = rows.recast(ElementType::U32, 'M').unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "elements of type `u32` are 2 of `f16` side by side, and those along axis `M` are not; recast \
    ///      along an axis of stride 1, with extents and strides that are multiples of 2",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn recast(&self, element: ElementType, axis: char) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let letter = self.letters().at(axis);
        let (from, to) = (self.element.bits(), element.bits());
        if from % to != 0 && to % from != 0 {
            return Err(LayoutError(Rule::RecastWidth { from: self.element, to: element }));
        }
        if let Some(bits) = self.fill {
            if bits != 0 {
                return Err(LayoutError(Rule::FillOfAnother { bits, element: self.element }));
            }
        }
        let wider = to > from;
        let parts = if wider { to / from } else { from / to };
        let recast = Recast { parts, wider };
        let own = AxisDigits::of(self, axis);
        let mut new = *self;
        if self.distributed().is_some() || own.broadcasts() {
            // Pieces in a lane are of other coordinates, and only views share blocks.
            new = new.view();
        }
        let made = match wider {
            _ if parts == 1 => Some(new),
            false => recast.in_parts(new, axis),
            true => match recast.in_block(new, axis) {
                Some(made) => Some(made),
                None => recast.in_groups(new.view(), axis),
            },
        };
        let Some(mut new) = made else {
            let from = self.element;
            return Err(LayoutError(match wider {
                true => Rule::RecastParts { from, to: element, parts, letter },
                false => Rule::TooLarge { element },
            }));
        };
        if new.digit_count > MAX_FACTORS {
            return Err(LayoutError(Rule::ViewBlocks { letter }));
        }
        if new.explicit && recast.rounds(self) {
            new = by_strides(&new);
        }
        if new.alignment < element.align() || new.alignment == self.element.align() {
            new.alignment = element.align();
        }
        new.element = element;
        match new.element.bytes_of(new.length) {
            Some(_) => Ok(new),
            None => Err(LayoutError(Rule::TooLarge { element })),
        }
    }
}

/// Elements as so many new ones, or so many as one.
#[derive(Clone, Copy)]
struct Recast {
    parts: usize,
    wider: bool,
}

impl Recast {
    /// Elements counted in new ones, or `None` where that is no whole number or too many.
    const fn count(self, elements: usize) -> Option<usize> {
        match self.wider {
            true if elements % self.parts == 0 => Some(elements / self.parts),
            true => None,
            false => match elements.checked_mul(self.parts) {
                Some(count) if count <= isize::MAX as usize => Some(count),
                _ => None,
            },
        }
    }

    /// A distance in new elements.
    const fn stride(self, stride: isize) -> Option<isize> {
        match self.count(stride.unsigned_abs()) {
            Some(count) if stride < 0 => Some(-(count as isize)),
            Some(count) => Some(count as isize),
            None => None,
        }
    }

    /// Whether a digit of one value has a stride that no whole number of elements is: it gets another, and another place
    /// in the order of digits.
    const fn rounds(self, layout: &Layout) -> bool {
        let mut i = 0;
        while i < layout.digit_count {
            let digit = layout.digits[i];
            if digit.size < 2 && self.stride(digit.stride).is_none() {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Everything but the element and the axis.
    const fn storage(self, layout: &mut Layout) -> Option<()> {
        (layout.base, layout.length) = match (self.count(layout.base), self.count(layout.length)) {
            (Some(base), Some(length)) => (base, length),
            _ => return None,
        };
        let mut i = 0;
        while i < layout.digit_count {
            let digit = &mut layout.digits[i];
            i += 1;
            digit.stride = match self.stride(digit.stride) {
                Some(stride) => stride,
                // Nobody takes the stride of one coordinate.
                None if digit.size < 2 => 1,
                None => return None,
            };
        }
        if let Some(LaneImage { lanes, len, axis }) = layout.lanes {
            let Some(len) = self.count(len) else { return None };
            layout.lanes = Some(LaneImage { lanes, len, axis });
        }
        if let Some(swizzle) = layout.swizzle {
            let width = self.parts.trailing_zeros() as usize;
            let base = match self.wider {
                true => swizzle.base().checked_sub(width),
                false => Some(swizzle.base() + width),
            };
            let Some(base) = base else { return None };
            if !self.parts.is_power_of_two() {
                return None;
            }
            layout.swizzle = match Swizzle::checked_new(swizzle.bits(), base, swizzle.shift()) {
                Ok(swizzle) => Some(swizzle),
                Err(_) => return None,
            };
        }
        Some(())
    }
}

/// The axis of a recast.
impl Recast {
    /// Each coordinate of the axis as several, which lie side by side; `None` past `isize::MAX`.
    const fn in_parts(self, layout: Layout, axis: usize) -> Option<Layout> {
        let mut new = layout;
        if self.storage(&mut new).is_none() {
            return None;
        }
        new.extents[axis] = match self.count(new.extents[axis]) {
            Some(extent) => extent,
            None => return None,
        };
        // The parts are a digit of their own, or more values of the digit that elements side by side are.
        let mut parts = Digit { axis, size: self.parts, weight: 1, stride: 1, shift: 0 };
        let mut at = None;
        let (mut kept, mut i) = (0, 0);
        while i < new.digit_count {
            let mut digit = new.digits[i];
            i += 1;
            if digit.axis == axis {
                let (Some(weight), Some(shift)) =
                    (self.count(digit.weight), self.count(digit.shift))
                else {
                    return None;
                };
                (digit.weight, digit.shift, parts.shift) = (weight, shift, shift);
                if weight == self.parts && (digit.stride == weight as isize || digit.size == 1) {
                    parts.size *= digit.size;
                    at = if digit.size > 1 { Some(kept) } else { None };
                    continue;
                }
            }
            new.digits[kept] = digit;
            kept += 1;
        }
        new.digit_count = kept;
        Some(with_fastest(new, parts, at))
    }

    /// The same the other way round, where the block that lies side by side holds whole groups; else `None`.
    const fn in_block(self, layout: Layout, axis: usize) -> Option<Layout> {
        let mut new = layout;
        let mut fastest = None;
        let (mut kept, mut i, mut others) = (0, 0, 0);
        while i < new.digit_count {
            let mut digit = new.digits[i];
            i += 1;
            if digit.axis == axis {
                if digit.shift % self.parts != 0 || new.extents[axis] % self.parts != 0 {
                    return None;
                }
                digit.shift /= self.parts;
                if digit.weight == 1 {
                    if digit.stride != 1 || digit.size % self.parts != 0 {
                        return None;
                    }
                    fastest = Some((Digit { size: digit.size / self.parts, ..digit }, kept));
                    continue;
                }
                digit.weight /= self.parts;
                others += 1;
            }
            new.digits[kept] = digit;
            kept += 1;
        }
        new.digit_count = kept;
        let Some((fastest, at)) = fastest else { return None };
        if self.storage(&mut new).is_none() {
            return None;
        }
        new.extents[axis] /= self.parts;
        // A digit of one value is not kept beside others.
        Some(if fastest.size > 1 || others == 0 {
            with_fastest(new, fastest, Some(at))
        } else {
            new
        })
    }

    /// The same of several blocks that follow one another, as a view; `None` where elements of a group do not
    /// lie side by side.
    const fn in_groups(self, layout: Layout, axis: usize) -> Option<Layout> {
        let mut new = layout;
        let letter = new.letters.at(axis);
        let own = new.take(axis);
        if own.extent % self.parts != 0 || self.storage(&mut new).is_none() {
            return None;
        }
        let Some((outer, inner)) = own.split(self.parts) else { return None };
        if own.extent > 0 && !matches!(inner.stride(), Some(1)) {
            return None;
        }
        let mut digits = AxisDigits { overflow: outer.overflow, ..AxisDigits::NONE };
        let mut i = 0;
        while i < outer.count {
            digits = match self.stride(outer.strides[i]) {
                Some(stride) => digits.with(outer.sizes[i], stride),
                None if outer.extent < 2 => digits.with(outer.sizes[i], 1),
                None => return None,
            };
            i += 1;
        }
        digits.start = match self.stride(outer.start.wrapping_add(inner.start)) {
            Some(start) => start,
            None => return None,
        };
        let digits = digits.normalized(outer.shift, outer.extent);
        match new.put(axis, letter, &digits) {
            Ok(()) => Some(new),
            Err(_) => None,
        }
    }
}

/// The layout with one more digit, of stride 1, at a place or before the broadcast ones; one more than there
/// may be is counted and not there.
const fn with_fastest(mut layout: Layout, digit: Digit, at: Option<usize>) -> Layout {
    let mut i = layout.digit_count;
    layout.digit_count += 1;
    if layout.digit_count > MAX_FACTORS {
        return layout;
    }
    while i > 0 && (layout.digits[i - 1].stride == 0 || matches!(at, Some(at) if at < i)) {
        layout.digits[i] = layout.digits[i - 1];
        // Digits of one value that are faster take no space.
        if layout.digits[i].stride != 0 {
            layout.digits[i].stride = 1;
        }
        i -= 1;
    }
    layout.digits[i] = digit;
    layout
}

/// The digits in the order of a layout that is made of these strides.
const fn by_strides(layout: &Layout) -> Layout {
    let mut new = *layout;
    new.digit_count = 0;
    let mut axis = 0;
    while axis < layout.rank() {
        let mut i = 0;
        while i < layout.digit_count {
            let digit = layout.digits[i];
            i += 1;
            if digit.axis != axis {
                continue;
            }
            let own = digit.stride.unsigned_abs();
            let mut k = new.digit_count;
            while k > 0 {
                let before = new.digits[k - 1];
                if !digit.is_slower(own, &before, before.stride.unsigned_abs()) {
                    break;
                }
                new.digits[k] = before;
                k -= 1;
            }
            new.digits[k] = digit;
            new.digit_count += 1;
        }
        axis += 1;
    }
    new
}
