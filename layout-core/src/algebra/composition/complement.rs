//! The complement of a layout, and division.
//!
//! **Statement.** Sort the digits by stride, and let each stride be a multiple of what the faster digits span
//! (`size * stride` of the digit before it, 1 for the first). Then the complement is exactly one layout of one axis:
//! each gap is filled by a digit of `stride / span` values and stride `span`.
//!
//! **Reason.** With the gaps filled, the digits of the layout and of its complement together are a number in mixed
//! radix, so each offset below the product of all sizes is reached exactly once. If a stride is not such a multiple,
//! the faster digits restart before they have filled their span, so an offset is reached twice or not at all.
//!
//! **Example.** Size 4 of stride 3 in 24 elements: a gap of 3 values of stride 1, then 24 / 12 = 2 values of stride 12.
//! Each of 0 to 23 is the sum of one of 0 3 6 9 and one of 0 1 2 12 13 14.
//!
//! Several axes are divided each by its own tile, as by CuTe's tilers by mode.

use super::compose::compose;
use crate::algebra::AxisDigits;
use crate::layout::{Digit, Digits, Layout};
use crate::spec::{LayoutError, Letters, Rule};

/// The layout of one axis that counts the positions of `tile` in `count` elements: CuTe's `complement`. Its offsets
/// are the lowest offset of each position, in ascending order.
///
/// Law: every offset below `count` is `tile.offset(c) + complement(tile).offset(d)` for exactly one `c` and one `d`.
///
/// # Errors
/// - `letter` is an axis of `tile`, or not a letter.
/// - An axis of `tile` is empty, broadcast, or begins or ends inside a block.
/// - `tile` does not begin at offset 0, or is swizzled.
/// - Copies of `tile` leave some elements out, between its strides or at the end of `count`.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// let every_third = Layout::from_strides("T", &[4], &[3], ElementType::F32)?;
/// let rest = algebra::complement(&every_third, 24, 'R')?;
/// let offsets: Vec<_> = (0..6).map(|r| rest.offset(&[r])).collect();
/// assert_eq!(offsets, [0, 1, 2, 12, 13, 14]);
/// assert_eq!(
///     algebra::complement(&every_third, 32, 'R').unwrap_err().to_string(),
///     "tile takes 12 elements, which do not divide 32; write a multiple of 12",
/// );
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn complement(tile: &Layout, count: usize, letter: char) -> Result<Layout, LayoutError> {
    if tile.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "`complement`" }));
    }
    let letter = ok!(tile.new_letter(letter));
    tile.complement_of(count, letter)
}

/// The coordinates of `layout` as tiles, and the axis `rest`, which counts the tiles: CuTe's `logical_divide`. The
/// offsets of `tile` are the coordinates of one tile, counted with the last axis fastest.
///
/// Law: `divide(a, tile, rest).offset([t.., r]) == a.offset(d)`, where `d` is the coordinate of `a` that
/// `tile.offset(t) + complement(tile, a.count()).offset(r)` coordinates precede.
///
/// # Errors
/// Those of [`complement`] and of [`compose`].
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// let row = Layout::of("M", &[24], ElementType::F32)?;
/// let tile = Layout::from_strides("T", &[4], &[3], ElementType::F32)?;
/// let tiles = algebra::divide(&row, &tile, 'R')?;
/// assert_eq!((tiles.extents(), tiles.offset(&[1, 4])), (&[4, 6][..], 3 + 13));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn divide(layout: &Layout, tile: &Layout, rest: char) -> Result<Layout, LayoutError> {
    let counted = ok!(complement(tile, layout.numel(), rest));
    let mut both = tile.view();
    both.buffer.length = counted.len();
    let letter = counted.letters().at(0);
    ok!(both.put(both.rank(), letter, &AxisDigits::of(&counted, 0)));
    compose(layout, &both)
}

