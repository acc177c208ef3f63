//! Turns a spec into digits with strides.

use super::{Buffer, Digit, Layout, MAX_BLOCKED};
use crate::spec::{
    ElementCode, ElementType, Factor, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK, Rule,
    Spec, Subject, Summary, greatest, padded_row, slot, slot_of,
};

impl Layout {
    /// A layout without axes. A copy of it is one step of const evaluation.
    const BLANK: Self = Self {
        sizes: [0; MAX_FACTORS],
        strides: [0; MAX_FACTORS],
        shifts: [0; MAX_BLOCKED],
        order: 0,
        blocks: 0,
        buffer: Buffer::EMPTY,
        plain_bytes: 0,
        letters: Letters::EMPTY,
        element: ElementCode::of(ElementType::U8).0,
        digit_count: 0,
    };

    /// A layout of these axes without extents and digits.
    pub(crate) const fn blank(element: ElementType, letters: Letters) -> Self {
        let mut new = Self::BLANK;
        new.letters = letters;
        (new.element, new.plain_bytes) = ElementCode::of(element);
        new.buffer.set_alignment(element.align());
        new
    }

    /// Turns a spec that breaks no rule of [`Spec::check`] into digits. `summary` is that of the spec. An axis of
    /// unknown extent gets the largest one whose slowest digit has `unknown` values.
    pub(crate) const fn resolve(
        spec: &Spec<'_>,
        summary: &Summary,
        unknown: usize,
    ) -> Result<Self, (LayoutError, Subject)> {
        let mut layout = Self::blank(spec.element, spec.letters());
        layout.buffer.set_fill(spec.fill);
        layout.buffer.explicit = summary.has_strides && !summary.is_whole;
        let mut is_empty = false;
        each!(i, 0..summary.rank, {
            layout.sizes[i] = match spec.axes[i].extent {
                Length::Fixed(extent) | Length::Runtime(extent) => extent,
                Length::Unknown => summary.extent_of(slot(spec.axes[i].letter), unknown),
            };
            is_empty |= layout.sizes[i] == 0;
        });
        ok!(match summary.is_plain && spec.element.per_byte() == 1 {
            true => layout.place_plain(spec.factors, summary, is_empty),
            false => layout.place_factors(spec, summary, is_empty),
        });
        if !summary.is_plain {
            if summary.start > 0 {
                layout.buffer.set_alignment(summary.start);
            }
            let length = layout.buffer.length;
            ok!(layout.place_swizzle(spec, summary));
            let span = layout.buffer.length;
            if span > length && summary.part != Summary::NONE {
                let error = LayoutError(Rule::SwizzledOutside { span, length });
                return Err((error, Subject::Option(summary.part)));
            }
        }
        let Some(_) = spec.element.bytes_of(layout.buffer.length) else {
            return Err(layout.too_large());
        };
        match summary.is_plain {
            true => Ok(layout),
            false => match layout.place_lanes(spec, summary) {
                Ok(()) => Ok(layout),
                Err(broken) => Err(broken),
            },
        }
    }

    /// [`place_factors`](Self::place_factors) of axes and blocks without weights and options.
    ///
    /// Most layouts have no others. Const evaluation pays for calls, so none are made.
    const fn place_plain(
        &mut self,
        factors: &[Factor],
        summary: &Summary,
        is_empty: bool,
    ) -> Result<(), (LayoutError, Subject)> {
        let (rank, count, all) = (summary.rank, summary.digits - summary.ones, factors.len());
        self.digit_count = count as u8;
        // The index of the next block of each axis.
        let mut next = [rank; MAX_RANK];
        if count > rank {
            each!(i, 0..all, {
                if let Factor::Block(letter, 2..) = factors[i] {
                    self.blocks += 1 << (4 * summary.axis[slot_of!(letter)]);
                }
            });
            each!(axis, 1..rank, {
                next[axis] = next[axis - 1] + (self.blocks >> (4 * (axis - 1)) & 15) as usize;
            });
        }
        let mut space = 1;
        each!(rev i, 0..all, {
            let (index, size) = match factors[i] {
                Factor::Block(letter, size @ 2..) => {
                    let axis = summary.axis[slot_of!(letter)];
                    let index = next[axis];
                    (next[axis], self.sizes[index]) = (index + 1, size);
                    (index, size)
                }
                Factor::Axis(letter) => {
                    let at = slot_of!(letter);
                    let Some(block) = summary.blocks[at] else { return Err(self.too_large()) };
                    let (axis, extent) = (summary.axis[at], self.sizes[summary.axis[at]]);
                    (axis, extent / block + (extent % block > 0) as usize)
                }
                _ => continue,
            };
            self.strides[index] = space as isize;
            self.order = self.order << 4 | index as u64;
            // A size of 0 counts as 1, so that strides stay distinct. An empty tensor takes no memory.
            if size > 1 {
                space = if space <= isize::MAX as usize / size {
                    space * size
                } else if is_empty {
                    isize::MAX as usize
                } else {
                    return Err(self.too_large());
                };
            }
        });
        self.buffer.length = if is_empty { 0 } else { space };
        Ok(())
    }

