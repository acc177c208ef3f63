//! Turns a spec into digits with strides.

use super::{Digit, LaneImage, Layout};
use crate::spec::{
    Factor, LayoutError, MAX_FACTORS, MAX_RANK, Rule, SLOTS, Spec, Subject, Summary, slot,
};

impl Layout {
    /// Turns a spec that breaks no rule of [`Spec::check`] into digits. An axis of unknown extent gets `unknown`
    /// blocks.
    pub(crate) const fn resolve(
        spec: &Spec<'_>,
        unknown: usize,
    ) -> Result<Self, (LayoutError, Subject)> {
        let summary = Summary::of(spec.factors);
        let mut layout = Self {
            element: spec.element,
            letters: spec.letters(),
            extents: [0; MAX_RANK],
            digits: [Digit::NONE; MAX_FACTORS],
            digit_count: 0,
            base: 0,
            length: 0,
            alignment: spec.element.align(),
            fill: spec.fill,
            lanes: None,
            swizzle: None,
            explicit: summary.has_strides,
            overlapping: false,
        };
        let axes = spec.axes.len();
        let mut i = 0;
        while i < axes {
            layout.extents[i] = match spec.axes[i].extent.value() {
                Some(extent) => extent,
                None => match summary.blocks[slot(spec.axes[i].letter)] {
                    Some(block) if spec.fill.is_none() => block.saturating_mul(unknown),
                    _ => unknown,
                },
            };
            i += 1;
        }
        let placed = match layout.explicit {
            true => layout.place_strides(spec),
            false => layout.place_factors(spec, &summary),
        };
        if let Err(broken) = placed {
            return Err(broken);
        }
        if let Err(broken) = layout.place_swizzle(spec) {
            return Err(broken);
        }
        if layout.element.bytes_of(layout.length).is_none() {
            return Err(layout.too_large());
        }
        match layout.place_lanes(spec) {
            Ok(()) => Ok(layout),
            Err(broken) => Err(broken),
        }
    }

    /// Computes strides from the memory order. Starting with the fastest factor, the stride of each is the space that
    /// all faster factors take.
    #[inline(never)]
    const fn place_factors(
        &mut self,
        spec: &Spec<'_>,
        summary: &Summary,
    ) -> Result<(), (LayoutError, Subject)> {
        let mut placed = Placed {
            cuts: [None; SLOTS],
            weights: [1; MAX_RANK],
            space: 1,
            slowest_last: [Digit::NONE; MAX_FACTORS],
            broadcast: [Digit::NONE; MAX_RANK],
            broadcast_count: 0,
        };
        let mut axis = 0;
        while axis < spec.axes.len() {
            let slot = slot(spec.axes[axis].letter);
            placed.cuts[slot] = match self.cut(axis, slot, summary) {
                Some(cut) => Some(cut),
                None => return Err(self.too_large()),
            };
            axis += 1;
        }
        let mut i = spec.factors.len();
        while i > 0 {
            i -= 1;
            if let Err(broken) = self.place_factor(spec.factors[i], &mut placed) {
                return Err(broken);
            }
        }
        let space = if self.count() == 0 { 0 } else { placed.space };
        self.length = match self.whole_bytes(space, false, &placed.slowest_last) {
            Ok(space) => space,
            Err(broken) => return Err(broken),
        };
        // A single lane is the whole storage, and storage ends at a byte.
        if let Some(LaneImage { lanes: 1, len, .. }) = &mut self.lanes {
            *len = self.length;
        }
        let mut k = 0;
        while k < self.digit_count {
            self.digits[k] = placed.slowest_last[self.digit_count - 1 - k];
            k += 1;
        }
        let mut k = 0;
        while k < placed.broadcast_count {
            self.digits[self.digit_count] = placed.broadcast[placed.broadcast_count - 1 - k];
            self.digit_count += 1;
            k += 1;
        }
        Ok(())
    }

