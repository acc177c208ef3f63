//! Everything that can be wrong with a layout or its use.

use super::chip_error::ChipError;
use super::element::ElementType;
use super::factor::{Letters, MAX_RANK};
use super::text::Name;
use super::view_error::ViewError;

/// What is wrong: the fact with names and numbers. [`message`](Self::message) adds the remedy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LayoutError {
    /// A format contains something other than letters and digits.
    FormatCharacter {
        /// The format as written.
        format: Name,
        /// The first such character.
        character: char,
    },
    /// A format ends in a number: `NHWC4`.
    NumberWithoutLetter {
        /// The format as written.
        format: Name,
        /// The number.
        number: usize,
        /// The axis that is most likely meant.
        letter: char,
    },
    /// A block of no positions: `NCHW0c`.
    EmptyBlock {
        /// The axis of the block.
        letter: char,
    },
    /// An axis stands twice in a format.
    RepeatedAxis {
        /// The axis.
        letter: char,
    },
    /// A block of an axis that the format does not have.
    BlockWithoutAxis {
        /// The axis.
        letter: char,
        /// The block.
        size: usize,
    },
    /// An axis that no factor places in memory.
    AxisWithoutFactor {
        /// The axis.
        letter: char,
    },
    /// More than [`MAX_RANK`] axes.
    TooManyAxes,
    /// More than [`MAX_FACTORS`](super::MAX_FACTORS) axes and blocks.
    TooManyFactors,
    /// Positional extents for axes whose coordinate order is not known.
    UnknownOrder {
        /// The axes in memory order.
        axes: Letters,
    },
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
    /// An axis that is not named by an upper-case letter.
    AxisLetter {
        /// The name.
        letter: char,
    },
    /// A block that no machine can count.
    BlockTooLarge {
        /// The format as written.
        format: Name,
    },
    /// A relayout in const evaluation that takes too long.
    ConstantTooLarge {
        /// About how many steps it takes.
        steps: usize,
        /// How many it may.
        most: usize,
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
    /// A relayout between different axes.
    RelayoutAxes {
        /// The axes of the source.
        source: Letters,
        /// The axes of the destination.
        destination: Letters,
    },
    /// A relayout between different extents.
    RelayoutExtent {
        /// The axis.
        letter: char,
        /// Its extent in the source.
        source: usize,
        /// Its extent in the destination.
        destination: usize,
    },
    /// A relayout between different element types.
    RelayoutElement {
        /// The element type of the source.
        source: ElementType,
        /// The element type of the destination.
        destination: ElementType,
    },
    /// A relayout into a layout in which coordinates share an element.
    RelayoutOverlap,
    /// A relayout in place between layouts that do not permute units of the same bytes.
    RelayoutInPlace {
        /// The bytes of the source.
        source: usize,
        /// The bytes of the destination.
        destination: usize,
        /// Whether one of them has padding.
        padded: bool,
    },
    /// A conversion between element types that it is not for.
    ConversionElement {
        /// `quantise`, `dequantise` or `normalise`.
        conversion: Name,
        /// The element type of the source.
        source: ElementType,
        /// The element type of the destination.
        destination: ElementType,
    },
    /// More or fewer parameters of a conversion than coordinates of their axis.
    ParameterCount {
        /// What they are: `scales`, `zero points`, `means`.
        parameters: Name,
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// How many parameters there are.
        given: usize,
    },
    /// A scale that is not positive and finite.
    Scale {
        /// Which one; 0 where there is one for the tensor.
        index: usize,
    },
    /// A zero point that is not a value of the quantised integer.
    ZeroPoint {
        /// The zero point.
        value: i32,
        /// The integer.
        element: ElementType,
    },
    /// Buffers of units of another size than the layouts'.
    UnitSize {
        /// The bytes of a unit: an element, or two 4-bit elements.
        needed: usize,
        /// The bytes of the buffers' units.
        given: usize,
    },
    /// A buffer whose length is not the layout's.
    BufferLength {
        /// Which buffer: `source`, `destination`, `buffer`.
        buffer: Name,
        /// The units that the layout takes.
        needed: usize,
        /// The units that there are.
        given: usize,
    },
    /// Bytes that are not as many as the layout takes.
    BufferBytes {
        /// The bytes that the layout takes.
        needed: usize,
        /// The bytes that there are.
        given: usize,
    },
    /// Bytes that do not begin where elements can.
    BufferAlignment {
        /// What their address must be a multiple of.
        needed: usize,
        /// How many bytes it lies past one.
        past: usize,
    },
    /// A layout of other elements than its type.
    TypeElement {
        /// The element type of the type.
        needed: ElementType,
        /// The element type of the layout.
        given: ElementType,
    },
    /// A layout with other axes than its type, or in another coordinate order.
    TypeAxes {
        /// The axes of the type in coordinate order.
        needed: Letters,
        /// The axes of the layout.
        given: Letters,
    },
    /// A layout with another extent than its type.
    TypeExtent {
        /// The axis.
        letter: char,
        /// The extent in the type.
        needed: usize,
        /// The extent in the layout.
        given: usize,
    },
    /// A layout of the axes and extents of its type that places elements elsewhere.
    TypeOrder {
        /// The format of the type.
        needed: Name,
        /// The format of the layout.
        given: Name,
    },
    /// A layout of the map of its type in a buffer of another length.
    TypeLength {
        /// The elements that the type takes.
        needed: usize,
        /// The elements that the layout takes.
        given: usize,
    },
    /// A layout of another rank than its type.
    TypeRank {
        /// The rank of the type.
        needed: usize,
        /// The axes of the layout.
        given: Letters,
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
    /// Elements to be changed one by one that coordinates share.
    SharedElements {
        /// An axis along which they do.
        letter: char,
    },
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
