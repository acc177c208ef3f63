//! Parts of a tensor that an index of its slowest digits selects.

use core::ops::Range;

use super::layout_type::{LayoutType, sealed};
use super::markers::{ExtentList, Order};
use super::nested::{Count, Nested, Next, Number, Without};
use super::statics::Static;
use crate::numbers::{Element, WholeElement};
use layout_core::spec::{LayoutError, Name, Rule, broken};
use layout_core::{Digit, Digits, Written};

/// A layout type of which an index of the `DIGITS` slowest digits selects a part of the buffer. Digits are in the
/// memory order as written, slowest first: `N`, `C / 4`, `H`, `W`, `C % 4` for NCHW4.
#[diagnostic::on_unimplemented(
    message = "parts of `{Self}` are not known at compile time",
    label = "not a static layout",
    note = "for other layouts, `row_along` gives the elements along an axis"
)]
pub trait Parts<const DIGITS: usize>: LayoutType {
    /// The range of offsets from the first to the last element of a part. `None` if an index is out of bounds.
    #[doc(hidden)]
    fn part(&self, index: [usize; DIGITS]) -> Option<Range<usize>>;

    /// The axes and sizes of the slowest digits.
    #[doc(hidden)]
    const SLOWEST: [(char, usize); DIGITS];

    /// The number of values of a digit.
    #[doc(hidden)]
    fn digit_size(&self, digit: usize) -> usize;
}

/// A layout type whose elements, after an index of the `DIGITS` slowest digits, are nested arrays.
///
/// The compiler infers `Positions` from the layout. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "rows after an index of {DIGITS} digits are not known at compile time",
    label = "not a row of this layout",
    note = "the index has fewer entries than the format has axes and blocks: `x.row([n, c, h])` of `NCHW4<1, 64, 56, 56>`",
    note = "for layouts with extents written `_`, `row_along` gives the elements along an axis"
)]
pub trait Rows<const DIGITS: usize, Positions>: Parts<DIGITS> + sealed::Rows<Positions> {
    /// The type of a row: `[[i8; 4]; 56]` for `NCHW4<1, 64, 56, 56>, i8` with 3 digits.
    type Row;

    /// The number of elements of a row, which are contiguous.
    #[doc(hidden)]
    const ROW_LEN: usize;
}

/// A layout type whose elements, after an index of the `DIGITS` slowest digits, are a sequence of nested arrays.
///
/// The compiler infers `Positions` from the layout. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "panels after an index of {DIGITS} digits are not known at compile time",
    label = "not a panel of this layout",
    note = "the index has fewer entries than the format has axes and blocks: `x.panel([n, c, h])` of `NCHW4<1, 64, 56, 56>`",
    note = "for layouts with extents written `_`, `row_along` gives the elements along an axis"
)]
pub trait Panels<const DIGITS: usize, Positions>: Parts<DIGITS> + sealed::Rows<Positions> {
    /// The type of an item: `[i8; 4]` for `NCHW4<1, 64, 56, 56>, i8` with 3 digits.
    type Row;

    /// The number of elements of all rows, which are contiguous.
    #[doc(hidden)]
    const ROW_LEN: usize;
}

impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> Static<E, X, O, RANK> {
    const WRITTEN: Written = Written::of(O::FACTORS, &Self::LAYOUT);

    /// The axes and blocks as digits with strides, from the slowest to the fastest, as in
    /// [`Layout::digits`](crate::Layout::digits).
    pub const DIGITS: &'static [Digit] = {
        let digits: &'static Digits = &Self::ALL_DIGITS;
        digits.as_slice()
    };

    pub(super) const ALL_DIGITS: Digits = Self::LAYOUT.digits();

    /// Returns the stride of the digit of `axis` with this weight, in elements: the distance from one coordinate to
    /// the one `weight` coordinates later, if both begin a block of `weight` coordinates.
    ///
    /// # Panics
    /// If there is no such axis or digit, or if the layout has a swizzle. In a constant, this is a compile error.
    ///
    /// ```
    /// use tensor_layout::layout;
    ///
    /// type Act = layout!(NCHW4<1, 64, 56, 56>, i8);
    /// const NEXT_BLOCK: isize = Act::stride_of('C', 4);
    /// const NEXT_ROW: isize = Act::stride_of('H', 1);
    /// assert_eq!((NEXT_BLOCK, NEXT_ROW), (56 * 56 * 4, 56 * 4));
    /// assert_eq!(Act::DIGITS[1].stride, NEXT_BLOCK);
    /// ```
    pub const fn stride_of(axis: char, weight: usize) -> isize {
        Self::check_swizzle("`stride_of`");
        let layout = Self::LAYOUT;
        let Some(axis) = layout.letters().position(axis) else {
            let mut name = Name::EMPTY;
            name.push_char(axis);
            broken::UnknownAxis { name, axes: layout.letters() }.panic()
        };
        match layout.digit_of(axis, weight) {
            Some(digit) => digit.stride,
            None => broken::NoDigit { letter: layout.letters().at(axis), weight }.panic(),
        }
    }

    /// Parts of a layout with a swizzle are not contiguous, and its digits have no stride.
    const fn check_swizzle(operation: &'static str) {
        if Self::LAYOUT.swizzle().is_some() {
            LayoutError(Rule::Swizzled { operation }).panic_in_type()
        }
    }

    /// Checks parts that an index of `digits` digits selects.
    const fn check_parts(digits: usize) {
        let written = &Self::WRITTEN;
        Self::check_swizzle("`row`, `panel` or `part`");
        if digits > written.count() {
            LayoutError(Rule::DigitCount { digits: written.count(), given: digits }).panic_in_type()
        }
        layout_core::each!(i, 0..written.count(), {
            let Digit { axis, stride, .. } = written.digit(i);
            if stride < 0 {
                let letter = Self::LAYOUT.letters().at(axis);
                LayoutError(Rule::RowGap { letter, stride, space: 1 }).panic_in_type()
            }
        });
        // A view may begin or end inside a block, and its buffer may do so too.
        let length = Self::LEN;
        match Self::LAYOUT.base().checked_add(written.span(0)) {
            Some(end) if end <= length => {}
            _ => LayoutError(Rule::PartsOutside { length }).panic_in_type(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const DIGITS: usize>
    Parts<DIGITS> for Static<E, X, O, RANK>
{
    // All that a program keeps of the digits for an error.
    const SLOWEST: [(char, usize); DIGITS] = {
        let mut slowest = [(' ', 0); DIGITS];
        layout_core::each!(i, 0..DIGITS, {
            let Digit { axis, size, .. } = Self::WRITTEN.digit(i);
            slowest[i] = (Self::LAYOUT.letters().at(axis), size);
        });
        slowest
    };

    #[inline(always)]
    fn part(&self, index: [usize; DIGITS]) -> Option<Range<usize>> {
        const { Self::check_parts(DIGITS) }
        let mut inside = true;
        let mut start = const { Self::LAYOUT.base() };
        macro_rules! add_digits {
            ($($i:literal)*) => {$(
                if $i < DIGITS {
                    let i: usize = $i;
                    let (size, stride) = const {
                        let digit = Self::WRITTEN.digit($i);
                        (digit.size, digit.stride.unsigned_abs())
                    };
                    inside &= index[i] < size;
                    start = start.wrapping_add(index[i].wrapping_mul(stride));
                }
            )*};
        }
        // This is not a loop, for the same reason as in `Static::offset`.
        add_digits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        inside.then(|| start..start.wrapping_add(const { Self::WRITTEN.span(DIGITS) }))
    }

    #[inline(always)]
    fn digit_size(&self, digit: usize) -> usize {
        Self::WRITTEN.digit(digit).size
    }
}

impl<E: Element, X: ExtentList<RANK>, O: Order, P: sealed::Positions, const RANK: usize>
    sealed::Rows<P> for Static<E, X, O, RANK>
{
}

#[diagnostic::do_not_recommend]
impl<E, X, O, P, const RANK: usize, const DIGITS: usize> Rows<DIGITS, P> for Static<E, X, O, RANK>
where
    E: WholeElement,
    X: ExtentList<RANK>,
    O: Order,
    P: sealed::Positions,
    Count<DIGITS>: Number,
    O::List: Without<<Count<DIGITS> as Number>::Type>,
    <O::List as Without<<Count<DIGITS> as Number>::Type>>::Rest: Nested<E, X, P>,
{
    type Row =
        <<O::List as Without<<Count<DIGITS> as Number>::Type>>::Rest as Nested<E, X, P>>::Array;

    const ROW_LEN: usize = Self::WRITTEN.row(DIGITS, size_of::<Self::Row>(), &Self::LAYOUT);
}

#[diagnostic::do_not_recommend]
impl<E, X, O, P, const RANK: usize, const DIGITS: usize> Panels<DIGITS, P> for Static<E, X, O, RANK>
where
    E: WholeElement,
    X: ExtentList<RANK>,
    O: Order,
    P: sealed::Positions,
    Count<DIGITS>: Number,
    O::List: Without<Next<<Count<DIGITS> as Number>::Type>>,
    <O::List as Without<Next<<Count<DIGITS> as Number>::Type>>>::Rest: Nested<E, X, P>,
{
    type Row = <<O::List as Without<Next<<Count<DIGITS> as Number>::Type>>>::Rest as Nested<
        E,
        X,
        P,
    >>::Array;

    const ROW_LEN: usize = {
        let length = Self::WRITTEN.row(DIGITS + 1, size_of::<Self::Row>(), &Self::LAYOUT);
        let Digit { axis, size, stride, .. } = Self::WRITTEN.digit(DIGITS);
        if size > 1 && stride != length as isize {
            let letter = Self::LAYOUT.letters().at(axis);
            LayoutError(Rule::RowGap { letter, stride, space: length }).panic_in_type()
        }
        length
    };
}
