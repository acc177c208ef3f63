//! From the loops of a nest to the jobs of kernels.

use layout_kernels::{Fill, Job, Loops, Stores, Units};
use layout_types::Layout;
use layout_types::nests::{Level, Nest, Padding};

/// The jobs that do what `nest` says with elements of `bits` bits: one, and another where that leaves
/// 4-bit elements over; or `None` where jobs cannot say it, for the nest has too many loops or its 4-bit
/// elements begin inside bytes.
pub(crate) const fn jobs(nest: &Nest, bits: usize, stores: Stores) -> Option<(Job, Option<Job>)> {
    match loops(nest) {
        Some(loops) => layout_kernels::jobs(&loops, bits, stores),
        None => None,
    }
}

/// The loops of `nest` over elements of `bytes` bytes, as long units as can be, or `None` where they are
/// too many.
pub(super) const fn units(nest: &Nest, bytes: usize) -> Option<Units> {
    match loops(nest) {
        Some(loops) => layout_kernels::units(&loops, bytes),
        None => None,
    }
}

/// The job that moves what `job` moves and fills the padding of `layout` too, if there is one.
pub(super) const fn padded(job: &Job, layout: &Layout, padding: &Padding) -> Option<Job> {
    let fill = Fill {
        bits: layout.element().bits(),
        bytes: layout.bytes(),
        count: layout.count(),
        every: padding.every.get(),
        start: padding.start,
        length: padding.length,
        elements: padding.elements,
        value: layout.unit_of_fill(),
    };
    layout_kernels::padded(job, &fill)
}

const fn loops(nest: &Nest) -> Option<Loops> {
    let mut loops = Loops::at(nest.start().source, nest.start().destination);
    let levels = nest.levels();
    let mut i = 0;
    while i < levels.len() {
        let Level { size, source, destination, .. } = levels[i];
        if !loops.push(size, source, destination) {
            return None;
        }
        i += 1;
    }
    Some(loops)
}
