//! From offsets back to coordinates, as a layout.
//!
//! **Statement.** Sort the digits by stride. As long as each stride is what the faster digits span (1 for the first),
//! the digits of offset `i` in these sizes are the values of the digits. So the layout of the same sizes, whose
//! strides are the weights of the digits in the count of coordinates, maps `i` back. If a stride is a multiple of that
//! span, the offsets between have no coordinate: a digit for the gap maps them to counts after all coordinates.
//!
//! **Reason.** An offset below the product of the sizes has one representation in mixed radix. Weights of digits in
//! the count of coordinates serve as strides. A negative stride is the same digit counted from its other end.
//!
//! **Example.** CuTe's `(4,8):(8,1)` is the row-major matrix of 8 columns, counted here in column-major order. Its
//! right inverse is `(8,4):(4,1)`. The left inverse of `4:2` is `(2,4):(4,1)`: offsets 0 2 4 6 map to counts 0 1 2 3,
//! and odd offsets to counts from 4 on.

use crate::algebra::AxisDigits;
use crate::layout::{Digit, Digits, Layout};
use crate::spec::{LayoutError, MAX_RANK, Rule};

/// The layout of one axis from offsets of `layout` to its coordinates, counted with the last axis fastest: CuTe's
/// `right_inverse`. It counts the consecutive offsets from 0 to the first gap. Digits above the gap stay at their lowest
/// offset.
///
/// Law: `layout.offset(d) == i` for every `i`, where `d` is the coordinate that `right_inverse(layout).offset([i])`
/// coordinates precede.
///
/// # Errors
/// - `letter` is not a letter.
/// - An axis begins or ends inside a block.
/// - `layout` does not begin at offset 0, or is swizzled.
/// - The result has more blocks than a layout can have.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// // CuTe counts the first mode fastest: its (4,8):(8,1) has here the axes of 8 and 4.
/// let layout = Layout::from_strides("XY", &[8, 4], &[1, 8], ElementType::F32)?;
/// let inverse = algebra::right_inverse(&layout, 'I')?;
/// // CuTe's (8,4):(4,1).
/// assert_eq!((inverse.offset(&[1]), inverse.offset(&[8]), inverse.offset(&[31])), (4, 1, 31));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn right_inverse(layout: &Layout, letter: char) -> Result<Layout, LayoutError> {
    layout.inverse(letter, false)
}

/// The layout of one axis from offsets of `layout` to its coordinates, counted with the last axis fastest: CuTe's
/// `left_inverse`. Offsets without a coordinate go to counts from `layout.count()` on.
///
/// Law: `left_inverse(layout).offset([layout.offset(d)])` is the number of coordinates that precede `d`.
///
/// # Errors
/// Those of [`right_inverse`]. In addition, an axis is broadcast, or has a stride that is not a multiple of the span of
/// faster axes.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// let even = Layout::from_strides("X", &[4], &[2], ElementType::F32)?; // CuTe's 4:2
/// let inverse = algebra::left_inverse(&even, 'I')?; // CuTe's (2,4):(4,1)
/// let counts: Vec<_> = (0..8).map(|i| inverse.offset(&[i])).collect();
/// assert_eq!(counts, [0, 4, 1, 5, 2, 6, 3, 7]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn left_inverse(layout: &Layout, letter: char) -> Result<Layout, LayoutError> {
    layout.inverse(letter, true)
}

/// All coordinates as one axis, counted with the last axis fastest, in the fewest digits: CuTe's `coalesce`, whose modes
/// are the digits of this axis.
///
/// Law: `coalesce(layout).offset([i]) == layout.offset(d)`, where `i` coordinates precede `d`.
///
/// # Errors
/// - `letter` is not a letter.
/// - An axis other than the first begins or ends inside a block.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// // CuTe's (2,(1,6)):(1,(6,2)) is 12:1.
/// let layout = Layout::from_strides("XYZ", &[6, 1, 2], &[2, 6, 1], ElementType::F32)?;
/// let all = algebra::coalesce(&layout, 'I')?;
/// assert_eq!((all.extents(), all.offset(&[11])), (&[12][..], 11));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn coalesce(layout: &Layout, letter: char) -> Result<Layout, LayoutError> {
    let mut view = layout.origin();
    let into = ok!(view.new_letter(letter));
    let mut all = AxisDigits::single(1, 0);
    each!(axis, 0..layout.rank(), {
        let digits = AxisDigits::of(layout, axis);
        all = ok!(layout.joined_axis(layout.letters().at(axis), &all, &digits));
    });
    ok!(view.put(0, into, &all));
    Ok(view)
}

