//! Views of static layouts as types, so that indexing a view is arithmetic with literals.

use core::marker::PhantomData;

use super::layout_type::{FormatType, LayoutType, StaticLayout, sealed};
use layout_core::nests::check_extents;
use layout_core::spec::{LayoutError, MAX_RANK, Rule};
use layout_core::{Digits, Layout};

/// Repeats the statement for each axis of the layout, with its position as a constant. It is not a loop, as in
/// `Static`.
macro_rules! for_each_axis {
    ($axis:ident => $statement:expr) => {
        for_each_axis!(@ $axis => $statement; 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    (@ $axis:ident => $statement:expr; $($i:literal)*) => {$(
        if const { $i < Self::LAYOUT.rank() } {
            const $axis: usize = $i;
            $statement
        }
    )*};
}

/// The view of layout `L` that operation `O` makes: [`At`], [`Window`], [`Slice`], [`Transpose`], [`Flip`].
///
/// Its buffer is the part of the buffer of `L` from its first to its last element.
pub struct Viewed<L, O>(PhantomData<(L, O)>);

/// Selects one coordinate of axis `AXIS` and removes the axis. The coordinate is known at run time.
#[derive(Clone, Copy, Debug)]
pub struct At<const AXIS: char>(pub usize);

/// Selects `LENGTH` consecutive coordinates of axis `AXIS`, from a coordinate that is known at run time.
#[derive(Clone, Copy, Debug)]
pub struct Window<const AXIS: char, const LENGTH: usize>(pub usize);

/// Selects `LENGTH` coordinates of axis `AXIS`, `STEP` apart, beginning at `START`. See [`Layout::slice`].
#[derive(Clone, Copy, Debug)]
pub struct Slice<const AXIS: char, const START: usize, const STEP: isize, const LENGTH: usize>;

/// Swaps axes `FIRST` and `SECOND`.
#[derive(Clone, Copy, Debug)]
pub struct Transpose<const FIRST: char, const SECOND: char>;

/// Reverses axis `AXIS`. See [`Layout::flip`].
#[derive(Clone, Copy, Debug)]
pub struct Flip<const AXIS: char>;

/// An operation that makes a view of a layout with coordinates of type `C`. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operation on coordinates `{C}`",
    note = "operations are `At`, `Window`, `Slice`, `Transpose` and `Flip`; `At` needs an axis"
)]
pub trait Operation<C>: sealed::Operation {
    /// The coordinates of the view.
    type Coordinate: Coordinate;

    /// The operation as a value.
    #[doc(hidden)]
    const CHANGE: ViewChange;

    /// The first coordinate, if it is known at run time.
    #[doc(hidden)]
    #[inline(always)]
    fn first(self) -> Option<usize>
    where
        Self: Sized,
    {
        None
    }
}

/// The coordinate type of a layout: an array. This trait is sealed.
pub trait Coordinate:
    sealed::Coordinate + Copy + AsRef<[usize]> + AsMut<[usize]> + for<'a> TryFrom<&'a [usize]>
{
    /// The coordinate with index 0 on every axis.
    #[doc(hidden)]
    const ORIGIN: Self;
}

impl<const RANK: usize> sealed::Coordinate for [usize; RANK] {}

impl<const RANK: usize> Coordinate for [usize; RANK] {
    const ORIGIN: Self = [0; RANK];
}

/// An operation as a value.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ViewChange {
    At(char),
    Slice(char, usize, isize, usize),
    Transpose(char, char),
    Flip(char),
}

impl ViewChange {
    /// The view in the whole buffer.
    const fn view(self, layout: &Layout) -> Layout {
        if layout.swizzle().is_some() {
            let operation = "`viewed`";
            LayoutError(Rule::Swizzled { operation }).panic_in_type()
        }
        let view = match self {
            Self::At(axis) => layout.index(axis, 0),
            Self::Slice(axis, start, step, length) => layout.slice(axis, start, step, length),
            Self::Transpose(first, second) => transposed(layout, first, second),
            Self::Flip(axis) => layout.flip(axis),
        };
        match view {
            Ok(view) => view,
            Err(error) => error.panic_in_type(),
        }
    }

