//! Colors: a wheel of hues with equal lightness, and the hue of each cell.

use alloc::format;
use alloc::string::String;

use layout_access::Banks;
use layout_core::Layout;

use crate::sheet::counted;

/// The number of hues.
pub(crate) const WHEEL: usize = 32;

/// The colors under dark text: OKLCH lightness 0.88, chroma 0.075, hues 11.25 degrees apart from 250 on.
pub(crate) const LIGHT: [u32; WHEEL] = [
    0xb2dcff, 0xbcd9ff, 0xc6d5ff, 0xd0d2ff, 0xdaceff, 0xe4cbff, 0xecc9f8, 0xf4c6f0, 0xfac5e7,
    0xffc4dd, 0xffc3d3, 0xffc4c9, 0xffc5bf, 0xffc7b5, 0xffc9ad, 0xfecca7, 0xf8d0a2, 0xf1d39f,
    0xe9d79f, 0xdfdba1, 0xd5dea5, 0xcbe1ac, 0xc0e4b3, 0xb6e6bd, 0xade7c7, 0xa5e8d1, 0x9fe8dc,
    0x9ce8e6, 0x9be6ef, 0x9ee5f7, 0xa3e2fe, 0xaadfff,
];

/// The colors under light text: OKLCH lightness 0.40, chroma 0.08, the same hues.
pub(crate) const DARK: [u32; WHEEL] = [
    0x224a71, 0x2f4773, 0x394473, 0x434171, 0x4b3e6e, 0x533b6a, 0x593964, 0x5f375d, 0x643555,
    0x68344d, 0x6a3444, 0x6c343b, 0x6c3531, 0x6c3628, 0x6a391e, 0x673c15, 0x633f0c, 0x5d4205,
    0x574603, 0x4f4908, 0x474c11, 0x3d4f1b, 0x315225, 0x24532f, 0x145538, 0x005542, 0x00554b,
    0x005554, 0x00535c, 0x005263, 0x004f69, 0x124d6e,
];

/// The meaning of the color of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Color {
    /// Elements of one run of the fastest digit have the same color: those of a block, or of a row if there are no
    /// blocks.
    // A variant `Block` would make the compiler print `tensor_layout::typed::Block` in errors.
    #[default]
    Blocks,
    /// The color changes with the offset, from the first element to the last.
    Order,
    /// The color is the memory bank of the element's first byte.
    Banks(Banks),
    /// The color is the lane of an accelerator that holds the element. For a layout without lanes, it is the same as
    /// [`Blocks`](Self::Blocks).
    Lane,
}

impl Color {
    /// Returns the hue of the element at `coordinate`, whose offset is `offset`.
    pub(crate) fn hue(self, layout: &Layout, coordinate: &[usize], offset: usize) -> usize {
        let lanes = || layout.lanes().and_then(|lanes| lanes.place(coordinate).ok());
        match self {
            Self::Order => (offset as u128 * 28 / layout.len().max(1) as u128) as usize,
            Self::Banks(Banks { count, width, .. }) => {
                let count = count.max(1) as u128;
                let byte = offset as u128 * layout.element().bits() as u128 / 8;
                (byte / width.max(1) as u128 % count * WHEEL as u128 / count) as usize
            }
            Self::Lane => match lanes() {
                Some(place) => distinct(place.lane),
                None => distinct(offset / block(layout)),
            },
            Self::Blocks => distinct(offset / block(layout)),
        }
    }

    /// Returns the meaning of the colors, for the note under a picture.
    pub(crate) fn note(self, layout: &Layout) -> String {
        match self {
            Self::Lane if layout.lanes().is_some() => "one color for each lane".into(),
            Self::Blocks | Self::Lane => {
                format!("one color for each {} in memory", counted(block(layout), "element"))
            }
            Self::Order => "colors follow the order in memory".into(),
            Self::Banks(Banks { count, width, .. }) => {
                format!("one color for each of {count} banks of {width} bytes")
            }
        }
    }
}

/// Returns one of eight hues. Neighbors are far apart.
pub(crate) fn distinct(index: usize) -> usize {
    index % 8 * 3 % 8 * (WHEEL / 8)
}

/// Returns the number of elements from one step of the second fastest digit to the next: a block, or a row.
fn block(layout: &Layout) -> usize {
    let digits = layout.digits();
    let moving = digits.iter().filter(|digit| digit.size > 1 && digit.stride != 0);
    let fastest = moving.min_by_key(|digit| digit.stride.unsigned_abs());
    let run = fastest.map_or(1, |digit| digit.stride.unsigned_abs().saturating_mul(digit.size));
    match layout.swizzle() {
        Some(swizzle) => run.min(1 << swizzle.base()),
        None => run,
    }
}
