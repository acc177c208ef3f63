//! The parts of a layout type: extents in coordinate order, and factors in memory order.

use core::marker::PhantomData;

use super::layout_type::sealed;

use layout_core::spec::{self, Factor, Swizzling};

/// Axis `LETTER` has `EXTENT` coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Extent<const LETTER: char, const EXTENT: usize>;

/// Axis `LETTER` has an extent that is known at run time.
#[derive(Clone, Copy, Debug)]
pub struct Runtime<const LETTER: char>;

/// Declares a marker, its const parameters and the factor that it is.
macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident[$($parameter:ident: $kind:ty),*] => $factor:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<$(const $parameter: $kind),*>;

        impl<$(const $parameter: $kind),*> Marker for $name<$($parameter),*> {
            const FACTOR: Factor = $factor;
        }
    )*};
}

markers! {
    /// What remains of axis `LETTER` after its blocks.
    Axis[LETTER: char] => Factor::Axis(LETTER);

    /// `SIZE` consecutive positions of axis `LETTER`.
    Block[LETTER: char, SIZE: usize] => Factor::Block(LETTER, SIZE);

    /// A block of `SIZE` positions of axis `LETTER`, `WEIGHT` coordinates apart, for an axis whose blocks are not
    /// listed from the outer to the inner.
    Weighted[LETTER: char, SIZE: usize, WEIGHT: usize] => Factor::Weighted(LETTER, SIZE, WEIGHT);

    /// The space of the faster factors is rounded up to a multiple of `BYTES`.
    Align[BYTES: usize] => Factor::Align(BYTES);

    /// The next slower factor has a stride of `BYTES` bytes.
    Pitch[BYTES: usize] => Factor::Pitch(spec::Length::Fixed(BYTES));

    /// The next slower factor has a stride of a number of bytes that is known at run time.
    RuntimePitch[] => Factor::Pitch(spec::Length::Unknown);

    /// The buffer begins at a multiple of `BYTES` bytes.
    Start[BYTES: usize] => Factor::Start(BYTES);

    /// Axis `LETTER` has a stride of `ELEMENTS`, whatever the order of factors.
    Stride[LETTER: char, ELEMENTS: isize] => Factor::Stride(LETTER, ELEMENTS);

    /// A block of `SIZE` positions of axis `LETTER`, `WEIGHT` coordinates apart, with a stride of `ELEMENTS`.
    StridedBlock[LETTER: char, SIZE: usize, WEIGHT: usize, ELEMENTS: isize] =>
        Factor::StridedBlock(LETTER, SIZE, WEIGHT, ELEMENTS);

    /// Coordinate 0 of axis `LETTER`, which has strides, is at `POSITION` of its blocks.
    Shift[LETTER: char, POSITION: usize] => Factor::Shift(LETTER, POSITION);

    /// Coordinates with strides may share elements.
    Overlap[] => Factor::Overlap;

    /// A view with strides: coordinate 0 is at element `START` of a buffer of `LENGTH`.
    Part[START: isize, LENGTH: usize] => Factor::Part(START, LENGTH);

    /// A buffer of `LENGTH` elements, in which gaps between strides are padding. Several lanes have a stride of `LANE`.
    WholeBuffer[LENGTH: usize, LANE: isize] => Factor::Whole(LENGTH, LANE);

    /// Axis `LETTER` is broadcast: all its coordinates share one element.
    Broadcast[LETTER: char] => Factor::Broadcast(LETTER);

    /// Axis `LETTER` is distributed over `COUNT` lanes, beginning at lane `START`.
    Lanes[LETTER: char, COUNT: usize, START: usize] => Factor::Lanes(LETTER, COUNT, START);

    /// Storage is an array of `COUNT` lanes, which the slowest factors count.
    LaneArray[COUNT: usize] => Factor::LaneArray(COUNT);

    /// An XOR of bits of the offset in elements: CuTe's `Swizzle<B, M, S>`.
    Swizzle[BITS: usize, BASE: usize, SHIFT: isize] => Factor::Swizzle(Swizzling::Elements(BITS, BASE, SHIFT));

    /// An XOR of bits of the address in bytes: CuTe's `Swizzle<B, M, S>`.
    SwizzleBytes[BITS: usize, BASE: usize, SHIFT: isize] => Factor::Swizzle(Swizzling::Bytes(BITS, BASE, SHIFT));

    /// Triton's swizzle: `VEC` elements stay together, `PER_PHASE` consecutive rows have the same pattern, and there
    /// are `MAX_PHASE` patterns.
    SwizzlePhases[VEC: usize, PER_PHASE: usize, MAX_PHASE: usize] =>
        Factor::Swizzle(Swizzling::Phases(VEC, PER_PHASE, MAX_PHASE));
}

/// A memory order that may pad, and the bits of the fill value.
#[derive(Clone, Copy, Debug)]
pub struct Padded<Factors, const BITS: u64>(Factors);

/// The factors of two lists, for more than a tuple can have. A tensor of such a layout has no rows.
#[derive(Clone, Copy, Debug)]
pub struct Both<Slower, Faster>(PhantomData<(Slower, Faster)>);

