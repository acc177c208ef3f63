//! Layouts, views, and what they say of themselves.

pub use layout_core::Layout;
use layout_core::spec::{AxisExtent, Factor, Length, Spec, Swizzling};
use layout_core::{Coordinates, ElementType, Format, LayoutError, Swizzle, algebra};

use crate::element::Element;
use crate::notation::{Notation, Part};
use crate::step::Step;

/// Calls `$function::<$types, RANK>($arguments)` for the rank of a value.
macro_rules! with_rank {
    ($rank:expr, $function:ident [$($type:ty),*]($($argument:expr),*)) => {
        match $rank {
            0 => $function::<$($type,)* 0>($($argument),*),
            1 => $function::<$($type,)* 1>($($argument),*),
            2 => $function::<$($type,)* 2>($($argument),*),
            3 => $function::<$($type,)* 3>($($argument),*),
            4 => $function::<$($type,)* 4>($($argument),*),
            5 => $function::<$($type,)* 5>($($argument),*),
            6 => $function::<$($type,)* 6>($($argument),*),
            7 => $function::<$($type,)* 7>($($argument),*),
            8 => $function::<$($type,)* 8>($($argument),*),
            9 => $function::<$($type,)* 9>($($argument),*),
            10 => $function::<$($type,)* 10>($($argument),*),
            11 => $function::<$($type,)* 11>($($argument),*),
            12 => $function::<$($type,)* 12>($($argument),*),
            rank => panic!("{rank} axes"),
        }
    };
}
#[cfg_attr(not(feature = "moves"), allow(unused_imports))]
pub(super) use with_rank;

/// The element type as the library has it.
pub fn element(element: Element) -> ElementType {
    match element {
        Element::Named(name) => ElementType::from_name(name).expect("a name of the notation"),
        Element::HighFirst(name) => {
            self::element(Element::Named(name)).high_first().expect("elements that share bytes")
        }
        Element::Bytes(bytes) => ElementType::Plain { bytes, align: 1 },
    }
}

/// The layout of a notation.
///
/// # Errors
/// What the library says against it.
pub fn layout(notation: &Notation) -> Result<Layout, String> {
    match notation.lanes {
        Some(_) => listed(notation),
        None => built(notation),
    }
}

fn built(notation: &Notation) -> Result<Layout, String> {
    format_of(notation)?;
    let made = builder(notation).map_err(|error| error.to_string())?;
    made.map_err(|error| error.to_string())
}

/// The layout that a builder makes.
///
/// # Errors
/// What the library says against the swizzle, before there is a builder.
pub(super) fn builder(notation: &Notation) -> Result<Result<Layout, LayoutError>, LayoutError> {
    let mut builder = Layout::builder(notation.format().as_str(), element(notation.element));
    if let Some(bits) = notation.pad {
        builder = builder.pad(bits);
    }
    for &(axis, bytes) in &notation.align {
        builder = builder.align(axis, bytes);
    }
    for &(axis, bytes) in &notation.pitch {
        builder = builder.pitch(axis, bytes);
    }
    for &axis in &notation.broadcast {
        builder = builder.broadcast(axis);
    }
    if let Some((axis, lanes, start)) = notation.lanes {
        builder = builder.lanes(axis, lanes, start);
    }
    if let Some(strides) = &notation.strides {
        builder = builder.strides(strides);
    }
    if let Some((bits, base, shift)) = notation.swizzle {
        builder = builder.swizzle(Swizzle::checked_new(bits, base, shift)?);
    }
    let letters: String = notation.axes.iter().map(|axis| axis.0).collect();
    Ok(builder.coordinates(&letters).named_extents(&notation.axes))
}

fn format_of(notation: &Notation) -> Result<Format, String> {
    Format::parse(&notation.format()).map_err(|error| error.to_string())
}

/// The layout with coordinates in the order of the notation's axes.
fn listed(notation: &Notation) -> Result<Layout, String> {
    format_of(notation)?;
    notation.check_stride_count()?;
    let axis =
        |&(letter, extent): &(char, usize)| AxisExtent { letter, extent: Length::Runtime(extent) };
    let axes: Vec<AxisExtent> = notation.axes.iter().map(axis).collect();
    let (element, factors) = (element(notation.element), factors(notation));
    Layout::new(&Spec { element, axes: &axes, factors: &factors, fill: notation.pad })
        .map_err(|error| error.to_string())
}

