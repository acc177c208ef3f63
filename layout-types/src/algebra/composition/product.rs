//! A layout repeated at the offsets of another, and one axis divided by a tile.
//!
//! **Statement.** The product of `a` and `b` has the axes of both, and the offset of coordinates `c` and `d` is that
//! of `c` in `a` and that of `d` in the composition of the complement of `a` with `b`.
//!
//! **Reason.** The complement of `a` goes to each place where a copy of `a` fits between and after the others, in
//! order. So `b` says which of these places are taken, and copies share elements only if `b` shares offsets.
//! Which axes of the two make one afterwards changes names of coordinates alone: joined with the copies outside
//! the product is blocked, joined with them inside it is raked.
//!
//! **Example.** CuTe's `(2,2):(4,1)` times `6:1` is `((2,2),(2,3)):((4,1),(2,8))`: the tile has elements 0 4 1 5,
//! and begins at 0 2 8 10 16 18.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule, Swizzling};

impl Layout {
    /// Copies of this layout at the offsets of `copies`: CuTe's logical product, and, as axes are
    /// named and not nested, its zipped, tiled and flat products too. The axes of this layout come
    /// first, then those of `copies`.
    ///
    /// Law: `offset(product, [c.., d..]) == offset(self, c) + offset(complement, offset(copies, d))`,
    /// where `complement` is of as many elements as these copies need. If this layout has a swizzle, that is the law
    /// without it, and the product has it too: copies that begin at multiples of [`Swizzle::period`](crate::Swizzle::period)
    /// are swizzled alike, as an atom of CUTLASS is.
    ///
    /// # Errors
    /// A letter that both have, a tile that has no complement, as
    /// [`complement`](Self::complement) says, what [`compose`](Self::compose) refuses, and more than 8 axes.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // CuTe's (2,2):(4,1) times 6:1 is ((2,2),(2,3)):((4,1),(2,8)).
    /// let tile = Layout::from_strides("XY", &[2, 2], &[1, 4], ElementType::F32)?;
    /// let copies = Layout::of("R", &[6], ElementType::F32)?;
    /// let product = tile.product(&copies)?;
    /// let starts: Vec<_> = (0..6).map(|r| product.offset(&[0, 0, r])).collect();
    /// assert_eq!(starts, [0, 2, 8, 10, 16, 18]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn product(&self, copies: &Self) -> Result<Self, LayoutError> {
        let placed = ok!(self.linear().placed(copies));
        let mut view = placed.origin();
        view.base = placed.base + self.base;
        let mut axis = 0;
        while axis < self.rank() {
            ok!(view.put(axis, self.letters().at(axis), &AxisDigits::of(self, axis)));
            axis += 1;
        }
        let mut axis = 0;
        while axis < placed.rank() {
            let letter = ok!(view.new_letter(placed.letters().at(axis)));
            ok!(view.put(view.rank(), letter, &AxisDigits::of(&placed, axis)));
            axis += 1;
        }
        // Copies that share no offset share no element.
        if !copies.is_unique() {
            ok!(view.check_open());
        }
        view.swizzled_as(self)
    }

    /// Copies of this layout at the offsets of `copies`, each axis of which counts whole copies along
    /// the axis of the same letter: CuTe's blocked product. Letters that only one of the two has are
    /// axes of their own.
    ///
    /// Law: index `i` of an axis is index `i % extent` in this layout and `i / extent` in `copies`, where
    /// `extent` is that of this layout; offsets are those of [`product`](Self::product).
    ///
    /// # Errors
    /// As [`product`](Self::product), but for shared letters, and axes that begin or end inside a block.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // CuTe's (2,5):(5,1) and (3,4):(1,3) make ((2,3),(5,4)):((5,10),(1,30)).
    /// let tile = Layout::from_strides("XY", &[2, 5], &[5, 1], ElementType::F32)?;
    /// let copies = Layout::from_strides("XY", &[3, 4], &[1, 3], ElementType::F32)?;
    /// let blocked = tile.blocked_product(&copies)?;
    /// assert_eq!((blocked.extents(), blocked.offset(&[2, 5])), (&[6, 20][..], 10 + 30));
    ///
    /// // CUTLASS's tile_to_shape of an atom of 128 bytes: 8 atoms along M, then 2 along K.
    /// let atom = Layout::parse("MK<8, 64>, f16, swizzle = b128")?;
    /// let shape = Layout::from_strides("MK", &[8, 2], &[1, 8], ElementType::F16)?;
    /// let operand = atom.blocked_product(&shape)?;
    /// assert!(operand.same_map(&Layout::parse("KM 64k<M = 64, K = 128>, f16, swizzle = b128")?));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn blocked_product(&self, copies: &Self) -> Result<Self, LayoutError> {
        self.joined_product(copies, false)
    }

    /// Copies of this layout at the offsets of `copies`, whose elements take turns along axes of the
    /// same letter: CuTe's raked product. Letters that only one of the two has are axes of their own.
    ///
    /// Law: index `i` of an axis is index `i / extent` in this layout and `i % extent` in `copies`, where
    /// `extent` is that of `copies`; offsets are those of [`product`](Self::product).
    ///
    /// # Errors
    /// As [`blocked_product`](Self::blocked_product).
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // CuTe's (2,5):(5,1) and (3,4):(1,3) make ((3,2),(4,5)):((10,5),(30,1)).
    /// let tile = Layout::from_strides("XY", &[2, 5], &[5, 1], ElementType::F32)?;
    /// let copies = Layout::from_strides("XY", &[3, 4], &[1, 3], ElementType::F32)?;
    /// let raked = tile.raked_product(&copies)?;
    /// assert_eq!((raked.offset(&[1, 1]), raked.offset(&[3, 4])), (10 + 30, 5 + 1));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn raked_product(&self, copies: &Self) -> Result<Self, LayoutError> {
        self.joined_product(copies, true)
    }

    /// The product with axes of the same letter joined, those of the copies inside if `raked`.
    const fn joined_product(&self, copies: &Self, raked: bool) -> Result<Self, LayoutError> {
        let placed = ok!(self.linear().placed(copies));
        let mut view = placed.origin();
        view.base = placed.base + self.base;
        let mut axis = 0;
        while axis < self.rank() {
            let letter = self.letters().at(axis);
            let own = AxisDigits::of(self, axis);
            let digits = match placed.letters().position(letter) {
                None => own,
                Some(position) => {
                    let copy = AxisDigits::of(&placed, position);
                    let (outer, inner) = if raked { (own, copy) } else { (copy, own) };
                    ok!(self.joined_axis(letter, &outer, &inner))
                }
            };
            ok!(view.put(axis, letter, &digits));
            axis += 1;
        }
        let mut axis = 0;
        while axis < placed.rank() {
            let letter = placed.letters().at(axis);
            if self.letters().position(letter).is_none() {
                ok!(view.put(view.rank(), letter, &AxisDigits::of(&placed, axis)));
            }
            axis += 1;
        }
        // Copies that share no offset share no element.
        if !copies.is_unique() {
            ok!(view.check_open());
        }
        view.swizzled_as(self)
    }

    /// The same with the swizzle of a tile, if it has one.
    const fn swizzled_as(mut self, tile: &Self) -> Result<Self, LayoutError> {
        let Some(swizzle) = tile.swizzle else { return Ok(self) };
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        ok!(self.add_swizzle(Swizzling::Elements(bits, base, shift)));
        match self.element.bytes_of(self.length) {
            Some(_) => Ok(self),
            None => Err(LayoutError(Rule::TooLarge { element: self.element })),
        }
    }

    /// Where copies of this layout begin: its complement at the offsets of `copies`.
    const fn placed(&self, copies: &Self) -> Result<Self, LayoutError> {
        let room = ok!(self.tile_room());
        // The places between the elements of one copy, before those after it.
        let gaps = ok!(self.complement_of(room, 'A')).count();
        let places = copies.span().div_ceil(gaps);
        let count = match room.checked_mul(if places == 0 { 1 } else { places }) {
            Some(count) => count,
            None => return Err(LayoutError(Rule::TooLarge { element: self.element() })),
        };
        ok!(self.complement_of(count, 'A')).compose(copies)
    }

    /// The coordinates of one axis as tiles, and `rest`, which counts them: CuTe's logical division by
    /// a tiler of one mode, which stand where the axis stood. Its zipped and tiled division are the
    /// same axes in another nesting; [`permute`](Self::permute) gives their order.
    ///
    /// Law: `offset(divide_axis, [a.., t.., r, b..]) == offset(self, [a.., i, b..])` where `i` is
    /// `offset(tile, t) + offset(tile.complement(extent), r)`.
    ///
    /// # Errors
    /// An axis that there is not, letters that are taken, and what [`divide`](Self::divide) refuses of
    /// the axis.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // CuTe's (9,(4,8)):(59,(13,1)) by the tiler <3:3, (2,4):(1,8)> is
    /// // ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1))). Here is its first mode.
    /// let layout = Layout::from_strides("XYZ", &[9, 8, 4], &[59, 1, 13], ElementType::F32)?;
    /// let threes = Layout::from_strides("T", &[3], &[3], ElementType::F32)?;
    /// let tiles = layout.divide_axis('X', &threes, 'R')?;
    /// assert_eq!((tiles.extents(), tiles.offset(&[1, 0, 0, 0])), (&[3, 3, 8, 4][..], 177));
    /// assert_eq!(tiles.offset(&[0, 1, 0, 0]), 59);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn divide_axis(
        &self,
        axis: char,
        tile: &Self,
        rest: char,
    ) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let letter = self.letters().at(axis);
        let mut others = self.view();
        let own = others.take(axis);
        // Where the others have index 0.
        let mut beside = 0isize;
        let mut i = 0;
        while i < others.rank() {
            beside = beside.wrapping_add(AxisDigits::of(&others, i).offset(0));
            i += 1;
        }
        let mut alone = others.origin();
        alone.base = others.base.wrapping_add_signed(beside);
        ok!(alone.put(0, letter, &own));
        let divided = ok!(alone.divide(tile, rest));
        others.base = divided.base.wrapping_add_signed(beside.wrapping_neg());
        let mut i = 0;
        while i < divided.rank() {
            let letter = ok!(others.new_letter(divided.letters().at(i)));
            ok!(others.put(axis + i, letter, &AxisDigits::of(&divided, i)));
            i += 1;
        }
        Ok(others)
    }
}
