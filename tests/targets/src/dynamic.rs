//! Relayouts between layouts that are values: every pair of some formats, at several extents.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use tensor_layout::{ElementType, Format, Layout, Plan};

use crate::check::{Side, check};

const FORMATS: [&str; 8] =
    ["NCHW", "NHWC", "CHWN", "NCHW4c", "CHWN4c", "NCHW6c", "NCHW16c", "NCHW8c2w"];
const EXTENTS: [[usize; 4]; 5] =
    [[1, 3, 3, 4], [2, 8, 2, 3], [5, 4, 1, 2], [1, 1, 1, 1], [1, 17, 1, 3]];

/// Runs all, and returns how many.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    of_units::<u8>() + of_units::<u16>() + of_units::<u32>() + of_units::<[u8; 3]>()
}

#[inline(never)]
fn of_units<U: Pod>() -> usize {
    let bytes = size_of::<U>();
    let element = ElementType::Plain { bytes, align: align_of::<U>() };
    let mut count = 0;
    for (i, extents) in EXTENTS.into_iter().enumerate() {
        for (j, from) in FORMATS.into_iter().enumerate() {
            for (k, to) in FORMATS.into_iter().enumerate() {
                let from = Side { format: from, extents, bytes };
                let to = Side { format: to, extents, bytes };
                let plan = planned([from, to], element);
                // Each of these many times, in turn.
                let skew = [(i + j) % 2 * align_of::<U>(), (i + k) % 2 * align_of::<U>()];
                check([from, to], skew, &[0; 4][..bytes], &mut |source, destination| {
                    let source = cast_slice::<u8, U>(source);
                    plan.run(source, cast_slice_mut(destination)).expect("the lengths");
                });
                count += 1;
            }
        }
    }
    count
}

/// Plans in a frame that is left before anything moves.
#[inline(never)]
fn planned(sides: [Side; 2], element: ElementType) -> Plan {
    let [from, to] = sides.map(|side| layout(side, element));
    Plan::new(&from, &to).expect("the same tensor")
}

#[inline(never)]
fn layout(side: Side, element: ElementType) -> Layout {
    let format = Format::parse(side.format).expect("a format");
    Layout::builder(format, element).pad(0).extents(&side.extents).expect("a layout")
}
