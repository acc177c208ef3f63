//! Everything that can be wrong with a layout or its use.

use super::buffer_error::BufferError;
use super::chip_error::ChipError;
use super::element::ElementType;
use super::factor::{Letters, MAX_RANK};
use super::format_error::FormatError;
use super::in_place_error::InPlaceError;
use super::relayout_error::RelayoutError;
use super::text::Name;
use super::type_error::TypeError;
use super::view_error::ViewError;

/// What is wrong: the fact with names and numbers. [`message`](Self::message) adds the remedy.
///
/// It prints as a whole only: the errors inside it, such as [`ViewError`], are there to be told
/// apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LayoutError {
    /// A format, or the letters of a list of axes.
    Format(FormatError),
    /// More or fewer extents than axes.
    ExtentCount {
        /// The format as written.
        format: Name,
        /// The axes in coordinate order.
        axes: Letters,
        /// How many extents there are.
        given: usize,
    },
    /// An extent or a factor names an axis that the format does not have.
    UnknownAxis {
        /// The name.
        name: Name,
        /// The axes that there are.
        axes: Letters,
    },
    /// An axis that is not named by an upper-case letter.
    AxisLetter {
        /// The name.
        letter: char,
    },
    /// A list of axes names one twice.
    RepeatedName {
        /// The axis.
        letter: char,
    },
    /// Named extents leave out an axis.
    MissingExtent {
        /// The axis.
        letter: char,
    },
    /// An extent that is not known where it must be.
    UnknownExtent {
        /// The axis.
        letter: char,
    },
    /// A fixed extent of 0.
    ZeroExtent {
        /// The axis.
        letter: char,
    },
    /// An extent that is not a multiple of its blocks, and no padding.
    NotDivisible {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// The product of its blocks.
        block: usize,
    },
    /// An element type that nobody knows.
    UnknownElement {
        /// The name as written.
        name: Name,
    },
    /// A type of the user's own that memory cannot hold.
    ElementSize {
        /// Its size.
        bytes: usize,
        /// Its alignment.
        align: usize,
    },
    /// Bits of a fill that are not those of one element.
    Fill {
        /// The bits.
        bits: u64,
        /// The element type.
        element: ElementType,
    },
    /// More or fewer strides than axes.
    StrideCount {
        /// The axes in coordinate order.
        axes: Letters,
        /// How many strides there are.
        given: usize,
    },
    /// Two coordinates share an offset.
    Overlap {
        /// The axes in coordinate order.
        axes: Letters,
        /// One coordinate, where its indices fit.
        first: [u32; MAX_RANK],
        /// The other.
        second: [u32; MAX_RANK],
        /// Whether they fit.
        exact: bool,
    },
    /// Strides that interleave in more ways than were searched for two coordinates that share an
    /// offset.
    OverlapUnknown {
        /// How many were.
        steps: usize,
    },
    /// A stride of 0 on an axis of more than one coordinate that is not broadcast.
    ZeroStride {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
    },
    /// A broadcast axis with a stride other than 0.
    BroadcastStride {
        /// The axis.
        letter: char,
        /// Its stride as written.
        stride: Name,
    },
    /// A broadcast axis with blocks.
    BroadcastBlock {
        /// The axis.
        letter: char,
    },
    /// An axis dealt over no lanes.
    NoLanes {
        /// The axis.
        letter: char,
    },
    /// A start lane that there is not.
    StartLane {
        /// The axis that is dealt.
        letter: char,
        /// The start lane.
        start: usize,
        /// How many lanes there are.
        lanes: usize,
    },
    /// An axis that is dealt over lanes inside of something else.
    LanesOrder {
        /// The axis.
        letter: char,
    },
    /// A broadcast axis dealt over lanes.
    BroadcastLanes {
        /// The axis.
        letter: char,
    },
    /// Blocks of an axis that is dealt over lanes, wider than the axis.
    Width {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// The size of the block.
        width: usize,
    },
    /// A stride in bytes that is not a whole number of elements.
    ByteStride {
        /// The axis.
        letter: char,
        /// Its stride.
        bytes: isize,
        /// The element type.
        element: ElementType,
    },
    /// A chip, a storage or a place in local memory.
    Chip(ChipError),
    /// Explicit strides together with something else that places elements.
    StridesWith {
        /// `blocks`, or the name of the option.
        other: Name,
    },
    /// An alignment that is not a whole number of elements.
    Alignment {
        /// The alignment.
        bytes: usize,
        /// The element type.
        element: ElementType,
    },
    /// Rows of 4-bit elements that end in the middle of a byte, and no padding.
    OddRow {
        /// The axis that is contiguous.
        letter: char,
        /// How many of its elements lie together.
        length: usize,
        /// The element type.
        element: ElementType,
    },
    /// A stride of 4-bit elements that begins rows in the middle of a byte.
    OddStride {
        /// The axis.
        letter: char,
        /// Its stride in elements.
        stride: isize,
        /// The element type.
        element: ElementType,
    },
    /// More than `isize::MAX` bytes.
    TooLarge {
        /// The element type.
        element: ElementType,
    },
    /// A coordinate of another rank.
    CoordinateCount {
        /// The axes in coordinate order.
        axes: Letters,
        /// How many indices there are.
        given: usize,
    },
    /// A coordinate past the end of an axis.
    Coordinate {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// The coordinate.
        coordinate: usize,
    },
    /// Two layouts, or a conversion, for which there is no relayout.
    Relayout(RelayoutError),
    /// A relayout in place that is no permutation of bytes.
    InPlace(InPlaceError),
    /// A layout that is not one of a layout type.
    Type(TypeError),
    /// A buffer, or a use of its elements.
    Buffer(BufferError),
    /// A view that the layout does not have.
    View(ViewError),
}

impl LayoutError {
    /// The error of an axis that none of `axes` is.
    pub(crate) const fn unknown_axis(letter: char, axes: Letters) -> Self {
        let mut name = Name::EMPTY;
        name.push_char(letter);
        Self::UnknownAxis { name, axes }
    }
}
