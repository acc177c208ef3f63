//! The buffer of a layout, which may be an array of lanes.

use super::{After, Layout};
use crate::spec::{Factor, LayoutError, Rule, Spec, Subject, Summary};

blank! {
    /// The buffer of a layout: where its elements lie, and what else it holds. Numbers count elements.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) struct Buffer,
    /// A buffer without elements.
    pub(crate) const EMPTY {
        /// The sum of the offset where all digits are 0. It is above 0 if a stride is negative.
        pub(crate) base: usize = 0,
        pub(crate) length: usize = 0,
        /// The bits of the element that fills padding, if the layout declares padding.
        fill: u64 = 0,
        /// The number of lanes, or 0 if the storage is not an array of lanes.
        pub(crate) lanes: usize = 0,
        pub(crate) after: After = After::NOTHING,
        /// The alignment of the start in bytes, as a power of two.
        alignment: u8 = 0,
        /// The axis that is distributed over the lanes, or [`Self::NO_AXIS`].
        pub(crate) lane_axis: u8 = Self::NO_AXIS,
        has_fill: bool = false,
        /// Whether the strides were given explicitly. If so, gaps belong to somebody else.
        pub(crate) explicit: bool = false,
        /// Whether coordinates that share an offset may differ in digits of strides other than 0, as overlapping
        /// windows do.
        pub(crate) overlapping: bool = false,
    }
}

impl Buffer {
    pub(crate) const NO_AXIS: u8 = u8::MAX;

    /// Makes it the buffer of a view: gaps belong to somebody else, and lanes are an ordinary part of it.
    #[inline(always)]
    pub(crate) const fn become_view(&mut self) {
        (self.explicit, self.lanes, self.lane_axis) = (true, 0, Self::NO_AXIS);
        (self.fill, self.has_fill) = (0, false);
    }

    /// The bits of the element that fills padding, or `None` if the layout declares no padding.
    pub(crate) const fn fill(&self) -> Option<u64> {
        if self.has_fill { Some(self.fill) } else { None }
    }

    pub(crate) const fn set_fill(&mut self, fill: Option<u64>) {
        (self.fill, self.has_fill) = match fill {
            Some(fill) => (fill, true),
            None => (0, false),
        };
    }

    /// The alignment of the start, in bytes.
    pub(crate) const fn alignment(&self) -> usize {
        1 << self.alignment
    }

    /// Sets the alignment of the start, a power of two.
    pub(crate) const fn set_alignment(&mut self, bytes: usize) {
        self.alignment = bytes.trailing_zeros() as u8;
    }
}

impl Layout {
    /// Returns the same layout with storage that is an array of `lanes` lanes, one after the other. The option
    /// `lanes(LANES)` of `layout!` does the same.
    ///
    /// The element at an offset is in lane `offset / n`, at position `offset % n` of that lane, where `n` is
    /// [`len`](Self::len) divided by the number of lanes.
    ///
    /// With it, a view whose axes are lane and register becomes a fragment of a tensor core:
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Operand A of m16n8k16: lanes A and B and registers C, D and E, as rows and columns.
    /// let digits = Layout::of("ABCDE", &[8, 4, 2, 2, 2], ElementType::F16)?;
    /// let matrix = digits.merge("DA", 'M')?.merge("CBE", 'K')?.permute("MK")?;
    /// let fragment = matrix.over_lanes(32)?;
    /// let lanes = fragment.lanes().expect("32 lanes");
    /// let place = lanes.place(&[9, 5])?; // row 9, column 5
    /// assert_eq!((place.lane, place.offset), (6, 3));
    ///
    /// // This format gives the same layout.
    /// let named: Layout = "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)".parse()?;
    /// assert!(named.same_map(&fragment) && named.lanes().map(|own| own.count()) == Some(32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - An axis is distributed over lanes already.
    /// - `lanes` is 0.
    /// - The length is not a multiple of `lanes`.
    /// - The elements of a lane end inside a byte (elements of less than a byte).
    pub const fn over_lanes(&self, lanes: usize) -> Result<Self, LayoutError> {
        if self.buffer.lane_axis != Buffer::NO_AXIS {
            let letter = self.letters.at(self.buffer.lane_axis as usize);
            return Err(LayoutError(Rule::LanesTwice { letter }));
        }
        let (length, element) = (self.buffer.length, self.element());
        if lanes == 0 || length % lanes != 0 {
            return Err(LayoutError(Rule::LaneShare { length, lanes }));
        }
        let len = length / lanes;
        if lanes > 1 && len % element.per_byte() != 0 {
            return Err(LayoutError(Rule::LaneBytes { lanes, len, element }));
        }
        let mut new = *self;
        new.buffer.lanes = lanes;
        Ok(new)
    }

    /// The elements of the tensor in each lane, padding included. `None` if the storage is not an array of lanes.
    pub(crate) const fn lane_len(&self) -> Option<usize> {
        self.buffer.length.checked_div(self.buffer.lanes)
    }

    /// Sets the array of lanes that the spec asks for.
    pub(super) const fn place_lanes(
        &mut self,
        spec: &Spec<'_>,
        summary: &Summary,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some(&Factor::LaneArray(lanes)) = spec.factors.first() else { return Ok(()) };
        // Without all extents and pitches, the length is not known yet.
        if spec.missing(summary).is_some() && lanes > 0 {
            self.buffer.lanes = lanes;
            return Ok(());
        }
        match self.over_lanes(lanes) {
            Ok(layout) => {
                *self = layout;
                Ok(())
            }
            Err(error) => Err((error, Subject::Factor(0))),
        }
    }
}
