//! The options of a layout, which text, `layout!` and the builder fill in.

use crate::spec::storages::Chip;
use crate::spec::storages::Storage;
use crate::spec::{Factor, Length, Letters, MAX_FACTORS, MAX_RANK, Swizzling, same_text};

blank! {
    /// The options of one layout.
    ///
    /// Lists of axes are in memory order, which is known before the coordinate order: entry `i` is axis `i` of
    /// [`Format::axes`].
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Options, pub(crate) const NONE {
        /// The bits of the element that fills padding.
        pub(crate) fill: Option<u64> = None,
        /// The strides. A format without blocks has one for each axis, in coordinate order. Other formats have one for
        /// each factor.
        pub(crate) strides: Option<[isize; MAX_FACTORS]> = None,
        pub(crate) stride_count: usize = 0,
        /// Whether an axis of stride 0 is broadcast without an option, as in other libraries.
        pub(crate) zero_broadcasts: bool = false,
        /// The alignments and the pitches of the axes, in bytes.
        pub(crate) bytes: [[Option<Length>; MAX_RANK]; 2] = [[None; MAX_RANK]; 2],
        /// The alignment of the elements of each lane, in bytes.
        pub(crate) lane_align: Option<usize> = None,
        pub(crate) broadcast: [bool; MAX_RANK] = [false; MAX_RANK],
        /// The axis that is distributed over lanes, or the lanes that the slowest digits count.
        pub(crate) lanes: Option<Factor> = None,
        pub(crate) storage: Option<Stored> = None,
        /// The position of coordinate 0 of each axis in its block.
        pub(crate) from: [usize; MAX_RANK] = [0; MAX_RANK],
        pub(crate) part: Option<BufferPart> = None,
        /// The alignment of the buffer, in bytes.
        pub(crate) alignment: Option<usize> = None,
        /// Whether coordinates may share elements, as in overlapping windows.
        pub(crate) overlap: bool = false,
        pub(crate) swizzle: Option<Swizzling> = None,
        /// The coordinate order, if it is written.
        pub(crate) coordinates: Option<Letters> = None,
    }
}

/// An option that gives axes a number of bytes each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AxisBytes {
    /// The number of which the stride of an axis is a multiple.
    Align,
    /// The distance from one step of an axis to the next.
    Pitch,
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
        let of = |stored: &Self| {
            (stored.chip, stored.storage.name, stored.storage.steps, stored.start, stored.width)
        };
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

/// Declares the options: what each is, its name, and its form for errors.
macro_rules! options {
    ($($(#[$doc:meta])* $option:ident $name:literal $form:literal;)*) => {
        /// An option of a layout, except storages and `C from 3`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum LayoutOption {
            $($(#[$doc])* $option,)*
        }

        /// The options with their names and forms.
        const LAYOUT_OPTIONS: &[(LayoutOption, &str, &str)] = &[$((LayoutOption::$option, $name, $form)),*];
    };
}

options! {
    /// The fill of padding.
    Pad "pad" "`pad` or `pad = VALUE`";
    /// The stride of each axis.
    Strides "strides" "`strides = [24, 8, 4, 2]`, with one stride for each axis";
    /// The alignments of axes.
    Align "align" "`align(H = 64)`";
    /// The distances from one step of an axis to the next.
    Pitch "pitch" "`pitch(H = 768)`, in bytes";
    /// The axes that are broadcast.
    Broadcast "broadcast" "`broadcast(N)`";
    /// The axis that is distributed over lanes.
    Lanes "lanes" "`lanes(C, 64)`, `lanes(C, 64, start = 2)` or `lanes(32)`";
    /// The XOR of bits of the offset.
    Swizzle "swizzle" "`swizzle(3, 3, 3)` in elements, `swizzle = b128` or `swizzle(vec = 8, per_phase = 1, max_phase = 8)`";
    /// The XOR of bits of the byte address.
    SwizzleBytes "swizzle_bytes" "`swizzle_bytes(3, 4, 3)` or `swizzle = b128`";
    /// The first element of a byte in its highest bits.
    HighFirst "high_first" "`high_first`";
    /// The order of the indices of an element.
    Coordinates "coordinates" "`coordinates(N, H, W, C)`, with each axis once";
    /// The part of a buffer that is a view.
    From "from" "`from 72 of 144`";
    /// The length of a buffer whose gaps are padding.
    Len "len" "`len = 144`";
    /// Whether coordinates may share elements.
    Overlap "overlap" "`overlap`";
}

impl LayoutOption {
    /// The option with this name.
    pub(super) const fn named(name: &str) -> Option<Self> {
        each!(i, 0..LAYOUT_OPTIONS.len(), {
            if same_text(LAYOUT_OPTIONS[i].1, name) {
                return Some(LAYOUT_OPTIONS[i].0);
            }
        });
        None
    }

    /// The name of the option.
    pub(super) const fn name(self) -> &'static str {
        LAYOUT_OPTIONS[self as usize].1
    }

    /// The form of the option, for errors.
    pub(super) const fn form(self) -> &'static str {
        LAYOUT_OPTIONS[self as usize].2
    }
}
