//! What happens to an offset after all strides: a swizzle.

use super::Layout;
use crate::spec::{Factor, LayoutError, Rule, Spec, Subject, Summary, Swizzle, Swizzling};

/// What happens to an offset after all strides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct After {
    /// The identity if nothing happens.
    swizzle: Swizzle,
}

impl After {
    /// Nothing happens: offsets are the sums of all strides.
    pub(crate) const NOTHING: Self = Self { swizzle: Swizzle::new(0, 0, 0) };

    /// A swizzle.
    pub(crate) const fn swizzled(swizzle: Swizzle) -> Self {
        if swizzle.is_identity() { Self::NOTHING } else { Self { swizzle } }
    }

    /// The swizzle, or `None` if nothing happens.
    #[inline(always)]
    pub(crate) const fn swizzle(self) -> Option<Swizzle> {
        if self.is_nothing() { None } else { Some(self.swizzle) }
    }

    /// Whether offsets stay as they are.
    #[inline(always)]
    pub(crate) const fn is_nothing(self) -> bool {
        self.swizzle.is_identity()
    }

    /// The place of the element at an offset.
    #[inline(always)]
    pub(crate) const fn apply(self, offset: usize) -> usize {
        if self.is_nothing() { offset } else { self.swizzle.apply(offset) }
    }

    /// The offset of the element at a place.
    #[inline(always)]
    pub(crate) const fn inverse(self, place: usize) -> usize {
        // A swizzle is its own inverse.
        self.apply(place)
    }

    /// Distances that are multiples of this number stay as they are.
    pub(crate) const fn period(self) -> usize {
        if self.is_nothing() { 1 } else { self.swizzle.period() }
    }

    /// Whether two offsets at this distance always have places at this distance.
    pub(crate) const fn commutes_with(self, stride: isize) -> bool {
        stride.unsigned_abs() % self.period() == 0
    }

    /// `==` in a `const fn`.
    pub(crate) const fn same(self, other: Self) -> bool {
        self.swizzle.same(other.swizzle)
    }
}

impl Layout {
    /// Adds the swizzle of a spec, and the storage that it needs.
    pub(super) const fn place_swizzle(
        &mut self,
        spec: &Spec<'_>,
        summary: &Summary,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some((Factor::Swizzle(swizzling), before)) = spec.factors.split_last() else {
            return Ok(());
        };
        // Rows are not known before the extents and pitches.
        if matches!(swizzling, Swizzling::Phases(..)) && spec.missing(summary).is_some() {
            return Ok(());
        }
        match self.add_swizzle(*swizzling) {
            Ok(()) => Ok(()),
            Err(error) => Err((error, Subject::Factor(before.len()))),
        }
    }

    /// Adds a swizzle to a layout without one. A swizzle that changes no offset of the buffer is not added. It is not
    /// an error, since extents that are known at run time may be that small.
    ///
    /// # Errors
    /// - The swizzle is invalid, or it does not fit these elements and rows.
    /// - The storage that it needs is larger than `isize::MAX` bytes.
    #[doc(hidden)]
    pub const fn add_swizzle(&mut self, swizzling: Swizzling) -> Result<(), LayoutError> {
        let swizzle = match swizzling.of(self.element(), self.row()) {
            Ok(swizzle) if swizzle.is_identity() => return Ok(()),
            Ok(swizzle) => swizzle,
            // A layout without coordinates has no rows.
            Err(_) if self.numel() == 0 => return Ok(()),
            Err(error) => return Err(error),
        };
        if swizzle.first_read() < self.buffer.length {
            self.buffer.after = After::swizzled(swizzle);
            // Each block of offsets keeps its place, so storage of whole blocks holds them all. Finding the end would
            // take longer than all else about such a layout.
            if self.buffer.length % swizzle.block() != 0 {
                let end = self.reach().end;
                if end > self.buffer.length {
                    // A buffer is a whole number of bytes.
                    self.buffer.length = end.next_multiple_of(self.element().per_byte());
                    if self.element().bytes_of(self.buffer.length).is_none() {
                        return Err(LayoutError(Rule::TooLarge { element: self.element() }));
                    }
                }
            }
        }
        Ok(())
    }

    /// The same layout without the swizzle.
    pub(crate) const fn linear(&self) -> Self {
        let mut new = *self;
        new.buffer.after = After::NOTHING;
        new
    }

    /// The distance from one row to the next: the smallest stride above 1 of a digit of several values, after the
    /// digits that are contiguous along one axis.
    const fn row(&self) -> usize {
        let digits = self.digits();
        let mut row = 1;
        let mut axis = None;
        each!(rev i, 0..digits.count, {
            let digit = &digits.list[i];
            if digit.size < 2 || digit.stride == 0 {
                continue;
            }
            let stride = digit.distance();
            match axis {
                None => axis = Some(digit.axis),
                Some(before) if before == digit.axis && stride == row => {}
                Some(_) => return stride,
            }
            row = stride.saturating_mul(digit.size);
        });
        row
    }
}
