//! The fastest factors of a memory order as nested arrays: `[[i8; 4]; 56]` for `W`, `4c`.
//!
//! They are found by types alone, without const expressions, so functions that are generic over extents have them too.
//! `digit_parts` checks that memory has the form of these arrays.

use super::markers::{
    Align, Axis, Block, Broadcast, Extent, LaneArray, Lanes, Overlap, Part, Pitch, RuntimePitch,
    Shift, Start, Stride, StridedBlock, Then, WholeBuffer,
};

/// A number as a type that recursion can count down.
pub struct Next<N>(N);

/// The number 0 as a type.
pub struct Zero;

/// A number of digits as a const parameter.
pub struct Count<const DIGITS: usize>;

/// Converts a number to a type that recursion can count down.
pub trait Number {
    /// The number as a type.
    type Type;
}

macro_rules! numbers {
    ($type:ty:) => {};
    ($type:ty: $first:literal $($more:literal)*) => {
        impl Number for Count<$first> {
            type Type = $type;
        }
        numbers!(Next<$type>: $($more)*);
    };
}

numbers!(Zero: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);

/// A list of factors without its `N` slowest digits. An alignment is not a digit.
#[diagnostic::on_unimplemented(
    message = "the index has more digits than the layout",
    label = "more digits than the layout",
    note = "write one number for each of the slowest digits, in memory order: `[n, c, h]` of NCHW4"
)]
pub trait Without<N> {
    /// The other factors.
    type Rest;
}

impl<List> Without<Zero> for List {
    type Rest = List;
}

macro_rules! digits {
    ($({$($generics:tt)*} $factor:ty;)*) => {$(
        impl<$($generics)* N, Faster: Without<N>> Without<Next<N>> for Then<$factor, Faster> {
            type Rest = Faster::Rest;
        }
    )*};
}

digits! {
    {const LETTER: char,} Axis<LETTER>;
    {const LETTER: char, const SIZE: usize,} Block<LETTER, SIZE>;
    {const LETTER: char, const ELEMENTS: isize,} Stride<LETTER, ELEMENTS>;
    {const LETTER: char, const SIZE: usize, const WEIGHT: usize, const ELEMENTS: isize,}
        StridedBlock<LETTER, SIZE, WEIGHT, ELEMENTS>;
    {const LETTER: char,} Broadcast<LETTER>;
    {const LETTER: char, const COUNT: usize, const START: usize,} Lanes<LETTER, COUNT, START>;
}

/// Factors that are not digits.
macro_rules! others {
    ($({$($generics:tt)*} $factor:ty;)*) => {$(
        impl<$($generics)* N, Faster: Without<Next<N>>> Without<Next<N>> for Then<$factor, Faster> {
            type Rest = Faster::Rest;
        }

        impl<$($generics)* Element, Extents, Positions, Faster> Nested<Element, Extents, Positions>
            for Then<$factor, Faster>
        where
            Faster: Nested<Element, Extents, Positions>,
        {
            type Array = Faster::Array;
        }
    )*};
}

others! {
    {const BYTES: usize,} Align<BYTES>;
    {const COUNT: usize,} LaneArray<COUNT>;
    {const BYTES: usize,} Pitch<BYTES>;
    {} RuntimePitch;
    {const BYTES: usize,} Start<BYTES>;
    {const LETTER: char, const POSITION: usize,} Shift<LETTER, POSITION>;
    {} Overlap;
    {const START: isize, const LENGTH: usize,} Part<START, LENGTH>;
    {const LENGTH: usize, const LANE: isize,} WholeBuffer<LENGTH, LANE>;
}

/// A list of factors as nested arrays. `Positions` are the positions of the axes in the tuple of extents, which the
/// compiler infers.
#[diagnostic::on_unimplemented(
    message = "the elements after the index are not nested arrays",
    label = "not nested arrays",
    note = "axes of an extent found at run time, lanes and broadcast axes are not arrays: index them too, or use `panel` or `part`"
)]
pub trait Nested<Element, Extents, Positions> {
    /// The arrays.
    type Array;
}

impl<Element, Extents> Nested<Element, Extents, ()> for () {
    type Array = Element;
}

/// Factors that are arrays: what remains of axes, which have positions, and blocks.
macro_rules! arrays {
    (axes $({$($generics:tt)*} $axis:ty;)* blocks $({$($numbers:tt)*} $block:ty;)*) => {
        $(impl<Element, Extents, First, Others, Faster, $($generics)*>
            Nested<Element, Extents, (First, Others)> for Then<$axis, Faster>
        where
            Extents: HasAxis<LETTER, First>,
            Faster: Nested<Element, Extents, Others>,
        {
            type Array = Extents::Array<Faster::Array>;
        })*

        $(impl<Element, Extents, Positions, Faster, $($numbers)*> Nested<Element, Extents, Positions>
            for Then<$block, Faster>
        where
            Faster: Nested<Element, Extents, Positions>,
        {
            type Array = [Faster::Array; SIZE];
        })*
    };
}

arrays! {
    axes
    {const LETTER: char} Axis<LETTER>;
    {const LETTER: char, const ELEMENTS: isize} Stride<LETTER, ELEMENTS>;
    blocks
    {const LETTER: char, const SIZE: usize} Block<LETTER, SIZE>;
    {const LETTER: char, const SIZE: usize, const WEIGHT: usize, const ELEMENTS: isize}
        StridedBlock<LETTER, SIZE, WEIGHT, ELEMENTS>;
}

/// A position in a tuple.
pub struct At<const POSITION: usize>;

/// A tuple of extents that has axis `LETTER` at a position.
pub trait HasAxis<const LETTER: char, Position> {
    /// An array with the length of the axis.
    type Array<T>;
}

/// Implements [`HasAxis`] for a tuple, at each of its positions.
macro_rules! positions {
    ([$($before:ident)*]) => {};
    ([$($before:ident)*] $position:literal $at:ident $($more:literal $after:ident)*) => {
        impl<const LETTER: char, const EXTENT: usize, $($before,)* $($after),*>
            HasAxis<LETTER, At<$position>> for ($($before,)* Extent<LETTER, EXTENT>, $($after),*)
        {
            type Array<T> = [T; EXTENT];
        }
        positions!([$($before)* $at] $($more $after)*);
    };
}

macro_rules! ranks {
    ([$($positions:tt)*]) => { positions!([] $($positions)*); };
    ([$($positions:tt)*] $position:literal $next:ident $($more:tt)*) => {
        positions!([] $($positions)*);
        ranks!([$($positions)* $position $next] $($more)*);
    };
}

ranks!([] 0 A0 1 A1 2 A2 3 A3 4 A4 5 A5 6 A6 7 A7 8 A8 9 A9 10 A10 11 A11);
