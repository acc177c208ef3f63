//! What can be wrong with a copy between strided arrays.

use layout_kernels::Side;
use layout_types::spec::{LayoutError, Rule};

/// The largest number of axes with several elements.
pub(super) const MAX_AXES: usize = 32;

layout_types::error_texts! {
/// Why elements cannot be copied between strided arrays. Nothing is written then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StridedError () {
    /// A list of strides has another length than the shape.
    StrideCount {
        /// The side of the strides.
        side: Side,
        /// The number of axes of the shape.
        axes: usize,
        /// The number of strides.
        given: usize,
    } => "the shape has {axes} axes, and the list of the {of}'s strides has length {given}; give one stride for each axis", of = name(*side);
    /// More than 32 axes have several elements.
    TooManyAxes {
        /// Their number.
        axes: usize,
    } => "{axes} axes have several elements, and a copy takes {MAX_AXES} at most; merge axes that are adjacent in memory";
    /// Elements have a number of bits other than 1, 2 and 4.
    Bits {
        /// The number of bits.
        bits: usize,
    } => "elements of {bits} bits are not 1, 2 or 4 bits long; give whole bytes to `of_bytes`";
    /// An axis of the destination has several elements and stride 0.
    Broadcast {
        /// The position of the axis.
        axis: usize,
        /// The number of elements along it.
        extent: usize,
    } => "axis {axis} of the destination has {extent} elements and stride 0, so they share one place; give it another stride: only a source can be broadcast";
    /// Elements of the destination overlap. Numbers count elements, or bytes if strides do.
    Overlap {
        /// The elements of an axis.
        extent: usize,
        /// The stride of the axis.
        stride: usize,
        /// What a step must pass over: the elements of all axes with smaller strides.
        span: usize,
    } => "elements of the destination overlap: an axis of {extent} elements has stride {stride}, and a step must pass over {span}; give strides of which each steps over all elements of the smaller ones";
    /// The strides of the destination interleave on more axes than the search for elements that overlap can decide.
    Interleaved {
        /// The number of axes, after those that are adjacent in memory are merged.
        axes: usize,
    } => "the strides of the destination interleave on {axes} axes, too many to find out whether elements overlap; give strides of which each steps over all elements of the smaller ones";
    /// Offsets or the number of bytes exceed [`isize::MAX`].
    TooLarge {
        /// The side.
        side: Side,
    } => "offsets of the {of} exceed {most} bytes, half of the addresses; give a smaller offset, shape or strides", of = name(*side), most = isize::MAX;
    /// An element lies before the start of a side.
    BeforeStart {
        /// The side.
        side: Side,
        /// The smallest offset of an element, in elements, or in bytes if strides count bytes.
        offset: isize,
    } => "an element lies at offset {offset} of the {of}; begin later: the offset of the first element is at least the sum of all steps of negative strides", of = name(*side);
    /// A slice is too short.
    TooShort {
        /// The side.
        side: Side,
        /// The bytes that the slice must have.
        needed: usize,
        /// The bytes of the slice.
        given: usize,
    } => "the {of} has {given} bytes, and its last element ends at byte {needed}; give a longer slice or a smaller shape", of = name(*side);
    /// A slice has elements of another size than the copy.
    ElementSize {
        /// The bytes of an element of the copy.
        needed: usize,
        /// The bytes of an element of the slice.
        given: usize,
    } => "the slice has elements of {given} bytes, and the copy moves elements of {needed}; give slices of such elements, or of bytes";
    /// The sides take different places of one buffer.
    Places {
        /// Where the first element of the source begins and the last one ends, in bytes, or in elements of less than a
        /// byte.
        source: (isize, isize),
        /// The same of the destination.
        destination: (isize, isize),
    } => "the source takes {from} to {end} of the buffer, and the destination {to} to {last}; elements move in place if both take the same places, otherwise copy them to another buffer", from = source.0, end = source.1, to = destination.0, last = destination.1;
    /// Elements of less than a byte cannot be moved within one buffer.
    BitsInPlace {
        /// The number of bits.
        bits: usize,
    } => "elements of {bits} bits share bytes, so they cannot be moved in place; copy them to another buffer";
    /// The elements cannot be moved within one buffer.
    InPlace {
        /// Why not.
        why: &'static str,
    } => "elements cannot be moved in place: {why}; copy them to another buffer";
} [] }

/// The name of a side.
const fn name(side: Side) -> &'static str {
    match side {
        Side::Source => "source",
        Side::Destination => "destination",
    }
}

impl StridedError {
    /// Why elements are not moved in place, by what is wrong with the layouts of the two sides.
    pub(super) const fn in_place(LayoutError(rule): LayoutError) -> Self {
        let why = match rule {
            Rule::InPlaceReversed { .. } => {
                "an axis goes forwards on one side and backwards on the other"
            }
            Rule::InPlaceGaps { .. } => "there are gaps between them",
            Rule::InPlaceLoops { .. } | Rule::TooManyAxes => {
                "the orders of the sides differ by more than 12 loops"
            }
            _ => "the source repeats some of them",
        };
        Self::InPlace { why }
    }
}

impl core::error::Error for StridedError {}
