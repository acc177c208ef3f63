//! The swizzle of a layout: what it is over these strides, and the offsets that it leads to.

use super::Layout;
use crate::spec::{Factor, LayoutError, Length, Rule, Spec, Subject, Swizzle, Swizzling};

impl Layout {
    /// Adds the swizzle of a spec to the digits, and the storage that it takes.
    pub(super) const fn place_swizzle(
        &mut self,
        spec: &Spec<'_>,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some((Factor::Swizzle(swizzling), before)) = spec.factors.split_last() else {
            return Ok(());
        };
        let subject = Subject::Factor(before.len());
        // Rows wait for the extents.
        if matches!(swizzling, Swizzling::Phases(..)) && spec.unknown().is_some() {
            return Ok(());
        }
        let first = match self.add_swizzle(*swizzling) {
            Ok(Some(swizzle)) => swizzle.first_read(),
            Ok(None) => return Ok(()),
            Err(error) => return Err((error, subject)),
        };
        let length = self.length;
        let mut fixed = self.swizzle.is_none() && !spec.axes.is_empty();
        let mut i = 0;
        while i < spec.axes.len() {
            fixed &= matches!(spec.axes[i].extent, Length::Fixed(_));
            i += 1;
        }
        match fixed {
            true => Err((LayoutError(Rule::SwizzleSpan { first, length }), subject)),
            false => Ok(()),
        }
    }

    /// Adds a swizzle to a layout without one, and returns what it is unless it has no bits. One that
    /// changes no offset of the buffer is not added.
    ///
    /// # Errors
    /// No swizzle, or not of these elements and rows.
    pub(crate) const fn add_swizzle(
        &mut self,
        swizzling: Swizzling,
    ) -> Result<Option<Swizzle>, LayoutError> {
        let swizzle = match swizzling.of(self.element, self.row()) {
            Ok(swizzle) if swizzle.is_identity() => return Ok(None),
            Ok(swizzle) => swizzle,
            // Without coordinates there are no rows.
            Err(_) if self.count() == 0 => return Ok(None),
            Err(error) => return Err(error),
        };
        if swizzle.first_read() < self.length {
            self.swizzle = Some(swizzle);
            let end = self.span();
            if end > self.length {
                // A buffer is whole bytes.
                self.length = end.next_multiple_of(self.element.per_byte());
            }
        }
        Ok(Some(swizzle))
    }

    /// Where an offset without the swizzle lies.
    #[inline(always)]
    pub(crate) const fn swizzled(&self, offset: usize) -> usize {
        match self.swizzle {
            Some(swizzle) => swizzle.apply(offset),
            None => offset,
        }
    }

    /// The same without the swizzle.
    pub(crate) const fn linear(&self) -> Self {
        Self { swizzle: None, ..*self }
    }

    /// How far it is from one row to the next: the smallest stride that is larger than 1 of a digit of
    /// several values, after those that lie one after the other along one axis.
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
