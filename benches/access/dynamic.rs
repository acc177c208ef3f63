//! Indices of layouts that run time decides.

use std::hint::black_box;

use ndarray::{ArrayView4, ArrayView5};
use tensor_layout::{Dynamic, Layout, Tensor};

use crate::convolutions::{C, H, Input, W};
use crate::{Unit, compare};

type D<'a> = Tensor<Dynamic<i8, 4>, &'a [i8]>;

#[inline(never)]
fn sum_of_dynamic(x: &D<'_>) -> usize {
    let [_, channels, height, width] = x.extents();
    let mut sum = 0;
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                sum += (c ^ w) * x[[0, c, h, w]] as usize;
            }
        }
    }
    sum
}

/// Strides and extents as a program has them that is told of both at run time.
struct Strided<'a> {
    units: &'a [i8],
    extents: [usize; 4],
    strides: [usize; 4],
}

#[inline(never)]
fn sum_of_strided_by_hand(x: &Strided<'_>) -> usize {
    let ([_, channels, height, width], strides) = (x.extents, x.strides);
    let mut sum = 0;
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                let at = c * strides[1] + h * strides[2] + w * strides[3];
                sum += (c ^ w) * x.units[at] as usize;
            }
        }
    }
    sum
}

/// As [`Strided`], with channels in blocks.
struct Blocked<'a> {
    units: &'a [i8],
    extents: [usize; 4],
    strides: [usize; 4],
    block: usize,
}

#[inline(never)]
fn sum_of_blocks_by_hand(x: &Blocked<'_>) -> usize {
    let ([_, channels, height, width], strides) = (x.extents, x.strides);
    let mut sum = 0;
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                let at = c / x.block * strides[1] + h * strides[2] + w * strides[3] + c % x.block;
                sum += (c ^ w) * x.units[at] as usize;
            }
        }
    }
    sum
}

#[inline(never)]
fn sum_of_array(x: &ArrayView4<'_, i8>) -> usize {
    let (_, channels, height, width) = x.dim();
    let mut sum = 0;
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                sum += (c ^ w) * x[[0, c, h, w]] as usize;
            }
        }
    }
    sum
}

#[inline(never)]
fn sum_of_array_of_blocks(x: &ArrayView5<'_, i8>) -> usize {
    let (_, blocks, height, width, block) = x.dim();
    let mut sum = 0;
    for c in 0..blocks * block {
        for h in 0..height {
            for w in 0..width {
                sum += (c ^ w) * x[[0, c / block, h, w, c % block]] as usize;
            }
        }
    }
    sum
}

pub(crate) fn run() {
    let units: Vec<i8> = (0..Input::LEN).map(|i| (i * 7 % 251) as i8).collect();
    let tensor = |format: &str| {
        let layout = Layout::parse(&format!("{format}<1, {C}, {H}, {W}>, i8")).expect("a layout");
        Tensor::with_layout(Dynamic::<i8, 4>::new(layout).expect("4 axes"), &units[..])
            .expect("a length")
    };
    let extents = [1, C, H, W];
    let planes = tensor("NCHW");
    let array = ArrayView4::from_shape((1, C, H, W), &units).expect("a length");
    assert_eq!(sum_of_dynamic(&planes), sum_of_array(&array));
    let by_hand = Strided { units: &units, extents, strides: [0, H * W, W, 1] };
    assert_eq!(sum_of_dynamic(&planes), sum_of_strided_by_hand(&by_hand));
    compare(
        "index of a layout at run time",
        (Input::LEN, Unit::Nanoseconds),
        &mut [
            &mut || _ = black_box(sum_of_dynamic(black_box(&planes))),
            &mut || _ = black_box(sum_of_strided_by_hand(black_box(&by_hand))),
            &mut || _ = black_box(sum_of_array(black_box(&array))),
        ],
    );
    let array = ArrayView5::from_shape((1, C / 4, H, W, 4), &units).expect("a length");
    let blocks = tensor("NCHW4");
    let by_hand = Blocked { units: &units, extents, strides: [0, H * W * 4, W * 4, 4], block: 4 };
    assert_eq!(sum_of_dynamic(&blocks), sum_of_blocks_by_hand(&by_hand));
    compare(
        "index of blocks at run time",
        (Input::LEN, Unit::Nanoseconds),
        &mut [
            &mut || _ = black_box(sum_of_dynamic(black_box(&blocks))),
            &mut || _ = black_box(sum_of_blocks_by_hand(black_box(&by_hand))),
            &mut || _ = black_box(sum_of_array_of_blocks(black_box(&array))),
        ],
    );
}
