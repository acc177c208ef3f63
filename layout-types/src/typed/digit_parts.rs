//! Parts of a tensor that an index of its slowest digits selects.

use core::ops::Range;

use super::layout_type::LayoutType;
use super::markers::{ExtentList, Order};
use super::nested::{Count, Nested, Next, Number, Without};
use super::statics::Static;
use crate::layout::{Digit, Layout};
use crate::numbers::Element;
use crate::spec::{Factor, LayoutError, MAX_FACTORS, Rule, Summary, slot, weight};

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

    /// The error of an index that is out of bounds.
    #[doc(hidden)]
    fn part_error(&self, digit: usize, index: usize) -> LayoutError;

    /// The number of values of a digit.
    #[doc(hidden)]
    fn digit_size(&self, digit: usize) -> usize;
}

/// A layout type whose elements, after an index of the `DIGITS` slowest digits, are nested arrays.
///
/// The compiler infers `Positions` from the layout.
#[diagnostic::on_unimplemented(
    message = "rows after an index of {DIGITS} digits are not known at compile time",
    label = "not a row of this layout",
    note = "the index has fewer entries than the format has axes and blocks: `x.row([n, c, h])` of `NCHW4<1, 64, 56, 56>`",
    note = "for layouts with extents written `_`, `row_along` gives the elements along an axis"
)]
pub trait Rows<const DIGITS: usize, Positions>: Parts<DIGITS> {
    /// The type of a row: `[[i8; 4]; 56]` for `NCHW4<1, 64, 56, 56>, i8` with 3 digits.
    type Row;

    /// The number of elements of a row, which are contiguous.
    #[doc(hidden)]
    const ROW_LEN: usize;
}

/// A layout type whose elements, after an index of the `DIGITS` slowest digits, are a sequence of nested arrays.
///
/// The compiler infers `Positions` from the layout.
#[diagnostic::on_unimplemented(
    message = "panels after an index of {DIGITS} digits are not known at compile time",
    label = "not a panel of this layout",
    note = "the index has fewer entries than the format has axes and blocks: `x.panel([n, c, h])` of `NCHW4<1, 64, 56, 56>`",
    note = "for layouts with extents written `_`, `row_along` gives the elements along an axis"
)]
pub trait Panels<const DIGITS: usize, Positions>: Parts<DIGITS> {
    /// The type of an item: `[i8; 4]` for `NCHW4<1, 64, 56, 56>, i8` with 3 digits.
    type Row;

    /// The number of elements of all rows, which are contiguous.
    #[doc(hidden)]
    const ROW_LEN: usize;
}

/// The digits of a layout in the order of its factors, slowest first.
pub(super) struct Written {
    digits: [Digit; MAX_FACTORS],
    count: usize,
}

impl Written {
    /// The digits of `layout`. `factors` are its factors.
    const fn of(factors: &[Factor], layout: &Layout) -> Self {
        let summary = Summary::of(factors);
        let mut new = Self { digits: [Digit::NONE; MAX_FACTORS], count: 0 };
        let mut i = 0;
        while i < factors.len() {
            if let Some(letter) = factors[i].letter() {
                let slot = slot(letter);
                let (Some(axis), Some(block)) =
                    (layout.letters.position(letter), summary.blocks[slot])
                else {
                    unreachable!()
                };
                let weight = match factors[i] {
                    Factor::Block(..) | Factor::Weighted(..) => weight(factors, i),
                    Factor::Lanes(..) => block,
                    _ => block * summary.lanes(slot).0,
                };
                new.digits[new.count] = match factors[i] {
                    // A layout keeps no digits of one value.
                    Factor::Block(_, 1) | Factor::Weighted(_, 1, _) | Factor::Lanes(_, 1, _) => {
                        Digit { size: 1, ..Digit::NONE }
                    }
                    _ => digit(layout, axis, weight),
                };
                new.count += 1;
            }
            i += 1;
        }
        new
    }

    /// The number of elements from the first to the last, inclusive, of the digits from `from` on.
    const fn span(&self, from: usize) -> usize {
        let mut last = 0;
        let mut i = from;
        while i < self.count {
            last += (self.digits[i].size - 1) * self.digits[i].stride.unsigned_abs();
            i += 1;
        }
        last + 1
    }

