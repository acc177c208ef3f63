//! The swizzle of a layout: its bits for these strides, and the offsets that it gives.

use super::Layout;
use crate::spec::{Factor, LayoutError, Rule, Spec, Subject, Swizzling};

impl Layout {
    /// Adds the swizzle of a spec, and the storage that it needs.
    pub(super) const fn place_swizzle(
        &mut self,
        spec: &Spec<'_>,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some((Factor::Swizzle(swizzling), before)) = spec.factors.split_last() else {
            return Ok(());
        };
        // Rows are not known before the extents.
        if matches!(swizzling, Swizzling::Phases(..)) && spec.unknown().is_some() {
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
        let swizzle = match swizzling.of(self.element, self.row()) {
            Ok(swizzle) if swizzle.is_identity() => return Ok(()),
            Ok(swizzle) => swizzle,
            // A layout without coordinates has no rows.
            Err(_) if self.numel() == 0 => return Ok(()),
            Err(error) => return Err(error),
        };
        if swizzle.first_read() < self.length {
            self.swizzle = Some(swizzle);
            // Each block of offsets keeps its place, so storage of whole blocks holds them all. Finding the end would
            // take longer than all else about such a layout.
            if self.length % swizzle.block() != 0 {
                let end = self.reach().end;
                if end > self.length {
                    // A buffer is a whole number of bytes.
                    self.length = end.next_multiple_of(self.element.per_byte());
                    if self.element.bytes_of(self.length).is_none() {
                        return Err(LayoutError(Rule::TooLarge { element: self.element }));
                    }
                }
            }
        }
        Ok(())
    }

    /// Applies the swizzle to an offset.
    #[inline(always)]
    pub(crate) const fn swizzled(&self, offset: usize) -> usize {
        match self.swizzle {
            Some(swizzle) => swizzle.apply(offset),
            None => offset,
        }
    }

    /// The same layout without the swizzle.
    pub(crate) const fn linear(&self) -> Self {
        Self { swizzle: None, ..*self }
    }

    /// The distance from one row to the next: the smallest stride above 1 of a digit of several values, after the
    /// digits that are contiguous along one axis.
    const fn row(&self) -> usize {
        let mut row = 1;
        let mut axis = None;
        let mut i = self.digit_count;
        while i > 0 {
            i -= 1;
            let digit = &self.digits[i];
            if digit.size < 2 || digit.stride == 0 {
                continue;
            }
            let stride = digit.stride.unsigned_abs();
            match axis {
                None => axis = Some(digit.axis),
                Some(own) if own == digit.axis && stride == row => {}
                Some(_) => return stride,
            }
            row = stride.saturating_mul(digit.size);
        }
        row
    }
}
