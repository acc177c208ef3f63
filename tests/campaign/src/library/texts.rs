//! What the library writes about a layout.

use tensor_layout::show::{Picture, explain};
use tensor_layout::source::{Language, Source};
use tensor_layout::{Layout, names};

/// Names in other systems, read again; an explanation, pictures and source text.
pub(super) fn texts(layout: &Layout) {
    for named in names::of(layout) {
        let _ = named.system.parse(named.name.as_str(), layout.extents(), layout.element());
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
