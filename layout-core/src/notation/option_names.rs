//! The options of a layout, in one table for `layout!` and for text.

use crate::spec::same_text;

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
