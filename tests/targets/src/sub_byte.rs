//! Relayouts of 4-bit elements, two of which share a byte.

use tensor_layout::{ElementType, Format, Layout, Plan};

use crate::naive;

/// The element at an offset: the even one is in the low half.
fn nibble(bytes: &[u8], offset: usize) -> u8 {
    bytes[offset / 2] >> (offset % 2 * 4) & 0xf
}

/// Runs all, and returns how many.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    let formats = ["NCHW", "NHWC", "NCHW4c", "NCHW16c", "CHWN2c"];
    let extents = [2, 16, 3, 4];
    let source: [u8; 192] = core::array::from_fn(|i| (i * 31 + i / 16) as u8);
    let mut count = 0;
    for from in formats {
        for to in formats {
            let plan = planned(from, to, &extents);
            let mut moved = [0; 192];
            plan.run(&source, &mut moved).expect("the lengths");
            for coordinate in naive::coordinates(extents) {
                let [a, b] = [from, to].map(|format| naive::offset(format, extents, coordinate));
                assert!(
                    nibble(&moved, b) == nibble(&source, a),
                    "half bytes from {from} to {to}: {coordinate:?}"
                );
            }
            count += 1;
        }
    }
    count
}

/// Plans in a frame that is left before anything moves.
#[inline(never)]
fn planned(from: &str, to: &str, extents: &[usize]) -> Plan {
    Plan::new(&layout(from, extents), &layout(to, extents)).expect("the same tensor")
}

#[inline(never)]
fn layout(format: &str, extents: &[usize]) -> Layout {
    let format = Format::parse(format).expect("a format");
    Layout::of(format, extents, ElementType::I4).expect("a layout")
}