    /// Places one factor, which is slower than all factors placed so far.
    const fn place_factor(
        &mut self,
        factor: Factor,
        placed: &mut Placed,
    ) -> Result<(), (LayoutError, Subject)> {
        if let Factor::Align(bytes) = factor {
            return self.place_alignment(bytes, placed);
        }
        // Lanes and swizzles have no letter. A block of one position needs no digit: its value is always 0.
        if let Factor::Block(_, 1) | Factor::Weighted(_, 1, _) = factor {
            return Ok(());
        }
        let Some(letter) = factor.letter() else { return Ok(()) };
        let Some(Cut { axis, block, shift, whole, rows }) = placed.cuts[slot(letter)] else {
            return Ok(());
        };
        let (size, weight) = match factor {
            Factor::Block(_, size) => {
                let weight = placed.weights[axis];
                placed.weights[axis] *= size;
                (size, weight)
            }
            Factor::Weighted(_, size, weight) => (size, weight),
            Factor::Lanes(_, lanes, _) => (lanes, block),
            _ => (rows, whole),
        };
        if let Factor::Broadcast(_) = factor {
            placed.broadcast[placed.broadcast_count] =
                Digit { axis, size, weight, stride: 0, shift };
            placed.broadcast_count += 1;
            return Ok(());
        }
        if size > 1 {
            let lane = matches!(factor, Factor::Lanes(..));
            placed.space = match self.whole_bytes(placed.space, lane, &placed.slowest_last) {
                Ok(space) => space,
                Err(broken) => return Err(broken),
            };
        }
        if let Factor::Lanes(_, lanes, _) = factor {
            let len = if self.count() == 0 { 0 } else { placed.space };
            self.lanes = Some(LaneImage { lanes, len, axis: Some((letter, block)) });
            if lanes == 1 {
                return Ok(());
            }
        }
        let stride = placed.space as isize;
        placed.slowest_last[self.digit_count] = Digit { axis, size, weight, stride, shift };
        self.digit_count += 1;
        placed.space = match self.space_after(placed.space, size) {
            Some(space) => space,
            None => return Err(self.too_large()),
        };
        Ok(())
    }

    /// Rounds the space of the faster factors up to a multiple of `bytes`.
    const fn place_alignment(
        &mut self,
        bytes: usize,
        placed: &mut Placed,
    ) -> Result<(), (LayoutError, Subject)> {
        // `Spec::check` ensured a whole number of elements.
        let Some(elements) = self.element.count_in(bytes) else { return Ok(()) };
        // The start of a buffer can only be aligned to a power of two. Strides are rounded to any multiple.
        let power = 1 << bytes.trailing_zeros();
        if power > self.alignment {
            self.alignment = power;
        }
        match self.space(placed.space.checked_next_multiple_of(elements)) {
            Some(space) => {
                placed.space = space;
                Ok(())
            }
            None => Err(self.too_large()),
        }
    }

    /// The elements that a digit takes together with all faster ones, or `None` beyond `isize::MAX`.
    pub(crate) const fn space_after(&self, stride: usize, size: usize) -> Option<usize> {
        // A size of 0 counts as 1, so that strides stay distinct.
        self.space(stride.checked_mul(if size == 0 { 1 } else { size }))
    }

    /// Limits a space to `isize::MAX`. An empty tensor takes no memory, so its strides saturate there.
    const fn space(&self, space: Option<usize>) -> Option<usize> {
        match space {
            Some(space) if space <= isize::MAX as usize => Some(space),
            _ if self.count() == 0 => Some(isize::MAX as usize),
            _ => None,
        }
    }

    /// How blocks and lanes divide `axis`, or `None` on overflow.
    const fn cut(&self, axis: usize, slot: usize, summary: &Summary) -> Option<Cut> {
        let (lanes, start) = summary.lanes(slot);
        let Some(block) = summary.blocks[slot] else { return None };
        let (Some(shift), Some(whole)) = (block.checked_mul(start), block.checked_mul(lanes))
        else {
            return None;
        };
        let rows = match self.extents[axis].checked_add(shift) {
            None => return None,
            Some(_) if self.extents[axis] == 0 => 0,
            Some(end) => end.div_ceil(whole),
        };
        Some(Cut { axis, block, shift, whole, rows })
    }

