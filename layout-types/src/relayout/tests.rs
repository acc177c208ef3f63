//! Every set of kernels that the CPU has, forced one after the other, against moving elements one
//! by one: all small shapes, unaligned buffers, guard bytes around the destination.

use std::format;
use std::vec;
use std::vec::Vec;

use super::boxes::Boxes;
use super::classify;
use super::plan::Plan;
use crate::algebra::Coordinates;
use crate::kernel;
use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, Format, Length, Spec};

const GUARD: u8 = 0xa5;
const WIDTHS: [usize; 7] = [1, 2, 3, 4, 8, 12, 16];

/// `format` over axes N, C, H, W in this order.
fn layout(format: &str, extents: [usize; 4], bytes: usize) -> Layout {
    let axes: Vec<_> = "NCHW"
        .chars()
        .zip(extents)
        .map(|(letter, extent)| AxisExtent { letter, extent: Length::Runtime(extent) })
        .collect();
    let element = ElementType::Plain { bytes, align: 1 };
    let factors = Format::parse(format).unwrap();
    Layout::new(&Spec { element, axes: &axes, factors: factors.factors(), fill: Some(0) }).unwrap()
}

/// Bytes that no two places near each other share.
fn source_bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 + i / 251 * 17) as u8).collect()
}

/// Moves a tensor with one set of kernels, and element by element, and compares all bytes.
fn check(set: &str, from: &str, to: &str, extents: [usize; 4], bytes: usize, stream: bool) {
    let case = || format!("{set}: {from} to {to} {extents:?}, {bytes} bytes, stream {stream}");
    let (source, destination) = (layout(from, extents, bytes), layout(to, extents, bytes));
    let plan = Plan::new(&source, &destination).unwrap();
    // Both buffers begin at odd addresses; but stores go past the caches in whole lines only.
    let from = source_bytes(source.bytes() + 1);
    let from = &from[1..];
    let mut to = vec![GUARD; destination.bytes() + 256];
    let start = to[64..].as_ptr().align_offset(64) + 64 + usize::from(!stream);
    let (before, rest) = to.split_at_mut(start);
    let (to, after) = rest.split_at_mut(destination.bytes());
    let mut expected = to.to_vec();
    for coordinate in Coordinates::<4>::new(destination) {
        let (a, b) = (source.offset(&coordinate) * bytes, destination.offset(&coordinate) * bytes);
        expected[b..b + bytes].copy_from_slice(&from[a..a + bytes]);
    }
    let mut boxes = Boxes::new(&plan);
    while let Some(nest) = boxes.next() {
        let job = classify::job(&nest, bytes, stream).expect("few loops");
        // SAFETY: the job moves elements of the layouts, whose lengths the buffers have, and the
        // set is one that the CPU has.
        unsafe { kernel::run_named(set, &job, from, to) };
    }
    assert!(*to == expected, "{}", case());
    assert!(before.iter().chain(&*after).all(|&byte| byte == GUARD), "past the end: {}", case());
}

fn sets() -> Vec<&'static str> {
    kernel::names().into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

/// What the operating system says that the CPU can do, and so which sets must have been tested.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux", feature = "std"))]
fn no_set_is_left_out() {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    let line: std::string::String =
        info.lines().find(|line| line.starts_with("flags")).unwrap().into();
    let has = |flag: &str| line.split_whitespace().any(|own| own == flag);
    let avx512 = has("avx512f") && has("avx512bw") && has("avx512vl");
    let expected: Vec<_> = [
        ("portable", true),
        ("sse2", true),
        ("avx2", has("avx2")),
        ("avx512", avx512),
        ("vbmi", avx512 && has("avx512vbmi")),
    ]
    .into_iter()
    .filter(|(_, there)| *there)
    .map(|(name, _)| name)
    .collect();
    assert_eq!(sets(), expected);
}

#[test]
fn small_shapes() {
    for set in sets() {
        for bytes in WIDTHS {
            for channels in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33] {
                for pixels in (1..=20).chain([31, 32, 33, 63, 64, 65, 70]) {
                    let extents = [2, channels, 1, pixels];
                    check(set, "NCHW", "NHWC", extents, bytes, false);
                    check(set, "NHWC", "NCHW", extents, bytes, false);
                    check(set, "NCHW", "NCHW4", extents, bytes, false);
                }
            }
        }
    }
}

#[test]
fn blocks_and_groups() {
    let formats = ["NCHW", "NHWC", "NCHW4", "CHWN4", "NCHW32", "NCHW6c", "CHWN", "NCHW4c16n4c"];
    for set in sets() {
        for bytes in WIDTHS {
            for extents in
                [[1, 4, 3, 3], [5, 12, 3, 3], [16, 32, 3, 3], [3, 35, 2, 9], [4, 64, 5, 13]]
            {
                for from in formats {
                    for to in formats {
                        check(set, from, to, extents, bytes, false);
                    }
                }
            }
        }
    }
}

#[test]
fn rows_a_page_apart_and_stores_past_the_caches() {
    for set in sets() {
        for bytes in [1, 2, 4] {
            for pixels in [4096 / bytes, 4096 / bytes - 1, 4096 / bytes + 3] {
                let extents = [1, 66, 1, pixels];
                for (from, to) in [("NCHW", "NHWC"), ("NHWC", "NCHW"), ("NCHW", "NCHW4")] {
                    check(set, from, to, extents, bytes, false);
                    check(set, from, to, extents, bytes, true);
                }
            }
            // Runs, whole lines of them, and what is left of an interleave.
            check(set, "NHWC", "CHWN", [2, 1, 3, 192], bytes, true);
            check(set, "CHWN", "CHWN", [2, 3, 5, 7], bytes, true);
            check(set, "NCHW", "NHWC", [1, 3, 1, 1000], bytes, true);
            check(set, "NHWC", "NCHW", [1, 3, 1, 1000], bytes, true);
        }
    }
}
