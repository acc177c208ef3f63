//! The names of the options of a layout, in one table for `layout!` and for text.

use crate::spec::same_text;

/// An option of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LayoutOption {
    /// The fill of padding.
    Pad,
    /// The stride of each axis.
    Strides,
    /// The alignments of axes.
    Align,
    /// The distances from one step of an axis to the next.
    Pitch,
    /// The axes that are broadcast.
    Broadcast,
    /// The axis that is distributed over lanes.
    Lanes,
    /// The XOR of bits of the offset.
    Swizzle,
    /// The XOR of bits of the byte address.
    SwizzleBytes,
    /// The first element of a byte in its highest bits.
    HighFirst,
    /// The order of the indices of an element.
    Coordinates,
    /// The part of a buffer that is a view.
    From,
    /// The length of a buffer whose gaps are padding.
    Len,
    /// Whether coordinates may share elements.
    Overlap,
}

/// The options, except storages and `C from 3`.
pub(super) const LAYOUT_OPTIONS: &[LayoutOption] = &[
    LayoutOption::Pad,
    LayoutOption::Strides,
    LayoutOption::Align,
    LayoutOption::Pitch,
    LayoutOption::Broadcast,
    LayoutOption::Lanes,
    LayoutOption::Swizzle,
    LayoutOption::SwizzleBytes,
    LayoutOption::HighFirst,
    LayoutOption::Coordinates,
    LayoutOption::From,
    LayoutOption::Len,
    LayoutOption::Overlap,
];

impl LayoutOption {
    /// The option with this name.
    pub(super) const fn named(name: &str) -> Option<Self> {
        let mut i = 0;
        while i < LAYOUT_OPTIONS.len() {
            if same_text(LAYOUT_OPTIONS[i].name(), name) {
                return Some(LAYOUT_OPTIONS[i]);
            }
            i += 1;
        }
        None
    }

    /// The name of the option.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Pad => "pad",
            Self::Strides => "strides",
            Self::Align => "align",
            Self::Pitch => "pitch",
            Self::Broadcast => "broadcast",
            Self::Lanes => "lanes",
            Self::Swizzle => "swizzle",
            Self::SwizzleBytes => "swizzle_bytes",
            Self::HighFirst => "high_first",
            Self::Coordinates => "coordinates",
            Self::From => "from",
            Self::Len => "len",
            Self::Overlap => "overlap",
        }
    }

    /// The form of the option, for errors.
    pub(super) const fn form(self) -> &'static str {
        match self {
            Self::Pad => "`pad` or `pad = VALUE`",
            Self::Strides => "`strides = [24, 8, 4, 2]`, with one stride for each axis",
            Self::Align => "`align(H = 64)`",
            Self::Pitch => "`pitch(H = 768)`, in bytes",
            Self::Broadcast => "`broadcast(N)`",
            Self::Lanes => "`lanes(C, 64)`, `lanes(C, 64, start = 2)` or `lanes(32)`",
            Self::Swizzle => {
                "`swizzle(3, 3, 3)` in elements, `swizzle = b128` or \
                 `swizzle(vec = 8, per_phase = 1, max_phase = 8)`"
            }
            Self::SwizzleBytes => "`swizzle_bytes(3, 4, 3)` or `swizzle = b128`",
            Self::HighFirst => "`high_first`",
            Self::Coordinates => "`coordinates(N, H, W, C)`, with each axis once",
            Self::From => "`from 72 of 144`",
            Self::Len => "`len = 144`",
            Self::Overlap => "`overlap`",
        }
    }
}
