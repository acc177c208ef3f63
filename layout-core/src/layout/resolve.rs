//! Turns a spec into digits with strides.

use super::{Buffer, Digit, Layout, MAX_BLOCKED};
use crate::spec::{
    ElementCode, ElementType, Factor, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK, Rule,
    Spec, Subject, Summary, padded_row, slot,
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
        layout.buffer.explicit = summary.has_strides;
        let mut is_empty = false;
        each!(i, 0..summary.rank, {
            layout.sizes[i] = match spec.axes[i].extent {
                Length::Fixed(extent) | Length::Runtime(extent) => extent,
                Length::Unknown => summary.extent_of(slot(spec.axes[i].letter), unknown),
            };
            is_empty |= layout.sizes[i] == 0;
        });
        let placed = match summary.has_strides {
            true => layout.place_strides(spec),
            false => layout.place_factors(spec, summary, is_empty),
        };
        if let Err(broken) = placed {
            return Err(broken);
        }
        if !summary.is_plain {
            if summary.start > 0 {
                layout.buffer.set_alignment(summary.start);
            }
            if let Err(broken) = layout.place_swizzle(spec) {
                return Err(broken);
            }
        }
        let Some(_) = spec.element.bytes_of(layout.buffer.length) else {
            return Err(layout.too_large());
        };
        match summary.is_plain {
            true => Ok(layout),
            false => match layout.place_lanes(spec) {
                Ok(()) => Ok(layout),
                Err(broken) => Err(broken),
            },
        }
    }

    /// Computes strides from the memory order. Starting with the fastest factor, the stride of each is the space that
    /// all faster factors take.
    #[inline(never)]
    const fn place_factors(
        &mut self,
        spec: &Spec<'_>,
        summary: &Summary,
        is_empty: bool,
    ) -> Result<(), (LayoutError, Subject)> {
        let count = summary.digits - summary.ones;
        let strided = count - summary.broadcasts;
        let mut placed = PlacedFactors {
            digits: [Digit::NONE; MAX_FACTORS],
            per_byte: spec.element.per_byte(),
            weights: [1; MAX_RANK],
            space: 1,
            strided,
            slower: strided,
            slower_broadcast: count,
        };
        let mut i = spec.factors.len();
        while i > 0 {
            i -= 1;
            let done = match spec.factors[i] {
                Factor::Align(bytes) => self.place_alignment(bytes, &mut placed),
                Factor::Pitch(bytes) => self.place_pitch(bytes, i, &mut placed),
                factor => self.place_factor(factor, summary, &mut placed),
            };
            if done.is_err() {
                return done;
            }
        }
        assert!(placed.slower == 0 && placed.slower_broadcast == placed.strided);
        self.set_digits(&placed.digits, count);
        if summary.has_pitch {
            self.buffer.explicit = true;
            self.buffer.length = if is_empty { 0 } else { self.reach().end };
            return Ok(());
        }
        let space = if is_empty { 0 } else { placed.space };
        self.buffer.length = match self.whole_bytes(space, false, &placed) {
            Ok(space) => space,
            Err(broken) => return Err(broken),
        };
        Ok(())
    }

    /// Places one factor of an axis, which is slower than all factors placed so far. Others take no place.
    const fn place_factor(
        &mut self,
        factor: Factor,
        summary: &Summary,
        placed: &mut PlacedFactors,
    ) -> Result<(), (LayoutError, Subject)> {
        let letter = match factor {
            // A block of one position needs no digit: its value is always 0.
            Factor::Block(_, 1) | Factor::Weighted(_, 1, _) => return Ok(()),
            Factor::Axis(letter) | Factor::Block(letter, _) | Factor::Lanes(letter, ..) => letter,
            Factor::Weighted(letter, ..) | Factor::Broadcast(letter) => letter,
            _ => return Ok(()),
        };
        let at = slot(letter);
        let axis = summary.axis[at];
        let Some(block) = summary.blocks[at] else { return Err(self.too_large()) };
        let over = if summary.is_plain { Some((0, block)) } else { summary.over_lanes(at, block) };
        // The position of coordinate 0, and the coordinates in all blocks and lanes together.
        let Some((shift, whole)) = over else { return Err(self.too_large()) };
        let (size, weight) = match factor {
            Factor::Block(_, size) => {
                let weight = placed.weights[axis];
                placed.weights[axis] *= size;
                (size, weight)
            }
            Factor::Weighted(_, size, weight) => (size, weight),
            Factor::Lanes(_, lanes, _) => (lanes, block),
            _ => match self.sizes[axis] {
                0 => (0, whole),
                extent if shift > usize::MAX - extent => return Err(self.too_large()),
                extent if whole == 1 => (extent + shift, 1),
                extent => ((extent + shift).div_ceil(whole), whole),
            },
        };
        if let Factor::Broadcast(_) = factor {
            placed.slower_broadcast -= 1;
            placed.digits[placed.slower_broadcast] = Digit { axis, size, weight, stride: 0, shift };
            return Ok(());
        }
        let is_lane = matches!(factor, Factor::Lanes(..));
        if size > 1 && placed.per_byte > 1 {
            placed.space = match self.whole_bytes(placed.space, is_lane, placed) {
                Ok(space) => space,
                Err(broken) => return Err(broken),
            };
        }
        if is_lane {
            (self.buffer.lanes, self.buffer.lane_axis) = (size, axis as u8);
            if size == 1 {
                return Ok(());
            }
        }
        placed.slower -= 1;
        let (stride, after) = (placed.space as isize, self.space_after(placed.space, size));
        placed.digits[placed.slower] = Digit { axis, size, weight, stride, shift };
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

    /// Sets the space of the faster factors to `bytes`, factor `i`.
    const fn place_pitch(
        &self,
        bytes: usize,
        i: usize,
        placed: &mut PlacedFactors,
    ) -> Result<(), (LayoutError, Subject)> {
        // `Spec::check` ensured a whole number of elements.
        let Some(elements) = self.element().count_in(bytes) else { return Ok(()) };
        if elements >= placed.space || self.numel() == 0 {
            placed.space = elements;
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

    /// Makes digits from the given strides, from the largest to the smallest.
    #[inline(never)]
    const fn place_strides(&mut self, spec: &Spec<'_>) -> Result<(), (LayoutError, Subject)> {
        let (mut digits, mut count) = ([Digit::NONE; MAX_FACTORS], 0);
        let mut reach = 0usize;
        let mut ways = [0; MAX_FACTORS];
        let mut i = 0;
        while i < spec.factors.len() {
            let (letter, stride) = match spec.factors[i] {
                Factor::Stride(letter, stride) => (letter, stride),
                Factor::Broadcast(letter) => (letter, 0),
                Factor::LaneArray(_) | Factor::Start(_) | Factor::Swizzle(_) => {
                    i += 1;
                    continue;
                }
                // `Spec::check` allows only strides and broadcasts here.
                _ => unreachable!(),
            };
            i += 1;
            let Some(axis) = self.letters.position(letter) else { continue };
            let size = self.sizes[axis];
            if self.numel() > 0 {
                let Some(way) = (size - 1).checked_mul(stride.unsigned_abs()) else {
                    return Err(self.too_large());
                };
                reach = match reach.checked_add(way) {
                    Some(reach) if reach < isize::MAX as usize => reach,
                    _ => return Err(self.too_large()),
                };
                if stride < 0 {
                    self.buffer.base += way;
                }
            }
            let way = match stride.unsigned_abs() {
                // No coordinate uses the stride of an axis of extent 1. It gets the span of the next listed axis.
                0 if size == 1 => self.way_past(spec, i),
                way => way,
            };
            let digit = Digit { axis, size, weight: 1, stride, shift: 0 };
            let mut k = count;
            while k > 0 && digit.is_slower(way, &digits[k - 1], ways[k - 1]) {
                (digits[k], ways[k]) = (digits[k - 1], ways[k - 1]);
                k -= 1;
            }
            (digits[k], ways[k]) = (digit, way);
            count += 1;
        }
        self.set_digits(&digits, count);
        if self.numel() == 0 {
            return Ok(());
        }
        self.buffer.length = reach + 1;
        match self.overlap() {
            Some(error) => Err((error, Subject::Strides)),
            None => Ok(()),
        }
    }

    /// The distance that the next axis of several coordinates spans, of the strides listed from `first`; 0 if there is
    /// none.
    const fn way_past(&self, spec: &Spec<'_>, first: usize) -> usize {
        let mut i = first;
        while i < spec.factors.len() {
            if let Factor::Stride(letter, stride) = spec.factors[i] {
                match self.letters.position(letter) {
                    Some(axis) if self.sizes[axis] > 1 => {
                        return stride.unsigned_abs().saturating_mul(self.sizes[axis]);
                    }
                    _ => {}
                }
            }
            i += 1;
        }
        0
    }

    const fn too_large(&self) -> (LayoutError, Subject) {
        (LayoutError(Rule::TooLarge { element: self.element() }), Subject::Size)
    }
}

/// The factors of a memory order placed so far, from the fastest.
struct PlacedFactors {
    /// All digits, slowest first.
    digits: [Digit; MAX_FACTORS],
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
