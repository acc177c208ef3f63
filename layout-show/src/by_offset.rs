//! Layouts by offsets: the buffer in rows, for one layout, or for two side by side.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Layout;
use layout_core::spec::MAX_RANK;

use crate::color::Color;
use crate::grid::Limits;
use crate::sheet::{Cell, Kind, Panel, Sheet, counted};
use crate::unreached;

/// Returns the number of elements in a row: a multiple of the largest stride that fits.
fn width(layout: &Layout, limits: Limits) -> usize {
    let digits = layout.digits();
    let strides = digits.iter().filter(|digit| digit.size > 1);
    let most = limits.columns.clamp(1, 16);
    let fits = |&stride: &usize| stride > 1 && stride <= most;
    let stride = strides.map(|digit| digit.stride.unsigned_abs()).filter(fits).max();
    stride.map_or(most, |stride| stride * (most / 2 / stride).max(1))
}

/// Returns the buffer of `layout`. `show` returns the text and hue of each element.
fn panel(
    layout: &Layout,
    caption: String,
    (width, limits): (usize, Limits),
    show: impl Fn(&[usize], usize) -> Cell,
) -> Panel {
    let width = width.min(layout.len()).max(1);
    let rows = layout.len().div_ceil(width);
    let (shown, width) = limits.panel(rows, width);
    let cell = |offset: usize| match layout.coordinate(offset) {
        Some(coordinate) => show(&coordinate, offset),
        None if offset < layout.len() => Cell { text: String::new(), kind: Kind::Padding },
        None => Cell { text: String::new(), kind: Kind::Nothing },
    };
    Panel {
        caption,
        corner: "offset".into(),
        rows: (0..shown).map(|row| (row * width).to_string()).collect(),
        columns: (0..width).map(|column| format!("+{column}")).collect(),
        cells: (0..shown * width).map(cell).collect(),
        rows_left_out: rows - shown,
        columns_left_out: 0,
    }
}

/// Draws the layout by offsets. A cell shows the indices of all axes of more than one coordinate.
pub(crate) fn sheet(layout: &Layout, color: Color, limits: Limits) -> Sheet {
    let long = unreached::long_axes(layout);
    let letters = long.iter().map(|&axis| layout.letters().at(axis).to_string());
    let letters = letters.collect::<Vec<_>>().join(",");
    let panel =
        panel(layout, String::new(), (width(layout, limits), limits), |coordinate, offset| Cell {
            text: match long.is_empty() {
                true => "0".into(),
                false => unreached::listed(long.iter().map(|&axis| coordinate[axis])),
            },
            kind: Kind::Element(color.hue(layout, coordinate, offset)),
        });
    let notes = match (layout.numel(), letters.is_empty()) {
        (0, _) => "no coordinates: an extent is 0".into(),
        (_, true) => "one element".into(),
        _ => format!("cells are the coordinates {letters}; {}", color.note(layout)),
    };
    let mut notes = Vec::from([notes]);
    notes.extend(unreached::note(layout).map(|note| format!("hatched: {note}")));
    notes.extend(folded(layout, &panel));
    Sheet { title: format!("{layout} in memory"), panels: [panel].into(), notes }
}

/// Draws both buffers. On both sides, an element shows its offset in the source and has the same color.
pub(crate) fn relayout(
    source: &Layout,
    destination: &Layout,
    color: Color,
    limits: Limits,
) -> Sheet {
    // The coordinates of a permuted view have another order.
    let show = |layout: &Layout, coordinate: &[usize]| {
        let mut at = [0; MAX_RANK];
        for (axis, &index) in coordinate.iter().enumerate() {
            let position = source.letters().position(layout.letters().at(axis));
            at[position.unwrap_or(axis)] = index;
        }
        let at = &at[..coordinate.len()];
        let offset = source.offset(at);
        let kind = Kind::Element(color.hue(source, at, offset));
        Cell { text: offset.to_string(), kind }
    };
    let limits = Limits { cells: limits.cells / 2, ..limits };
    let width = width(source, limits).max(width(destination, limits));
    let mut panels = Vec::new();
    let mut notes =
        Vec::from([format!("numbers are offsets in the source; {}", color.note(source))]);
    for (layout, side) in [(source, "source"), (destination, "destination")] {
        let panel =
            panel(layout, format!("{side}: {layout}"), (width, limits), |at, _| show(layout, at));
        notes.extend(unreached::note(layout).map(|note| format!("hatched in the {side}: {note}")));
        notes.extend(folded(layout, &panel).map(|note| format!("{side} {note}")));
        panels.push(panel);
    }
    Sheet { title: format!("{source} => {destination}"), panels, notes }
}

/// Returns a note about the part of the buffer that is not shown.
fn folded(layout: &Layout, panel: &Panel) -> Option<String> {
    let shown = panel.cells.len().min(layout.len());
    let of = counted(layout.len(), "element");
    (panel.rows_left_out > 0).then(|| format!("folded: {shown} of {of} shown"))
}
