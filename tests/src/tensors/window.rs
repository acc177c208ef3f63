//! What kernels of convolutions are made of, against loops over positions.

use tensor_layout::tensor::{add_products, same_padding, window};
use test_support::Random;

#[test]
fn windows_with_padding() {
    for extent in 0..9usize {
        let row: Vec<usize> = (10..10 + extent).collect();
        for first in -6..12isize {
            let found: [usize; 5] = window(first, |i| row.get(i).copied(), 0);
            for (i, item) in found.into_iter().enumerate() {
                let position = first + i as isize;
                let is_inside = position >= 0 && position < extent as isize;
                assert_eq!(item, if is_inside { 10 + position as usize } else { 0 });
            }
        }
        let outside: [usize; 2] = window(isize::MAX, |i| row.get(i).copied(), 7);
        assert_eq!(outside, [7; 2], "positions wrap around to ones below 0");
        let outside: [usize; 2] = window(isize::MIN, |i| row.get(i).copied(), 7);
        assert_eq!(outside, [7; 2]);
    }
}

/// TensorFlow's definition: the total is what the last window needs, and its smaller half comes first.
#[test]
fn padding_of_windows_that_cover_an_axis() {
    for extent in 1..40usize {
        for size in 1..12usize {
            for stride in 1..7usize {
                let count = (0..extent).step_by(stride).count();
                let total = ((count - 1) * stride + size).max(extent) - extent;
                assert_eq!(
                    same_padding(extent, size, stride),
                    total / 2,
                    "{extent} {size} {stride}"
                );
            }
        }
    }
    assert_eq!(same_padding(0, 3, 1), 1);
    assert_eq!(same_padding(usize::MAX, usize::MAX, 1), 0, "sums beyond usize saturate");
}

fn compare<const PIXELS: usize, const ROWS: usize>(random: &mut Random) {
    let mut byte = || random.below(256) as u8 as i8;
    let groups = 6;
    let pixels: [Vec<[i8; 4]>; PIXELS] =
        std::array::from_fn(|i| (0..groups + i % 2).map(|_| [0; 4].map(|_: i8| byte())).collect());
    let weights: Vec<[[i8; 4]; ROWS]> =
        (0..groups + 1).map(|_| [[0; 4]; ROWS].map(|row: [i8; 4]| row.map(|_| byte()))).collect();
    let start = i32::MAX - 5;
    let mut sums = [[start; ROWS]; PIXELS];
    add_products(&mut sums, std::array::from_fn(|i| &pixels[i][..]), &weights);
    for (sums, pixel) in sums.iter().zip(&pixels) {
        for (row, sum) in sums.iter().enumerate() {
            // As many groups as the shortest pixel has.
            let products = (0..4 * groups)
                .map(|c| i64::from(pixel[c / 4][c % 4]) * i64::from(weights[c / 4][row][c % 4]));
            assert_eq!(*sum, (i64::from(start) + products.sum::<i64>()) as i32, "sums wrap around");
        }
    }
}

#[test]
fn products_of_packed_rows() {
    let mut random = Random::new(7, 0);
    for _ in 0..20 {
        compare::<1, 1>(&mut random);
        compare::<1, 4>(&mut random);
        compare::<2, 2>(&mut random);
        compare::<3, 5>(&mut random);
    }
    let mut sums = [[4]];
    add_products(&mut sums, [&[]], &[[[1; 4]]]);
    assert_eq!(sums, [[4]]);
}