impl Layout {
    /// The inverse with digits for the gaps between strides, or only up to the first gap.
    const fn inverse(&self, letter: char, gaps: bool) -> Result<Self, LayoutError> {
        if self.swizzle().is_some() {
            let operation = if gaps { "`left_inverse`" } else { "`right_inverse`" };
            return Err(LayoutError(Rule::Swizzled { operation }));
        }
        let mut new = self.origin();
        let letter = ok!(new.new_letter(letter));
        if self.numel() == 0 {
            (new.buffer.base, new.buffer.length) = (0, 0);
            ok!(new.put(0, letter, &AxisDigits::single(0, 1)));
            return Ok(new);
        }
        let start = self.range().start;
        if start > 0 {
            return Err(LayoutError(Rule::InverseStart { start }));
        }
        let (inverse, base, past, room) = ok!(self.inverse_digits(gaps));
        (new.buffer.base, new.buffer.length) = (base, past);
        if new.element().bytes_of(past).is_none() {
            return Err(LayoutError(Rule::TooLarge { element: new.element() }));
        }
        ok!(new.put(0, letter, &inverse.normalized(0, room)));
        Ok(new)
    }

    /// The digits of the inverse, the count of the coordinate of the lowest offset, the counts after all coordinates, and
    /// the span of the digits.
    const fn inverse_digits(
        &self,
        gaps: bool,
    ) -> Result<(AxisDigits, usize, usize, usize), LayoutError> {
        let (digits, weights) = ok!(self.counted_digits(gaps));
        let mut inverse = AxisDigits::NONE;
        let mut base = 0;
        let (mut room, mut past, mut is_open) = (1usize, self.numel(), true);
        each!(rev i, 0..digits.count, {
            let Digit { axis, size, stride, weight, .. } = digits.list[i];
            if size < 2 || stride == 0 {
                continue;
            }
            let (weight, distance) = ((weights[axis] * weight) as isize, stride.unsigned_abs());
            if stride < 0 {
                base += weight as usize * (size - 1);
            }
            is_open &= gaps || distance == room;
            if !is_open {
                continue;
            }
            if distance % room != 0 {
                let letter = self.letters().at(axis);
                return Err(LayoutError(Rule::InverseStride {
                    letter,
                    stride: distance,
                    span: room,
                }));
            }
            inverse.push(distance / room, past as isize);
            // Counts after all coordinates are below the span, which the buffer holds except for its last gap.
            past = match past.checked_mul(distance / room) {
                Some(past) if past <= isize::MAX as usize => past,
                _ => return Err(LayoutError(Rule::TooLarge { element: self.element() })),
            };
            inverse.push(size, if stride < 0 { -weight } else { weight });
            room = match distance.checked_mul(size) {
                Some(room) if room <= isize::MAX as usize => room,
                _ => return Err(LayoutError(Rule::TooLarge { element: self.element() })),
            };
        });
        if inverse.count == 0 {
            inverse.push(1, 0);
        }
        Ok((inverse, base, past, room))
    }

    /// Returns the digits, [normalized](Self::normalized), and for each axis the number of coordinates that one of its
    /// coordinates counts. Broadcast digits are an error if `all` are needed.
    const fn counted_digits(&self, all: bool) -> Result<(Digits, [usize; MAX_RANK]), LayoutError> {
        let (mut weights, mut weight) = ([1; MAX_RANK], 1usize);
        each!(rev axis, 0..self.rank(), {
            let digits = AxisDigits::of(self, axis);
            let (letter, extent) = (self.letters().at(axis), digits.extent);
            if !digits.is_whole() {
                let block = digits.block();
                return Err(LayoutError(Rule::InversePart { letter, extent, block }));
            }
            if all && digits.broadcasts() {
                return Err(LayoutError(Rule::InverseBroadcast { letter }));
            }
            weights[axis] = weight;
            weight = match weight.checked_mul(extent) {
                Some(weight) if weight <= isize::MAX as usize => weight,
                _ => return Err(LayoutError(Rule::TooLarge { element: self.element() })),
            };
        });
        Ok((ok!(self.normalized()).digits(), weights))
    }
}