    /// The view in a buffer that begins with its first element and ends with its last.
    const fn of(self, layout: &Layout) -> Layout {
        let view = self.view(layout);
        let range = view.range();
        match view.part(range.start, range.end - range.start) {
            Ok(part) => part,
            Err(error) => error.panic_in_type(),
        }
    }

    /// The start of the view's buffer in the buffer of the layout.
    const fn start(self, layout: &Layout) -> usize {
        self.view(layout).range().start
    }
}

/// Returns the position of an axis.
const fn position(layout: &Layout, axis: char) -> usize {
    match layout.axis(axis) {
        Ok(axis) => axis,
        Err(error) => error.panic_in_type(),
    }
}

/// Swaps two axes.
const fn transposed(layout: &Layout, first: char, second: char) -> Result<Layout, LayoutError> {
    let (first, second) = match (layout.axis(first), layout.axis(second)) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let mut order = [b' '; MAX_RANK];
    let rank = layout.rank();
    layout_core::each!(i, 0..rank, {
        order[i] = layout.letters().at(i) as u8;
    });
    (order[first], order[second]) = (order[second], order[first]);
    match core::str::from_utf8(order.split_at(rank).0) {
        Ok(order) => layout.permute(order),
        // Axes are ASCII letters.
        Err(_) => unreachable!(),
    }
}

impl<const AXIS: char> sealed::Operation for At<AXIS> {}
impl<const AXIS: char, const LENGTH: usize> sealed::Operation for Window<AXIS, LENGTH> {}
impl<const AXIS: char, const START: usize, const STEP: isize, const LENGTH: usize> sealed::Operation
    for Slice<AXIS, START, STEP, LENGTH>
{
}
impl<const FIRST: char, const SECOND: char> sealed::Operation for Transpose<FIRST, SECOND> {}
impl<const AXIS: char> sealed::Operation for Flip<AXIS> {}

macro_rules! less {
    ($($less:literal $rank:literal;)*) => {$(
        impl<const AXIS: char> Operation<[usize; $rank]> for At<AXIS> {
            type Coordinate = [usize; $less];
            const CHANGE: ViewChange = ViewChange::At(AXIS);

            #[inline(always)]
            fn first(self) -> Option<usize> {
                Some(self.0)
            }
        }
    )*};
}

less! { 0 1; 1 2; 2 3; 3 4; 4 5; 5 6; 6 7; 7 8; 8 9; 9 10; 10 11; 11 12; }

impl<C: Coordinate, const AXIS: char, const LENGTH: usize> Operation<C> for Window<AXIS, LENGTH> {
    type Coordinate = C;
    const CHANGE: ViewChange = ViewChange::Slice(AXIS, 0, 1, LENGTH);

    #[inline(always)]
    fn first(self) -> Option<usize> {
        Some(self.0)
    }
}

impl<C: Coordinate, const AXIS: char, const START: usize, const STEP: isize, const LENGTH: usize>
    Operation<C> for Slice<AXIS, START, STEP, LENGTH>
{
    type Coordinate = C;
    const CHANGE: ViewChange = ViewChange::Slice(AXIS, START, STEP, LENGTH);
}

impl<C: Coordinate, const FIRST: char, const SECOND: char> Operation<C>
    for Transpose<FIRST, SECOND>
{
    type Coordinate = C;
    const CHANGE: ViewChange = ViewChange::Transpose(FIRST, SECOND);
}

impl<C: Coordinate, const AXIS: char> Operation<C> for Flip<AXIS> {
    type Coordinate = C;
    const CHANGE: ViewChange = ViewChange::Flip(AXIS);
}

impl<L: StaticLayout, O: Operation<L::Coordinate>> Viewed<L, O> {
    /// The layout as a value.
    pub const LAYOUT: Layout = O::CHANGE.of(&L::LAYOUT);

    const DIGITS: Digits = Self::LAYOUT.digits();

    /// The start of the buffer in the buffer of `L`, as far as the type determines it.
    #[doc(hidden)]
    pub const START: usize = O::CHANGE.start(&L::LAYOUT);

    /// The position of the axis of which coordinates are selected, and their number.
    #[doc(hidden)]
    pub const SELECTED: (usize, usize) = match O::CHANGE {
        ViewChange::At(axis) => (position(&L::LAYOUT, axis), 1),
        ViewChange::Slice(axis, _, _, length) => (position(&L::LAYOUT, axis), length),
        _ => (0, 0),
    };

