//! Pictures as SVG.
//!
//! Each panel has one `<text>` for the elements and one for the padding, with a `<tspan>` for each cell; the first of a
//! row has the position of the row. All cells of one color are one path, whose stroke has the height of a row. So 4096
//! cells take less than 200 KB.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::color::WHEEL;
use crate::sheet::{Cell, Kind, Panel, Sheet};
use crate::style::{escaped, style, used};

/// In pixels: the height of a row, the width of a character at 12 px, the margins of the picture and between panels,
/// and the width after which a panel begins a new line.
const ROW: usize = 22;
const CHARACTER: usize = 8;
const MARGIN: usize = 12;
const SPACE: usize = 24;
const WRAP: usize = 860;

/// The part of the style that does not depend on the hues.
const STYLE: &str = ".tl text{font:12px ui-monospace,monospace;fill:var(--tl-ink)}\
    .tl .tl-h{font-weight:600;font-size:13px}.tl .tl-l text,.tl text.tl-l,.tl text.tl-q{fill:var(--tl-label)}\
    .tl .tl-m{text-anchor:middle}.tl .tl-e{text-anchor:end}\
    .tl .tl-f path{fill:none;stroke-width:22}.tl .tl-g{stroke:var(--tl-paper);stroke-width:2;fill:none}\
    .tl .tl-w{stroke:var(--tl-hatch);stroke-width:1.5;fill:none}.tl .tl-b{fill:var(--tl-paper)}\
    .tl .tl-p{stroke:url(#tl-hatch);stroke-width:22;fill:none}";

/// A panel with its position.
struct Placed<'a> {
    panel: &'a Panel,
    /// The upper left corner, including the caption.
    x: usize,
    y: usize,
    label: usize,
    cell: usize,
    caption: bool,
}

impl<'a> Placed<'a> {
    /// All panels have labels and cells of the same widths, and all have captions if one has.
    fn new(panel: &'a Panel, sheet: &Sheet) -> Self {
        let most = |of: fn(&Panel) -> usize| sheet.panels.iter().map(of).max().unwrap_or(0);
        let label = most(Panel::label_characters) * CHARACTER + 10;
        let cell = (most(Panel::cell_characters) * CHARACTER + 8).max(26);
        let caption = sheet.panels.iter().any(|panel| !panel.caption.is_empty());
        Self { panel, x: 0, y: 0, label, cell, caption }
    }

    fn width(&self) -> usize {
        let cells = self.label + self.cell * self.panel.columns.len();
        let note = self.panel.left_out().map_or(0, |note| note.chars().count() * CHARACTER);
        let caption = self.panel.caption.chars().count() * CHARACTER;
        cells.max(self.label + note).max(caption)
    }

    fn height(&self) -> usize {
        let lines = 1 + self.panel.rows.len() + usize::from(self.panel.left_out().is_some());
        ROW * (lines + usize::from(self.caption))
    }

    /// Returns the corner between the labels of rows and columns.
    fn origin(&self) -> (usize, usize) {
        (self.x + self.label, self.y + ROW * (1 + usize::from(self.caption)))
    }
}

/// Writes the picture as one line.
pub(crate) fn write(sheet: &Sheet) -> String {
    let (panels, mut width, bottom) = placed(sheet);
    let texts = sheet.notes.iter().chain([&sheet.title]);
    let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    width = width.max(2 * MARGIN + longest * CHARACTER);
    let height = bottom + MARGIN / 2 + sheet.notes.len() * 18 + MARGIN;
    let title = escaped(&sheet.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tl\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\"><title>{title}</title><style>{STYLE}{}</style>\
         <defs><pattern id=\"tl-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><path class=\"tl-w\" d=\"M3 0v6\"/></pattern></defs>\
         <rect class=\"tl-b\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\
         <text class=\"tl-h\" x=\"{MARGIN}\" y=\"25\">{title}</text>",
        style(sheet, "stroke")
    );
    write_cells(&mut out, sheet, &panels);
    for panel in &panels {
        write_labels(&mut out, panel);
        write_numbers(&mut out, panel);
    }
    for (line, note) in sheet.notes.iter().enumerate() {
        let y = bottom + MARGIN / 2 + 12 + line * 18;
        out += &format!("<text class=\"tl-l\" x=\"{MARGIN}\" y=\"{y}\">{}</text>", escaped(note));
    }
    out += "</svg>";
    out
}

