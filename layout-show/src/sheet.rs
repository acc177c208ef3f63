//! Drawings independent of their output format: panels of labeled cells under a title, with notes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A picture independent of its output format.
pub(crate) struct Sheet {
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
    pub(crate) notes: Vec<String>,
}

/// One grid of cells.
pub(crate) struct Panel {
    /// What all cells of the panel have in common.
    pub(crate) caption: String,
    /// What rows and columns count.
    pub(crate) corner: String,
    pub(crate) rows: Vec<String>,
    pub(crate) columns: Vec<String>,
    /// The cells, row by row.
    pub(crate) cells: Vec<Cell>,
    pub(crate) rows_left_out: usize,
    pub(crate) columns_left_out: usize,
}

pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An element, with its hue.
    Element(usize),
    /// Storage that belongs to no coordinate.
    Padding,
    /// Nothing, after the end of the buffer.
    Nothing,
}

impl Panel {
    /// Returns the cells of one row.
    pub(crate) fn row(&self, row: usize) -> &[Cell] {
        &self.cells[row * self.columns.len()..][..self.columns.len()]
    }

    /// Returns the maximal number of characters of a cell and of a column's label.
    pub(crate) fn cell_characters(&self) -> usize {
        let texts = self.cells.iter().map(|cell| &cell.text).chain(&self.columns);
        texts.map(|text| text.chars().count()).max().unwrap_or(1)
    }

    /// Returns the maximal number of characters of a row's label.
    pub(crate) fn label_characters(&self) -> usize {
        let labels = self.rows.iter().chain([&self.corner]);
        labels.map(|label| label.chars().count()).max().unwrap_or(0)
    }

    /// Returns the note under the panel about rows or columns that are left out.
    pub(crate) fn left_out(&self) -> Option<String> {
        let rows = format!("\u{22ee} {}", counted(self.rows_left_out, "more row"));
        let columns = format!("\u{22ef} {}", counted(self.columns_left_out, "more column"));
        match (self.rows_left_out, self.columns_left_out) {
            (0, 0) => None,
            (_, 0) => Some(rows),
            (0, _) => Some(columns),
            _ => Some(format!("{rows}, {columns}")),
        }
    }
}

/// Returns a number with its noun: `1 row`, `2 rows`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
