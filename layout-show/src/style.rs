//! The style that SVG and HTML share: a class `tl-N` for each hue, light and dark.

use alloc::format;
use alloc::string::{String, ToString};

use crate::color::{DARK, LIGHT, WHEEL};
use crate::sheet::{Kind, Sheet};

/// The colors of the page, of text, of labels, and of hatching.
const LIGHT_PAGE: [&str; 4] = ["#ffffff", "#1b1f24", "#57606a", "#c4cad1"];
const DARK_PAGE: [&str; 4] = ["#0f1419", "#eceff2", "#9aa5b1", "#46505b"];

/// Returns the style of a picture. `fill` is the property with the color of a cell: `stroke` for SVG paths,
/// `background` for HTML cells. The theme chosen on a rustdoc page takes precedence over the system's preference.
pub(crate) fn style(sheet: &Sheet, fill: &str) -> String {
    let is_used = used(sheet);
    let rules = |page: [&str; 4], wheel: &[u32; WHEEL], scopes: &[&str]| {
        let mut out = String::new();
        let mut rule = |class: &str, body: String| {
            let selectors = scopes.iter().map(|scope| format!("{scope}.{class}"));
            out += &format!("{}{{{body}}}", selectors.collect::<alloc::vec::Vec<_>>().join(","));
        };
        let [paper, ink, label, hatch] = page;
        rule(
            "tl",
            format!("--tl-paper:{paper};--tl-ink:{ink};--tl-label:{label};--tl-hatch:{hatch}"),
        );
        for hue in (0..WHEEL).filter(|&hue| is_used[hue]) {
            rule(&format!("tl-{hue}"), format!("{fill}:#{:06x}", wheel[hue]));
        }
        out
    };
    let light = rules(LIGHT_PAGE, &LIGHT, &["", "[data-theme=light] "]);
    let dark = rules(DARK_PAGE, &DARK, &[""]);
    let themes = rules(DARK_PAGE, &DARK, &["[data-theme=dark] ", "[data-theme=ayu] "]);
    format!("{light}@media(prefers-color-scheme:dark){{{dark}}}{themes}")
}

/// Returns which hues the picture uses.
pub(crate) fn used(sheet: &Sheet) -> [bool; WHEEL] {
    let mut used = [false; WHEEL];
    for cell in sheet.panels.iter().flat_map(|panel| &panel.cells) {
        if let Kind::Element(hue) = cell.kind {
            used[hue] = true;
        }
    }
    used
}

/// Escapes text between tags.
pub(crate) fn escaped(text: &str) -> String {
    text.to_string().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
