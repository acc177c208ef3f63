//! Several axes divided, each by a tile of its own: CuTe's tilers by mode.

use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_RANK, Rule};

impl Layout {
    /// Each of these axes as tiles, and an axis that counts them: CuTe's logical division by a tiler of one
    /// tile for each mode. An entry is the axis, its tile, and the letter of what counts the tiles. It is
    /// [`divide_axis`](Self::divide_axis) for one after the other; axes that are not named stay as they are.
    ///
    /// # Errors
    /// As [`divide_axis`](Self::divide_axis), for the first entry that has one.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // CuTe's (9,(4,8)):(59,(13,1)) by the tiler <3:3, (2,4):(1,8)> is
    /// // ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1))). Its second mode has here two axes, and CuTe's
    /// // first mode is the fastest, so that modes have here the opposite order.
    /// let layout = Layout::from_strides("ZYX", &[8, 4, 9], &[1, 13, 59], ElementType::F32)?;
    /// let layout = layout.merge("ZY", 'W')?;
    /// let threes = Layout::from_strides("T", &[3], &[3], ElementType::F32)?;
    /// let blocks = Layout::from_strides("VU", &[4, 2], &[8, 1], ElementType::F32)?;
    /// let tiles = layout.divide_axes(&[('X', &threes, 'R'), ('W', &blocks, 'S')])?;
    /// assert_eq!(tiles.letters(), "VUSTR".parse::<tensor_layout::Format>()?.axes());
    /// assert_eq!(tiles.offset(&[0, 0, 0, 1, 0]), 177);
    /// assert_eq!((tiles.offset(&[0, 1, 0, 0, 0]), tiles.offset(&[1, 0, 0, 0, 0])), (13, 2));
    ///
    /// // Tiles before what counts them: CuTe's zipped division.
    /// let zipped = layout.zipped_divide(&[('X', &threes, 'R'), ('W', &blocks, 'S')])?;
    /// assert_eq!(zipped.letters(), "TVURS".parse::<tensor_layout::Format>()?.axes());
    /// assert!(zipped.same_map(&tiles));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn divide_axes(&self, tilers: &[(char, &Self, char)]) -> Result<Self, LayoutError> {
        let mut view = *self;
        let mut i = 0;
        while i < tilers.len() {
            let (axis, tile, rest) = tilers[i];
            view = ok!(view.divide_axis(axis, tile, rest));
            i += 1;
        }
        Ok(view)
    }

    /// [`divide_axes`](Self::divide_axes) with the axes of all tiles first, in the order of the entries, then
    /// the axes that count tiles, then all others: CuTe's zipped division, and, as axes are named and not
    /// nested, its tiled and flat ones.
    ///
    /// # Errors
    /// As [`divide_axes`](Self::divide_axes).
    pub const fn zipped_divide(&self, tilers: &[(char, &Self, char)]) -> Result<Self, LayoutError> {
        let view = ok!(self.divide_axes(tilers));
        let mut order = Order { names: [0; MAX_RANK], count: 0 };
        let mut i = 0;
        while i < tilers.len() {
            let tile = tilers[i].1.letters();
            let mut axis = 0;
            while axis < tile.count() {
                order = order.with(tile.at(axis));
                axis += 1;
            }
            i += 1;
        }
        let mut i = 0;
        while i < tilers.len() {
            order = order.with(tilers[i].2.to_ascii_uppercase());
            i += 1;
        }
        let mut axis = 0;
        while axis < view.rank() {
            order = order.with(view.letters().at(axis));
            axis += 1;
        }
        match core::str::from_utf8(order.names.split_at(order.count).0) {
            Ok(names) => view.permute(names),
            Err(_) => Err(LayoutError(Rule::NoAxes)),
        }
    }
}

/// Names of axes.
struct Order {
    names: [u8; MAX_RANK],
    count: usize,
}

impl Order {
    /// The same with one more, unless it is there.
    const fn with(mut self, letter: char) -> Self {
        let mut i = 0;
        while i < self.count {
            if self.names[i] == letter as u8 {
                return self;
            }
            i += 1;
        }
        // A division has each of them as an axis, of which there are no more.
        if self.count < MAX_RANK {
            self.names[self.count] = letter as u8;
            self.count += 1;
        }
        self
    }
}
