//! Conversions from `Layout` to layout types, and between layout types.

use super::dynamic::Dynamic;
use super::layout_type::LayoutType;
use super::markers::{ExtentList, Order};
use super::mixed::Mixed;
use super::statics::Static;
use crate::numbers::Element;
use layout_core::Layout;
use layout_core::nests::{check_axes, check_order};
use layout_core::spec::{Factor, LayoutError, open_pitches};

/// Succeeds if the layout is the one of the type: elements, axes, extents, order and options.
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> TryFrom<Layout>
    for Static<E, X, O, RANK>
{
    type Error = LayoutError;

    fn try_from(layout: Layout) -> Result<Self, LayoutError> {
        check_axes(E::TYPE, &X::AXES, &layout)?;
        check_order(&Self::LAYOUT, &layout)?;
        Ok(Self::default())
    }
}

/// Succeeds if the layout fits the type: elements, axes, known extents, order and options.
impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize>
    TryFrom<Layout> for Mixed<E, X, O, RANK, UNKNOWN>
{
    type Error = LayoutError;

    fn try_from(layout: Layout) -> Result<Self, LayoutError> {
        check_axes(E::TYPE, &X::AXES, &layout)?;
        let mut unknown = [0; UNKNOWN];
        let axes = X::AXES.iter().zip(layout.extents());
        let axes = axes.filter(|(axis, _)| axis.extent.value().is_none());
        let extents = axes.map(|(_, &extent)| extent);
        for (unknown, number) in
            unknown.iter_mut().zip(extents.chain(pitches_of(O::FACTORS, &layout)))
        {
            *unknown = number;
        }
        let new = Self::in_coordinate_order(unknown)?;
        check_order(&new.layout(), &layout)?;
        Ok(new)
    }
}

/// The distances of the rows of a layout, in bytes, for each pitch that is known at run time.
fn pitches_of(factors: &[Factor], layout: &Layout) -> impl Iterator<Item = usize> {
    let axes = open_pitches(factors);
    (0..axes.count()).map(move |i| {
        let digits = layout.axis(axes.at(i)).map(|axis| layout.digits_along(axis));
        let stride = digits.ok().and_then(|digits| digits.last().map(|digit| digit.stride));
        layout.element().bytes_of(stride.unwrap_or(0).unsigned_abs()).unwrap_or(0)
    })
}

/// Succeeds if the layout has the element type and the rank.
impl<E: Element, const RANK: usize> TryFrom<Layout> for Dynamic<E, RANK> {
    type Error = LayoutError;

    fn try_from(layout: Layout) -> Result<Self, LayoutError> {
        Self::new(layout)
    }
}

impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize> From<Static<E, X, O, RANK>>
    for Dynamic<E, RANK>
{
    fn from(_: Static<E, X, O, RANK>) -> Self {
        Self::of_type(Static::<E, X, O, RANK>::LAYOUT)
    }
}

impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize>
    From<Mixed<E, X, O, RANK, UNKNOWN>> for Dynamic<E, RANK>
{
    fn from(layout: Mixed<E, X, O, RANK, UNKNOWN>) -> Self {
        Self::of_type(layout.layout())
    }
}

/// Conversions between layout types, through the layout that the first has.
macro_rules! between_types {
    ($($(#[$doc:meta])* [$($parameters:tt)*] $from:ty => $to:ty, $value:pat => $layout:expr;)*) => {$(
        $(#[$doc])*
        impl<E: Element, X: ExtentList<RANK>, O: Order, $($parameters)*> TryFrom<$from> for $to {
            type Error = LayoutError;

            fn try_from($value: $from) -> Result<Self, LayoutError> {
                $layout.try_into()
            }
        }
    )*};
}

between_types! {
    /// Succeeds if the layout is the one of the type.
    [const RANK: usize] Dynamic<E, RANK> => Static<E, X, O, RANK>, source => source.layout();
    /// Succeeds if the layout fits the type.
    [const RANK: usize, const UNKNOWN: usize] Dynamic<E, RANK> => Mixed<E, X, O, RANK, UNKNOWN>, source => source.layout();
    /// Succeeds if the layout is the one of the type.
    [Y: ExtentList<RANK>, P: Order, const RANK: usize, const UNKNOWN: usize]
        Mixed<E, Y, P, RANK, UNKNOWN> => Static<E, X, O, RANK>, source => source.layout();
    /// Succeeds if the layout fits the type.
    [Y: ExtentList<RANK>, P: Order, const RANK: usize, const UNKNOWN: usize]
        Static<E, Y, P, RANK> => Mixed<E, X, O, RANK, UNKNOWN>, _ => Static::<E, Y, P, RANK>::LAYOUT;
}
