//! Tensors in the local memory of a chip: lanes down, banks across.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_chip::LocalMemory;
use layout_core::chip::Chip;

use crate::color::distinct;
use crate::grid::Limits;
use crate::sheet::{Cell, Kind, Panel, Sheet, counted};
use crate::unreached;

/// Tensors and their chip.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    chip: Chip,
    tensors: Vec<DrawnTensor>,
}

#[derive(Clone, Debug)]
struct DrawnTensor {
    name: String,
    /// The range of bytes in each lane.
    start: usize,
    end: usize,
    /// The first lane and the number of lanes, which may wrap around the end.
    lanes: (usize, usize),
}

impl Local {
    pub(crate) fn new<const N: usize>(memory: &LocalMemory<N>) -> Self {
        let tensors = memory.tensors().iter().enumerate().map(|(i, tensor)| DrawnTensor {
            name: tensor.name.to_string(),
            start: memory.address(i),
            end: memory.end(i),
            lanes: tensor.layout.lanes().map_or((0, 0), |lanes| lanes.used()),
        });
        Self { chip: *memory.chip(), tensors: tensors.collect() }
    }

    /// Returns the numbers of the tensors in a bank of a lane, from 1 on.
    fn at(&self, lane: usize, bank: usize) -> Vec<usize> {
        let (start, end) = (bank * self.chip.bank_bytes(), (bank + 1) * self.chip.bank_bytes());
        let is_here = |tensor: &DrawnTensor| {
            let (first, count) = tensor.lanes;
            let after = (lane + self.chip.lanes - first) % self.chip.lanes;
            after < count && tensor.start < end && start < tensor.end
        };
        let here = self.tensors.iter().enumerate().filter(|(_, tensor)| is_here(tensor));
        here.map(|(i, _)| i + 1).collect()
    }

    /// Returns groups of neighboring lanes that hold the same tensors, each as its first and last lane.
    fn groups(&self) -> Vec<(usize, usize)> {
        // Lanes can differ only where a tensor begins or ends.
        let mut starts = Vec::from([0]);
        for &DrawnTensor { lanes: (first, count), .. } in &self.tensors {
            starts.extend([first, (first + count) % self.chip.lanes]);
        }
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([self.chip.lanes]);
        starts.iter().copied().zip(ends.map(|end| end - 1)).collect()
    }

    /// Draws the map.
    pub(crate) fn sheet(&self, limits: Limits) -> Sheet {
        let Chip { name, lanes, lane_bytes, banks, .. } = self.chip;
        let groups = self.groups();
        let (rows, columns) = limits.panel(groups.len(), banks);
        let cell = |(lane, bank)| {
            let tensors = self.at(lane, bank);
            match tensors.first() {
                Some(first) => Cell {
                    kind: Kind::Element(distinct(first - 1)),
                    text: unreached::listed(tensors),
                },
                None => Cell { text: String::new(), kind: Kind::Nothing },
            }
        };
        let label = |&(first, last): &(usize, usize)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        let places =
            groups[..rows].iter().flat_map(|group| (0..columns).map(|bank| (group.0, bank)));
        let panel = Panel {
            caption: String::new(),
            corner: "lane\u{2193} bank\u{2192}".into(),
            rows: groups[..rows].iter().map(label).collect(),
            columns: (0..columns).map(|bank| bank.to_string()).collect(),
            cells: places.map(cell).collect(),
            rows_left_out: groups.len() - rows,
            columns_left_out: banks - columns,
        };
        let notes = self.tensors.iter().enumerate().map(|(i, tensor)| self.note(i + 1, tensor));
        let title =
            format!("{name}: {lanes} lanes of {} in {banks} banks", counted(lane_bytes, "byte"));
        Sheet { title, panels: [panel].into(), notes: notes.collect() }
    }

    /// Returns the note that explains a number.
    fn note(&self, number: usize, tensor: &DrawnTensor) -> String {
        let DrawnTensor { name, start, end, lanes: (first, count) } = tensor;
        let last = (first + count.saturating_sub(1)) % self.chip.lanes;
        let lanes = match count {
            0 => "no lane".into(),
            1 => format!("lane {first}"),
            _ => format!("lanes {first}-{last}"),
        };
        format!("{number}  {name}: bytes {start:#x} to {end:#x} of {lanes}")
    }
}
