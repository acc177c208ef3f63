//! A layout by lanes: the elements of each lane of an accelerator, from the first on.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Layout;
use layout_core::chip::Lanes;

use crate::color::Color;
use crate::grid::Limits;
use crate::sheet::{Cell, Kind, Panel, Sheet, counted};
use crate::unreached;

/// Draws a row for each lane that holds elements. A cell shows the indices of all axes of more than one coordinate.
pub(crate) fn sheet(layout: &Layout, lanes: &Lanes, color: Color, limits: Limits) -> Sheet {
    let long = unreached::long_axes(layout);
    let (first, used) = lanes.used();
    let (rows, columns) = limits.panel(used, lanes.len());
    let numbers = (0..rows).map(|row| (first + row) % lanes.count());
    let cell = |lane: usize, column: usize| {
        let offset = lane * lanes.len() + column;
        let Some(coordinate) = layout.coordinate(offset) else {
            return Cell { text: String::new(), kind: Kind::Padding };
        };
        Cell {
            text: match long.is_empty() {
                true => "0".into(),
                false => unreached::listed(long.iter().map(|&axis| coordinate[axis])),
            },
            kind: Kind::Element(color.hue(layout, &coordinate, offset)),
        }
    };
    let cells = numbers.clone().flat_map(|lane| (0..columns).map(move |column| (lane, column)));
    let panel = Panel {
        caption: String::new(),
        corner: "lane".into(),
        rows: numbers.map(|lane| lane.to_string()).collect(),
        columns: (0..columns).map(|column| format!("+{column}")).collect(),
        cells: cells.map(|(lane, column)| cell(lane, column)).collect(),
        rows_left_out: used - rows,
        columns_left_out: lanes.len() - columns,
    };
    let letters: Vec<String> =
        long.iter().map(|&axis| layout.letters().at(axis).to_string()).collect();
    let mut notes = Vec::from([format!(
        "cells are the coordinates {}; columns are elements of a lane, of {}",
        letters.join(","),
        counted(lanes.bytes(), "byte")
    )]);
    let count = lanes.count();
    notes.push(match lanes.axis() {
        Some(axis) => format!("axis {axis} is distributed over {count} lanes"),
        None => format!("the slowest axes and blocks count {count} lanes"),
    });
    if used < lanes.count() {
        notes.push(format!("{} hold nothing", counted(lanes.count() - used, "lane")));
    }
    let hatched = panel.cells.iter().filter(|cell| cell.kind == Kind::Padding).count();
    notes.extend(unreached::note_of(layout, hatched));
    if rows < used || columns < lanes.len() {
        let of = counted(layout.numel(), "coordinate");
        let shown = panel.cells.len() - hatched;
        notes.push(format!("folded: {shown} of {of} shown"));
    }
    Sheet { title: format!("{layout} by lanes"), panels: [panel].into(), notes }
}
