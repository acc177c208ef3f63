//! A layout known only at run time, with its element type and rank as a type.

use super::layout_type::{LayoutType, WithElement};
use super::static_views::Coordinate;
use crate::numbers::Element;
use core::marker::PhantomData;
use layout_core::Layout;
use layout_core::spec::{LayoutError, Rule};

/// A [`Layout`] of elements `E` and rank `RANK`. Its format and extents are values at run time.
///
/// It is the layout type of tensors whose format a file, a user or another library decides. A tensor of 4 axes over a
/// slice takes at most 560 bytes.
///
/// ```
/// use tensor_layout::{Dynamic, Layout, LayoutError, LayoutType};
///
/// let layout = Layout::parse("NCHW4c<1, 8, 1, 2>, f32")?; // from a file
/// let typed: Dynamic<f32, 4> = layout.try_into()?;
/// assert_eq!(typed.offset_of([0, 5, 0, 1]), 8 + 4 + 1);
///
/// let error: Result<Dynamic<u8, 4>, LayoutError> = layout.try_into();
/// assert!(error.is_err());
/// # Ok::<(), LayoutError>(())
/// ```
pub struct Dynamic<E, const RANK: usize> {
    layout: Layout,
    /// The strides or blocks for an index.
    places: AxisPlaces<RANK>,
    element: PhantomData<E>,
}

/// The coordinates of a layout that has an axis. Without it, its layout is a [`Dynamic`] of one rank less. This trait is
/// sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not coordinates of a layout with an axis",
    note = "pass a tensor with 1 to 12 axes"
)]
pub trait Reduced: Coordinate {
    /// The layout type of the other axes.
    type Layout<E: Element>: LayoutType<Element = E> + TryFrom<Layout, Error = LayoutError>;
}

macro_rules! reduced {
    ($($less:literal $rank:literal;)*) => {$(
        impl Reduced for [usize; $rank] {
            type Layout<E: Element> = Dynamic<E, $less>;
        }
    )*};
}

reduced! { 0 1; 1 2; 2 3; 3 4; 4 5; 5 6; 6 7; 7 8; 8 9; 9 10; 10 11; 11 12; }

impl<E: Element, const RANK: usize> Dynamic<E, RANK> {
    /// Returns `layout` with its element type and rank as a type.
    ///
    /// # Errors
    /// The layout has another element type or another rank.
    pub const fn new(layout: Layout) -> Result<Self, LayoutError> {
        if !layout.element().same(E::TYPE) {
            return Err(LayoutError(Rule::TypeElement {
                needed: E::TYPE,
                given: layout.element(),
            }));
        }
        if layout.rank() != RANK {
            return Err(LayoutError(Rule::TypeRank { needed: RANK, given: layout.letters() }));
        }
        Ok(Self::of_type(layout))
    }

    /// [`Layout::offset`]. A separate function, so that the coordinate can stay in registers if the axes have strides.
    #[inline(never)]
    #[track_caller]
    fn offset_by_digits(&self, coordinate: [usize; RANK]) -> usize {
        self.layout.offset(&coordinate)
    }

