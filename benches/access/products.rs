//! A product of packed matrices.

use std::hint::black_box;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2};
use tensor_layout::{Tensor, layout};

use crate::{Unit, compare};

const M: usize = 64;
const N: usize = 64;
const K: usize = 128;

type A = layout!(MK<M = M, K = K>, f32);
type B = layout!(NK16n<N = N, K = K>, f32);
type Product = layout!(MN<M = M, N = N>, f32);

#[inline(never)]
fn matmul_panels(
    a: &Tensor<A, &[f32]>,
    b: &Tensor<B, &[f32]>,
    c: &mut Tensor<Product, &mut [f32]>,
) {
    for n in 0..N / 16 {
        let panel: &[[f32; 16]; K] = b.row([n]);
        for m in 0..M {
            let mut sums = [0.0; 16];
            for (a, b) in a.row([m]).iter().zip(panel) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
            c.row_mut([m])[n * 16..][..16].copy_from_slice(&sums);
        }
    }
}

#[inline(never)]
fn matmul_by_hand(a: &[f32], b: &[f32], c: &mut [f32]) {
    for n in 0..N / 16 {
        let panel = &b[n * K * 16..][..K * 16];
        for m in 0..M {
            let mut sums = [0.0; 16];
            for (a, b) in a[m * K..][..K].iter().zip(panel.chunks_exact(16)) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
            c[m * N + n * 16..][..16].copy_from_slice(&sums);
        }
    }
}

pub(crate) fn run() {
    let a: Vec<f32> = (0..A::LEN).map(|i| (i % 17) as f32).collect();
    let b: Vec<f32> = (0..B::LEN).map(|i| (i % 13) as f32).collect();
    let (mut ours, mut by_hand) = (vec![0.0; Product::LEN], vec![0.0; Product::LEN]);
    let tensors = (Tensor::new(&a[..]).expect("a length"), Tensor::new(&b[..]).expect("a length"));
    let mut c = Tensor::new(&mut ours[..]).expect("a length");
    let left = ArrayView2::from_shape((M, K), &a).expect("a length");
    let right = Array2::from_shape_fn((K, N), |(k, n)| tensors.1[[k, n]]);
    let mut product = Array2::zeros((M, N));
    compare(
        "packed matmul f32 by rows",
        (M * N * K, Unit::Rate),
        &mut [
            &mut || matmul_panels(black_box(&tensors.0), black_box(&tensors.1), black_box(&mut c)),
            &mut || matmul_by_hand(black_box(&a), black_box(&b), black_box(&mut by_hand)),
            // It packs the matrices itself, each time, and has kernels for this CPU.
            &mut || {
                general_mat_mul(
                    1.0,
                    black_box(&left),
                    black_box(&right),
                    0.0,
                    black_box(&mut product),
                )
            },
        ],
    );
    assert_eq!(ours, by_hand);
    assert_eq!(product.as_slice(), Some(&by_hand[..]));
}
