//! Tensors that share memory: steps across, addresses down.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use crate::color::distinct;
use crate::grid::Limits;
use crate::sheet::{Cell, Kind, Panel, Sheet, counted};

/// A memory that tensors share.
#[derive(Clone, Debug)]
pub struct SharedMemory {
    /// The name.
    pub name: String,
    /// The number of bytes that the tensors take.
    pub bytes: usize,
    /// The number of bytes that they take at least, wherever they lie.
    pub bound: usize,
    /// The tensors.
    pub lifetimes: Vec<Lifetime>,
}

/// Where a tensor is, and when it is alive.
#[derive(Clone, Debug)]
pub struct Lifetime {
    /// The name.
    pub name: String,
    /// The bytes of the memory that it takes.
    pub bytes: Range<usize>,
    /// The steps at which it is alive.
    pub steps: RangeInclusive<usize>,
}

/// Draws memories over steps of these names.
pub(crate) fn sheet(memories: &[SharedMemory], steps: &[String], limits: Limits) -> Sheet {
    let mut notes = Vec::new();
    let mut panels = Vec::new();
    for memory in memories {
        let before = notes.len();
        panels.push(panel(memory, before, steps.len(), limits));
        notes.extend(memory.lifetimes.iter().enumerate().map(|(i, of)| note(before + i + 1, of)));
    }
    let names = steps.iter().enumerate().map(|(i, name)| format!("step {i}  {name}"));
    notes.extend(names);
    Sheet { title: "tensors over steps".into(), panels, notes }
}

fn panel(memory: &SharedMemory, before: usize, steps: usize, limits: Limits) -> Panel {
    let SharedMemory { name, bytes, bound, lifetimes } = memory;
    // What a step has can differ only where a tensor begins or ends.
    let mut starts = Vec::from([0]);
    starts.extend(lifetimes.iter().flat_map(|of| [of.bytes.start, of.bytes.end]));
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|start| start < bytes);
    let end = lifetimes.iter().map(|of| of.steps.end() + 1).max().unwrap_or(0).max(steps);
    let (rows, columns) = limits.panel(starts.len(), end);
    let cell = |(start, step)| {
        let has = |of: &Lifetime| of.bytes.contains(&start) && of.steps.contains(&step);
        match lifetimes.iter().rposition(has) {
            Some(i) => Cell {
                text: (before + i + 1).to_string(),
                kind: Kind::Element(distinct(before + i)),
            },
            None => Cell { text: String::new(), kind: Kind::Nothing },
        }
    };
    let places =
        starts[..rows].iter().flat_map(|&start| (0..columns).map(move |step| (start, step)));
    Panel {
        caption: format!("{name}: {}, at least {bound}", counted(*bytes, "byte")),
        corner: "byte\u{2193} step\u{2192}".into(),
        rows: starts[..rows].iter().map(|start| format!("{start:#x}")).collect(),
        columns: (0..columns).map(|step| step.to_string()).collect(),
        cells: places.map(cell).collect(),
        rows_left_out: starts.len() - rows,
        columns_left_out: end - columns,
    }
}

/// Returns the note that explains a number.
fn note(number: usize, of: &Lifetime) -> String {
    let Lifetime { name, bytes, steps } = of;
    let (start, end, first, last) = (bytes.start, bytes.end, steps.start(), steps.end());
    format!("{number}  {name}: bytes {start:#x} to {end:#x}, steps {first} to {last}")
}