impl Layout {
    /// The number of elements that the tile spans, gaps included.
    pub(in crate::algebra) const fn tile_room(&self) -> Result<usize, LayoutError> {
        let digits = ok!(self.tile_digits());
        let mut room = Some(1usize);
        let mut i = 0;
        while i < digits.count {
            let Digit { size, stride, .. } = digits.list[i];
            i += 1;
            if size > 1 {
                // The slowest one. Digits of one layout span at most its buffer and one gap.
                room = size.checked_mul(stride.unsigned_abs());
                break;
            }
        }
        match room {
            Some(room) => Ok(room),
            None => Err(LayoutError(Rule::TooLarge { element: self.element() })),
        }
    }

    /// The complement, with any letter.
    pub(in crate::algebra) const fn complement_of(
        &self,
        count: usize,
        letter: char,
    ) -> Result<Self, LayoutError> {
        let digits = ok!(self.tile_digits());
        let start = self.range().start;
        if start > 0 {
            return Err(LayoutError(Rule::TileStart { start }));
        }
        let mut rest = AxisDigits::NONE;
        let mut room = 1;
        each!(rev i, 0..digits.count, {
            let Digit { axis, size, stride, .. } = digits.list[i];
            let stride = stride.unsigned_abs();
            if size < 2 {
                continue;
            }
            if stride % room != 0 {
                let letter = self.letters().at(axis);
                return Err(LayoutError(Rule::TileStride { letter, stride, span: room }));
            }
            rest.push(stride / room, room as isize);
            // Digits of one layout span at most its buffer.
            room = stride * size;
        });
        if count % room != 0 {
            return Err(LayoutError(Rule::TileCount { size: room, count }));
        }
        rest.push(count / room, room as isize);
        rest.normalize(0, count / self.numel());
        let mut new = self.origin();
        (new.buffer.base, new.buffer.length) = (0, count);
        if new.element().bytes_of(count).is_none() {
            return Err(LayoutError(Rule::TooLarge { element: new.element() }));
        }
        ok!(new.put(0, letter, &rest));
        Ok(new)
    }

    /// Returns the digits, [normalized](Self::normalized), from the largest stride to the smallest.
    ///
    /// # Errors
    /// An axis is empty, broadcast, or begins or ends inside a block.
    const fn tile_digits(&self) -> Result<Digits, LayoutError> {
        each!(axis, 0..self.rank(), {
            let digits = AxisDigits::of(self, axis);
            let (letter, extent) = (self.letters().at(axis), digits.extent);
            if extent == 0 {
                return Err(LayoutError(Rule::TileEmpty { letter }));
            }
            if digits.broadcasts() {
                return Err(LayoutError(Rule::TileBroadcast { letter }));
            }
            if !digits.is_whole() {
                let block = digits.block();
                return Err(LayoutError(Rule::TilePart { letter, extent, block }));
            }
        });
        Ok(ok!(self.normalized()).digits())
    }
}

