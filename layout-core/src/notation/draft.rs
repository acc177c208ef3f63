//! What is written of a layout, and where each part stands.
//!
//! Numbers that are not literals have a value too: one that breaks no rule. [`Places`] says which these are.

use super::cursor::Span;
use super::layout_template::LayoutTemplate;
use super::options::AxisBytes;
use crate::spec::storages::Step;
use crate::spec::{MAX_FACTORS, MAX_RANK};

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writing {
    /// As a literal, or not at all.
    Literal,
    /// As `_`: it is known later.
    Open,
    /// As an expression that only the compiler of a program knows. It exists in `layout!` alone.
    Expression,
}

/// A part of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The part.
    pub span: Span,
    /// How its value is written.
    pub writing: Writing,
}

impl Place {
    pub(super) const NONE: Self = Self::at(Span::EMPTY);

    pub(super) const fn at(span: Span) -> Self {
        Self { span, writing: Writing::Literal }
    }

    /// Whether the text has no such part.
    pub const fn is_none(&self) -> bool {
        self.span.is_empty()
    }

    /// Whether the value is an expression.
    pub const fn is_expression(&self) -> bool {
        matches!(self.writing, Writing::Expression)
    }
}

/// A part of a layout that an error can be about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The format.
    Format,
    /// All extents.
    Extents,
    /// The extent of an axis.
    Extent(char),
    /// The element type.
    Element,
    /// The option `pad`.
    Fill,
    /// The list of strides.
    Strides,
    /// The stride of an axis, or of a factor if axes have blocks.
    Stride(usize),
    /// The option `align` or `pitch`.
    Bytes(AxisBytes),
    /// The alignment or the pitch of an axis.
    BytesOf(AxisBytes, char),
    /// The alignment of the elements of each lane.
    LaneAlign,
    /// The option `lanes`.
    Distribution,
    /// The number of lanes.
    Lanes,
    /// The lane of coordinate 0.
    StartLane,
    /// The storage of a chip, at one of its steps.
    Storage(usize),
    /// The width of the pieces of a storage.
    Width,
    /// The position of an axis in its block.
    From(char),
    /// The option `overlap`.
    Overlap,
    /// The part of a buffer.
    Part,
    /// The alignment of the buffer.
    Alignment,
    /// The swizzle.
    Swizzle,
}

impl Site {
    /// The option of which this is a part.
    pub(super) const fn whole(self) -> Option<Self> {
        match self {
            Self::Stride(_) => Some(Self::Strides),
            Self::BytesOf(option, _) => Some(Self::Bytes(option)),
            Self::LaneAlign => Some(Self::Bytes(AxisBytes::Align)),
            Self::Lanes | Self::StartLane => Some(Self::Distribution),
            Self::Width => Some(Self::Storage(0)),
            _ => None,
        }
    }
}

blank! {
    /// Where each part of a layout stands. Lists of axes are in memory order, extents in coordinate order.
    #[derive(Clone, Copy, Debug)]
    pub struct Places, pub(super) const NONE {
        pub(super) format: Span = Span::EMPTY,
        pub(super) extents: Span = Span::EMPTY,
        pub(super) extent: [Place; MAX_RANK] = [Place::NONE; MAX_RANK],
        pub(super) element: Place = Place::NONE,
        pub(super) fill: Span = Span::EMPTY,
        /// The value of `pad = VALUE`.
        pub fill_value: Place = Place::NONE,
        pub(super) strides: Span = Span::EMPTY,
        pub(super) stride: [Place; MAX_FACTORS] = [Place::NONE; MAX_FACTORS],
        /// The options `align` and `pitch`, and their numbers.
        pub(super) bytes: [Span; 2] = [Span::EMPTY; 2],
        pub(super) bytes_of: [[Place; MAX_RANK]; 2] = [[Place::NONE; MAX_RANK]; 2],
        pub(super) lane_align: Place = Place::NONE,
        pub(super) broadcast: Span = Span::EMPTY,
        pub(super) distribution: Span = Span::EMPTY,
        pub(super) lanes: Place = Place::NONE,
        pub(super) start: Place = Place::NONE,
        pub(super) storage: Span = Span::EMPTY,
        /// The chip of the storage.
        pub chip: Place = Place::NONE,
        pub(super) width: Place = Place::NONE,
        pub(super) from: [Place; MAX_RANK] = [Place::NONE; MAX_RANK],
        pub(super) part: Span = Span::EMPTY,
        /// The start of a view, and the length of the buffer.
        pub part_numbers: [Place; 2] = [Place::NONE; 2],
        pub(super) overlap: Span = Span::EMPTY,
        pub(super) alignment: Place = Place::NONE,
        pub(super) coordinates: Span = Span::EMPTY,
        pub(super) high_first: Span = Span::EMPTY,
        pub(super) swizzle: Span = Span::EMPTY,
        /// The numbers of the swizzle. A named swizzle is the first of them.
        pub swizzle_numbers: [Place; 3] = [Place::NONE; 3],
    }
}

