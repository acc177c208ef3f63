//! Reinterprets the same bytes as elements of another width.

use crate::algebra::AxisDigits;
use crate::layout::{After, Digit, Layout};
use crate::spec::{ElementType, LayoutError, MAX_FACTORS, Rule, Swizzle, check_element};

impl Layout {
    /// Reinterprets the same bytes as elements of another type, as CuTe's `recast` does. The coordinates of `axis`
    /// count the new elements.
    ///
    /// If the new elements are `n` times narrower, the extent of the axis is multiplied by `n`. If they are `n` times
    /// wider, it is divided by `n`. If both types have the same width, only the element type changes. The result is a
    /// view if the axis is broadcast or distributed over lanes.
    ///
    /// Law, for elements that are `n` times as wide as the new ones: `offset(recast, d) == offset(self, c) * n + b`,
    /// where `d` is `c` with index `i * n + b` on the axis instead of `i`. For wider new elements, the law holds with
    /// the two layouts swapped.
    ///
    /// # Errors
    /// - Memory cannot hold an array of the new elements, a type of your own.
    /// - The layout does not have the axis.
    /// - Neither width is a multiple of the other.
    /// - The fill of padding is not 0.
    /// - The new elements are wider, and one of them would be split: the elements along the axis are not contiguous in
    ///   groups of `n`, or a stride, the swizzle or the length is not a multiple of `n`.
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
    ///     "one `u32` element takes 2 `f16` elements, but those along axis `M` are not contiguous in \
    ///      groups of 2; recast along an axis of stride 1, with extents and strides that are \
    ///      multiples of 2",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn recast(&self, element: ElementType, axis: char) -> Result<Self, LayoutError> {
        ok!(check_element(element));
        let axis = ok!(self.axis(axis));
        let letter = self.letters().at(axis);
        let (from, to) = (self.element().bits(), element.bits());
        if from % to != 0 && to % from != 0 {
            return Err(LayoutError(Rule::RecastWidth { from: self.element(), to: element }));
        }
        if let Some(bits) = self.fill() {
            if bits != 0 {
                return Err(LayoutError(Rule::FillOfAnother { bits, element: self.element() }));
            }
        }
        let wider = to > from;
        let parts = if wider { to / from } else { from / to };
        let recast = Recast { parts, wider };
        let digits = AxisDigits::of(self, axis);
        let mut new = *self;
        if self.distributed().is_some() || digits.broadcasts() {
            // The lanes hold other coordinates now, and only views may share blocks.
            new = new.view();
        }
        let made = match wider {
            _ if parts == 1 => Some(DigitList::of(&new)),
            false => recast.in_parts(new, axis),
            true => match recast.in_block(new, axis) {
                Some(made) => Some(made),
                None => recast.in_normalized_groups(new.view(), axis),
            },
        };
        let Some(new) = made else {
            let from = self.element();
            return Err(LayoutError(match wider {
                true => Rule::RecastParts { from, to: element, parts, letter },
                false => Rule::TooLarge { element },
            }));
        };
        if new.count > MAX_FACTORS {
            return Err(LayoutError(Rule::ViewBlocks { letter }));
        }
        let mut new = new.layout();
        // A layout without elements may have any strides.
        if new.buffer.explicit && recast.rounds(self) || new.numel() == 0 {
            new.sort_by_strides();
        }
        if new.align() < element.align() || new.align() == self.element().align() {
            new.buffer.set_alignment(element.align());
        }
        new.set_element(element);
        match element.bytes_of(new.len()) {
            Some(_) => Ok(new),
            None => Err(LayoutError(Rule::TooLarge { element })),
        }
    }
}

/// The number of new elements in one element, or of elements in one new one.
#[derive(Clone, Copy)]
struct Recast {
    parts: usize,
    wider: bool,
}

impl Recast {
    /// Converts a number of elements to new elements. `None` if the result is not a whole number or overflows.
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

    /// Converts a distance to new elements.
    const fn stride(self, stride: isize) -> Option<isize> {
        match self.count(stride.unsigned_abs()) {
            Some(count) if stride < 0 => Some(-(count as isize)),
            Some(count) => Some(count as isize),
            None => None,
        }
    }

    /// Whether the stride of a digit of one value is not a whole number of new elements. The digit gets another stride
    /// then, and so another position in the order of digits.
    const fn rounds(self, layout: &Layout) -> bool {
        let digits = layout.digits();
        each!(i, 0..digits.count, {
            let digit = digits.list[i];
            if digit.size < 2 && self.stride(digit.stride).is_none() {
                return true;
            }
        });
        false
    }

    /// Converts everything but the element type and the axis.
    const fn storage(self, listed: &mut DigitList) -> Option<()> {
        let layout = &mut listed.layout;
        if let Some(len) = layout.lane_len() {
            if self.count(len).is_none() {
                return None;
            }
        }
        // The base of a view that begins inside a block may be below 0, and wraps.
        let base = self.stride(layout.base() as isize);
        (layout.buffer.base, layout.buffer.length) = match (base, self.count(layout.len())) {
            (Some(base), Some(length)) => (base as usize, length),
            _ => return None,
        };
        let mut i = 0;
        while i < listed.count {
            let digit = &mut listed.digits[i];
            i += 1;
            digit.stride = match self.stride(digit.stride) {
                Some(stride) => stride,
                // No coordinate uses the stride of a digit of one value.
                None if digit.size < 2 => 1,
                None => return None,
            };
        }
        if let Some(swizzle) = layout.swizzle() {
            let width = self.parts.trailing_zeros() as usize;
            let base = match self.wider {
                true => swizzle.base().checked_sub(width),
                false => Some(swizzle.base() + width),
            };
            let Some(base) = base else { return None };
            if !self.parts.is_power_of_two() {
                return None;
            }
            let Ok(swizzle) = Swizzle::checked_new(swizzle.bits(), base, swizzle.shift()) else {
                return None;
            };
            layout.buffer.after = After::swizzled(swizzle);
        }
        Some(())
    }
}

