//! A layout type with some extents or pitches known only at run time, which are its value.

use core::marker::PhantomData;

use super::layout_type::{FormatType, LayoutType, WithElement};
use super::markers::{ExtentList, Order};
use crate::numbers::Element;
use layout_core::nests::{check_extents, check_fill_for_any};
use layout_core::spec::{
    AxisExtent, LayoutError, Length, Letters, Open, Rule, Spec, complete, completed_pitches,
    open_pitches, unknown_in_two_orders, unknown_letters,
};
use layout_core::{Layout, Partial, ok};

/// A layout with `UNKNOWN` extents and pitches that are known at run time: `layout!(NCHW4<_, 64, 56, 56>, f16)`.
///
/// A value stores these numbers and nothing else. Rules that do not depend on them are checked at compile time, and
/// strides that do not depend on them are literals in [`offset`](Self::offset).
///
/// ```
/// use tensor_layout::layout;
///
/// type Images = layout!(NHWC<N = _, C = 3, H = 224, W = 224>, u8);
///
/// let images = Images::new([8])?;
/// assert_eq!(size_of_val(&images), size_of::<usize>());
/// assert_eq!(images.offset([7, 1, 0, 2]), 7 * 150528 + 2 * 3 + 1);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
// The bound reports a wrong element type where the layout is written, before the type is used.
pub struct Mixed<E: Element, Extents, Factors, const RANK: usize, const UNKNOWN: usize> {
    unknown: [usize; UNKNOWN],
    parts: PhantomData<(E, Extents, Factors)>,
}

impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize>
    Mixed<E, X, O, RANK, UNKNOWN>
{
    /// The number of axes.
    pub const RANK: usize = RANK;

    /// What is known at compile time.
    pub(super) const PARTIAL: Partial = {
        assert!(
            Self::index(RANK) + Self::PITCHES.count() == UNKNOWN,
            "the number of run-time extents and pitches is not that of the type"
        );
        match Self::DIGITS {
            Ok(partial) => partial,
            Err(error) => error.panic_in_type(),
        }
    };

    const DIGITS: Result<Partial, LayoutError> = Partial::new(&Self::spec(&X::AXES));

    const AXES: &'static [AxisExtent] = &X::AXES;

    pub(super) const LETTERS: Letters = Self::spec(&X::AXES).letters();

    /// The axes whose pitches are unknown, slowest first.
    const PITCHES: Letters = open_pitches(O::FACTORS);

    const fn spec(axes: &[AxisExtent]) -> Spec<'_> {
        Spec { element: E::TYPE, axes, factors: O::FACTORS, fill: O::FILL }
    }

    /// The number of axes before `axis` that have an unknown extent.
    const fn index(axis: usize) -> usize {
        let mut index = 0;
        layout_core::each!(i, 0..axis, {
            index += X::AXES[i].extent.value().is_none() as usize;
        });
        index
    }

    /// Returns the layout with these extents for the axes written `_`, in coordinate order. They may be 0. If `_` is
    /// one pitch and no extent, the number is that of its bytes.
    ///
    /// It is a compile error if these axes stand in another order in the format, as H and C of
    /// `HWC<H = _, W = 3, C = _>` do; [`with_extents`](Self::with_extents) takes names. So it is if other numbers are
    /// written `_` beside a pitch; [`with_extents_and_pitches`](Self::with_extents_and_pitches) takes both.
    ///
    /// # Errors
    /// An extent breaks a rule.
    pub const fn new(unknown: [usize; UNKNOWN]) -> Result<Self, LayoutError> {
        const {
            if let Some((first, second)) = unknown_in_two_orders(&Self::spec(&X::AXES)) {
                LayoutError(Rule::OpenOrder { first, second }).panic_in_type()
            }
            if Self::PITCHES.count() > 0 && UNKNOWN > 1 {
                Self::refuse_pitches()
            }
        };
        Self::in_coordinate_order(unknown)
    }

    /// Returns the layout with these extents for the axes written `_`, by their letters, in any order. They may be 0.
    ///
    /// It is a compile error if a pitch is written `_`.
    ///
    /// # Errors
    /// - An axis is named twice, is not one of those written `_`, or is missing.
    /// - An extent breaks a rule.
    ///
    /// ```
    /// use tensor_layout::layout;
    ///
    /// type Frame = layout!(HWC<H = _, W = _, C = 3>, u8);
    ///
    /// let frame = Frame::with_extents([('H', 480), ('W', 640)])?;
    /// assert_eq!(frame.layout().to_string(), "HWC<C = 3, H = 480, W = 640>, u8");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn with_extents(extents: [(char, usize); UNKNOWN]) -> Result<Self, LayoutError> {
        const {
            if Self::PITCHES.count() > 0 {
                Self::refuse_pitches()
            }
        };
        Self::with_extents_and_pitches(extents, [])
    }

    /// Returns the layout with these extents and these pitches in bytes for those written `_`, by the letters of their
    /// axes, in any order.
    ///
    /// # Errors
    /// - An axis is named twice, its number is not written `_`, or one that is has none.
    /// - An extent or a pitch breaks a rule: a pitch is shorter than its rows, or is not a whole number of elements.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Frame = layout!(HWC<H = _, W = 4, C = 3>, u8, pitch(H = _)); // what a driver delivers
    ///
    /// let frame = Frame::with_extents_and_pitches([('H', 2)], [('H', 16)])?;
    /// let frame = Tensor::with_layout(frame, vec![0; 16 + 12])?; // no padding after the last row
    /// assert_eq!(frame.layout().strides().as_deref(), Some(&[1, 16, 3][..])); // [c, h, w]
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn with_extents_and_pitches<const N: usize, const P: usize>(
        extents: [(char, usize); N],
        given: [(char, usize); P],
    ) -> Result<Self, LayoutError> {
        let (mut axes, mut unknown) = (X::AXES, [0; UNKNOWN]);
        ok!(complete(&mut axes, Open::Extent, &extents));
        let (pitches, count) = ok!(completed_pitches(O::FACTORS, &given));
        let mut next = 0;
        layout_core::each!(i, 0..RANK, {
            if let (Length::Unknown, Some(extent)) = (X::AXES[i].extent, axes[i].extent.value()) {
                unknown[next] = extent;
                next += 1;
            }
        });
        while next < UNKNOWN {
            unknown[next] = pitches[next + count - UNKNOWN];
            next += 1;
        }
        Self::in_coordinate_order(unknown)
    }

    /// The error of numbers without names, of which some are pitches.
    const fn refuse_pitches() {
        let extents = unknown_letters(&X::AXES);
        LayoutError(Rule::OpenPitch { extents, axes: Self::PITCHES }).panic_in_type()
    }

    /// [`new`](Self::new) for any format, for code that is generic over formats: the extents are in coordinate order,
    /// and after them the pitches in bytes, that of the slowest axis first.
    ///
    /// # Errors
    /// An extent breaks a rule.
    pub const fn in_coordinate_order(unknown: [usize; UNKNOWN]) -> Result<Self, LayoutError> {
        // A rule that is broken for all extents is a compile error.
        let _ = const { Self::PARTIAL };
        Self { unknown, parts: PhantomData }.checked()
    }

    /// Returns the value if its extents break no rule.
    ///
    /// Every value comes from here. Unsafe code relies on offsets below the length of [`layout`](Self::layout), and
    /// [`offset`](Self::offset) computes them from other digits. So both are compared once for all coordinates.
    const fn checked(self) -> Result<Self, LayoutError> {
        match (self.resolved(), const { &Self::DIGITS }) {
            (Ok(layout), Ok(digits)) => {
                assert!(
                    digits.agrees(&layout, self.pitches()),
                    "the offsets of a type are not those of its layout"
                );
                Ok(self)
            }
            (Err(error), _) => Err(error),
            // A rule that is broken for all extents.
            (Ok(_), Err(error)) => Err(*error),
        }
    }

    const fn resolved(&self) -> Result<Layout, LayoutError> {
        let mut axes = X::AXES;
        layout_core::each!(i, 0..RANK, {
            if axes[i].extent.value().is_none() {
                axes[i].extent = Length::Runtime(self.extent(i));
            }
        });
        match const { Self::PITCHES.count() } {
            0 => Layout::new(&Self::spec(&axes)),
            _ => Layout::with_pitches(&Self::spec(&axes), self.pitches()),
        }
    }

    /// The pitches that are known at run time, in bytes, slowest first.
    #[inline(always)]
    pub(super) const fn pitches(&self) -> &[usize] {
        self.unknown.split_at(Self::index(RANK)).1
    }

    /// Returns the layout as a value.
    pub const fn layout(&self) -> Layout {
        match self.resolved() {
            Ok(layout) => layout,
            // `checked` found that the extents break no rule. A text of the rule would link the texts of all rules.
            Err(_) => unreachable!(),
        }
    }

    /// The extents in coordinate order, without padding.
    #[inline]
    pub const fn extents(&self) -> [usize; RANK] {
        let mut extents = [0; RANK];
        layout_core::each!(i, 0..RANK, {
            extents[i] = self.extent(i);
        });
        extents
    }

    #[inline(always)]
    pub(super) const fn extent(&self, axis: usize) -> usize {
        match X::AXES[axis].extent.value() {
            Some(extent) => extent,
            None => self.unknown[Self::index(axis)],
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize> LayoutType
    for Mixed<E, X, O, RANK, UNKNOWN>
{
    type Element = E;
    type Coordinate = [usize; RANK];

    const AXES: Option<&'static [AxisExtent]> = Some(Self::AXES);

    const SPEC: Option<Spec<'static>> = Some(Self::spec(&X::AXES));
    const ORIGIN: [usize; RANK] = [0; RANK];

    #[inline]
    fn layout(&self) -> Layout {
        self.layout()
    }

    #[inline(always)]
    fn offset_of(&self, coordinate: [usize; RANK]) -> usize {
        self.offset(coordinate)
    }

    #[inline(always)]
    fn checked_offset_of(&self, coordinate: [usize; RANK]) -> Result<usize, LayoutError> {
        self.checked_offset(coordinate)
    }

    #[inline(always)]
    fn extent_of(&self, axis: usize) -> usize {
        self.extent(axis)
    }

    fn letter_of(&self, axis: usize) -> char {
        X::AXES[axis].letter
    }

    #[inline]
    fn units(&self) -> usize {
        self.layout().units()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize> WithElement
    for Mixed<E, X, O, RANK, UNKNOWN>
{
    type Of<F: Element> = Mixed<F, X, O, RANK, UNKNOWN>;

    fn with_element<F: Element>(&self) -> Result<Mixed<F, X, O, RANK, UNKNOWN>, LayoutError> {
        check_fill_for_any(&self.layout())?;
        Mixed { unknown: self.unknown, parts: PhantomData }.checked()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize> FormatType
    for Mixed<E, X, O, RANK, UNKNOWN>
{
    fn with_extents_of(layout: &Layout) -> Result<Self, LayoutError> {
        let positions = check_extents(Self::AXES, layout)?;
        if let Some(letter) = Self::PITCHES.as_str().chars().next() {
            return Err(LayoutError(Rule::PitchOfExtents { letter }));
        }
        let mut unknown = [0; UNKNOWN];
        for (axis, &position) in positions.iter().enumerate().take(RANK) {
            if X::AXES[axis].extent.value().is_none() {
                unknown[Self::index(axis)] = layout.extents()[position];
            }
        }
        Self::in_coordinate_order(unknown)
    }
}

layout_type! {
    {E: Element, X, O, const RANK: usize, const UNKNOWN: usize}
    {E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize}
    Mixed<E, X, O, RANK, UNKNOWN>,
    unknown
}