    /// Computes strides from the memory order. Starting with the fastest factor, the stride of each is the space that
    /// all faster factors take, unless a stride is given.
    #[inline(never)]
    const fn place_factors(
        &mut self,
        spec: &Spec<'_>,
        summary: &Summary,
        is_empty: bool,
    ) -> Result<(), (LayoutError, Subject)> {
        let count = summary.digits - summary.ones;
        let is_listed = summary.has_strides && !summary.is_whole;
        let strided = if is_listed { count } else { count - summary.broadcasts };
        let mut placed = PlacedFactors {
            is_listed,
            whole: summary.whole(spec.factors),
            digits: [Digit::NONE; MAX_FACTORS],
            shifts: [0; MAX_RANK],
            per_byte: spec.element.per_byte(),
            weights: [1; MAX_RANK],
            space: 1,
            strided,
            slower: strided,
            slower_broadcast: count,
        };
        each!(rev i, 0..spec.factors.len(), {
            let done = match spec.factors[i] {
                Factor::Shift(letter, position) => {
                    placed.shifts[summary.axis[slot(letter)]] = position;
                    Ok(())
                }
                Factor::Align(bytes) => self.place_alignment(bytes, &mut placed),
                Factor::Pitch(pitch) => self.place_pitch(pitch, i, &mut placed),
                factor => self.place_factor(factor, summary, &mut placed),
            };
            if done.is_err() {
                return done;
            }
        });
        assert!(placed.slower == 0 && placed.slower_broadcast == placed.strided);
        if is_listed {
            return self.place_strides(spec, summary, (placed.digits, count));
        }
        self.set_digits(&placed.digits, count);
        self.end(summary, is_empty, &placed)
    }

    /// Finds the length of the buffer.
    const fn end(
        &mut self,
        summary: &Summary,
        is_empty: bool,
        placed: &PlacedFactors,
    ) -> Result<(), (LayoutError, Subject)> {
        if summary.has_pitch {
            self.buffer.explicit = true;
            self.buffer.length = if is_empty { 0 } else { self.reach().end };
            return Ok(());
        }
        let space = if is_empty { 0 } else { placed.space };
        // The gap after the last element is padding too. Lanes share the whole buffer.
        let has_gap = !is_empty && self.buffer.lanes < 2;
        if let (Some((length, _)), true) = (placed.whole, has_gap) {
            if placed.has_room(length as isize, space) {
                self.buffer.length = length;
                return Ok(());
            }
        }
        self.buffer.length = ok!(self.whole_bytes(space, false, placed));
        let Some((length, _)) = placed.whole else { return Ok(()) };
        match self.buffer.length == length {
            true => Ok(()),
            false => {
                let error = LayoutError(Rule::LengthTooShort { length });
                Err((error, Subject::Option(summary.part)))
            }
        }
    }

