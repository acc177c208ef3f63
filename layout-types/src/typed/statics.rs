//! A layout known at compile time, as a zero-sized type.

use core::marker::PhantomData;

use super::layout_type::{FormatType, LayoutType, StaticLayout, WithElement};
use super::markers::{ExtentList, Order};
use crate::numbers::Element;
#[cfg(not(debug_assertions))]
use layout_core::Digits;
use layout_core::nests::{check_extents, check_fill_for_any};
#[cfg(debug_assertions)]
use layout_core::spec::broken;
use layout_core::spec::{AxisExtent, LayoutError, Rule, Spec};
use layout_core::{Coordinates, Layout};

/// A layout as a type: element type, extents in coordinate order, and factors in memory order.
///
/// `layout!` expands to it:
///
/// ```
/// use tensor_layout::layout;
///
/// type Packed = layout!(NCHW4<1, 8, 2, 3>, f16);
///
/// const AT: usize = Packed::offset([0, 5, 1, 2]); // [n, c, h, w], in elements
/// assert_eq!(AT, (5 / 4) * 24 + 1 * 12 + 2 * 4 + 5 % 4);
/// assert_eq!((Packed::LEN, Packed::BYTES, Packed::EXTENTS), (48, 96, [1, 8, 2, 3]));
/// assert_eq!(Packed::LAYOUT.to_string(), "NCHW4c<1, 8, 2, 3>, f16"); // as a value
/// ```
///
/// Equal formats, extents, element types and options give the same type, however they are written. A layout that breaks
/// a rule is a compile error. The type has no size; a `Tensor` adds a buffer.
// The bound reports a wrong element type where the layout is written, before the type is used.
pub struct Static<E: Element, Extents, Factors, const RANK: usize>(
    PhantomData<(E, Extents, Factors)>,
);

impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> Static<E, X, O, RANK> {
    /// The layout as a value.
    pub const LAYOUT: Layout = {
        let spec = Spec { element: E::TYPE, axes: &X::AXES, factors: O::FACTORS, fill: O::FILL };
        match Layout::new(&spec) {
            Ok(layout) => layout,
            Err(error) => error.panic_in_type(),
        }
    };

    /// The number of axes.
    pub const RANK: usize = RANK;

    /// The extents in coordinate order, without padding.
    pub const EXTENTS: [usize; RANK] = first(Self::LAYOUT.extents(), 0);

    /// The number of coordinates: elements without padding.
    pub const NUMEL: usize = Self::LAYOUT.numel();

    /// The number of elements that storage holds, padding included.
    pub const LEN: usize = Self::LAYOUT.len();

    /// The number of bytes that storage takes, padding included.
    pub const BYTES: usize = Self::LAYOUT.bytes();

    /// The number of units of a buffer: [`LEN`](Self::LEN) elements, or [`BYTES`](Self::BYTES) for elements of less
    /// than a byte.
    pub const UNITS: usize = Self::LAYOUT.units();

    /// The number of elements from offset 0 to the last one that a coordinate reaches, inclusive.
    pub const SPAN: usize = Self::LAYOUT.span();

    /// The alignment of the start of a buffer, in bytes.
    pub const ALIGN: usize = Self::LAYOUT.align();

    /// The stride of each axis in elements, in coordinate order, or `None` if an axis has no single stride.
    pub const STRIDES: Option<[isize; RANK]> = match Self::LAYOUT.strides() {
        Some(strides) => Some(first(strides.as_slice(), 0)),
        None => None,
    };

    /// Whether no two coordinates share an offset. False only for broadcast layouts and overlapping windows.
    pub const IS_UNIQUE: bool = Self::LAYOUT.is_unique();

    /// Whether every offset below [`LEN`](Self::LEN) belongs to a coordinate: no padding and no gaps.
    pub const IS_EXHAUSTIVE: bool = Self::LAYOUT.is_exhaustive();

    /// Whether each axis has one stride.
    pub const IS_STRIDED: bool = Self::STRIDES.is_some();

    const AXES: &'static [AxisExtent] = &X::AXES;

    /// The number of digits.
    #[cfg(not(debug_assertions))]
    const DIGIT_COUNT: usize = Self::LAYOUT.digit_count();

    /// Returns the offset of `coordinate`, in elements. The digits are literals, so it compiles to the arithmetic that
    /// one would write by hand.
    ///
    /// # Panics
    /// With debug assertions, if an index is not below its extent. Without them, the result is meaningless in this
    /// case. [`checked_offset`](Self::checked_offset) always checks.
    #[inline(always)]
    #[track_caller]
    pub const fn offset(coordinate: [usize; RANK]) -> usize {
        // With debug assertions, a function that is compiled once for all types computes the same sum.
        #[cfg(debug_assertions)]
        return match axis_outside(&Self::EXTENTS, &coordinate) {
            None => Self::LAYOUT.unchecked_offset(&coordinate),
            Some(axis) => refuse(&X::AXES, axis, coordinate[axis]),
        };
        #[cfg(not(debug_assertions))]
        match const { Self::LAYOUT.swizzle() } {
            Some(swizzle) => swizzle.apply(Self::linear_offset(coordinate)),
            None => Self::linear_offset(coordinate),
        }
    }

    /// The offset of `coordinate` without the swizzle.
    #[cfg(not(debug_assertions))]
    #[inline(always)]
    const fn linear_offset(coordinate: [usize; RANK]) -> usize {
        let digits: &'static Digits = &Self::ALL_DIGITS;
        let mut offset = const { Self::LAYOUT.base() };
        macro_rules! add_digits {
            () => {};
            ($i:literal $($slower:literal)*) => {
                // A match on an integer constant: the compiler drops the code after the matching arm before it
                // collects functions to compile.
                match Self::DIGIT_COUNT {
                    $i => return offset,
                    _ => {}
                }
                let digit = digits.at($i);
                let place = digit.place(coordinate[digit.axis], Self::EXTENTS[digit.axis]);
                offset = offset.wrapping_add(place);
                add_digits!($($slower)*);
            };
        }
        add_digits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        offset
    }

    /// Returns the offset of `coordinate` in elements, or an error that names the axis that is out of bounds.
    #[inline(always)]
    pub const fn checked_offset(coordinate: [usize; RANK]) -> Result<usize, LayoutError> {
        if Self::is_inside(&coordinate) {
            Ok(Self::offset(coordinate))
        } else {
            Err(Self::outside(&coordinate))
        }
    }

    /// Whether the coordinate is inside the extents.
    ///
    /// This is not a loop: the optimizer proves that loop variables stay in bounds before it unrolls inner loops.
    #[inline(always)]
    const fn is_inside(coordinate: &[usize; RANK]) -> bool {
        let mut inside = true;
        for_each_axis!(RANK, axis => inside &= coordinate[axis] < Self::EXTENTS[axis]);
        inside
    }

    /// The error of a coordinate that is out of bounds.
    #[cold]
    const fn outside(coordinate: &[usize; RANK]) -> LayoutError {
        let Some(axis) = axis_outside(&Self::EXTENTS, coordinate) else { unreachable!() };
        LayoutError(Rule::Coordinate {
            axes: Self::LAYOUT.letters(),
            letter: X::AXES[axis].letter,
            extent: Self::EXTENTS[axis],
            coordinate: coordinate[axis],
        })
    }

    /// Returns the coordinate of the element at `offset`, or `None` if the offset is padding or beyond the end.
    pub const fn coordinate(offset: usize) -> Option<[usize; RANK]> {
        match Self::LAYOUT.coordinate(offset) {
            Some(coordinate) => Some(first(coordinate.as_slice(), 0)),
            None => None,
        }
    }

    /// Returns all coordinates in memory order, without padding.
    pub const fn coordinates() -> Coordinates<RANK> {
        Coordinates::new(Self::LAYOUT)
    }
}

