//! One axis as several.

use super::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, ViewError};

impl Layout {
    /// An axis as several, the outer before the inner, each a letter and an extent.
    ///
    /// Law: `offset(tile, c) == offset(self, d)` where the index of the axis is that of the
    /// innermost tile plus its extent times that of the next, and so on.
    ///
    /// # Errors
    /// An axis that there is not, extents whose product is not the axis', letters that are taken,
    /// tiles that cut blocks, or too many axes or blocks.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let act = Layout::of(&Format::parse("NCHW4")?, &[1, 64, 7, 7], ElementType::I8)?;
    /// let lanes = act.tile('C', &[('C', 2), ('L', 32)])?;
    /// assert_eq!(lanes.extents(), [1, 2, 32, 7, 7]);
    /// assert_eq!(lanes.offset(&[0, 1, 5, 0, 0]), act.offset(&[0, 37, 0, 0]));
    ///
    /// let error = act.tile('C', &[('C', 2), ('L', 31)]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "axis `C` has extent 64 but the tiles hold 62 coordinates; write extents whose product \
    ///      is 64",
    /// );
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn tile(&self, axis: char, tiles: &[(char, usize)]) -> Result<Self, LayoutError> {
        self.tiled(axis, tiles, false)
    }

    /// [`tile`](Self::tile), the inner before the outer.
    ///
    /// Law: `offset(tile_inner_first, c) == offset(self, d)` where the index of the axis is that of
    /// the first tile plus its extent times that of the next, and so on.
    ///
    /// # Errors
    /// As [`tile`](Self::tile).
    pub const fn tile_inner_first(
        &self,
        axis: char,
        tiles: &[(char, usize)],
    ) -> Result<Self, LayoutError> {
        self.tiled(axis, tiles, true)
    }

    const fn tiled(
        &self,
        axis: char,
        tiles: &[(char, usize)],
        inner_first: bool,
    ) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let letter = self.letters().at(axis);
        let mut view = self.view();
        let whole = view.take(axis);
        let (extent, given) = (whole.extent, product(tiles));
        if !matches!(given, Some(given) if given == extent) {
            return Err(LayoutError::View(ViewError::Tile { letter, extent, given }));
        }
        ok!(view.put_tiles(axis, letter, whole, tiles, inner_first));
        Ok(view)
    }

    /// Puts `whole` in as several axes, whose extents multiply up to its own. An error is about
    /// axis `letter`.
    pub(super) const fn put_tiles(
        &mut self,
        position: usize,
        letter: char,
        whole: AxisDigits,
        tiles: &[(char, usize)],
        inner_first: bool,
    ) -> Result<(), LayoutError> {
        let mut rest = whole;
        let mut i = 0;
        while i < tiles.len() {
            let (name, size) = tiles[if inner_first { i } else { tiles.len() - 1 - i }];
            i += 1;
            let inner = if whole.extent == 0 {
                AxisDigits::single(size, whole.strides[0])
            } else if i == tiles.len() {
                rest
            } else {
                let Some((outer, inner)) = rest.split(size) else {
                    let error = ViewError::TileBlock { letter, block: whole.block(), size };
                    return Err(LayoutError::View(error));
                };
                rest = outer;
                inner
            };
            let name = ok!(self.new_letter(name));
            ok!(self.put(if inner_first { position + i - 1 } else { position }, name, &inner));
        }
        if tiles.is_empty() {
            // An axis of one coordinate, as no axis at all.
            self.base = self.base.wrapping_add_signed(whole.place(0));
        }
        Ok(())
    }
}

/// How many coordinates the tiles have, or `None` past `usize::MAX`.
pub(super) const fn product(tiles: &[(char, usize)]) -> Option<usize> {
    let mut product = Some(1usize);
    let mut i = 0;
    while i < tiles.len() {
        // No coordinates are none, however many the others have.
        product = match product {
            _ if tiles[i].1 == 0 => return Some(0),
            Some(product) => product.checked_mul(tiles[i].1),
            None => None,
        };
        i += 1;
    }
    product
}
