//! Several tensors at once.

use std::hint::black_box;

use ndarray::{Array3, ArrayView3, Zip};
use tensor_layout::tensor::zip;
use tensor_layout::{Tensor, layout};

use crate::{Unit, compare};

type Planes = layout!(NCHW<1, 64, 28, 28>, f32);
type Blocks = layout!(NCHW4<1, 64, 28, 28>, f32);

#[inline(never)]
fn zip_of_one_layout(
    a: &Tensor<Blocks, &[f32]>,
    b: &Tensor<Blocks, &[f32]>,
    c: &mut Tensor<Blocks, &mut [f32]>,
) {
    zip((a, b, c)).expect("one layout").for_each(|a, b, c| *c = a * 2.0 + b);
}

#[inline(never)]
fn zip_of_one_layout_by_hand(a: &[f32], b: &[f32], c: &mut [f32]) {
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        *c = a * 2.0 + b;
    }
}

#[inline(never)]
fn zip_of_two_layouts(
    a: &Tensor<Planes, &[f32]>,
    b: &Tensor<Blocks, &[f32]>,
    c: &mut Tensor<Blocks, &mut [f32]>,
) {
    zip((a, b, c)).expect("the same extents").for_each(|a, b, c| *c = a * 2.0 + b);
}

#[inline(never)]
fn zip_of_two_layouts_by_hand(a: &[f32], b: &[f32], c: &mut [f32]) {
    for block in 0..16 {
        for pixel in 0..784 {
            for i in 0..4 {
                let at = (block * 784 + pixel) * 4 + i;
                c[at] = a[(block * 4 + i) * 784 + pixel] * 2.0 + b[at];
            }
        }
    }
}

type SwizzledRows = layout!(MK<M = 512, K = 64>, f32, swizzle = b128);
type SwizzledColumns = layout!(KM<M = 512, K = 64>, f32, swizzle = b128);

#[inline(never)]
fn zip_of_swizzles(a: &Tensor<SwizzledRows, &[f32]>, c: &mut Tensor<SwizzledColumns, &mut [f32]>) {
    zip((a, c)).expect("the same extents").for_each(|a, c| *c = a * 2.0);
}

#[inline(never)]
fn zip_of_swizzles_by_hand(a: &[f32], c: &mut [f32]) {
    for m in 0..512 {
        for k in 0..64 {
            let at = k * 512 + m;
            let from = m * 64 + k;
            c[at ^ (((at >> 5) & 7) << 2)] = a[from ^ (((from >> 5) & 7) << 2)] * 2.0;
        }
    }
}

#[inline(never)]
fn zip_in_ndarray(a: ArrayView3<'_, f32>, b: ArrayView3<'_, f32>, c: &mut Array3<f32>) {
    Zip::from(c).and(a).and(b).for_each(|c, a, b| *c = a * 2.0 + b);
}

pub(crate) fn run() {
    let (a, b) = (vec![1.0; Blocks::LEN], vec![3.0; Blocks::LEN]);
    let (mut ours, mut by_hand) = (vec![0.0; Blocks::LEN], vec![0.0; Blocks::LEN]);
    let (planes, blocks) =
        (Tensor::new(&a[..]).expect("a length"), Tensor::new(&a[..]).expect("a length"));
    let other = Tensor::new(&b[..]).expect("a length");
    let mut c = Tensor::new(&mut ours[..]).expect("a length");
    // ndarray has no blocks: a block is an axis of its own.
    let of = |units| ArrayView3::from_shape((16, 784, 4), units).expect("a length");
    let (array_blocks, array_other) = (of(&a), of(&b));
    let array_planes = ArrayView3::from_shape((16, 4, 784), &a).expect("a length");
    let array_planes = array_planes.permuted_axes([0, 2, 1]);
    let mut array = Array3::zeros((16, 784, 4));
    compare(
        "zip of one layout",
        (Blocks::LEN, Unit::Nanoseconds),
        &mut [
            &mut || zip_of_one_layout(black_box(&blocks), black_box(&other), black_box(&mut c)),
            &mut || {
                zip_of_one_layout_by_hand(black_box(&a), black_box(&b), black_box(&mut by_hand))
            },
            &mut || zip_in_ndarray(black_box(array_blocks), black_box(array_other), &mut array),
        ],
    );
    compare(
        "zip of two layouts",
        (Blocks::LEN, Unit::Nanoseconds),
        &mut [
            &mut || zip_of_two_layouts(black_box(&planes), black_box(&other), black_box(&mut c)),
            &mut || {
                zip_of_two_layouts_by_hand(black_box(&a), black_box(&b), black_box(&mut by_hand))
            },
            &mut || zip_in_ndarray(black_box(array_planes), black_box(array_other), &mut array),
        ],
    );
    assert_eq!(ours, by_hand);
    assert_eq!(array.as_slice(), Some(&by_hand[..]));
    run_swizzles();
}

fn run_swizzles() {
    let a: Vec<f32> = (0..SwizzledRows::LEN).map(|i| i as f32).collect();
    let (mut ours, mut by_hand) = (vec![0.0; a.len()], vec![0.0; a.len()]);
    let from = Tensor::new(&a[..]).expect("a length");
    let mut to = Tensor::new(&mut ours[..]).expect("a length");
    compare(
        "zip of swizzles",
        (a.len(), Unit::Nanoseconds),
        &mut [&mut || zip_of_swizzles(black_box(&from), black_box(&mut to)), &mut || {
            zip_of_swizzles_by_hand(black_box(&a), black_box(&mut by_hand))
        }],
    );
    assert_eq!(ours, by_hand);
}