/// The axis of a recast.
impl Recast {
    /// Splits each coordinate of the axis into contiguous parts. `None` beyond `isize::MAX`.
    const fn in_parts(self, layout: Layout, axis: usize) -> Option<DigitList> {
        let mut new = DigitList::of(&layout);
        if self.storage(&mut new).is_none() {
            return None;
        }
        let Some(extent) = self.count(layout.extent(axis)) else { return None };
        new.layout.set_extent(axis, extent);
        // The parts become a digit of their own, or they multiply the size of the contiguous digit.
        let mut parts = Digit { axis, size: self.parts, weight: 1, stride: 1, shift: 0 };
        let mut at = None;
        let (mut kept, mut i) = (0, 0);
        while i < new.count {
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
                    // The digit of a layout without elements may have any size.
                    let Some(size) = parts.size.checked_mul(digit.size) else { return None };
                    parts.size = size;
                    at = if digit.size > 1 { Some(kept) } else { None };
                    continue;
                }
            }
            new.digits[kept] = digit;
            kept += 1;
        }
        new.count = kept;
        Some(new.with_fastest(parts, at))
    }

    /// Combines the elements of each group into one. `None` unless the contiguous block holds whole groups.
    const fn in_block(self, layout: Layout, axis: usize) -> Option<DigitList> {
        let mut new = DigitList::of(&layout);
        let mut fastest = None;
        let (mut kept, mut i, mut is_alone) = (0, 0, true);
        while i < new.count {
            let mut digit = new.digits[i];
            i += 1;
            if digit.axis == axis {
                if digit.shift % self.parts != 0 || layout.extent(axis) % self.parts != 0 {
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
                is_alone = false;
            }
            new.digits[kept] = digit;
            kept += 1;
        }
        new.count = kept;
        let Some((fastest, at)) = fastest else { return None };
        if self.storage(&mut new).is_none() {
            return None;
        }
        new.layout.set_extent(axis, layout.extent(axis) / self.parts);
        // A digit of one value is kept only if the axis has no other.
        Some(if fastest.size > 1 || is_alone { new.with_fastest(fastest, Some(at)) } else { new })
    }

    /// [`in_groups`](Self::in_groups), also if a stride that no coordinate uses is not a multiple.
    const fn in_normalized_groups(self, layout: Layout, axis: usize) -> Option<DigitList> {
        let made = self.in_groups(layout, axis);
        if made.is_some() {
            return made;
        }
        // Only then, since normalized digits are written differently and may be more.
        match layout.normalized() {
            Ok(layout) => self.in_groups(layout, axis),
            Err(_) => None,
        }
    }

    /// Combines groups that span several contiguous blocks, as a view. `None` if the elements of a group are not
    /// contiguous.
    const fn in_groups(self, layout: Layout, axis: usize) -> Option<DigitList> {
        let mut new = layout;
        let letter = new.letters().at(axis);
        let digits = new.take(axis);
        let mut others = DigitList::of(&new);
        if digits.extent % self.parts != 0 || self.storage(&mut others).is_none() {
            return None;
        }
        let mut new = others.layout();
        let Some((outer, inner)) = digits.split(self.parts) else { return None };
        if digits.extent > 0 && !matches!(inner.stride(), Some(1)) {
            return None;
        }
        let mut digits = AxisDigits { overflow: outer.overflow, ..AxisDigits::NONE };
        each!(i, 0..outer.count, {
            digits = match self.stride(outer.strides[i]) {
                Some(stride) => digits.with(outer.sizes[i], stride),
                None if outer.extent < 2 => digits.with(outer.sizes[i], 1),
                None => return None,
            };
        });
        digits.start = match self.stride(outer.start.wrapping_add(inner.start)) {
            Some(start) => start,
            None => return None,
        };
        let digits = digits.normalized(outer.shift, outer.extent);
        match new.put(axis, letter, &digits) {
            Ok(()) => Some(DigitList::of(&new)),
            Err(_) => None,
        }
    }
}

/// A layout whose digits are changed, slowest first. It has its own number of them, which may be too large.
#[derive(Clone, Copy)]
struct DigitList {
    layout: Layout,
    digits: [Digit; MAX_FACTORS],
    count: usize,
}

impl DigitList {
    const fn of(layout: &Layout) -> Self {
        Self { layout: *layout, digits: layout.digits().list, count: layout.digit_count() }
    }

    /// The layout of these digits, of which there are not too many.
    const fn layout(mut self) -> Layout {
        self.layout.set_digits(&self.digits, self.count);
        self.layout
    }

    /// Adds a digit of stride 1 at `at`, or before the broadcast digits. If the layout is full, only the count grows.
    const fn with_fastest(mut self, digit: Digit, at: Option<usize>) -> Self {
        let mut i = self.count;
        self.count += 1;
        if self.count > MAX_FACTORS {
            return self;
        }
        while i > 0 {
            let before = self.digits[i - 1];
            // Digits of one value take no space and may be faster. Those of windows that overlap are not.
            let is_faster = before.size < 2 && matches!(at, Some(at) if at < i);
            if before.stride != 0 && !is_faster {
                break;
            }
            let stride = if before.stride == 0 { 0 } else { 1 };
            self.digits[i] = Digit { stride, ..before };
            i -= 1;
        }
        self.digits[i] = digit;
        self
    }
}