/// Each of these axes as tiles, and an axis that counts the tiles: CuTe's `logical_divide` by a tiler of one tile for
/// each mode. An entry is the axis, its tile, and the letter of the axis that counts the tiles. The axes of a tile and
/// its counting axis take the place of the axis; other axes stay.
///
/// Law, for one entry of axis `i`: `divide_axes(a, [(i, tile, rest)]).offset([a.., t.., r, b..]) ==
/// a.offset([a.., i, b..])`, where `i` is `tile.offset(t) + complement(tile, extent).offset(r)`.
///
/// # Errors
/// - The layout does not have the axis, or has a letter of the tile or of the counting axis.
/// - [`divide`] refuses the axis and its tile.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// // CuTe's (9,(4,8)):(59,(13,1)) by the tiler <3:3, (2,4):(1,8)> is
/// // ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1))). Its second mode has here two axes. CuTe's
/// // first mode is the fastest, so modes have here the opposite order.
/// let layout = Layout::from_strides("ZYX", &[8, 4, 9], &[1, 13, 59], ElementType::F32)?;
/// let layout = layout.merge("ZY", 'W')?;
/// let threes = Layout::from_strides("T", &[3], &[3], ElementType::F32)?;
/// let blocks = Layout::from_strides("VU", &[4, 2], &[8, 1], ElementType::F32)?;
/// let tiles = algebra::divide_axes(&layout, &[('X', &threes, 'R'), ('W', &blocks, 'S')])?;
/// assert_eq!(tiles.letters(), "VUSTR".parse::<tensor_layout::Format>()?.axes());
/// assert_eq!(tiles.offset(&[0, 0, 0, 1, 0]), 177);
/// assert_eq!((tiles.offset(&[0, 1, 0, 0, 0]), tiles.offset(&[1, 0, 0, 0, 0])), (13, 2));
///
/// // Tiles before the axes that count them: CuTe's zipped division.
/// let zipped = algebra::zipped_divide(&layout, &[('X', &threes, 'R'), ('W', &blocks, 'S')])?;
/// assert_eq!(zipped.letters(), "TVURS".parse::<tensor_layout::Format>()?.axes());
/// assert!(zipped.same_map(&tiles));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn divide_axes(
    layout: &Layout,
    tilers: &[(char, &Layout, char)],
) -> Result<Layout, LayoutError> {
    let mut view = *layout;
    each!(i, 0..tilers.len(), {
        let (axis, tile, rest) = tilers[i];
        view = ok!(divide_axis(&view, axis, tile, rest));
    });
    Ok(view)
}

/// [`divide_axes`] with the axes of all tiles first, in the order of the entries, then the axes that count tiles, then all
/// others: CuTe's `zipped_divide`. Since axes are named and not nested, it is also CuTe's `tiled_divide` and
/// `flat_divide`.
///
/// # Errors
/// Those of [`divide_axes`].
pub const fn zipped_divide(
    layout: &Layout,
    tilers: &[(char, &Layout, char)],
) -> Result<Layout, LayoutError> {
    let view = ok!(divide_axes(layout, tilers));
    let mut order = Letters::EMPTY;
    each!(i, 0..tilers.len(), {
        let tile = tilers[i].1.letters();
        each!(axis, 0..tile.count(), {
            order = with_new(order, tile.at(axis));
        });
    });
    each!(i, 0..tilers.len(), {
        order = with_new(order, tilers[i].2.to_ascii_uppercase());
    });
    each!(axis, 0..view.rank(), {
        order = with_new(order, view.letters().at(axis));
    });
    view.permute(order.as_str())
}

/// The letters and another, unless it is among them. Each is an axis of a division.
const fn with_new(letters: Letters, letter: char) -> Letters {
    if letters.position(letter).is_some() { letters } else { letters.with(letter) }
}

/// Divides one axis into tiles, counted by `rest`.
const fn divide_axis(
    layout: &Layout,
    axis: char,
    tile: &Layout,
    rest: char,
) -> Result<Layout, LayoutError> {
    let axis = ok!(layout.axis(axis));
    let letter = layout.letters().at(axis);
    let mut others = layout.view();
    let digits = others.take(axis);
    // What the other axes add at index 0.
    let mut beside = 0isize;
    each!(i, 0..others.rank(), {
        beside = beside.wrapping_add(AxisDigits::of(&others, i).offset(0));
    });
    let mut alone = others.origin();
    alone.buffer.base = others.base().wrapping_add_signed(beside);
    ok!(alone.put(0, letter, &digits));
    let divided = ok!(divide(&alone, tile, rest));
    others.buffer.base = divided.base().wrapping_add_signed(beside.wrapping_neg());
    each!(i, 0..divided.rank(), {
        let letter = ok!(others.new_letter(divided.letters().at(i)));
        ok!(others.put(axis + i, letter, &AxisDigits::of(&divided, i)));
    });
    Ok(others)
}