    /// The number of elements of the digits from `from` on, which must be contiguous.
    ///
    /// # Panics
    /// If they are not contiguous, or do not take `bytes` bytes.
    const fn row(&self, from: usize, bytes: usize, layout: &Layout) -> usize {
        let mut space = 1;
        let mut i = self.count;
        while i > from {
            i -= 1;
            let Digit { axis, size, stride, .. } = self.digits[i];
            if size > 1 && stride != space as isize {
                LayoutError(Rule::RowGap { letter: layout.letters.at(axis), stride, space })
                    .panic_in_type()
            }
            space *= size;
        }
        if !matches!(layout.element.bytes_of(space), Some(own) if own == bytes) {
            LayoutError(Rule::RowBlocks { digits: from, length: space }).panic_in_type()
        }
        space
    }
}

/// The digit of an axis with this weight.
const fn digit(layout: &Layout, axis: usize, weight: usize) -> Digit {
    let mut i = 0;
    while i < layout.digit_count {
        let digit = layout.digits[i];
        if digit.axis == axis && digit.weight == weight {
            return digit;
        }
        i += 1;
    }
    unreachable!()
}

impl<E, X, O, const RANK: usize> Static<E, X, O, RANK>
where
    E: Element,
    X: ExtentList<RANK>,
    O: Order,
{
    const WRITTEN: Written = Written::of(O::FACTORS, &Self::LAYOUT);

    /// The axes and blocks as digits with strides, from the slowest to the fastest, as in
    /// [`Layout::digits`](crate::Layout::digits).
    pub const DIGITS: &'static [Digit] = {
        let layout: &'static Layout = &Self::LAYOUT;
        layout.digits()
    };

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
        let axis = match layout.axis(axis) {
            Ok(axis) => axis,
            Err(error) => error.panic(),
        };
        let mut i = 0;
        while i < layout.digit_count {
            if layout.digits[i].axis == axis && layout.digits[i].weight == weight {
                return layout.digits[i].stride;
            }
            i += 1;
        }
        LayoutError(Rule::NoDigit { letter: layout.letters.at(axis), weight }).panic()
    }

    /// Parts of a layout with a swizzle are not contiguous, and its digits have no stride.
    const fn check_swizzle(operation: &'static str) {
        if Self::LAYOUT.swizzle.is_some() {
            LayoutError(Rule::Swizzled { operation }).panic_in_type()
        }
    }

    /// Checks parts that an index of `digits` digits selects.
    const fn check_parts(digits: usize) {
        let written = &Self::WRITTEN;
        Self::check_swizzle("`row`, `panel` or `part`");
        if digits > written.count {
            LayoutError(Rule::DigitCount { digits: written.count, given: digits }).panic_in_type()
        }
        let mut i = 0;
        while i < written.count {
            let Digit { axis, stride, .. } = written.digits[i];
            if stride < 0 {
                let letter = Self::LAYOUT.letters.at(axis);
                LayoutError(Rule::RowGap { letter, stride, space: 1 }).panic_in_type()
            }
            i += 1;
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E, X, O, const RANK: usize, const DIGITS: usize> Parts<DIGITS> for Static<E, X, O, RANK>
where
    E: Element,
    X: ExtentList<RANK>,
    O: Order,
{
    #[inline(always)]
    fn part(&self, index: [usize; DIGITS]) -> Option<Range<usize>> {
        const { Self::check_parts(DIGITS) }
        let mut inside = true;
        let mut start = const { Self::LAYOUT.base };
        macro_rules! add_digits {
            ($($i:literal)*) => {$(
                if $i < DIGITS {
                    let i: usize = $i;
                    let (size, stride) = const {
                        let digit = Self::WRITTEN.digits[$i];
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

    #[cold]
    fn part_error(&self, digit: usize, index: usize) -> LayoutError {
        let Digit { axis, size, .. } = Self::WRITTEN.digits[digit];
        let letter = Self::LAYOUT.letters.at(axis);
        LayoutError(Rule::DigitIndex { letter, digit, size, index })
    }

    #[inline(always)]
    fn digit_size(&self, digit: usize) -> usize {
        Self::WRITTEN.digits[digit].size
    }
}

#[diagnostic::do_not_recommend]
impl<E, X, O, P, const RANK: usize, const DIGITS: usize> Rows<DIGITS, P> for Static<E, X, O, RANK>
where
    E: Element<Unit = E>,
    X: ExtentList<RANK>,
    O: Order,
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
    E: Element<Unit = E>,
    X: ExtentList<RANK>,
    O: Order,
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
        let Digit { axis, size, stride, .. } = Self::WRITTEN.digits[DIGITS];
        if size > 1 && stride != length as isize {
            let letter = Self::LAYOUT.letters.at(axis);
            LayoutError(Rule::RowGap { letter, stride, space: length }).panic_in_type()
        }
        length
    };
}