/// The memory order, lanes first, with strides in place of axes, alignments after theirs, and the swizzle.
pub(super) fn factors(notation: &Notation) -> Vec<Factor> {
    let mut factors: Vec<Factor> = Vec::new();
    factors
        .extend(notation.lanes.map(|(letter, lanes, start)| Factor::Lanes(letter, lanes, start)));
    for part in &notation.order {
        let factor = match *part {
            Part::Axis(letter) => Factor::Axis(letter),
            Part::Block(letter, size) => Factor::Block(letter, size),
            Part::Weighted(letter, size, weight) => Factor::Weighted(letter, size, weight),
        };
        let own = |letter: char| {
            let at = notation.axes.iter().position(|axis| axis.0 == letter)?;
            let stride = notation.strides.as_ref().map(|strides| strides[at]);
            match notation.broadcast.contains(&letter) {
                true => {
                    stride.is_none_or(|stride| stride == 0).then_some(Factor::Broadcast(letter))
                }
                false => stride.map(|stride| Factor::Stride(letter, stride)),
            }
        };
        let axis = match factor {
            Factor::Axis(letter) => own(letter),
            _ => None,
        };
        factors.push(axis.unwrap_or(factor));
        let pitch = notation.pitch.iter().find(|pitch| factor == Factor::Axis(pitch.0));
        factors.extend(pitch.map(|pitch| Factor::Pitch(Length::Runtime(pitch.1))));
        let align = notation.align.iter().find(|align| factor == Factor::Axis(align.0));
        factors.extend(align.map(|align| Factor::Align(align.1)));
    }
    let swizzle = |(bits, base, shift)| Factor::Swizzle(Swizzling::Elements(bits, base, shift));
    factors.extend(notation.swizzle.map(swizzle));
    factors
}

/// One step of a view.
///
/// # Errors
/// What the library says against it.
pub fn step(layout: &Layout, step: &Step) -> Result<Layout, String> {
    let made = match step {
        Step::Permute(order) => layout.permute(order),
        Step::Slice { axis, start, step, length } => layout.slice(*axis, *start, *step, *length),
        Step::Split { axis, at, is_high } => {
            layout.split(*axis, *at).map(|(low, high)| if *is_high { high } else { low })
        }
        Step::Index(axis, at) => layout.index(*axis, *at),
        Step::Flip(axis) => layout.flip(*axis),
        Step::Tile { axis, tiles } => layout.tile(*axis, tiles),
        Step::Merge(axes, into) => layout.merge(axes, *into),
        Step::Reshape(axes) => layout.reshape(axes),
        Step::Unsqueeze(letter, at) => layout.unsqueeze(*letter, *at),
        Step::Broadcast(axis, extent) => layout.broadcast(*axis, *extent),
        Step::Diagonal(first, second, into) => layout.diagonal(*first, *second, *into),
        Step::Compose(inner) => return compose(layout, inner),
        Step::Windows { axis, size, step, into } => layout.windows(*axis, *size, *step, *into),
    };
    made.map_err(|error| error.to_string())
}

fn compose(layout: &Layout, inner: &Notation) -> Result<Layout, String> {
    algebra::compose(layout, &self::layout(inner)?).map_err(|error| error.to_string())
}

/// What a layout says of itself.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The axes in coordinate order.
    pub letters: Vec<char>,
    /// Their extents.
    pub extents: Vec<usize>,
    /// The number of coordinates.
    pub count: usize,
    /// The elements of the storage.
    pub length: usize,
    /// The bytes of the storage.
    pub bytes: usize,
    /// What the address of the storage is a multiple of.
    pub alignment: usize,
    /// Whether no two coordinates share an offset.
    pub is_unique: bool,
    /// Whether every offset is that of a coordinate.
    pub is_exhaustive: bool,
    /// Whether offsets follow one another in coordinate order.
    pub is_contiguous: bool,
    /// One stride for each axis.
    pub strides: Option<Vec<isize>>,
    /// From the lowest offset to the highest plus one.
    pub range: std::ops::Range<usize>,
    /// Whether bits of the offsets are XORed into others.
    pub is_swizzled: bool,
    /// Whether it says of itself that windows may share elements.
    pub is_overlapping: bool,
    /// The layout in words.
    pub text: String,
}