    /// The number of coordinates in a block of the axis. A window begins at a multiple of it.
    #[doc(hidden)]
    pub const BLOCK: usize = match O::CHANGE {
        ViewChange::At(_) | ViewChange::Slice(..) => L::LAYOUT.block(Self::SELECTED.0),
        _ => 1,
    };

    /// The same as `Static::offset`, with the digits of the view.
    #[inline(always)]
    fn place(coordinate: &[usize]) -> usize {
        let digits: &'static Digits = &Self::DIGITS;
        let mut offset = const { Self::LAYOUT.base() };
        macro_rules! add_digits {
            ($($i:literal)*) => {$(
                if const { $i < Self::LAYOUT.digit_count() } {
                    let digit = digits.at($i);
                    let extent = const { Self::LAYOUT }.extent(digit.axis);
                    offset = offset.wrapping_add(digit.place(coordinate[digit.axis], extent));
                }
            )*};
        }
        add_digits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        offset
    }
}

#[diagnostic::do_not_recommend]
impl<L: StaticLayout, O: Operation<L::Coordinate>> LayoutType for Viewed<L, O> {
    type Element = L::Element;
    type Coordinate = O::Coordinate;

    const ORIGIN: O::Coordinate = <O::Coordinate as Coordinate>::ORIGIN;
    const STATIC: Option<Layout> = Some(Self::LAYOUT);

    #[inline]
    fn layout(&self) -> Layout {
        Self::LAYOUT
    }

    #[inline(always)]
    fn offset_of(&self, coordinate: O::Coordinate) -> usize {
        debug_assert!(self.contains(&coordinate), "{:?}", coordinate.as_ref());
        Self::place(coordinate.as_ref())
    }

    #[inline(always)]
    fn checked_offset_of(&self, coordinate: O::Coordinate) -> Result<usize, LayoutError> {
        match self.contains(&coordinate) {
            true => Ok(Self::place(coordinate.as_ref())),
            false => Self::LAYOUT.checked_offset(coordinate.as_ref()),
        }
    }

    #[inline(always)]
    fn extent_of(&self, axis: usize) -> usize {
        const { Self::LAYOUT }.extent(axis)
    }

    fn letter_of(&self, axis: usize) -> char {
        const { Self::LAYOUT.letters() }.at(axis)
    }

    #[inline(always)]
    fn contains(&self, coordinate: &O::Coordinate) -> bool {
        let coordinate = coordinate.as_ref();
        let mut inside = true;
        for_each_axis!(AXIS => inside &= coordinate[AXIS] < const { extent(&Self::LAYOUT, AXIS) });
        inside
    }

    #[inline(always)]
    fn axis_outside(&self, coordinate: &O::Coordinate) -> Option<usize> {
        let coordinate = coordinate.as_ref();
        for_each_axis!(AXIS => if coordinate[AXIS] >= const { extent(&Self::LAYOUT, AXIS) } {
            return Some(AXIS);
        });
        None
    }

    #[inline(always)]
    fn units(&self) -> usize {
        const { Self::LAYOUT.units() }
    }
}

/// The extent of an axis, or 0 if there is no such axis.
const fn extent(layout: &Layout, axis: usize) -> usize {
    if axis < layout.rank() { layout.extents()[axis] } else { 0 }
}

#[diagnostic::do_not_recommend]
impl<L: StaticLayout, O: Operation<L::Coordinate>> FormatType for Viewed<L, O> {
    fn with_extents_of(layout: &Layout) -> Result<Self, LayoutError> {
        let axes = Self::LAYOUT.axes_and_extents();
        check_extents(&axes[..Self::LAYOUT.rank()], layout).map(|_| Self::VALUE)
    }
}

#[diagnostic::do_not_recommend]
impl<L: StaticLayout, O: Operation<L::Coordinate>> StaticLayout for Viewed<L, O> {
    const LAYOUT: Layout = Self::LAYOUT;
    const VALUE: Self = Self(PhantomData);
}

impl<L, O> Default for Viewed<L, O> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

layout_type! {
    {L, O} {L: StaticLayout, O: Operation<L::Coordinate>} Viewed<L, O>
}