    /// Places one factor of an axis, which is slower than all factors placed so far. Others take no place.
    const fn place_factor(
        &mut self,
        factor: Factor,
        summary: &Summary,
        placed: &mut PlacedFactors,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some((letter, given)) = placed.axis_and_stride(factor) else { return Ok(()) };
        let at = slot(letter);
        let axis = summary.axis[at];
        let Some(block) = summary.blocks[at] else { return Err(self.too_large()) };
        let over = if summary.is_plain { Some((0, block)) } else { summary.over_lanes(at, block) };
        // The position of coordinate 0, and the coordinates in all blocks and lanes together.
        let Some((shift, whole)) = over else { return Err(self.too_large()) };
        let shift = if placed.shifts[axis] > 0 { placed.shifts[axis] } else { shift };
        let (size, weight) = match factor {
            Factor::Block(_, size) => {
                let weight = placed.weights[axis];
                placed.weights[axis] *= size;
                (size, weight)
            }
            Factor::Weighted(_, size, weight) | Factor::StridedBlock(_, size, weight, _) => {
                (size, weight)
            }
            Factor::Lanes(_, lanes, _) => (lanes, block),
            _ => match self.sizes[axis] {
                0 => (0, whole),
                extent if shift > usize::MAX - extent => return Err(self.too_large()),
                extent if whole == 1 => (extent + shift, 1),
                extent => ((extent + shift).div_ceil(whole), whole),
            },
        };
        let digit = Digit { axis, size, weight, stride: 0, shift };
        match (factor, given) {
            (_, Some(stride)) if placed.is_listed => {
                placed.slower -= 1;
                placed.digits[placed.slower] = Digit { stride, ..digit };
                Ok(())
            }
            (Factor::Broadcast(_), _) => {
                placed.slower_broadcast -= 1;
                placed.digits[placed.slower_broadcast] = digit;
                Ok(())
            }
            _ => self.place_digit(factor, digit, given, placed),
        }
    }

    /// Places a digit after the faster ones, and takes the space that it needs.
    const fn place_digit(
        &mut self,
        factor: Factor,
        digit: Digit,
        given: Option<isize>,
        placed: &mut PlacedFactors,
    ) -> Result<(), (LayoutError, Subject)> {
        let Digit { axis, size, .. } = digit;
        let is_lane = matches!(factor, Factor::Lanes(..));
        match given {
            Some(stride) if self.numel() == 0 || placed.has_room(stride, placed.space) => {
                placed.space = stride as usize;
            }
            _ if size > 1 && placed.per_byte > 1 => {
                placed.space = ok!(self.whole_bytes(placed.space, is_lane, placed));
            }
            _ => {}
        }
        if matches!(given, Some(stride) if stride != placed.space as isize) {
            return Err((LayoutError(Rule::StridesNotNested), Subject::Strides));
        }
        if is_lane {
            (self.buffer.lanes, self.buffer.lane_axis) = (size, axis as u8);
            if size == 1 {
                return Ok(());
            }
        }
        placed.slower -= 1;
        let (stride, after) = (placed.space as isize, self.space_after(placed.space, size));
        placed.digits[placed.slower] = Digit { stride, ..digit };
        let Some(space) = after else { return Err(self.too_large()) };
        placed.space = space;
        Ok(())
    }

    /// Rounds the space of the faster factors up to a multiple of `bytes`.
    const fn place_alignment(
        &mut self,
        bytes: usize,
        placed: &mut PlacedFactors,
    ) -> Result<(), (LayoutError, Subject)> {
        // `Spec::check` ensured a whole number of elements.
        let Some(elements) = self.element().count_in(bytes) else { return Ok(()) };
        // The start of a buffer can only be aligned to a power of two. Strides are rounded to any multiple.
        let power = 1 << bytes.trailing_zeros();
        if power > self.buffer.alignment() {
            self.buffer.set_alignment(power);
        }
        match self.space(placed.space.checked_next_multiple_of(elements)) {
            Some(space) => {
                placed.space = space;
                Ok(())
            }
            None => Err(self.too_large()),
        }
    }

    /// Sets the space of the faster factors to a pitch, factor `i`, or to the smallest one if it is not known.
    const fn place_pitch(
        &self,
        pitch: Length,
        i: usize,
        placed: &mut PlacedFactors,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some(bytes) = pitch.value() else {
            let whole = self.space(placed.space.checked_next_multiple_of(placed.per_byte));
            let Some(space) = whole else { return Err(self.too_large()) };
            placed.space = space;
            return Ok(());
        };
        // `Spec::check` ensured a whole number of elements.
        let Some(elements) = self.element().count_in(bytes) else { return Ok(()) };
        if elements >= placed.space || self.numel() == 0 {
            // Strides of an empty tensor nest too.
            placed.space = greatest(elements, placed.space);
            return Ok(());
        }
        let row = match self.element().bytes_of(placed.space) {
            Some(row) => row,
            None => return Err(self.too_large()),
        };
        Err((LayoutError(Rule::ShortPitch { bytes, row }), Subject::Factor(i)))
    }

