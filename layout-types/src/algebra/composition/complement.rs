//! What a layout leaves out, and a layout divided by another.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Letters, MAX_FACTORS, Rule};

impl Layout {
    /// The layout of one axis that goes to all the places of this layout in `count` elements:
    /// CuTe's complement. It has the lowest offset of each, in order.
    ///
    /// Law: every offset below `count` is `offset(self, c) + offset(complement, d)` for exactly one
    /// `c` and one `d`.
    ///
    /// # Errors
    /// A letter that this layout has, axes that are empty, broadcast, or begin or end inside a block,
    /// a layout that does not begin at offset 0, and strides between which, or after which, a part
    /// of the elements would be left over.
    ///
    /// ```
    /// use layout_types::{ElementType, Layout};
    ///
    /// let every_third = Layout::from_strides("T", &[4], &[3], ElementType::F32)?;
    /// let rest = every_third.complement(24, 'R')?;
    /// let offsets: Vec<_> = (0..6).map(|r| rest.offset(&[r])).collect();
    /// assert_eq!(offsets, [0, 1, 2, 12, 13, 14]);
    /// assert_eq!(
    ///     every_third.complement(32, 'R').unwrap_err().to_string(),
    ///     "tile takes 12 elements, which do not divide 32; write a multiple of 12",
    /// );
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn complement(&self, count: usize, letter: char) -> Result<Self, LayoutError> {
        let letter = ok!(self.new_letter(letter));
        let (mut sizes, mut strides, mut axes) =
            ([0; MAX_FACTORS], [0usize; MAX_FACTORS], [0; MAX_FACTORS]);
        let mut digits = 0;
        let mut axis = 0;
        while axis < self.rank() {
            let own = AxisDigits::of(self, axis);
            if own.extent == 0 {
                let letter = self.letters().at(axis);
                return Err(LayoutError(Rule::TileEmpty { letter }));
            }
            let mut i = 0;
            while i < own.count {
                let (size, stride) = (own.sizes[i], own.strides[i].unsigned_abs());
                i += 1;
                if size < 2 {
                    continue;
                }
                let letter = self.letters().at(axis);
                if stride == 0 {
                    return Err(LayoutError(Rule::TileBroadcast { letter }));
                }
                if !own.is_whole() {
                    let (extent, block) = (own.extent, own.block());
                    return Err(LayoutError(Rule::TilePart { letter, extent, block }));
                }
                // From the smallest stride to the largest.
                let mut at = digits;
                while at > 0 && strides[at - 1] > stride {
                    (sizes[at], strides[at]) = (sizes[at - 1], strides[at - 1]);
                    axes[at] = axes[at - 1];
                    at -= 1;
                }
                (sizes[at], strides[at], axes[at]) = (size, stride, axis);
                digits += 1;
            }
            axis += 1;
        }
        let start = self.range().start;
        if start > 0 {
            return Err(LayoutError(Rule::TileStart { start }));
        }
        let mut rest = AxisDigits::NONE;
        let mut room = 1;
        let mut i = 0;
        while i < digits {
            let stride = strides[i];
            if stride % room != 0 {
                let letter = self.letters().at(axes[i]);
                return Err(LayoutError(Rule::TileStride { letter, stride, span: room }));
            }
            rest = rest.with(stride / room, room as isize);
            // Digits of one layout reach no farther than its buffer.
            room = stride * sizes[i];
            i += 1;
        }
        if count % room != 0 {
            return Err(LayoutError(Rule::TileCount { size: room, count }));
        }
        rest = rest.with(count / room, room as isize);
        let rest = rest.normalized(0, count / self.count());
        let mut new = self.origin();
        new.letters = Letters::EMPTY;
        (new.base, new.length) = (0, count);
        if new.element().bytes_of(count).is_none() {
            return Err(LayoutError(Rule::TooLarge { element: new.element() }));
        }
        ok!(new.put(0, letter, &rest));
        Ok(new)
    }

    /// The coordinates of this layout as tiles, and `rest`, which counts them: CuTe's logical
    /// division. The axes of `tile` say which coordinates a tile has, counted with the last axis
    /// fastest.
    ///
    /// Law: `offset(divide, [t.., r]) == offset(self, d)` for the coordinate `d` that
    /// `offset(tile, t) + offset(tile.complement(self.count()), r)` others come before.
    ///
    /// # Errors
    /// A tile that does not divide the coordinates, as [`complement`](Self::complement) says, and
    /// what [`compose`](Self::compose) refuses.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let row = Layout::of(&Format::parse("M")?, &[24], ElementType::F32)?;
    /// let tile = Layout::from_strides("T", &[4], &[3], ElementType::F32)?;
    /// let tiles = row.divide(&tile, 'R')?;
    /// assert_eq!((tiles.extents(), tiles.offset(&[1, 4])), (&[4, 6][..], 3 + 13));
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn divide(&self, tile: &Self, rest: char) -> Result<Self, LayoutError> {
        let counted = ok!(tile.complement(self.count(), rest));
        let mut both = tile.view();
        both.length = counted.length;
        let letter = counted.letters().at(0);
        ok!(both.put(both.rank(), letter, &AxisDigits::of(&counted, 0)));
        self.compose(&both)
    }
}
