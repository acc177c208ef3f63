//! Sentences with strides of blocks, parts of buffers and positions in blocks.

use layout_core::ElementType;

use super::{OpenRow, Row, build};

/// A stride for each axis and block.
pub(super) fn strides() -> Vec<Row> {
    use ElementType::{I4, U8};
    vec![
        (
            "NCHW4<1, 64, 3, 3>, u8, strides = [1000, 40, 12, 4, 1]",
            "NCHW4c<1, 64, 3, 3>, u8, strides = [1000, 40, 12, 4, 1]",
            Some(build("NCHW4", U8).strides(&[1000, 40, 12, 4, 1])),
        ),
        (
            "NCHW4<1, 7, 3, 3>, u8, strides = [72, 36, 12, 4, 1]",
            "NCHW4c<1, 7, 3, 3>, u8, strides = [72, 36, 12, 4, 1]",
            Some(build("NCHW4", U8).strides(&[72, 36, 12, 4, 1])),
        ),
        (
            "RC32r4r/32 4c<R = 128, C = 4>, u8, strides = [600, 600, 16, 4, -1]",
            "RC32r4r/32 4c<128, 4>, u8, strides = [600, 600, 16, 4, -1]",
            None,
        ),
        (
            "HW<3, 5>, u8, pad = 7, strides = [8, 1], len = 24",
            "HW<3, 5>, u8, pad = 7, strides = [8, 1], len = 24",
            None,
        ),
        (
            "HW<3, 5>, u8, strides = [8, 1], len = 30",
            "HW<3, 5>, u8, strides = [8, 1], len = 30",
            Some(build("HW", U8).strides(&[8, 1]).length(30)),
        ),
        (
            "NCHW4<1, 8, 2, 2>, i4, strides = [64, 32, 16, 8, 1], len = 64, align = 16",
            "NCHW4c<1, 8, 2, 2>, i4, align(C = 16, W = 4)",
            Some({
                let strides = build("NCHW4", I4).strides(&[64, 32, 16, 8, 1]);
                strides.length(64).align_start(16)
            }),
        ),
    ]
}

/// Parts of buffers and of blocks.
pub(super) fn parts() -> Vec<Row> {
    use ElementType::{F16, F32};
    let channels = || build("CHW4c", F16).strides(&[36, 12, 4, 1]);
    vec![
        (
            "HW<2, 3>, f32, strides = [12, 1], from 72 of 144",
            "HW<2, 3>, f32, strides = [12, 1], from 72 of 144",
            Some(build("HW", F32).strides(&[12, 1]).part(72, 144)),
        ),
        (
            "HW<2, 3>, f32, strides = [-12, 1], from { 72 } of (144)",
            "HW<2, 3>, f32, strides = [-12, 1], from 72 of 144",
            Some(build("HW", F32).strides(&[-12, 1]).part(72, 144)),
        ),
        (
            "CHW4c<8, 3, 3>, f16, strides = [36, 12, 4, 1], C from 1, from 613 of 1152",
            "CHW4c<8, 3, 3>, f16, strides = [36, 12, 4, 1], C from 1, from 613 of 1152",
            Some(channels().first_position('C', 1).part(613, 1152)),
        ),
        (
            "CHW4c<8, 3, 3>, f16, strides = [36, 12, 4, 1], C from 3",
            "CHW4c<8, 3, 3>, f16, strides = [36, 12, 4, 1], C from 3",
            Some(channels().first_position('C', 3)),
        ),
        (
            "TW<5, 3>, f32, strides = [1, 1], overlap",
            "TW<5, 3>, f32, strides = [1, 1], overlap",
            Some(build("TW", F32).strides(&[1, 1]).overlap()),
        ),
        (
            "SCALAR, f32, from 3 of 10",
            "SCALAR, f32, from 3 of 10",
            Some(build("SCALAR", F32).part(3, 10)),
        ),
    ]
}

/// Views of which an extent is not known.
pub(super) fn open() -> Vec<OpenRow> {
    use ElementType::{F16, U8};
    vec![
        (
            "HW<_, 5>, u8, strides = [8, 1], len = 24",
            Some(build("HW", U8).strides(&[8, 1]).length(24)),
            &[('H', 2)],
            "HW<2, 5>, u8, strides = [8, 1], len = 24",
        ),
        (
            "CHW4c<_, 3, 3>, f16, strides = [36, 12, 4, 1], C from 1, from 613 of 1152",
            Some({
                let channels = build("CHW4c", F16).strides(&[36, 12, 4, 1]);
                channels.first_position('C', 1).part(613, 1152)
            }),
            &[('C', 8)],
            "CHW4c<8, 3, 3>, f16, strides = [36, 12, 4, 1], C from 1, from 613 of 1152",
        ),
    ]
}
