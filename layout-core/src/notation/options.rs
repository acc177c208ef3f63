//! The options of a layout, and the layout that they make together with its format, extents and element.

use crate::layout::{Digit, Layout, LayoutBuilder};
use crate::spec::chips::Chip;
use crate::spec::storages::Storage;
use crate::spec::{
    AxisExtent, ElementType, Factor, Format, LayoutError, MAX_FACTORS, MAX_RANK, Name, Rule, Spec,
    Subject, Swizzling, check_stride_count, stride_factor,
};

/// The largest number of factors: digits, an alignment after each, one before all, the lanes, and a swizzle.
pub(super) const MAX_PARTS: usize = 2 * MAX_FACTORS + 3;

/// The options of one layout.
///
/// Lists of axes are in memory order, which is known before the coordinate order: entry `i` is axis `i` of
/// [`Format::axes`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// The bits of the element that fills padding.
    pub(crate) fill: Option<u64>,
    /// The strides in elements. A format without blocks has one for each axis, in coordinate order. Other formats have
    /// one for each factor.
    pub(crate) strides: Option<[isize; MAX_FACTORS]>,
    pub(crate) stride_count: usize,
    /// The alignments of the axes, in bytes.
    pub(crate) aligns: [Option<usize>; MAX_RANK],
    /// The alignment of the elements of each lane, in bytes.
    pub(crate) lane_align: Option<usize>,
    pub(crate) broadcast: [bool; MAX_RANK],
    /// The axis that is distributed over lanes, or the lanes that the slowest digits count.
    pub(crate) lanes: Option<Factor>,
    pub(crate) storage: Option<Stored>,
    /// The position of coordinate 0 of each axis in its block.
    pub(crate) from: [usize; MAX_RANK],
    pub(crate) part: Option<BufferPart>,
    /// The alignment of the buffer, in bytes.
    pub(crate) alignment: Option<usize>,
    /// Whether coordinates may share elements, as in overlapping windows.
    pub(crate) overlap: bool,
    pub(crate) swizzle: Option<Swizzling>,
}

/// The storage of a chip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) chip: &'static Chip,
    pub(crate) storage: &'static Storage,
    pub(crate) start: usize,
    pub(crate) width: usize,
}

/// The part of a buffer that has the elements, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BufferPart {
    /// A view: coordinate 0 is at `start` of `length`.
    View { start: isize, length: usize },
    /// The whole buffer: gaps are padding of the layout.
    Whole { length: usize },
}

/// The subject of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Site {
    Format,
    Extents,
    /// The extent of an axis.
    Extent(char),
    Fill,
    Strides,
    /// The stride of an axis.
    Stride(char),
    /// The alignment of an axis, or of the elements of each lane.
    Align(Option<char>),
    Lanes,
    StartLane,
    Storage,
    From(char),
    Part,
    Alignment,
    Swizzle,
}

pub(super) type Fault = (LayoutError, Site);

impl Options {
    pub(crate) const NONE: Self = Self {
        fill: None,
        strides: None,
        stride_count: 0,
        aligns: [None; MAX_RANK],
        lane_align: None,
        broadcast: [false; MAX_RANK],
        lanes: None,
        storage: None,
        from: [0; MAX_RANK],
        part: None,
        alignment: None,
        overlap: false,
        swizzle: None,
    };

    /// Whether an option or the format exists only for views.
    pub(super) const fn is_view(&self, format: &Format) -> bool {
        format.factors().len() > format.axes().count()
            || self.part.is_some()
            || self.alignment.is_some()
            || self.overlap
            || self.has_digit_options()
    }

    /// Whether an option changes how the digits of an axis are counted.
    pub(super) const fn has_digit_options(&self) -> bool {
        let mut has = false;
        let mut i = 0;
        while i < MAX_RANK {
            has |= self.from[i] != 0;
            i += 1;
        }
        has
    }

    /// The layout that `layout!` makes too: a memory order, or one stride for each axis. The builder makes it, as it
    /// does without text.
    #[inline(never)]
    pub(super) const fn placed(
        &self,
        format: &Format,
        element: ElementType,
        axes: &[AxisExtent],
    ) -> Result<Layout, Fault> {
        let mut builder = ok!(self.builder(format, element));
        if let Err(error) = builder.place_strides(axes) {
            let site = match error.0 {
                Rule::StrideCount { .. } => Site::Strides,
                Rule::BroadcastStride { letter, .. } => Site::Stride(letter),
                Rule::UnknownAxis { .. } => Site::Align(None),
                _ => Site::Format,
            };
            return Err((error, site));
        }
        resolved(&builder.spec(axes))
    }

    /// Not inlined, like the functions after it: each step copies a builder, and boards have a stack of some KiB.
    #[inline(never)]
    const fn builder(&self, format: &Format, element: ElementType) -> Result<LayoutBuilder, Fault> {
        let mut builder = ok!(self.ordered(LayoutBuilder::new(format, element), format, element));
        match self.lanes {
            Some(Factor::Lanes(letter, lanes, start)) => {
                builder = builder.lanes(letter, lanes, start);
            }
            Some(Factor::LaneArray(lanes)) => builder = builder.over_lanes(lanes),
            _ => {}
        }
        if let Some(bytes) = self.lane_align {
            builder = builder.align_lanes(bytes);
        }
        let order = format.axes();
        let mut axis = 0;
        while axis < order.count() {
            if self.broadcast[axis] {
                builder = builder.broadcast(order.at(axis));
            }
            if let Some(bytes) = self.aligns[axis] {
                builder = builder.align(order.at(axis), bytes);
            }
            axis += 1;
        }
        if let Some(strides) = &self.strides {
            builder = builder.with_strides(strides, self.stride_count, false);
        }
        if let Some(fill) = self.fill {
            builder = builder.pad(fill);
        }
        if let Some(swizzling) = self.swizzle {
            builder = builder.with_swizzling(swizzling);
        }
        Ok(builder)
    }

