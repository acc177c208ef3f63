//! What is written of a layout, and where each part stands.
//!
//! Numbers that are not literals have a value too: one that breaks no rule. [`Places`] says which these are.

use super::cursor::Span;
use super::options::Options;
use crate::spec::storages::Step;
use crate::spec::{AxisExtent, ElementType, Format, Length, Letters, MAX_FACTORS, MAX_RANK};

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
    /// The option `align`.
    Aligns,
    /// The alignment of an axis.
    Align(char),
    /// The alignment of the elements of each lane.
    LaneAlign,
    /// The option `pitch`.
    Pitches,
    /// The pitch of an axis.
    Pitch(char),
    /// The option `lanes`.
    Distribution,
    /// The number of lanes.
    Lanes,
    /// The lane of coordinate 0.
    StartLane,
    /// The storage of a chip.
    Storage,
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

/// Where each part of a layout stands. Lists of axes are in memory order, extents in coordinate order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) format: Span,
    pub(super) extents: Span,
    pub(super) extent: [Place; MAX_RANK],
    pub(super) element: Place,
    pub(super) fill: Span,
    /// The value of `pad = VALUE`.
    pub(super) fill_value: Place,
    pub(super) strides: Span,
    pub(super) stride: [Place; MAX_FACTORS],
    pub(super) aligns: Span,
    pub(super) align: [Place; MAX_RANK],
    pub(super) lane_align: Place,
    pub(super) pitches: Span,
    pub(super) pitch: [Place; MAX_RANK],
    pub(super) broadcast: Span,
    pub(super) distribution: Span,
    pub(super) lanes: Place,
    pub(super) start: Place,
    pub(super) storage: Span,
    /// The chip of the storage.
    pub(super) chip: Place,
    pub(super) width: Place,
    pub(super) from: [Place; MAX_RANK],
    pub(super) part: Span,
    /// The start of a view, and the length of the buffer.
    pub(super) part_numbers: [Place; 2],
    pub(super) overlap: Span,
    pub(super) alignment: Place,
    pub(super) coordinates: Span,
    pub(super) high_first: Span,
    pub(super) swizzle: Span,
    /// The numbers of the swizzle. A named swizzle is the first of them.
    pub(super) swizzle_numbers: [Place; 3],
}

impl Places {
    pub(super) const NONE: Self = Self {
        format: Span::EMPTY,
        extents: Span::EMPTY,
        extent: [Place::NONE; MAX_RANK],
        element: Place::NONE,
        fill: Span::EMPTY,
        fill_value: Place::NONE,
        strides: Span::EMPTY,
        stride: [Place::NONE; MAX_FACTORS],
        aligns: Span::EMPTY,
        align: [Place::NONE; MAX_RANK],
        lane_align: Place::NONE,
        pitches: Span::EMPTY,
        pitch: [Place::NONE; MAX_RANK],
        broadcast: Span::EMPTY,
        distribution: Span::EMPTY,
        lanes: Place::NONE,
        start: Place::NONE,
        storage: Span::EMPTY,
        chip: Place::NONE,
        width: Place::NONE,
        from: [Place::NONE; MAX_RANK],
        part: Span::EMPTY,
        part_numbers: [Place::NONE; 2],
        overlap: Span::EMPTY,
        alignment: Place::NONE,
        coordinates: Span::EMPTY,
        high_first: Span::EMPTY,
        swizzle: Span::EMPTY,
        swizzle_numbers: [Place::NONE; 3],
    };
}

/// A layout as written.
#[derive(Clone, Copy, Debug)]
pub struct Draft {
    /// The format.
    pub format: Format,
    /// The element type, or one of a byte if it is an expression.
    pub element: ElementType,
    /// The coordinate order.
    pub(super) order: Letters,
    /// The axes in coordinate order.
    pub(super) axes: [AxisExtent; MAX_RANK],
    pub(super) options: Options,
    pub(super) places: Places,
}

impl Draft {
    pub(super) const EMPTY: Self = Self {
        format: Format::SCALAR,
        element: ElementType::U8,
        order: Letters::EMPTY,
        axes: [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK],
        options: Options::NONE,
        places: Places::NONE,
    };

    /// The axes in coordinate order.
    pub const fn axes(&self) -> &[AxisExtent] {
        self.axes.split_at(self.order.count()).0
    }

    /// The bits of the fill, if the option `pad` is written.
    pub const fn fill(&self) -> Option<u64> {
        self.options.fill
    }

    /// Whether the first element of a byte is in its highest bits.
    pub const fn is_high_first(&self) -> bool {
        !self.places.high_first.is_empty()
    }

    /// The position of an axis in memory order.
    pub(super) const fn memory(&self, letter: char) -> usize {
        match self.format.axes().position(letter) {
            Some(axis) => axis,
            None => 0,
        }
    }

    /// Where a part stands, as written: empty if it is not.
    pub const fn written(&self, site: Site) -> Place {
        let places = &self.places;
        match site {
            Site::Format => Place::at(places.format),
            Site::Extents => Place::at(places.extents),
            Site::Extent(letter) => match self.order.position(letter) {
                Some(axis) => places.extent[axis],
                None => Place::NONE,
            },
            Site::Element => places.element,
            Site::Fill => Place { span: places.fill, writing: places.fill_value.writing },
            Site::Strides => Place::at(places.strides),
            Site::Stride(i) => places.stride[i],
            Site::Aligns => Place::at(places.aligns),
            Site::Align(letter) => places.align[self.memory(letter)],
            Site::LaneAlign => places.lane_align,
            Site::Pitches => Place::at(places.pitches),
            Site::Pitch(letter) => places.pitch[self.memory(letter)],
            Site::Distribution => Place::at(places.distribution),
            Site::Lanes => places.lanes,
            Site::StartLane => places.start,
            Site::Storage => Place { span: places.storage, writing: places.chip.writing },
            Site::Width => places.width,
            Site::From(letter) => places.from[self.memory(letter)],
            Site::Overlap => Place::at(places.overlap),
            Site::Part => Place::at(places.part),
            Site::Alignment => places.alignment,
            Site::Swizzle => Place::at(places.swizzle),
        }
    }

    /// Where an error about a part stands: at the next larger part if it is not written.
    pub const fn span(&self, site: Site) -> Span {
        let own = self.written(site);
        if !own.is_none() {
            return own.span;
        }
        match site {
            Site::Stride(_) => self.span(Site::Strides),
            Site::Align(_) | Site::LaneAlign => self.span(Site::Aligns),
            Site::StartLane | Site::Lanes if !self.places.storage.is_empty() => {
                self.span(Site::Storage)
            }
            Site::StartLane | Site::Lanes => self.span(Site::Distribution),
            Site::Pitch(_) => self.span(Site::Pitches),
            Site::Width => self.span(Site::Storage),
            _ => self.places.format,
        }
    }

    /// The numbers of a swizzle, or the constant that it is.
    pub const fn swizzle_numbers(&self) -> &[Place; 3] {
        &self.places.swizzle_numbers
    }

    /// The value of the option `pad`.
    pub const fn fill_value(&self) -> Place {
        self.places.fill_value
    }

    /// The chip of the storage.
    pub const fn chip(&self) -> Place {
        self.places.chip
    }

    /// A step of the storage.
    pub const fn step(&self, i: usize) -> Option<Step> {
        match self.options.storage {
            Some(stored) if i < stored.storage.steps.len() => Some(stored.storage.steps[i]),
            _ => None,
        }
    }

    /// The start of a view, and the length of its buffer.
    pub const fn part_numbers(&self) -> &[Place; 2] {
        &self.places.part_numbers
    }
}
