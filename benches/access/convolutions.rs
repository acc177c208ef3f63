//! Depthwise convolutions of 3 x 3.

use std::hint::black_box;

use ndarray::{Array3, ArrayView3};
use tensor_layout::typed::{At, Window};
use tensor_layout::{Tensor, layout};

use crate::{Unit, compare};

pub(crate) const C: usize = 32;
pub(crate) const H: usize = 58;
pub(crate) const W: usize = 58;

pub(crate) type Input = layout!(NCHW<1, C, H, W>, i8);
type Filter = layout!(CHW<C, 3, 3>, i8);
type Output = layout!(NCHW<1, C, { H - 2 }, { W - 2 }>, i32);

pub(crate) type X<'a> = Tensor<Input, &'a [i8]>;
type F<'a> = Tensor<Filter, &'a [i8]>;
type Y<'a> = Tensor<Output, &'a mut [i32]>;

#[inline(never)]
fn depthwise_index(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    for c in 0..C {
        for h in 0..H - 2 {
            for w in 0..W - 2 {
                let mut sum = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += i32::from(x[[0, c, h + r, w + s]]) * i32::from(filter[[c, r, s]]);
                    }
                }
                y[[0, c, h, w]] = sum;
            }
        }
    }
}

#[inline(never)]
fn depthwise_borrowed(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    let (x, filter, mut y) = (x.borrow(), filter.borrow(), y.borrow_mut());
    for c in 0..C {
        for h in 0..H - 2 {
            for w in 0..W - 2 {
                let mut sum = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += i32::from(x[[0, c, h + r, w + s]]) * i32::from(filter[[c, r, s]]);
                    }
                }
                y[[0, c, h, w]] = sum;
            }
        }
    }
}

#[inline(never)]
fn depthwise_rows(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    for c in 0..C {
        let filter = filter.row([c]);
        for h in 0..H - 2 {
            let rows = [x.row([0, c, h]), x.row([0, c, h + 1]), x.row([0, c, h + 2])];
            for (w, y) in y.row_mut([0, c, h]).iter_mut().enumerate() {
                *y = 0;
                for (row, filter) in rows.iter().zip(filter) {
                    for s in 0..3 {
                        *y += i32::from(row[w + s]) * i32::from(filter[s]);
                    }
                }
            }
        }
    }
}

#[inline(never)]
fn depthwise_views(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    for c in 0..C {
        let filter = filter.viewed(At::<'C'>(c));
        let (plane, mut y) = (x.viewed(At::<'C'>(c)), y.viewed_mut(At::<'C'>(c)));
        for h in 0..H - 2 {
            let rows = plane.viewed(Window::<'H', 3>(h));
            let mut y = y.viewed_mut(At::<'H'>(h));
            for w in 0..W - 2 {
                let mut sum = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += i32::from(rows[[0, r, w + s]]) * i32::from(filter[[r, s]]);
                    }
                }
                y[[0, w]] = sum;
            }
        }
    }
}

#[inline(never)]
fn depthwise_by_hand(x: &[i8], filter: &[i8], y: &mut [i32]) {
    for c in 0..C {
        let filter = &filter[c * 9..][..9];
        for h in 0..H - 2 {
            let row = |r: usize| &x[(c * H + h + r) * W..][..W];
            let rows = [row(0), row(1), row(2)];
            let y = &mut y[(c * (H - 2) + h) * (W - 2)..][..W - 2];
            for (w, y) in y.iter_mut().enumerate() {
                *y = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        *y += i32::from(rows[r][w + s]) * i32::from(filter[r * 3 + s]);
                    }
                }
            }
        }
    }
}

#[inline(never)]
fn depthwise_in_ndarray(x: &ArrayView3<'_, i8>, filter: &ArrayView3<'_, i8>, y: &mut Array3<i32>) {
    for c in 0..C {
        for h in 0..H - 2 {
            for w in 0..W - 2 {
                let mut sum = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += i32::from(x[[c, h + r, w + s]]) * i32::from(filter[[c, r, s]]);
                    }
                }
                y[[c, h, w]] = sum;
            }
        }
    }
}

pub(crate) fn run() {
    let x: Vec<i8> = (0..Input::LEN).map(|i| (i * 7 % 251) as i8).collect();
    let filter: Vec<i8> = (0..Filter::LEN).map(|i| (i * 5 % 31) as i8).collect();
    let (mut ours, mut by_hand) = (vec![0; Output::LEN], vec![0; Output::LEN]);
    let tensors =
        (Tensor::new(&x[..]).expect("a length"), Tensor::new(&filter[..]).expect("a length"));
    let arrays = (
        ArrayView3::from_shape((C, H, W), &x).expect("a length"),
        ArrayView3::from_shape((C, 3, 3), &filter).expect("a length"),
    );
    let mut array = Array3::zeros((C, H - 2, W - 2));
    type Kernel = fn(&X<'_>, &F<'_>, &mut Y<'_>);
    let kernels: [(&str, Kernel); 4] = [
        ("index", depthwise_index),
        ("index of borrowed tensors", depthwise_borrowed),
        ("rows", depthwise_rows),
        ("views", depthwise_views),
    ];
    for (name, kernel) in kernels {
        let mut y = Tensor::<Output, _>::new(&mut ours[..]).expect("a length");
        compare(
            &format!("depthwise 3x3 i8 by {name}"),
            (Output::LEN * 9, Unit::Rate),
            &mut [
                &mut || kernel(black_box(&tensors.0), black_box(&tensors.1), black_box(&mut y)),
                &mut || {
                    depthwise_by_hand(black_box(&x), black_box(&filter), black_box(&mut by_hand))
                },
                &mut || {
                    depthwise_in_ndarray(
                        black_box(&arrays.0),
                        black_box(&arrays.1),
                        black_box(&mut array),
                    )
                },
            ],
        );
        assert_eq!(ours, by_hand);
        assert_eq!(array.as_slice(), Some(&by_hand[..]));
    }
}