    /// The elements that a digit takes together with all faster ones, or `None` beyond `isize::MAX`.
    pub(crate) const fn space_after(&self, stride: usize, size: usize) -> Option<usize> {
        // A size of 0 counts as 1, so that strides stay distinct.
        if size <= 1 {
            return self.space(Some(stride));
        }
        match stride <= isize::MAX as usize / size {
            true => Some(stride * size),
            false => self.space(None),
        }
    }

    /// Limits a space to `isize::MAX`. An empty tensor takes no memory, so its strides saturate there.
    const fn space(&self, space: Option<usize>) -> Option<usize> {
        match space {
            Some(space) if space <= isize::MAX as usize => Some(space),
            _ if self.numel() == 0 => Some(isize::MAX as usize),
            _ => None,
        }
    }

    /// Rounds rows of elements of less than a byte to whole bytes. A row begins and ends at a byte, or several rows
    /// fill one byte. The elements of a lane begin and end at a byte. Other rows are rounded up if padding is allowed,
    /// and are an error otherwise.
    const fn whole_bytes(
        &self,
        room: usize,
        lane: bool,
        placed: &PlacedFactors,
    ) -> Result<usize, (LayoutError, Subject)> {
        let per_byte = placed.per_byte;
        // Only the strides of an empty tensor reach `isize::MAX`.
        if room % per_byte == 0 || room == isize::MAX as usize {
            return Ok(room);
        }
        let whole = match lane {
            true => room.checked_next_multiple_of(per_byte),
            false => padded_row(room, per_byte),
        };
        if matches!(whole, Some(whole) if whole == room) {
            return Ok(room);
        }
        if self.buffer.fill().is_some() {
            return match self.space(whole) {
                Some(room) => Ok(room),
                None => Err(self.too_large()),
            };
        }
        if self.numel() == 0 {
            return Ok(room);
        }
        // The fastest digit of several values.
        let mut row = placed.strided;
        while row > 0 {
            row -= 1;
            if placed.digits[row].size != 1 {
                break;
            }
        }
        let (letter, element) = (self.letters.at(placed.digits[row].axis), self.element());
        Err((LayoutError(Rule::OddRow { letter, length: room, element }), Subject::Extent(letter)))
    }

    pub(super) const fn too_large(&self) -> (LayoutError, Subject) {
        (LayoutError(Rule::TooLarge { element: self.element() }), Subject::Size)
    }
}

/// The factors of a memory order placed so far, from the fastest.
struct PlacedFactors {
    /// All digits, slowest first.
    digits: [Digit; MAX_FACTORS],
    /// Whether all strides are given, and follow from nothing.
    is_listed: bool,
    /// The given length of a buffer whose gaps are padding, and the stride of its lanes.
    whole: Option<(usize, isize)>,
    /// The positions of coordinate 0 of the axes in their blocks, where they are given.
    shifts: [usize; MAX_RANK],
    /// The number of elements in a byte.
    per_byte: usize,
    /// For each axis, the product of the blocks without a weight so far, in coordinates.
    weights: [usize; MAX_RANK],
    /// The elements that the factors so far take.
    space: usize,
    /// The number of digits that are not broadcast.
    strided: usize,
    /// How many of them are still to place. They precede those placed.
    slower: usize,
    /// The same of all digits, broadcast ones last.
    slower_broadcast: usize,
}

impl PlacedFactors {
    /// The axis of a factor, and its given stride. `None` if it takes no place.
    const fn axis_and_stride(&self, factor: Factor) -> Option<(char, Option<isize>)> {
        match factor {
            // A block of one position needs no digit: its value is always 0.
            Factor::Block(_, 1) | Factor::Weighted(_, 1, _) | Factor::StridedBlock(_, 1, ..) => {
                None
            }
            Factor::Axis(letter) | Factor::Block(letter, _) => Some((letter, None)),
            Factor::Weighted(letter, ..) => Some((letter, None)),
            Factor::Stride(letter, stride) | Factor::StridedBlock(letter, _, _, stride) => {
                Some((letter, Some(stride)))
            }
            Factor::Broadcast(letter) => Some((letter, Some(0))),
            Factor::Lanes(letter, lanes, _) => match self.whole {
                Some((_, stride)) if lanes > 1 => Some((letter, Some(stride))),
                _ => Some((letter, None)),
            },
            _ => None,
        }
    }

    /// Whether `length` elements have room for `space` elements, and for padding up to the end of a byte.
    const fn has_room(&self, length: isize, space: usize) -> bool {
        length >= space as isize && length as usize % self.per_byte == 0
    }
}