/// A layout as written.
#[derive(Clone, Copy, Debug)]
pub struct Draft {
    /// What is written. An element type that is an expression is one of a byte.
    pub template: LayoutTemplate,
    /// Where its parts stand.
    pub places: Places,
}

impl Draft {
    /// Whether the first element of a byte is in its highest bits.
    pub const fn is_high_first(&self) -> bool {
        !self.places.high_first.is_empty()
    }

    /// Where a part stands, as written: empty if it is not.
    pub const fn written(&self, site: Site) -> Place {
        let places = &self.places;
        match site {
            Site::Format => Place::at(places.format),
            Site::Extents => Place::at(places.extents),
            Site::Extent(letter) => match self.template.letters().position(letter) {
                Some(axis) => places.extent[axis],
                None => Place::NONE,
            },
            Site::Element => places.element,
            Site::Fill => Place { span: places.fill, writing: places.fill_value.writing },
            Site::Strides => Place::at(places.strides),
            Site::Stride(i) => places.stride[i],
            Site::Bytes(option) => Place::at(places.bytes[option as usize]),
            Site::BytesOf(option, letter) => {
                places.bytes_of[option as usize][self.template.memory(letter)]
            }
            Site::LaneAlign => places.lane_align,
            Site::Distribution => Place::at(places.distribution),
            Site::Lanes => places.lanes,
            Site::StartLane => places.start,
            Site::Storage(_) => Place { span: places.storage, writing: places.chip.writing },
            Site::Width => places.width,
            Site::From(letter) => places.from[self.template.memory(letter)],
            Site::Overlap => Place::at(places.overlap),
            Site::Part => Place::at(places.part),
            Site::Alignment => places.alignment,
            Site::Swizzle => Place::at(places.swizzle),
        }
    }

    /// Where an error about a part stands: at the next larger part if it is not written.
    pub const fn span(&self, site: Site) -> Span {
        let place = self.written(site);
        match site.whole() {
            _ if !place.is_none() => place.span,
            Some(Site::Distribution) if !self.places.storage.is_empty() => self.places.storage,
            Some(whole) => self.span(whole),
            None => self.places.format,
        }
    }

    /// A step of the storage.
    pub const fn step(&self, i: usize) -> Option<Step> {
        match self.template.options.storage {
            Some(stored) if i < stored.storage.steps.len() => Some(stored.storage.steps[i]),
            _ => None,
        }
    }
}

/// The values of a list, in the order in which they are written.
#[derive(Clone, Copy)]
pub(super) struct List<const MOST: usize> {
    /// The names of the values, empty for those without.
    pub(super) names: [Span; MOST],
    pub(super) places: [Place; MOST],
    /// The number of values, which may be larger than what the list keeps.
    pub(super) count: usize,
}

impl<const MOST: usize> List<MOST> {
    pub(super) const EMPTY: Self =
        Self { names: [Span::EMPTY; MOST], places: [Place::NONE; MOST], count: 0 };

    pub(super) const fn push(&mut self, name: Option<Span>, place: Place) {
        if self.count < MOST {
            self.places[self.count] = place;
            self.names[self.count] = match name {
                Some(name) => name,
                None => Span::EMPTY,
            };
        }
        self.count += 1;
    }
}
