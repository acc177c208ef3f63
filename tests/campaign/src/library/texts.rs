//! What the library writes about a layout.

use tensor_layout::names::System;
use tensor_layout::show::{Picture, explain};
use tensor_layout::source::{Language, Source};
use tensor_layout::{Layout, names};

/// Names with blocks and tiles, of all systems.
const NAMES: [&str; 21] = [
    "a",
    "ab",
    "abcd",
    "aBcd16b",
    "ABcd4b16a4b",
    "NCHW16c",
    "NC8c",
    "kCHW32",
    "kHWC8",
    "NC1HWC0",
    "FRACTAL_NZ",
    "FRACTAL_Z",
    "NC1HWC2",
    "NHCWB16",
    "{3,2,1,0:T(8,128)}",
    "{0,1:T(8,128)(2,1)}",
    "channels_last",
    "inner_dims_pos = [1] inner_tiles = [9223372036854775807]",
    "inner_dims_pos = [1, 0] inner_tiles = [3, 4294967296]",
    "VEC32_UE8M0",
    "(2,3):(9223372036854775807,1)",
];

/// Names in other systems, read again; an explanation, pictures and source text.
pub(super) fn texts(layout: &Layout) {
    for named in names::of(layout) {
        let _ = named.system.parse(named.name.as_str(), layout.extents(), layout.element());
    }
    for system in System::ALL {
        for name in NAMES {
            if let Ok(read) = system.parse(name, layout.extents(), layout.element()) {
                let _ = (system.print(&read), read.is_unique(), read.to_string());
            }
        }
    }
    let _ = explain(layout).to_string();
    let _ = (Picture::of(layout).to_svg(), Picture::memory(layout).to_text());
    let _ = Picture::relayout(layout, layout).map(|picture| picture.to_html());
    for source in [Source::new("own", *layout), Source::new("own", *layout).wide()] {
        for language in [Language::C, Language::Wgsl] {
            let _ = source.functions(language).map(|text| text.to_string());
            let _ = source.strides(language).map(|text| text.to_string());
        }
        let _ = source.header().map(|text| text.to_string());
    }
}