    /// Rounds rows of elements of less than a byte to whole bytes. A row begins and ends at a byte, or several rows
    /// fill one byte. The elements of a lane begin and end at a byte. Other rows are rounded up if padding is allowed,
    /// and are an error otherwise.
    const fn whole_bytes(
        &self,
        room: usize,
        lane: bool,
        digits: &[Digit; MAX_FACTORS],
    ) -> Result<usize, (LayoutError, Subject)> {
        let element = self.element;
        // Only the strides of an empty tensor reach `isize::MAX`.
        let per_byte = element.per_byte();
        if room % per_byte == 0 || room == isize::MAX as usize || !lane && element.is_row(room) {
            return Ok(room);
        }
        if self.fill.is_some() {
            return match self.space(room.checked_next_multiple_of(per_byte)) {
                Some(room) => Ok(room),
                None => Err(self.too_large()),
            };
        }
        if self.count() == 0 {
            return Ok(room);
        }
        let mut row = 0;
        while digits[row].size == 1 {
            row += 1;
        }
        let letter = self.letters.at(digits[row].axis);
        Err((LayoutError(Rule::OddRow { letter, length: room, element }), Subject::Extent(letter)))
    }

    /// Makes digits from the given strides, from the largest to the smallest.
    #[inline(never)]
    const fn place_strides(&mut self, spec: &Spec<'_>) -> Result<(), (LayoutError, Subject)> {
        let mut reach = 0usize;
        let mut ways = [0; MAX_FACTORS];
        let mut i = 0;
        while i < spec.factors.len() {
            let (letter, stride) = match spec.factors[i] {
                Factor::Stride(letter, stride) => (letter, stride),
                Factor::Broadcast(letter) => (letter, 0),
                Factor::LaneArray(_) | Factor::Swizzle(_) => {
                    i += 1;
                    continue;
                }
                // `Spec::check` allows only strides and broadcasts here.
                _ => unreachable!(),
            };
            i += 1;
            let Some(axis) = self.letters.position(letter) else { continue };
            let size = self.extents[axis];
            if self.count() > 0 {
                let Some(way) = (size - 1).checked_mul(stride.unsigned_abs()) else {
                    return Err(self.too_large());
                };
                reach = match reach.checked_add(way) {
                    Some(reach) if reach < isize::MAX as usize => reach,
                    _ => return Err(self.too_large()),
                };
                if stride < 0 {
                    self.base += way;
                }
            }
            let way = match stride.unsigned_abs() {
                // No coordinate uses the stride of an axis of extent 1. It gets the span of the next listed axis.
                0 if size == 1 => self.way_past(spec, i),
                way => way,
            };
            let digit = Digit { axis, size, weight: 1, stride, shift: 0 };
            let mut k = self.digit_count;
            while k > 0 && digit.is_slower(way, &self.digits[k - 1], ways[k - 1]) {
                (self.digits[k], ways[k]) = (self.digits[k - 1], ways[k - 1]);
                k -= 1;
            }
            (self.digits[k], ways[k]) = (digit, way);
            self.digit_count += 1;
        }
        if self.count() == 0 {
            return Ok(());
        }
        self.length = reach + 1;
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
                    Some(axis) if self.extents[axis] > 1 => {
                        return stride.unsigned_abs().saturating_mul(self.extents[axis]);
                    }
                    _ => {}
                }
            }
            i += 1;
        }
        0
    }

    const fn too_large(&self) -> (LayoutError, Subject) {
        (LayoutError(Rule::TooLarge { element: self.element }), Subject::Size)
    }
}

/// The factors of a memory order placed so far, from the fastest.
struct Placed {
    /// How each axis is divided, by its slot.
    cuts: [Option<Cut>; SLOTS],
    /// For each axis, the product of the blocks without a weight so far, in coordinates.
    weights: [usize; MAX_RANK],
    /// The elements that the factors so far take.
    space: usize,
    /// The digits of the factors so far.
    slowest_last: [Digit; MAX_FACTORS],
    broadcast: [Digit; MAX_RANK],
    broadcast_count: usize,
}

/// How blocks and lanes divide an axis.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    /// The number of coordinates in all blocks together.
    block: usize,
    /// The position of coordinate 0.
    shift: usize,
    /// The number of coordinates in all blocks and lanes together.
    whole: usize,
    /// The number of rows, each of `whole` coordinates.
    rows: usize,
}