/// Arranges the panels in lines. Also returns the width of the picture and the end of the last line.
fn placed(sheet: &Sheet) -> (Vec<Placed<'_>>, usize, usize) {
    let (mut x, mut y, mut width, mut line) = (MARGIN, 38, 0, 0);
    let mut panels = Vec::new();
    for panel in &sheet.panels {
        let mut panel = Placed::new(panel, sheet);
        if x > MARGIN && x + panel.width() > WRAP {
            (x, y, line) = (MARGIN, y + line + SPACE / 2, 0);
        }
        (panel.x, panel.y) = (x, y);
        x += panel.width() + SPACE;
        width = width.max(x - SPACE + MARGIN);
        line = line.max(panel.height());
        panels.push(panel);
    }
    (panels, width, y + line)
}

/// Writes the colors of all cells, and the lines between them.
fn write_cells(out: &mut String, sheet: &Sheet, panels: &[Placed<'_>]) {
    *out += "<g class=\"tl-f\">";
    for hue in (0..WHEEL).filter(|&hue| used(sheet)[hue]) {
        *out += &format!("<path class=\"tl-{hue}\" d=\"{}\"/>", runs(panels, Kind::Element(hue)));
    }
    let padding = runs(panels, Kind::Padding);
    *out += &format!("</g><path class=\"tl-p\" d=\"{padding}\"/><path class=\"tl-g\" d=\"");
    for placed in panels {
        let (x, y) = placed.origin();
        let (columns, rows) = (placed.panel.columns.len(), placed.panel.rows.len());
        for row in 0..=rows {
            *out += &format!("M{x} {}h{}", y + row * ROW, columns * placed.cell);
        }
        for column in 0..=columns {
            *out += &format!("M{} {y}v{}", x + column * placed.cell, rows * ROW);
        }
    }
    *out += "\"/>";
}

/// Returns the path through the middle of each run of cells of this kind.
fn runs(panels: &[Placed<'_>], kind: Kind) -> String {
    let mut path = String::new();
    for placed in panels {
        let (x, y) = placed.origin();
        for row in 0..placed.panel.rows.len() {
            let mut column = 0;
            for run in placed.panel.row(row).chunk_by(|a, b| a.kind == b.kind) {
                if run[0].kind == kind {
                    let (x, y) = (x + column * placed.cell, y + row * ROW + ROW / 2);
                    path += &format!("M{x} {y}h{}", run.len() * placed.cell);
                }
                column += run.len();
            }
        }
    }
    path
}

/// Writes the caption, the labels of rows and columns, and the note about what is left out.
fn write_labels(out: &mut String, placed: &Placed<'_>) {
    let Placed { panel, cell, .. } = *placed;
    let (x, y) = placed.origin();
    *out += "<g class=\"tl-l\">";
    if !panel.caption.is_empty() {
        *out += &format!(
            "<text x=\"{}\" y=\"{}\">{}</text>",
            placed.x,
            placed.y + 15,
            escaped(&panel.caption)
        );
    }
    *out +=
        &format!("<text class=\"tl-e\" x=\"{}\" y=\"{}\">{}</text>", x - 6, y - 7, panel.corner);
    *out += &format!("<text class=\"tl-m\" y=\"{}\">", y - 7);
    for (column, text) in panel.columns.iter().enumerate() {
        *out += &format!("<tspan x=\"{}\">{text}</tspan>", x + column * cell + cell / 2);
    }
    *out += "</text>";
    *out += "<text class=\"tl-e\">";
    for (row, text) in panel.rows.iter().enumerate() {
        *out += &format!("<tspan x=\"{}\" y=\"{}\">{text}</tspan>", x - 6, y + row * ROW + 15);
    }
    *out += "</text>";
    if let Some(note) = panel.left_out() {
        let y = y + panel.rows.len() * ROW + 16;
        *out += &format!("<text x=\"{x}\" y=\"{y}\">{note}</text>");
    }
    *out += "</g>";
}

/// Writes the texts of cells: those of elements, then those of padding.
fn write_numbers(out: &mut String, placed: &Placed<'_>) {
    *out += &format!("<g class=\"tl-m\"><text>{}</text>", texts(placed, false));
    let padding = texts(placed, true);
    if !padding.is_empty() {
        *out += &format!("<text class=\"tl-q\">{padding}</text>");
    }
    *out += "</g>";
}

/// Returns a `<tspan>` for each cell with a text that is padding, or for each one that is not.
fn texts(placed: &Placed<'_>, padding: bool) -> String {
    let (left, top) = placed.origin();
    let mut spans = String::new();
    for row in 0..placed.panel.rows.len() {
        let mut y = format!(" y=\"{}\"", top + row * ROW + 15);
        for (column, Cell { text, kind }) in placed.panel.row(row).iter().enumerate() {
            if !text.is_empty() && (*kind == Kind::Padding) == padding {
                let x = left + column * placed.cell + placed.cell / 2;
                spans += &format!("<tspan x=\"{x}\"{y}>{text}</tspan>");
                y.clear();
            }
        }
    }
    spans
}
