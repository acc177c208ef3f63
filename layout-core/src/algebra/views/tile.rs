//! Splits an axis into several.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Splits an axis into several, each a letter and an extent, from the outermost to the innermost.
    ///
    /// Law: `offset(tile, c) == offset(self, d)`, where the index of the axis in `d` is
    /// `(i0 * extent1 + i1) * extent2 + i2 ..` of the indices `i0, i1, i2, ..` of the tiles in `c`.
    ///
    /// To put an inner axis before an outer one, [`permute`](Self::permute) afterwards.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - The product of the extents is not the extent of the axis.
    /// - Another axis has one of the letters, or a letter is repeated.
    /// - A tile cuts a block.
    /// - The result would have more than 12 axes, or more than 16 axes and blocks.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let act = Layout::of("NCHW4", &[1, 64, 7, 7], ElementType::I8)?;
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
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn tile(&self, axis: char, tiles: &[(char, usize)]) -> Result<Self, LayoutError> {
        changed!(self, view => view.tile_in_place(axis, tiles))
    }

    const fn tile_in_place(
        &mut self,
        axis: char,
        tiles: &[(char, usize)],
    ) -> Result<(), LayoutError> {
        let axis = ok!(self.axis(axis));
        let letter = self.letters().at(axis);
        let (extent, given) = (self.extent(axis), product(tiles));
        if !matches!(given, Some(given) if given == extent) {
            return Err(LayoutError(Rule::Tile { letter, extent, given }));
        }
        self.buffer.become_view();
        let whole = self.take(axis);
        self.put_tiles(axis, SplitAxis::Axis(letter), whole, tiles)
    }

    /// Splits `whole`, which is `made_of` these axes, and inserts the tiles. The product of their extents is that of
    /// `whole`.
    pub(in crate::algebra) const fn put_tiles(
        &mut self,
        position: usize,
        made_of: SplitAxis,
        whole: AxisDigits,
        tiles: &[(char, usize)],
    ) -> Result<(), LayoutError> {
        let mut rest = whole;
        let mut inside = 1;
        let mut stride = whole.strides[0];
        let mut i = 0;
        while i < tiles.len() {
            let (name, size) = tiles[tiles.len() - 1 - i];
            // Tiles of an empty axis may have any size, and no error names them.
            inside = usize::saturating_mul(inside, size);
            i += 1;
            let inner = if whole.extent == 0 {
                // An empty axis: the strides only say which axis is slower.
                let inner = AxisDigits::single(size, stride);
                stride = inner.span();
                inner
            } else if i == tiles.len() {
                rest
            } else {
                let Some((outer, inner)) = rest.split(size) else {
                    return Err(LayoutError(whole.cut_by(inside, made_of, name)));
                };
                rest = outer;
                inner
            };
            let name = ok!(self.new_letter(name));
            ok!(self.put(position, name, &inner));
        }
        if tiles.is_empty() {
            // One coordinate, and no axis for it.
            self.buffer.base = self.base().wrapping_add_signed(whole.offset(0));
        }
        Ok(())
    }
}

/// What is split into tiles.
#[derive(Clone, Copy)]
pub(in crate::algebra) enum SplitAxis {
    /// One axis.
    Axis(char),
    /// Several axes merged: the slowest one, and the number of coordinates of the others.
    Axes { slowest: char, inside: usize },
}

/// The product of the tiles' extents, or `None` beyond `usize::MAX`.
pub(in crate::algebra) const fn product(tiles: &[(char, usize)]) -> Option<usize> {
    let mut product = Some(1usize);
    each!(i, 0..tiles.len(), {
        // With an extent of 0, the product is 0 even if the other extents overflow.
        product = match product {
            _ if tiles[i].1 == 0 => return Some(0),
            Some(product) => product.checked_mul(tiles[i].1),
            None => None,
        };
    });
    product
}

impl AxisDigits {
    /// The reason why the axis, which is `made_of` these, cannot be split into tiles of `size`. Axis `name` is the
    /// outermost of them.
    const fn cut_by(&self, size: usize, made_of: SplitAxis, name: char) -> Rule {
        let (block, start) = match self.block_beside(size) {
            Some(block) => (block, 0),
            None => {
                let block = self.block_around(size);
                (block, self.shift % block)
            }
        };
        match made_of {
            SplitAxis::Axis(letter) => Rule::TileBlock { letter, block, size, start },
            SplitAxis::Axes { slowest, inside } => {
                Rule::ReshapeBlock { letter: name, block, size, start, slowest, inside }
            }
        }
    }

    /// Splits the axis in two, the inner of extent `size`. Returns `None` if that would cut blocks, or would hide that
    /// coordinates share an element. The extent must be a multiple of `size`.
    ///
    /// Law: `offset(outer, a) + offset(inner, b) == offset(self, a * size + b)`.
    pub(in crate::algebra) const fn split(&self, size: usize) -> Option<(Self, Self)> {
        if let (Some(stride), true) = (self.stride(), self.extent != size) {
            let step = stride.wrapping_mul(size as isize);
            let outer = Self { start: self.start, ..Self::single(self.extent / size, step) };
            return Some((outer, Self::single(size, stride)));
        }
        let overflow = self.overflow;
        let mut inner = Self { overflow, ..Self::NONE };
        let mut outer = Self { start: self.start, overflow, ..Self::NONE };
        if self.extent == size {
            // The inner axis is the whole axis, wherever in a block it begins.
            return Some((outer.one(self.span()), Self { start: 0, ..*self }));
        }
        let block = self.block();
        if self.shift % size != 0 && size % block == 0 {
            // Tiles of whole blocks are alike, wherever in a block the axis begins.
            let Ok(inner) = self.slice(0, 1, size) else { return None };
            let steps = (size / block) as isize;
            let stride = self.strides[self.count - 1].wrapping_mul(steps);
            let outer = Self { start: 0, ..outer }.strided_as(self.extent / size, stride);
            // If a block repeats elements, the end of one tile and the beginning of the next may share an element, and
            // no digit of stride 0 would show it. For example, offsets 0 1 1 2 in tiles of 2 are 0 1 and 1 2: two
            // digits of stride 1 that promise four elements, although there are three.
            let distinct = outer.distinct() * inner.distinct();
            return if distinct == self.distinct() { Some((outer, inner)) } else { None };
        }
        if self.shift % size != 0 {
            // If the axis crosses only one block boundary, the blocks can be redefined so that the axis ends with one.
            let Some(digit) = self.single_boundary() else { return None };
            let other = self.cut_at_boundary(digit, true);
            return if other.shift % size == 0 { other.split(size) } else { None };
        }
        let mut weight = 1;
        each!(i, 0..self.count, {
            let (width, stride) = (self.sizes[i], self.strides[i]);
            let top = i + 1 == self.count;
            if weight >= size {
                outer = outer.with(width, stride);
            } else if width <= size / weight && !top {
                inner = inner.with(width, stride);
            } else {
                let part = size / weight;
                if size % weight != 0 || (width % part != 0 && !top) {
                    return None;
                }
                inner = inner.with(part, stride);
                outer = outer.with(width.div_ceil(part), stride.wrapping_mul(part as isize));
            }
            weight = weight.saturating_mul(width);
        });
        // An axis of one coordinate keeps the stride that a second coordinate would have.
        let inner = if inner.count == 0 { inner.with(1, self.strides[0]) } else { inner };
        Some((outer.normalized(self.shift / size, self.extent / size), inner.normalized(0, size)))
    }

    /// An axis of one coordinate that begins where this axis does.
    const fn one(self, stride: isize) -> Self {
        self.with(1, stride).normalized(0, 1)
    }
}