    /// A layout that has the element type and the rank.
    pub(super) const fn of_type(layout: Layout) -> Self {
        Self { layout, places: AxisPlaces::of(&layout), element: PhantomData }
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, const RANK: usize> LayoutType for Dynamic<E, RANK> {
    type Element = E;
    type Coordinate = [usize; RANK];

    const ORIGIN: [usize; RANK] = [0; RANK];

    #[inline]
    fn layout(&self) -> Layout {
        self.layout
    }

    #[inline(always)]
    fn offset_of(&self, coordinate: [usize; RANK]) -> usize {
        // With debug assertions, `Layout::offset` checks the coordinate.
        let expected = cfg!(debug_assertions).then(|| self.offset_by_digits(coordinate));
        let mut offset = self.layout.base();
        match &self.places {
            AxisPlaces::Strides(strides) => for_each_axis!(RANK, axis => {
                let place = coordinate[axis].wrapping_mul(strides[axis] as usize);
                offset = offset.wrapping_add(place);
            }),
            AxisPlaces::Blocks(blocks) => for_each_axis!(RANK, axis => {
                let place = match axis + 1 == RANK {
                    true => blocks[axis].place_of_last(coordinate[axis]),
                    false => blocks[axis].place(coordinate[axis]),
                };
                offset = offset.wrapping_add(place);
            }),
            AxisPlaces::Digits => return self.offset_by_digits(coordinate),
        }
        debug_assert!(
            expected.is_none_or(|expected| offset == expected),
            "{coordinate:?}: {offset}"
        );
        offset
    }

    #[inline(always)]
    fn checked_offset_of(&self, coordinate: [usize; RANK]) -> Result<usize, LayoutError> {
        match self.contains(&coordinate) {
            true => Ok(self.offset_of(coordinate)),
            false => self.layout.checked_offset(&coordinate),
        }
    }

    #[inline(always)]
    fn extent_of(&self, axis: usize) -> usize {
        self.layout.extent(axis)
    }

    fn letter_of(&self, axis: usize) -> char {
        self.layout.letters().at(axis)
    }

    #[inline(always)]
    fn contains(&self, coordinate: &[usize; RANK]) -> bool {
        let mut inside = true;
        for_each_axis!(RANK, axis => inside &= coordinate[axis] < self.extent_of(axis));
        inside
    }

    #[inline(always)]
    fn axis_outside(&self, coordinate: &[usize; RANK]) -> Option<usize> {
        for_each_axis!(RANK, axis => if coordinate[axis] >= self.extent_of(axis) {
            return Some(axis);
        });
        None
    }

    #[inline]
    fn units(&self) -> usize {
        self.layout.units()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, const RANK: usize> WithElement for Dynamic<E, RANK> {
    type Of<F: Element> = Dynamic<F, RANK>;

    fn with_element<F: Element>(&self) -> Result<Dynamic<F, RANK>, LayoutError> {
        self.layout.with_element(F::TYPE).map(Dynamic::of_type)
    }
}

layout_type! {
    {E, const RANK: usize} {E: Element, const RANK: usize} Dynamic<E, RANK>, layout
}

/// What each axis adds to the offset of a layout.
#[derive(Clone, Copy)]
pub(super) enum AxisPlaces<const RANK: usize> {
    /// Each axis has one stride, in elements.
    Strides([isize; RANK]),
    /// Each axis has one stride, or blocks of a power of two.
    Blocks([PowerBlocks; RANK]),
    /// An axis has other blocks, or the layout has a swizzle.
    Digits,
}

/// An axis in blocks of a power of two. Without blocks, each block is one coordinate.
///
/// The offset of coordinate `i` is `i / block * outer + i % block * inner`. Since `i % block` equals `i - i / block * block`,
/// the offset is also `i * inner + i / block * rest`, where `rest = outer - block * inner` is computed once. Example: blocks
/// of 4 have the stride 100, and coordinates have the stride 1. Coordinate 6 has the offset `6 * 1 + 1 * 96`, which is
/// `100 + 2`.
#[derive(Clone, Copy)]
pub(super) struct PowerBlocks {
    /// The number of coordinates of a block, as a power of two.
    shift: u32,
    /// The distance from one block to the next, in elements.
    outer: isize,
    /// The distance from one coordinate of a block to the next, in elements.
    inner: isize,
    /// What a block adds beside its coordinates.
    rest: isize,
}

impl PowerBlocks {
    const NONE: Self = Self { shift: 0, outer: 0, inner: 0, rest: 0 };

    /// The same blocks with what follows from their strides, which wraps where one is negative.
    const fn with_rest(mut self) -> Self {
        if self.shift == 0 {
            // Without blocks, the stride is that of coordinates.
            self.inner = self.outer;
        }
        self.rest = self.outer.wrapping_sub(self.inner.wrapping_shl(self.shift));
        self
    }

    /// What a coordinate adds to the offset. It wraps if the stride is negative.
    #[inline(always)]
    pub(super) const fn place(&self, coordinate: usize) -> usize {
        let block = coordinate >> self.shift;
        coordinate
            .wrapping_mul(self.inner as usize)
            .wrapping_add(block.wrapping_mul(self.rest as usize))
    }

    /// [`place`](Self::place) of the last axis, whose index changes most often in loops. Without blocks, a loop only adds
    /// the stride. The condition does not change in the loop, so the optimizer makes two loops of it. If every axis had
    /// it, they would not fit the registers.
    #[inline(always)]
    pub(super) const fn place_of_last(&self, coordinate: usize) -> usize {
        if self.shift == 0 {
            return coordinate.wrapping_mul(self.inner as usize);
        }
        self.place(coordinate)
    }
}

impl<const RANK: usize> AxisPlaces<RANK> {
    pub(super) const fn of(layout: &Layout) -> Self {
        if layout.swizzle().is_some() {
            return Self::Digits;
        }
        let (mut strides, mut blocks) = ([0; RANK], [PowerBlocks::NONE; RANK]);
        layout_core::each!(axis, 0..RANK, {
            let (shift, outer, inner) = match layout.only_block(axis) {
                Some((block, outer, inner)) if block.is_power_of_two() => {
                    (block.trailing_zeros(), outer, inner)
                }
                _ => return Self::Digits,
            };
            strides[axis] = outer;
            blocks[axis] = PowerBlocks { shift, outer, inner, rest: 0 }.with_rest();
        });
        if layout.digit_count() == RANK { Self::Strides(strides) } else { Self::Blocks(blocks) }
    }
}
