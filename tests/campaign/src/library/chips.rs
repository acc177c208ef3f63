//! Layouts over lanes, and tensors in the memory of accelerators.

use layout_chip::{Descriptor, LocalMemory, LocalTensor, Transfer};
use layout_core::Layout;
use layout_core::chip::{CHIPS, Chip, STORAGES};

/// A chip of numbers that no chip has.
const LARGE: Chip = Chip {
    name: "large",
    lanes: usize::MAX >> 1,
    lane_bytes: usize::MAX,
    banks: 3,
    alignment: 1,
    kernel_bytes: 1 << 20,
};

/// The lanes of a layout, the layout over lanes, and the layout of its extents in every storage of two chips.
///
/// # Errors
/// A place that is not the coordinate's.
pub(super) fn chips(layout: &Layout) -> Result<(), String> {
    lanes(layout)?;
    for count in [1, 2, 32, 1 << 20, usize::MAX] {
        if let Ok(over) = layout.over_lanes(count) {
            lanes(&over)?;
        }
    }
    let letters: String = (0..layout.rank()).map(|axis| layout.letters().at(axis)).collect();
    for chip in [&CHIPS[0], &LARGE] {
        for storage in STORAGES {
            let format = if storage.format.is_empty() { &letters } else { storage.format };
            for (start, width) in [(0, None), (1, Some(1)), (usize::MAX, Some(usize::MAX))] {
                let built = Layout::builder(format, layout.element());
                let built = built.storage(chip, storage, start, width);
                let Ok(local) = built.extents(layout.extents()) else { continue };
                lanes(&local)?;
                transfers(chip, &local);
            }
        }
        transfers(chip, layout);
    }
    Ok(())
}

/// What a layout over lanes says of them.
fn lanes(layout: &Layout) -> Result<(), String> {
    let Some(lanes) = layout.lanes() else { return Ok(()) };
    let _ = (lanes.axis(), lanes.together(), lanes.strides(), lanes.tensor(), lanes.rows());
    for lane in [0, 1, lanes.start(), lanes.count() - 1, lanes.count(), usize::MAX] {
        let _ =
            (lanes.rows_in(lane), lanes.coordinate(lane, 0), lanes.coordinate(lane, usize::MAX));
    }
    if layout.numel() == 0 {
        return Ok(());
    }
    let last: Vec<usize> = layout.extents().iter().map(|extent| extent - 1).collect();
    for coordinate in [vec![0; last.len()], last] {
        let place = lanes.place(&coordinate).map_err(|error| error.to_string())?;
        if place.lane >= lanes.count() || place.byte >= lanes.bytes().max(1) {
            return Err(format!("{coordinate:?} of {layout} is in {place:?}"));
        }
    }
    Ok(())
}

/// Moves between a layout over lanes and memory, and its place in a lane.
fn transfers(chip: &Chip, local: &Layout) {
    let axes: Vec<(char, usize)> =
        (0..local.rank()).map(|axis| (local.letters().at(axis), local.extents()[axis])).collect();
    let name: String = axes.iter().map(|axis| axis.0).collect();
    for format in [&name[..], "NCHW", "NHWC"] {
        let Ok(builder) = layout_core::Format::parse(format) else { continue };
        let Ok(global) = Layout::builder(builder, local.element()).named_extents(&axes) else {
            continue;
        };
        for (far, near) in
            [(0, 0), (u64::MAX - 3, 0), (1 << 63, usize::MAX - 63), (u64::MAX, 1 << 20)]
        {
            let moves = [
                Transfer::load(&global, far, local, near),
                Transfer::store(local, near, &global, far),
            ];
            for transfer in moves.into_iter().flatten() {
                let mut list = [Descriptor::NONE; 3];
                transfer.write(&mut list);
            }
        }
    }
    for address in [None, Some(0), Some(64), Some(usize::MAX)] {
        let tensor = LocalTensor { name: "own", layout: *local, address };
        let other = LocalTensor { address: None, ..tensor };
        if let Ok(memory) = LocalMemory::new(chip, &[tensor, other], &[&[0, 1]]) {
            let _ = (memory.address(1), memory.end(1), memory.banks(0), memory.to_string());
        }
    }
}
