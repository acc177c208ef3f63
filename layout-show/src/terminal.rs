//! Pictures as text.

use alloc::format;
use alloc::string::String;

use crate::color::LIGHT;
use crate::sheet::{Cell, Kind, Panel, Sheet};

/// Writes the picture in lines. With `colored`, it uses ANSI escape codes.
pub(crate) fn write(sheet: &Sheet, colored: bool) -> String {
    let mut out = format!("{}\n", sheet.title);
    for panel in &sheet.panels {
        out.push('\n');
        write_panel(&mut out, panel, colored);
    }
    out.push('\n');
    for note in &sheet.notes {
        out += &note.replace("hatched", "in parentheses");
        out.push('\n');
    }
    out
}

fn write_panel(out: &mut String, panel: &Panel, colored: bool) {
    if !panel.caption.is_empty() {
        *out += &format!("{}\n", panel.caption);
    }
    let label = panel.label_characters();
    let has_padding = panel.cells.iter().any(|cell| cell.kind == Kind::Padding);
    let width = panel.cell_characters() + if has_padding { 2 } else { 0 };
    *out += &format!(" {:>label$}", panel.corner);
    for column in &panel.columns {
        *out += &if has_padding {
            format!(" {column:>0$} ", width - 1)
        } else {
            format!(" {column:>width$}")
        };
    }
    trim(out);
    for (row, text) in panel.rows.iter().enumerate() {
        *out += &format!(" {text:>label$}");
        for cell in panel.row(row) {
            write_cell(out, cell, width, has_padding, colored);
        }
        trim(out);
    }
    if let Some(note) = panel.left_out() {
        *out += &format!(" {:>label$} {note}\n", "");
    }
}

fn write_cell(out: &mut String, cell: &Cell, width: usize, has_padding: bool, colored: bool) {
    let Cell { text, kind } = cell;
    let (inner, after) = if has_padding { (width - 1, " ") } else { (width, "") };
    match kind {
        Kind::Element(hue) if colored => {
            let color = LIGHT[*hue];
            let [_, red, green, blue] = color.to_be_bytes();
            *out += &format!(
                "\u{1b}[48;2;{red};{green};{blue}m\u{1b}[38;2;27;31;36m {text:>inner$}{after}\u{1b}[0m"
            );
        }
        Kind::Element(_) => *out += &format!(" {text:>inner$}{after}"),
        Kind::Padding => *out += &format!(" {:>width$}", format!("({text})")),
        Kind::Nothing => *out += &format!(" {:>width$}", ""),
    }
}

/// Removes spaces at the end of a line and ends it.
fn trim(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}
