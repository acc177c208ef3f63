//! Renames an axis.

use crate::layout::Layout;
use crate::spec::LayoutError;

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
    /// assert_eq!(image.rename('H', 'R')?.to_string(), "RW<4, 6>, f32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn rename(&self, axis: char, into: char) -> Result<Self, LayoutError> {
        let position = ok!(self.axis(axis));
        let letter = self.letters().at(position);
        if into.to_ascii_uppercase() as u32 == letter as u32 {
            return Ok(*self);
        }
        let into = ok!(self.new_letter(into));
        let mut letters = self.letters();
        letters.remove(position);
        let letters = letters.inserted(position, into);
        Ok(self.with_letters(letters))
    }
}