/// The first axis on which the coordinate is out of bounds.
#[inline]
const fn axis_outside<const RANK: usize>(
    extents: &[usize; RANK],
    coordinate: &[usize; RANK],
) -> Option<usize> {
    for_each_axis!(RANK, axis => if coordinate[axis] >= extents[axis] {
        return Some(axis);
    });
    None
}

/// Panics because a coordinate is out of bounds on `axis`. One function serves all types.
#[cfg(debug_assertions)]
#[cold]
#[inline(never)]
#[track_caller]
const fn refuse(axes: &[AxisExtent], axis: usize, coordinate: usize) -> ! {
    let AxisExtent { letter, extent } = axes[axis];
    let extent = match extent.value() {
        Some(extent) => extent,
        None => 0,
    };
    broken::OutOfBounds { letter, extent, coordinate }.panic()
}

/// The first `RANK` values of `all`.
pub(super) const fn first<T: Copy, const RANK: usize>(all: &[T], zero: T) -> [T; RANK] {
    let mut first = [zero; RANK];
    layout_core::each!(i, 0..RANK, {
        first[i] = all[i];
    });
    first
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> LayoutType
    for Static<E, X, O, RANK>
{
    type Element = E;
    type Coordinate = [usize; RANK];

    const ORIGIN: [usize; RANK] = [0; RANK];
    const STATIC: Option<Layout> = Some(Self::LAYOUT);
    const AXES: Option<&'static [AxisExtent]> = Some(Self::AXES);

    #[inline]
    fn layout(&self) -> Layout {
        Self::LAYOUT
    }

    #[inline(always)]
    fn offset_of(&self, coordinate: [usize; RANK]) -> usize {
        Self::offset(coordinate)
    }

    #[inline(always)]
    fn checked_offset_of(&self, coordinate: [usize; RANK]) -> Result<usize, LayoutError> {
        Self::checked_offset(coordinate)
    }

    #[inline(always)]
    fn extent_of(&self, axis: usize) -> usize {
        Self::EXTENTS[axis]
    }

    fn letter_of(&self, axis: usize) -> char {
        X::AXES[axis].letter
    }

    #[inline(always)]
    fn contains(&self, coordinate: &[usize; RANK]) -> bool {
        Self::is_inside(coordinate)
    }

    #[inline(always)]
    fn axis_outside(&self, coordinate: &[usize; RANK]) -> Option<usize> {
        axis_outside(&Self::EXTENTS, coordinate)
    }

    #[inline(always)]
    fn units(&self) -> usize {
        Self::UNITS
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> WithElement
    for Static<E, X, O, RANK>
{
    type Of<F: Element> = Static<F, X, O, RANK>;

    fn with_element<F: Element>(&self) -> Result<Static<F, X, O, RANK>, LayoutError> {
        check_fill_for_any(&Self::LAYOUT)?;
        Layout::new(&Spec {
            element: F::TYPE,
            axes: &X::AXES,
            factors: O::FACTORS,
            fill: O::FILL,
        })?;
        Ok(Static(PhantomData))
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> FormatType
    for Static<E, X, O, RANK>
{
    fn with_extents_of(layout: &Layout) -> Result<Self, LayoutError> {
        check_extents(Self::AXES, layout).map(|_| Self::VALUE)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> StaticLayout
    for Static<E, X, O, RANK>
{
    const LAYOUT: Layout = Self::LAYOUT;
    const VALUE: Self = Self(PhantomData);
}

impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> Default
    for Static<E, X, O, RANK>
{
    fn default() -> Self {
        Self::VALUE
    }
}

layout_type! {
    {E: Element, X, O, const RANK: usize}
    {E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize} Static<E, X, O, RANK>
}
