//! All elements with their coordinates.

use std::hint::black_box;

use ndarray::ArrayView3;
use tensor_layout::Tensor;

use crate::convolutions::{C, H, Input, W, X};
use crate::{Unit, compare};

#[inline(never)]
fn sum_for_each(x: &X<'_>) -> usize {
    let mut sum = 0;
    x.iter().for_each(|([_, c, _, w], element)| sum += (c ^ w) * element as usize);
    sum
}

#[inline(never)]
fn sum_in_a_for_loop(x: &X<'_>) -> usize {
    let mut sum = 0;
    for ([_, c, _, w], element) in x.iter() {
        sum += (c ^ w) * element as usize;
    }
    sum
}

#[inline(never)]
fn sum_by_hand(x: &[i8]) -> usize {
    let mut sum = 0;
    for c in 0..C {
        for h in 0..H {
            for w in 0..W {
                sum += (c ^ w) * x[(c * H + h) * W + w] as usize;
            }
        }
    }
    sum
}

#[inline(never)]
fn sum_in_ndarray(x: &ArrayView3<'_, i8>) -> usize {
    let mut sum = 0;
    for ((c, _, w), element) in x.indexed_iter() {
        sum += (c ^ w) * *element as usize;
    }
    sum
}

pub(crate) fn run() {
    let x: Vec<i8> = (0..Input::LEN).map(|i| (i * 7 % 251) as i8).collect();
    let tensor = Tensor::<Input, _>::new(&x[..]).expect("a length");
    let array = ArrayView3::from_shape((C, H, W), &x).expect("a length");
    assert_eq!(sum_in_ndarray(&array), sum_by_hand(&x));
    type Sum = fn(&X<'_>) -> usize;
    let sums: [(&str, Sum); 2] = [("for_each", sum_for_each), ("a for loop", sum_in_a_for_loop)];
    for (name, sum) in sums {
        assert_eq!(sum(&tensor), sum_by_hand(&x));
        compare(
            &format!("iter by {name}"),
            (Input::LEN, Unit::Nanoseconds),
            &mut [
                &mut || _ = black_box(sum(black_box(&tensor))),
                &mut || _ = black_box(sum_by_hand(black_box(&x))),
                &mut || _ = black_box(sum_in_ndarray(black_box(&array))),
            ],
        );
    }
}
