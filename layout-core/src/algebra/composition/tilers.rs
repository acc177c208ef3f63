//! Several axes divided, each by its own tile: CuTe's tilers by mode.

use super::complement::divide;
use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_RANK, Rule};

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
    let mut order = AxisOrder { names: [0; MAX_RANK], count: 0 };
    each!(i, 0..tilers.len(), {
        let tile = tilers[i].1.letters();
        each!(axis, 0..tile.count(), {
            order = order.with(tile.at(axis));
        });
    });
    each!(i, 0..tilers.len(), {
        order = order.with(tilers[i].2.to_ascii_uppercase());
    });
    each!(axis, 0..view.rank(), {
        order = order.with(view.letters().at(axis));
    });
    match core::str::from_utf8(order.names.split_at(order.count).0) {
        Ok(names) => view.permute(names),
        Err(_) => Err(LayoutError(Rule::NoAxes)),
    }
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
    let own = others.take(axis);
    // What the other axes add at index 0.
    let mut beside = 0isize;
    each!(i, 0..others.rank(), {
        beside = beside.wrapping_add(AxisDigits::of(&others, i).offset(0));
    });
    let mut alone = others.origin();
    alone.buffer.base = others.base().wrapping_add_signed(beside);
    ok!(alone.put(0, letter, &own));
    let divided = ok!(divide(&alone, tile, rest));
    others.buffer.base = divided.base().wrapping_add_signed(beside.wrapping_neg());
    each!(i, 0..divided.rank(), {
        let letter = ok!(others.new_letter(divided.letters().at(i)));
        ok!(others.put(axis + i, letter, &AxisDigits::of(&divided, i)));
    });
    Ok(others)
}

/// Names of axes.
struct AxisOrder {
    names: [u8; MAX_RANK],
    count: usize,
}

impl AxisOrder {
    /// Adds a name unless it is in the list.
    const fn with(mut self, letter: char) -> Self {
        each!(i, 0..self.count, {
            if self.names[i] == letter as u8 {
                return self;
            }
        });
        // Each name is an axis of the division, so there are at most `MAX_RANK`.
        if self.count < MAX_RANK {
            self.names[self.count] = letter as u8;
            self.count += 1;
        }
        self
    }
}
