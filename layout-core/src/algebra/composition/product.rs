//! A layout repeated at the offsets of another.
//!
//! **Statement.** The product of `a` and `b` has the axes of both. The offset of coordinates `c` and `d` is the offset
//! of `c` in `a` plus the offset of `d` in the composition of the complement of `a` with `b`.
//!
//! **Reason.** The complement of `a` lists, in ascending order, the offsets at which a copy of `a` fits between or
//! after the others. `b` selects some of them, so copies share elements only if `b` shares offsets. Joining axes
//! afterwards only renames coordinates: joined with the copies outside, the product is blocked; joined with them
//! inside, it is raked.
//!
//! **Example.** CuTe's `(2,2):(4,1)` times `6:1` is `((2,2),(2,3)):((4,1),(2,8))`: the tile has elements 0 4 1 5, and
//! its copies begin at 0 2 8 10 16 18.

use super::compose::compose;
use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule, Swizzling};

/// Copies of `tile` at the offsets of `copies`: CuTe's `logical_product`. Since axes are named and not nested, it is also
/// CuTe's `zipped_product`, `tiled_product` and `flat_product`. The axes of `tile` come first, then those of `copies`.
///
/// Law: `product(tile, copies).offset([c.., d..]) == tile.offset(c) + complement(tile).offset([copies.offset(d)])`. The
/// complement has the number of elements that the copies need. For a swizzled tile this holds without the swizzle, and the product
/// has the swizzle too: copies at multiples of [`Swizzle::period`](crate::Swizzle::period) are swizzled alike, as atoms of
/// CUTLASS are.
///
/// # Errors
/// - The two layouts share a letter, or have more than 12 axes together.
/// - `tile` has no complement, as [`complement`](super::complement()) says.
/// - [`compose`] refuses the complement and `copies`.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// // CuTe's (2,2):(4,1) times 6:1 is ((2,2),(2,3)):((4,1),(2,8)).
/// let tile = Layout::from_strides("XY", &[2, 2], &[1, 4], ElementType::F32)?;
/// let copies = Layout::of("R", &[6], ElementType::F32)?;
/// let product = algebra::product(&tile, &copies)?;
/// let starts: Vec<_> = (0..6).map(|r| product.offset(&[0, 0, r])).collect();
/// assert_eq!(starts, [0, 2, 8, 10, 16, 18]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn product(tile: &Layout, copies: &Layout) -> Result<Layout, LayoutError> {
    each!(axis, 0..copies.rank(), {
        ok!(tile.new_letter(copies.letters().at(axis)));
    });
    tile.joined_product(copies, false)
}

/// Copies of `tile` at the offsets of `copies`, with axes of the same letter joined: CuTe's `blocked_product`. An axis of
/// `copies` counts whole tiles along the axis of the same letter. A letter of one layout alone is an axis of its own.
///
/// Law: offsets are those of [`product`]. Index `i` of a joined axis is index `i % extent` of `tile` and index
/// `i / extent` of `copies`, where `extent` is that of `tile`.
///
/// # Errors
/// Those of [`product`], but letters may be shared. In addition, a joined axis begins or ends inside a block.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// // CuTe's (2,5):(5,1) and (3,4):(1,3) make ((2,3),(5,4)):((5,10),(1,30)).
/// let tile = Layout::from_strides("XY", &[2, 5], &[5, 1], ElementType::F32)?;
/// let copies = Layout::from_strides("XY", &[3, 4], &[1, 3], ElementType::F32)?;
/// let blocked = algebra::blocked_product(&tile, &copies)?;
/// assert_eq!((blocked.extents(), blocked.offset(&[2, 5])), (&[6, 20][..], 10 + 30));
///
/// // CUTLASS's `tile_to_shape` of an atom of 128 bytes: 8 atoms along M, then 2 along K.
/// let atom = Layout::parse("MK<8, 64>, f16, swizzle = b128")?;
/// let shape = Layout::from_strides("MK", &[8, 2], &[1, 8], ElementType::F16)?;
/// let operand = algebra::blocked_product(&atom, &shape)?;
/// assert!(operand.same_map(&Layout::parse("KM 64k<M = 64, K = 128>, f16, swizzle = b128")?));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn blocked_product(tile: &Layout, copies: &Layout) -> Result<Layout, LayoutError> {
    tile.joined_product(copies, false)
}

/// Copies of `tile` at the offsets of `copies`, interleaved along axes of the same letter: CuTe's `raked_product`. A
/// letter of one layout alone is an axis of its own.
///
/// Law: offsets are those of [`product`]. Index `i` of a joined axis is index `i / extent` of `tile` and index
/// `i % extent` of `copies`, where `extent` is that of `copies`.
///
/// # Errors
/// Those of [`blocked_product`].
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// // CuTe's (2,5):(5,1) and (3,4):(1,3) make ((3,2),(4,5)):((10,5),(30,1)).
/// let tile = Layout::from_strides("XY", &[2, 5], &[5, 1], ElementType::F32)?;
/// let copies = Layout::from_strides("XY", &[3, 4], &[1, 3], ElementType::F32)?;
/// let raked = algebra::raked_product(&tile, &copies)?;
/// assert_eq!((raked.offset(&[1, 1]), raked.offset(&[3, 4])), (10 + 30, 5 + 1));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn raked_product(tile: &Layout, copies: &Layout) -> Result<Layout, LayoutError> {
    tile.joined_product(copies, true)
}

impl Layout {
    /// The product with axes of the same letter joined. The copies are the inner ones if `raked`.
    const fn joined_product(&self, copies: &Self, raked: bool) -> Result<Self, LayoutError> {
        let placed = ok!(self.linear().placed(copies));
        let mut view = placed.origin();
        view.buffer.base = placed.base().wrapping_add(self.base());
        each!(axis, 0..self.rank(), {
            let letter = self.letters().at(axis);
            let factor = AxisDigits::of(self, axis);
            let digits = match placed.letters().position(letter) {
                None => factor,
                Some(position) => {
                    let copy = AxisDigits::of(&placed, position);
                    let (outer, inner) = if raked { (factor, copy) } else { (copy, factor) };
                    ok!(self.joined_axis(letter, &outer, &inner))
                }
            };
            ok!(view.put(axis, letter, &digits));
        });
        each!(axis, 0..placed.rank(), {
            let letter = placed.letters().at(axis);
            if self.letters().position(letter).is_none() {
                ok!(view.put(view.rank(), letter, &AxisDigits::of(&placed, axis)));
            }
        });
        // Copies at different offsets share no element.
        if !copies.is_unique() {
            ok!(view.check_open());
        }
        view.swizzled_as(self)
    }

    /// The same with the swizzle of a tile, if it has one.
    const fn swizzled_as(mut self, tile: &Self) -> Result<Self, LayoutError> {
        let Some(swizzle) = tile.swizzle() else { return Ok(self) };
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        ok!(self.add_swizzle(Swizzling::Elements(bits, base, shift)));
        Ok(self)
    }

    /// The offsets at which copies of this layout begin: its complement at the offsets of `copies`.
    const fn placed(&self, copies: &Self) -> Result<Self, LayoutError> {
        let room = ok!(self.tile_room());
        // The number of positions between the elements of one copy, before those after it.
        let gaps = ok!(self.complement_of(room, 'A')).numel();
        let places = copies.span().div_ceil(gaps);
        let count = match room.checked_mul(if places == 0 { 1 } else { places }) {
            Some(count) => count,
            None => return Err(LayoutError(Rule::TooLarge { element: self.element() })),
        };
        compose(&ok!(self.complement_of(count, 'A')), copies)
    }
}