/// A factor and the list of the faster ones.
#[doc(hidden)]
pub struct Then<First, Faster>(PhantomData<(First, Faster)>);

/// A tuple of [`Extent`]s and [`Runtime`] extents. This trait is sealed.
pub trait ExtentList<const RANK: usize>: sealed::ExtentList {
    /// The axes in coordinate order.
    #[doc(hidden)]
    const AXES: [spec::AxisExtent; RANK];
}

/// A tuple of factors, or such a tuple that is [`Padded`]. This trait is sealed.
pub trait Order: sealed::Order {
    /// The factors, slowest first.
    #[doc(hidden)]
    const FACTORS: &'static [Factor];

    /// The bits of the element that fills padding, or `None` if padding is not allowed.
    #[doc(hidden)]
    const FILL: Option<u64>;

    /// The factors as a list of types: the slowest one, and the [list](Then) of the others.
    #[doc(hidden)]
    type List;
}

/// One axis with its extent.
pub trait AxisMarker {
    /// The axis as a value.
    const AXIS: spec::AxisExtent;
}

impl<const LETTER: char, const EXTENT: usize> AxisMarker for Extent<LETTER, EXTENT> {
    const AXIS: spec::AxisExtent =
        spec::AxisExtent { letter: LETTER, extent: spec::Length::Fixed(EXTENT) };
}

impl<const LETTER: char> AxisMarker for Runtime<LETTER> {
    const AXIS: spec::AxisExtent =
        spec::AxisExtent { letter: LETTER, extent: spec::Length::Unknown };
}

/// One factor of a memory order.
pub trait Marker {
    /// The factor as a value.
    const FACTOR: Factor;
}

impl<Factors: Order, const BITS: u64> sealed::Order for Padded<Factors, BITS> {}

impl<Factors: Order, const BITS: u64> Order for Padded<Factors, BITS> {
    const FACTORS: &'static [Factor] = Factors::FACTORS;
    const FILL: Option<u64> = Some(BITS);
    type List = Factors::List;
}

impl<Slower: Order, Faster: Order> sealed::Order for Both<Slower, Faster> {}

impl<Slower: Order, Faster: Order> Both<Slower, Faster> {
    const COUNT: usize = Slower::FACTORS.len() + Faster::FACTORS.len();

    const ALL: [Factor; 2 * MOST_OF_TUPLE] = {
        let mut all = [Factor::Align(1); 2 * MOST_OF_TUPLE];
        let slower = Slower::FACTORS.len();
        layout_core::each!(i, 0..Self::COUNT, {
            all[i] = if i < slower { Slower::FACTORS[i] } else { Faster::FACTORS[i - slower] };
        });
        all
    };
}

impl<Slower: Order, Faster: Order> Order for Both<Slower, Faster> {
    const FACTORS: &'static [Factor] = Self::ALL.split_at(Self::COUNT).0;
    const FILL: Option<u64> = None;
    type List = Self;
}

macro_rules! extent_lists {
    ($($rank:literal: $($axis:ident)*;)*) => {$(
        impl<$($axis: AxisMarker),*> sealed::ExtentList for ($($axis,)*) {}

        impl<$($axis: AxisMarker),*> ExtentList<$rank> for ($($axis,)*) {
            const AXES: [spec::AxisExtent; $rank] = [$($axis::AXIS),*];
        }
    )*};
}

extent_lists! {
    0: ;
    1: A0;
    2: A0 A1;
    3: A0 A1 A2;
    4: A0 A1 A2 A3;
    5: A0 A1 A2 A3 A4;
    6: A0 A1 A2 A3 A4 A5;
    7: A0 A1 A2 A3 A4 A5 A6;
    8: A0 A1 A2 A3 A4 A5 A6 A7;
    9: A0 A1 A2 A3 A4 A5 A6 A7 A8;
    10: A0 A1 A2 A3 A4 A5 A6 A7 A8 A9;
    11: A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10;
    12: A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11;
}

/// Implements [`Order`] for the tuple of all these types, and for each shorter tuple.
macro_rules! orders {
    () => { order!(); };
    ($first:ident $($rest:ident)*) => { order!($first $($rest)*); orders!($($rest)*); };
}

macro_rules! order {
    ($($factor:ident)*) => {
        impl<$($factor: Marker),*> sealed::Order for ($($factor,)*) {}

        impl<$($factor: Marker),*> Order for ($($factor,)*) {
            const FACTORS: &'static [Factor] = &[$($factor::FACTOR),*];
            const FILL: Option<u64> = None;
            type List = list!($($factor)*);
        }
    };
}

macro_rules! list {
    () => { () };
    ($first:ident $($rest:ident)*) => { Then<$first, list!($($rest)*)> };
}

/// The number of factors of the longest tuple: 16 digits, an alignment for each of 12 axes, and three more. `Both` has
/// room for all others.
const MOST_OF_TUPLE: usize = 31;

orders!(F0 F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 F25 F26 F27
    F28 F29 F30);