/// All that a layout says of itself.
pub fn facts(layout: &Layout) -> Facts {
    let letters = layout.letters();
    Facts {
        letters: (0..letters.count()).map(|i| letters.at(i)).collect(),
        extents: layout.extents().to_vec(),
        count: layout.numel(),
        length: layout.len(),
        bytes: layout.bytes(),
        alignment: layout.align(),
        is_unique: layout.is_unique(),
        is_exhaustive: layout.is_exhaustive(),
        is_contiguous: layout.is_contiguous(),
        strides: layout.strides().map(|strides| strides.to_vec()),
        range: layout.range(),
        is_swizzled: layout.swizzle().is_some(),
        is_overlapping: layout.to_string().contains(", overlap"),
        text: format!("{layout}"),
    }
}

/// The offset of a coordinate, which must be one.
pub fn offset(layout: &Layout, coordinate: &[usize]) -> usize {
    layout.offset(coordinate)
}

/// The offset of a coordinate, if it is one.
pub fn checked_offset(layout: &Layout, coordinate: &[usize]) -> Option<usize> {
    layout.checked_offset(coordinate).ok()
}

/// A coordinate at an offset, if there is one.
pub fn coordinate(layout: &Layout, offset: usize) -> Option<Vec<usize>> {
    Some(layout.coordinate(offset)?.to_vec())
}

/// The lane of a coordinate and the byte in it.
pub fn place(layout: &Layout, coordinate: &[usize]) -> Option<(usize, usize)> {
    let lanes = layout.lanes()?;
    lanes.place(coordinate).ok().map(|place| (place.lane, place.byte))
}

/// Whether two layouts have the same offset at every coordinate.
pub fn is_same_map(one: &Layout, other: &Layout) -> bool {
    one.same_map(other)
}

/// The format that the layout says it matches, as a notation of it writes the format.
pub fn format(layout: &Layout) -> Option<String> {
    layout.format().map(|format| format.to_string())
}

/// All coordinates in memory order.
pub fn coordinates(layout: &Layout) -> Vec<Vec<usize>> {
    fn all<const RANK: usize>(layout: &Layout) -> Vec<Vec<usize>> {
        Coordinates::<RANK>::new(*layout).map(|coordinate| coordinate.to_vec()).collect()
    }
    with_rank!(layout.rank(), all[](layout))
}

/// Whether the text of a layout is read as the layout.
pub fn is_read_again(layout: &Layout) -> bool {
    Layout::parse(&layout.to_string()).as_ref() == Ok(layout)
}

/// What the library reads a format as, in capitals and small letters, or what it says against it.
///
/// # Errors
/// What the library says against the text.
pub fn read_format(text: &str) -> Result<String, String> {
    match Format::parse(text) {
        Ok(format) => Ok(format.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// The bits of a number as an element of a type, if it has the number.
pub fn bits_of(element: Element, value: i128) -> Option<u64> {
    self::element(element).bits_of_integer(value)
}

/// Whether the elements are stored as in a format, from any offset on.
pub fn matches(layout: &Layout, format: &str) -> Option<bool> {
    Some(layout.matches(Format::parse(format).ok()?))
}

/// The formats that the library lists for a layout.
pub fn formats(layout: &Layout) -> Vec<String> {
    layout.formats().map(|format| format.to_string()).collect()
}

/// The offsets between those of a tile, up to a count.
///
/// # Errors
/// What the library says against it.
pub fn complement(tile: &Layout, count: usize, letter: char) -> Result<Layout, String> {
    algebra::complement(tile, count, letter).map_err(|error| error.to_string())
}

/// The coordinates of a layout as tiles, and `rest`, which counts them.
///
/// # Errors
/// What the library says against it.
pub fn divide(layout: &Layout, tile: &Layout, rest: char) -> Result<Layout, String> {
    algebra::divide(layout, tile, rest).map_err(|error| error.to_string())
}

/// The rows that a lane has, the rows of the lane that has most, and the first lane.
pub fn rows(layout: &Layout, lane: usize) -> (usize, usize, usize) {
    let lanes = layout.lanes().expect("a layout over lanes");
    (lanes.rows_in(lane), lanes.rows(), lanes.start())
}

/// The first lane with elements, and the number of such lanes.
pub fn lanes_used(layout: &Layout) -> (usize, usize) {
    layout.lanes().expect("a layout over lanes").used()
}
