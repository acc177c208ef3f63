//! The options of a layout, which text, `layout!` and the builder fill in.

use crate::spec::chips::Chip;
use crate::spec::storages::Storage;
use crate::spec::{Factor, Format, Letters, MAX_FACTORS, MAX_RANK, Swizzling};

/// The options of one layout.
///
/// Lists of axes are in memory order, which is known before the coordinate order: entry `i` is axis `i` of
/// [`Format::axes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    /// The bits of the element that fills padding.
    pub(crate) fill: Option<u64>,
    /// The strides. A format without blocks has one for each axis, in coordinate order. Other formats have one for
    /// each factor.
    pub(crate) strides: Option<[isize; MAX_FACTORS]>,
    pub(crate) stride_count: usize,
    /// Whether an axis of stride 0 is broadcast without an option, as in other libraries.
    pub(crate) zero_broadcasts: bool,
    /// The alignments of the axes, in bytes.
    pub(crate) aligns: [Option<usize>; MAX_RANK],
    /// The distances from one step of an axis to the next, in bytes.
    pub(crate) pitches: [Option<usize>; MAX_RANK],
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
    /// The coordinate order, if it is written.
    pub(crate) coordinates: Option<Letters>,
}

/// The storage of a chip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) chip: &'static Chip,
    pub(crate) storage: &'static Storage,
    pub(crate) start: usize,
    pub(crate) width: usize,
}

impl PartialEq for Stored {
    fn eq(&self, other: &Self) -> bool {
        let of = |stored: &Self| (stored.chip, stored.storage.name, stored.start, stored.width);
        of(self) == of(other)
    }
}

impl Eq for Stored {}

/// The part of a buffer that has the elements, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BufferPart {
    /// A view: coordinate 0 is at `start` of `length`.
    View { start: isize, length: usize },
    /// The whole buffer: gaps are padding of the layout.
    Whole { length: usize },
}

impl Options {
    pub(crate) const NONE: Self = Self {
        fill: None,
        strides: None,
        stride_count: 0,
        zero_broadcasts: false,
        aligns: [None; MAX_RANK],
        pitches: [None; MAX_RANK],
        lane_align: None,
        broadcast: [false; MAX_RANK],
        lanes: None,
        storage: None,
        from: [0; MAX_RANK],
        part: None,
        alignment: None,
        overlap: false,
        swizzle: None,
        coordinates: None,
    };

    /// The coordinate order of a format.
    pub(crate) const fn order(&self, format: &Format) -> Letters {
        match self.coordinates {
            Some(order) => order,
            None => format.coordinate_order(),
        }
    }

    /// Whether an axis, which the format names, is broadcast.
    pub(super) const fn is_broadcast(&self, format: &Format, letter: char) -> bool {
        match format.axes().position(letter) {
            Some(axis) => self.broadcast[axis],
            None => false,
        }
    }
}
