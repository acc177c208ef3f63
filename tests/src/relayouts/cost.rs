//! `relayout_cost`: what is free, and what costs more than what.

use tensor_layout::{Layout, Plan, relayout_cost};

fn layout(text: &str) -> Layout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn cost(source: &str, destination: &str) -> u64 {
    relayout_cost(&layout(source), &layout(destination)).expect("a relayout")
}

#[test]
fn layouts_of_one_map_are_free() {
    for (source, destination) in [
        ("NCHW<2, 8, 3, 5>, f16", "NCHW<2, 8, 3, 5>, f16"),
        ("NCHW<2, 8, 1, 1>, f16", "NHWC<N = 2, C = 8, H = 1, W = 1>, f16"),
        ("NCHW4<1, 4, 5, 5>, u8", "NHWC<N = 1, C = 4, H = 5, W = 5>, u8"),
        ("NCHW<2, 8, 0, 5>, f32", "NHWC<N = 2, C = 8, H = 0, W = 5>, f32"),
    ] {
        assert_eq!(cost(source, destination), 0, "{source} -> {destination}");
    }
    // The same places, but other bits of each byte, and another number of bytes.
    assert_ne!(cost("MK<8, 16>, u4", "MK<8, 16>, u4, high_first"), 0);
    assert_ne!(cost("MK<8, 16>, u8", "MK<8, 16>, u8, strides = [16, 1], len = 200"), 0);
}

#[test]
fn costs_compare_as_times_do() {
    // Each costs more than the one before it: whole planes, blocks of 16 bytes, single bytes, the same of many images, and
    // scattered bits.
    let rising = [
        cost("NCHW<2, 64, 56, 56>, u8", "CNHW<N = 2, C = 64, H = 56, W = 56>, u8"),
        cost("NCHW16<2, 64, 56, 56>, u8", "NHWC<N = 2, C = 64, H = 56, W = 56>, u8"),
        cost("NCHW<2, 64, 56, 56>, u8", "NHWC<N = 2, C = 64, H = 56, W = 56>, u8"),
        cost("NCHW<16, 64, 56, 56>, u8", "NHWC<N = 16, C = 64, H = 56, W = 56>, u8"),
        cost("NCHW<16, 64, 57, 57>, u1, pad", "NHWC<N = 16, C = 64, H = 57, W = 57>, u1"),
    ];
    assert!(rising.is_sorted_by(|a, b| a < b), "{rising:?}");
    // Padding is written too.
    let padded = cost("NCHW<1, 65, 56, 56>, u8", "NCHW64<1, 65, 56, 56>, u8, pad");
    assert!(padded > cost("NCHW<1, 65, 56, 56>, u8", "NCHW5c<1, 65, 56, 56>, u8"), "{padded}");
}

#[test]
fn errors_are_those_of_plans() {
    for (source, destination) in [
        ("NCHW<2, 8, 3, 5>, f16", "NCHW<2, 8, 3, 4>, f16"),
        ("NCHW<2, 8, 3, 5>, f16", "NCHW<2, 8, 3, 5>, f32"),
        ("MK<2, 8>, u8", "MN<2, 8>, u8"),
    ] {
        let (source, destination) = (layout(source), layout(destination));
        let error = relayout_cost(&source, &destination).expect_err("no relayout");
        assert_eq!(Some(error), Plan::new(&source, &destination).err());
    }
}