    /// Replaces the memory order of the format by that of the storage, if there is one.
    const fn ordered(
        &self,
        builder: LayoutBuilder,
        format: &Format,
        element: ElementType,
    ) -> Result<LayoutBuilder, Fault> {
        let Some(Stored { chip, storage, start, width }) = self.storage else {
            return Ok(builder);
        };
        if self.strides.is_some() {
            let mut other = Name::new("storage `");
            other.push(storage.name);
            other.push("`");
            return Err((LayoutError(Rule::StridesWith { other }), Site::Storage));
        }
        let order = match storage.axes(format) {
            Ok(order) => order,
            Err(error) => return Err((error, Site::Format)),
        };
        // Storages in text are those of the table, which have no more steps.
        let mut factors = [Factor::Align(1); MAX_RANK];
        let mut i = 0;
        while i < storage.steps.len() {
            factors[i] = storage.steps[i].factor(chip, order, element, start, width);
            i += 1;
        }
        let builder = builder.with_factors(factors.split_at(i).0);
        Ok(if storage.pads() { builder.pad(0) } else { builder })
    }

    /// Returns an error unless there is one stride for each axis.
    pub(super) const fn check_stride_count(
        &self,
        format: &Format,
        axes: &[AxisExtent],
    ) -> Result<(), Fault> {
        let spec = Spec { element: ElementType::U8, axes, factors: format.factors(), fill: None };
        match check_stride_count(spec.letters(), self.stride_count) {
            Ok(()) => Ok(()),
            Err(error) => Err((error, Site::Strides)),
        }
    }

    /// The factor of an axis with a stride.
    pub(super) const fn stride_factor(
        &self,
        format: &Format,
        letter: char,
        stride: isize,
    ) -> Result<Factor, Fault> {
        let is_broadcast = match format.axes().position(letter) {
            Some(axis) => self.broadcast[axis],
            None => false,
        };
        match stride_factor(letter, is_broadcast, stride) {
            Ok(factor) => Ok(factor),
            Err(error) => Err((error, Site::Stride(letter))),
        }
    }
}

/// A syntax error.
pub(super) const fn syntax(error: Rule) -> LayoutError {
    LayoutError(error)
}

/// The layout of a spec, or the first rule that it breaks and its subject.
pub(super) const fn resolved(spec: &Spec<'_>) -> Result<Layout, Fault> {
    let summary = spec.summary();
    let violations = spec.check_with(&summary);
    if let Some(found) = violations.first_violation() {
        return Err((found.error, site(spec, found.subject)));
    }
    if let Some(letter) = spec.unknown() {
        return Err((LayoutError(Rule::UnknownExtent { letter }), Site::Extent(letter)));
    }
    match Layout::resolve(spec, &summary, 0) {
        Ok(layout) => Ok(layout),
        Err((error, place)) => Err((error, site(spec, place))),
    }
}

const fn site(spec: &Spec<'_>, subject: Subject) -> Site {
    match subject {
        Subject::Format => Site::Format,
        Subject::Size => Site::Extents,
        Subject::Extent(letter) => Site::Extent(letter),
        Subject::Strides => Site::Strides,
        Subject::Fill => Site::Fill,
        Subject::Start(_) => Site::StartLane,
        Subject::Option(i) => match spec.factors[i] {
            Factor::Align(_) => Site::Align(None),
            Factor::Lanes(..) | Factor::LaneArray(_) => Site::Lanes,
            _ => Site::Strides,
        },
        Subject::Factor(i) => match spec.factors[i] {
            Factor::Align(_) if i > 0 => match spec.factors[i - 1] {
                Factor::Axis(letter) | Factor::Broadcast(letter) => Site::Align(Some(letter)),
                _ => Site::Align(None),
            },
            Factor::Stride(letter, _) => Site::Stride(letter),
            Factor::Lanes(..) | Factor::LaneArray(_) => Site::Lanes,
            Factor::Swizzle(_) => Site::Swizzle,
            _ => Site::Format,
        },
    }
}

/// Sorts digits from the largest to the smallest stride, and keeps the order of equal strides. A digit of one value
/// with stride 0 stays before the digit that follows it.
pub(super) const fn sort(digits: &mut [Digit; MAX_FACTORS], count: usize) {
    let mut keys = [0; MAX_FACTORS];
    let mut i = count;
    while i > 0 {
        i -= 1;
        let digit = &digits[i];
        keys[i] = match digit.stride.unsigned_abs() {
            0 if digit.size < 2 && i + 1 < count => keys[i + 1],
            key => key,
        };
    }
    let mut i = 1;
    while i < count {
        let mut k = i;
        while k > 0 && keys[k - 1] < keys[k] {
            (digits[k], digits[k - 1]) = (digits[k - 1], digits[k]);
            (keys[k], keys[k - 1]) = (keys[k - 1], keys[k]);
            k -= 1;
        }
        i += 1;
    }
}
