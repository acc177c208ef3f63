//! A layout by coordinates: some axes count rows, some columns, and each coordinate of the others has a panel.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Layout;
use layout_core::spec::MAX_RANK;

use crate::color::Color;
use crate::sheet::{Cell, Kind, Panel, Sheet, counted};
use crate::unreached;

/// The maximal numbers of rows and columns of a panel, and of cells of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) cells: usize,
}

impl Limits {
    /// How many of these rows and columns a panel has: with both cut off, the picture's most cells at most.
    pub(crate) fn panel(self, rows: usize, columns: usize) -> (usize, usize) {
        let columns = columns.min(self.columns).min(self.cells);
        (rows.min(self.rows).min((self.cells / columns.max(1)).max(1)), columns)
    }
}

/// The axes that count rows and columns, as positions.
#[derive(Clone, Debug)]
pub(crate) struct Axes {
    pub(crate) rows: Vec<usize>,
    pub(crate) columns: Vec<usize>,
}

impl Axes {
    /// Chooses the last axes of more than one coordinate: columns are one axis, or two short ones, and rows the axis
    /// before.
    pub(crate) fn of(layout: &Layout) -> Self {
        let mut long = unreached::long_axes(layout);
        let extents = layout.extents();
        let mut columns: Vec<usize> = long.pop().into_iter().collect();
        if long.len() > 1 {
            let (last, before) = (columns[0], long[long.len() - 1]);
            if extents[last].saturating_mul(extents[before]) <= 16 {
                columns.insert(0, before);
                long.pop();
            }
        }
        Self { rows: long.pop().into_iter().collect(), columns }
    }

    /// Returns the other axes.
    fn rest(&self, layout: &Layout) -> Vec<usize> {
        let is_shown = |axis: &usize| self.rows.contains(axis) || self.columns.contains(axis);
        (0..layout.rank()).filter(|axis| !is_shown(axis)).collect()
    }
}

/// Axes that are counted together, the last one fastest.
struct Counter<'a> {
    layout: &'a Layout,
    axes: Vec<usize>,
    /// Their extents, including padding of blocks.
    extents: Vec<usize>,
}

impl<'a> Counter<'a> {
    fn new(layout: &'a Layout, axes: &[usize], padded: bool) -> Self {
        let extent = |&axis: &usize| match padded && layout.has_padding() {
            true => padded_extent(layout, axis),
            false => layout.extents()[axis],
        };
        Self { layout, axes: axes.to_vec(), extents: axes.iter().map(extent).collect() }
    }

    fn count(&self) -> usize {
        self.extents.iter().fold(1, |count, &extent| count.saturating_mul(extent))
    }

    /// Sets these axes of `coordinate` to the indices of number `index`.
    fn set(&self, mut index: usize, coordinate: &mut [usize]) {
        for (&axis, &extent) in self.axes.iter().zip(&self.extents).rev() {
            coordinate[axis] = index % extent;
            index /= extent;
        }
    }

    fn letters(&self) -> String {
        self.axes.iter().map(|&axis| self.layout.letters().at(axis)).collect()
    }

    /// Returns the indices of number `index`.
    fn label(&self, index: usize) -> String {
        let mut coordinate = [0; MAX_RANK];
        self.set(index, &mut coordinate);
        unreached::listed(self.axes.iter().map(|&axis| coordinate[axis]))
    }

