//! The search for scales and minima of ggml's K types.

use alloc::{vec, vec::Vec};

use layout_kernels::{larger, smaller};

use super::quantizer::{COUNTS_AS_ZERO, greater, without_overflow};

/// Finds scales of groups of `run` values for codes from `low` to `high`. If `low` is 0, they have minima too, of which the third
/// list gets the magnitudes. Codes of a scale that is stored as 0 follow from the minima in the second list and the inverse scales
/// in the last one.
pub(super) fn search(
    values: &[f32],
    run: usize,
    (low, high): (f32, f32),
    lists: &mut [Vec<f32>; 4],
) {
    let mut own = vec![0.0; run];
    for (i, group) in values.chunks_exact(run).enumerate() {
        let found = without_overflow(group, |by| {
            let numbers = group.iter().map(|own| if own.is_nan() { 0.0 } else { *own * by });
            own.iter_mut().zip(numbers).for_each(|(own, number)| *own = number);
            let [scale, minimum, below, inverse] = match low == 0.0 {
                true => above_minimum(&own, high),
                false => around_0(&own, low, high),
            };
            [scale / by, minimum / by, below / by, inverse * by]
        });
        lists.iter_mut().zip(found).for_each(|(list, own)| list[i] = own);
    }
}

/// The scale 0, whose codes are the lowest ones.
const fn zero(below: f32) -> [f32; 4] {
    [0.0, f32::MAX, below, 1.0]
}

/// The integer next to a number, half to even, from `low` to `high`.
#[inline(always)]
fn code(value: f32, low: f32, high: f32) -> f32 {
    // Sums with it are integers, and what is lost of large ones lies beyond the ends.
    const WHOLE: f32 = (3 << 22) as f32;
    smaller(larger(low, (value + WHOLE) - WHOLE), high)
}

/// The scale and the minimum with the least error of numbers that have weights: those of the range, or those that fit the codes of
/// another scale best.
fn above_minimum(all: &[f32], high: f32) -> [f32; 4] {
    let mut low = all.iter().copied().fold(0.0, smaller);
    let most = all.iter().copied().fold(f32::MIN, larger);
    if low == most {
        return zero(-low);
    }
    let is_absolute = high <= 3.0;
    let (first, steps) = if high == 15.0 { (-1.0, 20) } else { (-0.5, 15) };
    let square = all.iter().map(|x| x * x).sum::<f32>() / all.len() as f32;
    let base = if is_absolute { 0.0 } else { root(square) };
    let weight = |x: f32| base + x.abs();
    let sum: f32 = all.iter().map(|x| weight(*x)).sum();
    let sum_x: f32 = all.iter().map(|x| weight(*x) * x).sum();
    let (mut found, mut best) = (zero(0.0), 0.0);
    for step in -1..=steps {
        let shift = if step < 0 { 0.0 } else { first + 0.1 * step as f32 };
        let inverse = (shift + high) / (most - low);
        let code = |x: f32| code(inverse * (x - low), 0.0, high);
        let (mut sum_l, mut sum_l2, mut sum_xl) = (0.0, 0.0, 0.0);
        for &x in all {
            let l = code(x);
            let wl = weight(x) * l;
            (sum_l, sum_l2, sum_xl) = (sum_l + wl, sum_l2 + wl * l, sum_xl + wl * x);
        }
        let d = sum * sum_l2 - sum_l * sum_l;
        let least = (sum_l2 * sum_x - sum_l * sum_xl) / d;
        let (scale, least) = match least > 0.0 {
            _ if step < 0 => (1.0 / inverse, low),
            true => (sum_xl / sum_l2, 0.0),
            false => ((sum * sum_xl - sum_x * sum_l) / d, least),
        };
        let mut error = 0.0;
        for &x in all {
            let rest = scale * code(x) + least - x;
            error += weight(x) * if is_absolute { rest.abs() } else { rest * rest };
        }
        if step < 0 || d > 0.0 && error < best {
            found = [scale, low, -least, inverse];
            (best, low) = (error, least);
        }
    }
    found
}

/// The scale without a minimum that fits its codes best, where each number weighs as much as its square: of several scales, or for
/// codes of 3 bits of the codes that change one by one from those of a scale.
fn around_0(all: &[f32], low: f32, high: f32) -> [f32; 4] {
    let most = all.iter().copied().fold(0.0, greater);
    let (mut found, mut best) = ([0.0; 4], 0.0);
    if most.abs() < COUNTS_AS_ZERO {
        return zero(0.0);
    }
    // The lowest code for the greatest magnitude comes first.
    let others = (-9..10).filter(|step| *step != 0 && low != -4.0);
    for step in core::iter::once(0).chain(others) {
        let inverse = -(0.1 * step as f32 - low) / most;
        let (mut products, mut squares) = (0.0, 0.0);
        for x in all {
            let (l, w) = (code(inverse * x, low, high), x * x);
            (products, squares) = (products + w * x * l, squares + w * l * l);
        }
        // Squares of the first sums may be 0.
        if step == 0 || squares > 0.0 && products * products > best * squares {
            let scale = if squares > 0.0 { products / squares } else { 0.0 };
            (found, best) = ([scale, 0.0, 0.0, inverse], scale * products);
        }
        if low == -4.0 {
            found[0] = descended(all, (low, high), inverse, [products, squares]);
        }
    }
    found
}

/// The scale of a group whose codes change one by one, each to the best one for the others, five times at most.
fn descended(
    all: &[f32],
    (low, high): (f32, f32),
    inverse: f32,
    [mut products, mut squares]: [f32; 2],
) -> f32 {
    let mut codes: Vec<f32> = all.iter().map(|x| code(inverse * x, low, high)).collect();
    let mut is_changed = true;
    for _ in 0..5 {
        if !core::mem::take(&mut is_changed) {
            break;
        }
        for (l, x) in codes.iter_mut().zip(all) {
            let w = x * x;
            let (product, square) = (products - w * x * *l, squares - w * *l * *l);
            let new = code(x * square / product, low, high);
            let (better, better_square) = (product + w * x * new, square + w * new * new);
            let is_better = better * better * squares > products * products * better_square;
            if product > 0.0 && new != *l && better_square > 0.0 && is_better {
                (*l, products, squares, is_changed) = (new, better, better_square, true);
            }
        }
    }
    if squares > 0.0 { products / squares } else { 0.0 }
}

/// The square root, which `core` has not.
fn root(square: f32) -> f32 {
    let square = f64::from(square);
    let mut root = f64::from_bits((square.to_bits() >> 1) + (1023 << 51));
    for _ in 0..5 {
        root = (root + square / root) / 2.0;
    }
    if square > 0.0 { root as f32 } else { 0.0 }
}
