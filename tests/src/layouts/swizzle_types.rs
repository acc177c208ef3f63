//! The vectors of `swizzles.json` as types.

use tensor_layout::{Layout, PlainElement, Swizzle, layout};

use super::swizzles::{all, check};

/// Swizzled layouts by their id.
const SWIZZLES: &[(&str, Layout)] = &[
    ("swz-0_4_3-8x64s64", <layout!(MK<8, 64>, f16, swizzle(0, 4, 3))>::LAYOUT),
    ("swz-0_4_3-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(0, 4, 3))>::LAYOUT),
    ("swz-0_4_3-12x24s24", <layout!(MK<12, 24>, f16, swizzle(0, 4, 3))>::LAYOUT),
    ("swz-2_4_3-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(2, 4, 3))>::LAYOUT),
    ("swz-3_4_3-8x64s64", <layout!(MK<8, 64>, f16, swizzle(3, 4, 3))>::LAYOUT),
    ("swz-3_4_3-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(3, 4, 3))>::LAYOUT),
    ("swz-3_4_3-12x24s24", <layout!(MK<12, 24>, f16, swizzle(3, 4, 3))>::LAYOUT),
    ("swz-3_3_3-8x64s64", <layout!(MK<8, 64>, f16, swizzle(3, 3, 3))>::LAYOUT),
    ("swz-3_3_3-16x32s32", <layout!(MK<16, 32>, f16, swizzle(3, 3, 3))>::LAYOUT),
    ("swz-3_3_3-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(3, 3, 3))>::LAYOUT),
    ("swz-3_3_3-12x24s24", <layout!(MK<12, 24>, f16, swizzle(3, 3, 3))>::LAYOUT),
    ("swz-3_3_3-16x64s72", <layout!(MK<16, 64>, f16, strides = [72, 1], swizzle(3, 3, 3))>::LAYOUT),
    ("swz-2_3_3-8x64s64", <layout!(MK<8, 64>, f16, swizzle(2, 3, 3))>::LAYOUT),
    ("swz-2_3_3-32x32s32", <layout!(MK<32, 32>, f16, swizzle(2, 3, 3))>::LAYOUT),
    ("swz-2_3_3-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(2, 3, 3))>::LAYOUT),
    ("swz-2_3_3-12x24s24", <layout!(MK<12, 24>, f16, swizzle(2, 3, 3))>::LAYOUT),
    ("swz-1_3_3-8x64s64", <layout!(MK<8, 64>, f16, swizzle(1, 3, 3))>::LAYOUT),
    ("swz-1_3_3-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(1, 3, 3))>::LAYOUT),
    ("swz-1_3_3-12x24s24", <layout!(MK<12, 24>, f16, swizzle(1, 3, 3))>::LAYOUT),
    ("swz-2_1_2-8x64s64", <layout!(MK<8, 64>, f16, swizzle(2, 1, 2))>::LAYOUT),
    ("swz-2_1_2-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(2, 1, 2))>::LAYOUT),
    ("swz-2_1_2-12x24s24", <layout!(MK<12, 24>, f16, swizzle(2, 1, 2))>::LAYOUT),
    ("swz-3_2_4-32x32s32", <layout!(MK<32, 32>, f16, swizzle(3, 2, 4))>::LAYOUT),
    ("swz-2_5_2-16x32s32", <layout!(MK<16, 32>, f16, swizzle(2, 5, 2))>::LAYOUT),
    ("swz-2_5_2-16x64s72", <layout!(MK<16, 64>, f16, strides = [72, 1], swizzle(2, 5, 2))>::LAYOUT),
    ("swz-5_0_5-8x32s36", <layout!(MK<8, 32>, f16, strides = [36, 1], swizzle(5, 0, 5))>::LAYOUT),
    (
        "atom-K-INTER-16",
        <layout!(CR8r8c<R = 64, C = 64>, f16, coordinates(R, C), swizzle_bytes(0, 4, 3))>::LAYOUT,
    ),
    ("atomonly-K-INTER-16", <layout!(RC<R = 8, C = 8>, f16, swizzle_bytes(0, 4, 3))>::LAYOUT),
    (
        "atom-K-SW32-16",
        <layout!(CR8r16c<R = 64, C = 64>, f16, coordinates(R, C), swizzle = b32)>::LAYOUT,
    ),
    ("atomonly-K-SW32-16", <layout!(RC<R = 8, C = 16>, f16, swizzle = b32)>::LAYOUT),
    ("atom-K-SW128-16", <layout!(R8rC<R = 64, C = 64>, f16, swizzle = b128)>::LAYOUT),
    ("atomonly-K-SW128-16", <layout!(RC<R = 8, C = 64>, f16, swizzle = b128)>::LAYOUT),
    (
        "atom-MN-INTER-16",
        <layout!(CR8c8r<R = 64, C = 32>, f16, coordinates(R, C), swizzle_bytes(0, 4, 3))>::LAYOUT,
    ),
    (
        "atomonly-MN-INTER-16",
        <layout!(CR<R = 8, C = 8>, f16, coordinates(R, C), swizzle_bytes(0, 4, 3))>::LAYOUT,
    ),
    (
        "atom-MN-SW64-16",
        <layout!(CR8c32r<R = 64, C = 32>, f16, coordinates(R, C), swizzle = b64)>::LAYOUT,
    ),
    (
        "atomonly-MN-SW64-16",
        <layout!(CR<R = 32, C = 8>, f16, coordinates(R, C), swizzle = b64)>::LAYOUT,
    ),
    (
        "atom-MN-SW128-16",
        <layout!(C8cR<R = 64, C = 32>, f16, coordinates(R, C), swizzle = b128)>::LAYOUT,
    ),
    (
        "atomonly-MN-SW128-16",
        <layout!(CR<R = 64, C = 8>, f16, coordinates(R, C), swizzle = b128)>::LAYOUT,
    ),
    ("atomonly-K-INTER-8", <layout!(RC<R = 8, C = 16>, u8, swizzle_bytes(0, 4, 3))>::LAYOUT),
    ("atomonly-K-SW32-8", <layout!(RC<R = 8, C = 32>, u8, swizzle = b32)>::LAYOUT),
    ("atomonly-K-SW64-8", <layout!(RC<R = 8, C = 64>, u8, swizzle = b64)>::LAYOUT),
    ("atomonly-K-SW128-8", <layout!(RC<R = 8, C = 128>, u8, swizzle = b128)>::LAYOUT),
    (
        "atom-MN-INTER-8",
        <layout!(CR8c16r<R = 128, C = 32>, u8, coordinates(R, C), swizzle_bytes(0, 4, 3))>::LAYOUT,
    ),
    (
        "atomonly-MN-INTER-8",
        <layout!(CR<R = 16, C = 8>, u8, coordinates(R, C), swizzle_bytes(0, 4, 3))>::LAYOUT,
    ),
    (
        "atomonly-MN-SW32-8",
        <layout!(CR<R = 32, C = 8>, u8, coordinates(R, C), swizzle = b32)>::LAYOUT,
    ),
    (
        "atomonly-MN-SW64-8",
        <layout!(CR<R = 64, C = 8>, u8, coordinates(R, C), swizzle = b64)>::LAYOUT,
    ),
    (
        "atomonly-MN-SW128-8",
        <layout!(CR<R = 128, C = 8>, u8, coordinates(R, C), swizzle = b128)>::LAYOUT,
    ),
    ("atom-K-SW128-16-step21", <layout!(RC8r64c<R = 64, C = 128>, f16, swizzle = b128)>::LAYOUT),
    (
        "atom-K-SW128-16-step12",
        <layout!(CR8r64c<R = 64, C = 128>, f16, coordinates(R, C), swizzle = b128)>::LAYOUT,
    ),
    (
        "triton-swz-16x64-v1p1m1-o10",
        <layout!(MK<16, 64>, f16, swizzle(vec = 1, per_phase = 1, max_phase = 1))>::LAYOUT,
    ),
    (
        "triton-swz-16x64-v8p2m4-o10",
        <layout!(MK<16, 64>, f16, swizzle(vec = 8, per_phase = 2, max_phase = 4))>::LAYOUT,
    ),
    (
        "triton-swz-16x64-v4p2m8-o10",
        <layout!(MK<16, 64>, f16, swizzle(vec = 4, per_phase = 2, max_phase = 8))>::LAYOUT,
    ),
    (
        "triton-swz-16x64-v2p4m4-o01",
        <layout!(KM<M = 16, K = 64>, f16, swizzle(vec = 2, per_phase = 4, max_phase = 4))>::LAYOUT,
    ),
    (
        "triton-swz-16x64-v1p1m32-o10",
        <layout!(MK<16, 64>, f16, swizzle(vec = 1, per_phase = 1, max_phase = 32))>::LAYOUT,
    ),
    (
        "triton-swz-32x32-v2p4m4-o01",
        <layout!(KM<M = 32, K = 32>, f16, swizzle(vec = 2, per_phase = 4, max_phase = 4))>::LAYOUT,
    ),
    (
        "triton-swz-8x128-v8p2m4-o10",
        <layout!(MK<8, 128>, f16, swizzle(vec = 8, per_phase = 2, max_phase = 4))>::LAYOUT,
    ),
    (
        "triton-swz-64x16-v8p1m8-o01",
        <layout!(KM<M = 64, K = 16>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8))>::LAYOUT,
    ),
    (
        "triton-swz-64x16-v2p4m4-o01",
        <layout!(KM<M = 64, K = 16>, f16, swizzle(vec = 2, per_phase = 4, max_phase = 4))>::LAYOUT,
    ),
    ("triton-nvmma-0-8-16x128-0", <layout!(MK<16, 128>, u8)>::LAYOUT),
    ("triton-nvmma-0-16-64x64-0", <layout!(MK<64, 64>, f16)>::LAYOUT),
    ("triton-nvmma-0-16-64x64-1", <layout!(KM<M = 64, K = 64>, f16)>::LAYOUT),
    ("triton-nvmma-0-32-128x32-1", <layout!(KM<M = 128, K = 32>, f32)>::LAYOUT),
    ("triton-nvmma-32-16-64x64-0", <layout!(KM16k<M = 64, K = 64>, f16, swizzle = b32)>::LAYOUT),
    ("triton-nvmma-32-32-128x32-1", <layout!(MK8m<128, 32>, f32, swizzle = b32)>::LAYOUT),
    ("triton-nvmma-64-16-64x64-0", <layout!(KM32k<M = 64, K = 64>, f16, swizzle = b64)>::LAYOUT),
    ("triton-nvmma-64-32-128x32-1", <layout!(MK16m<128, 32>, f32, swizzle = b64)>::LAYOUT),
    ("triton-nvmma-128-16-64x64-0", <layout!(MK<64, 64>, f16, swizzle = b128)>::LAYOUT),
    ("triton-nvmma-128-32-64x64-0", <layout!(KM32k<M = 64, K = 64>, f32, swizzle = b128)>::LAYOUT),
    (
        "triton-nvmma-128-32-16x128-0",
        <layout!(KM32k<M = 16, K = 128>, f32, swizzle = b128)>::LAYOUT,
    ),
];

#[test]
fn swizzles_of_other_programs_as_types() {
    let all = all();
    for (id, layout) in SWIZZLES {
        check(layout, all.iter().find(|case| case["id"] == *id).unwrap());
    }
    assert_eq!(SWIZZLES.len(), 69);
}

/// Padded rows are written as an alignment or as strides, a swizzle by its numbers, as a constant or by its name.
#[test]
fn swizzles_are_written_in_several_ways() {
    const MINE: Swizzle = Swizzle::new(3, 4, 3);
    let same = |layout: Layout, id| {
        let (_, other) = SWIZZLES.iter().find(|own| own.0 == id).unwrap();
        assert!(layout.same_map(other), "{layout}");
    };
    same(<layout!(MK<8, 32>, f16, align(M = 72), swizzle(3, 4, 3))>::LAYOUT, "swz-3_4_3-8x32s36");
    same(<layout!(MK<12, 24>, u8, swizzle = MINE)>::LAYOUT, "swz-3_4_3-12x24s24");
    same(<layout!(MK<16, 64>, f16, align(M = 144), swizzle = b128)>::LAYOUT, "swz-3_3_3-16x64s72");
    // Of a type of the user's own, const evaluation knows the size.
    same(<layout!(RC<R = 8, C = 64>, Pair, swizzle = b128)>::LAYOUT, "atomonly-K-SW128-16");
}

/// Two bytes.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
struct Pair([u8; 2]);

impl PlainElement for Pair {}
