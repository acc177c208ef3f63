//! Renames an axis.

use crate::layout::{LaneImage, Layout};
use crate::spec::{LayoutError, Letters};

impl Layout {
    /// Renames an axis. Padding, alignment and lanes are kept.
    ///
    /// Law: `offset(rename, c) == offset(self, c)`.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - Another axis has the letter `into`.
    ///
    /// ```
    /// use tensor_layout::Layout;
    ///
    /// let image = Layout::parse("HW<4, 6>, f32")?;
    /// assert_eq!(image.rename('H', 'R')?.to_string(), "RW<R = 4, W = 6>, f32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn rename(&self, axis: char, into: char) -> Result<Self, LayoutError> {
        let position = ok!(self.axis(axis));
        let letter = self.letters().at(position);
        if into.to_ascii_uppercase() as u32 == letter as u32 {
            return Ok(*self);
        }
        let into = ok!(self.new_letter(into));
        let letters = self.letters().removed(position).inserted(position, into);
        Ok(self.with_letters(letters))
    }

    /// The same layout with these letters for its axes, one for each.
    #[doc(hidden)]
    pub const fn with_letters(&self, letters: Letters) -> Self {
        let mut new = Self { letters, ..*self };
        if let Some(LaneImage { axis: Some((axis, together)), lanes, len }) = self.lanes {
            if let Some(position) = self.letters.position(axis) {
                new.lanes =
                    Some(LaneImage { axis: Some((letters.at(position), together)), lanes, len });
            }
        }
        new
    }
}