    /// Returns the indices with their letters, without axes of one coordinate.
    fn caption(&self, index: usize) -> String {
        let mut coordinate = [0; MAX_RANK];
        self.set(index, &mut coordinate);
        let long = self.axes.iter().filter(|&&axis| self.layout.extents()[axis] != 1);
        let text =
            |&axis: &usize| format!("{} = {}", self.layout.letters().at(axis), coordinate[axis]);
        long.map(text).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the number of coordinates for which the digits of an axis have space.
fn padded_extent(layout: &Layout, axis: usize) -> usize {
    let extent = layout.extents()[axis];
    let digits = layout.digits_along(axis);
    let spaces = digits
        .iter()
        .map(|digit| digit.weight.saturating_mul(digit.size).saturating_sub(digit.shift));
    spaces.filter(|_| extent > 0).fold(extent, usize::max)
}

/// Returns the offset that the digits give to a coordinate inside the padded extents.
fn padded_offset(layout: &Layout, coordinate: &[usize]) -> usize {
    let swizzled = |offset| layout.swizzle().map_or(offset, |swizzle| swizzle.apply(offset));
    // The swizzle is its own inverse.
    let mut offset = swizzled(layout.offset(&[0; MAX_RANK][..layout.rank()]));
    for digit in &layout.digits() {
        let value = |index: usize| (index + digit.shift) / digit.weight % digit.size;
        let steps = value(coordinate[digit.axis]).wrapping_sub(value(0));
        offset = offset.wrapping_add(steps.wrapping_mul(digit.stride as usize));
    }
    swizzled(offset)
}

/// Returns the cell of a coordinate inside the padded extents.
fn cell(layout: &Layout, color: Color, coordinate: &[usize]) -> Cell {
    if let Ok(offset) = layout.checked_offset(coordinate) {
        let kind = Kind::Element(color.hue(layout, coordinate, offset));
        return Cell { text: offset.to_string(), kind };
    }
    let offset = padded_offset(layout, coordinate);
    if offset < layout.len() && layout.coordinate(offset).is_none() {
        return Cell { text: offset.to_string(), kind: Kind::Padding };
    }
    Cell { text: String::new(), kind: Kind::Nothing }
}

/// Draws the layout by coordinates.
pub(crate) fn sheet(layout: &Layout, axes: &Axes, color: Color, limits: Limits) -> Sheet {
    let title = layout.to_string();
    if layout.numel() == 0 {
        let notes = Vec::from(["no coordinates: an extent is 0".into()]);
        return Sheet { title, panels: Vec::new(), notes };
    }
    let rows = Counter::new(layout, &axes.rows, true);
    let columns = Counter::new(layout, &axes.columns, true);
    let rest = Counter::new(layout, &axes.rest(layout), false);
    let (shown_rows, shown_columns) = limits.panel(rows.count(), columns.count());
    // Labels of rows and columns take as much text as cells.
    let most_panels = (limits.cells / ((shown_rows + 1) * (shown_columns + 1))).max(1);
    let shown_panels = rest.count().min(most_panels);
    let mut coordinate = [0; MAX_RANK];
    let mut panel = |panel: usize| {
        rest.set(panel, &mut coordinate);
        let mut cells = Vec::with_capacity(shown_rows * shown_columns);
        for row in 0..shown_rows {
            rows.set(row, &mut coordinate);
            for column in 0..shown_columns {
                columns.set(column, &mut coordinate);
                cells.push(cell(layout, color, &coordinate[..layout.rank()]));
            }
        }
        Panel {
            caption: rest.caption(panel),
            corner: corner(&rows.letters(), &columns.letters()),
            rows: (0..shown_rows).map(|row| rows.label(row)).collect(),
            columns: (0..shown_columns).map(|column| columns.label(column)).collect(),
            cells,
            rows_left_out: rows.count() - shown_rows,
            columns_left_out: columns.count() - shown_columns,
        }
    };
    let panels: Vec<Panel> = (0..shown_panels).map(&mut panel).collect();
    let notes = notes(layout, color, &panels, rest.count() - shown_panels);
    Sheet { title, panels, notes }
}

/// Returns the text of the corner: what rows and columns count.
fn corner(rows: &str, columns: &str) -> String {
    match (rows, columns) {
        ("", "") => String::new(),
        ("", columns) => format!("{columns}\u{2192}"),
        (rows, "") => format!("{rows}\u{2193}"),
        (rows, columns) => format!("{rows}\u{2193} {columns}\u{2192}"),
    }
}

fn notes(layout: &Layout, color: Color, panels: &[Panel], panels_left_out: usize) -> Vec<String> {
    let mut notes = Vec::from([format!("numbers are offsets in elements; {}", color.note(layout))]);
    let cells = || panels.iter().flat_map(|panel| &panel.cells);
    let hatched = cells().filter(|cell| cell.kind == Kind::Padding).count();
    notes.extend(unreached::note_of(layout, hatched));
    let elements = cells().filter(|cell| matches!(cell.kind, Kind::Element(_))).count();
    if elements < layout.numel() {
        let of = counted(layout.numel(), "coordinate");
        let mut note = format!("folded: {elements} of {of} shown");
        if panels_left_out > 0 {
            note += &format!(", {} left out", counted(panels_left_out, "panel"));
        }
        notes.push(note);
    }
    notes
}
