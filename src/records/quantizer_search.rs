//! The search for scales and minima of ggml's K types, of several groups at a time.

use alloc::{vec, vec::Vec};

use super::quantizer::half_even;
use super::value_levels::LEAST;

/// The groups that are searched at a time. Sums add what a group has in its order.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// A number for each lane. Closures may not be inlined into functions of an instruction set.
macro_rules! each {
    (|$lane:ident| $value:expr) => {{
        let mut all = [0.0; LANES];
        for $lane in 0..LANES {
            all[$lane] = $value;
        }
        all
    }};
}

/// Adds to the number of each lane.
macro_rules! add {
    ($($sum:ident += |$lane:ident| $value:expr;)*) => {$(
        for $lane in 0..LANES {
            $sum[$lane] += $value;
        }
    )*};
}

/// Finds scales of groups of `run` values for codes from `low` to `high`. If `low` is 0, they have minima too, of which the third
/// list gets the magnitudes. Codes of a scale that is stored as 0 follow from the minima in the second list and the inverse scales in the
/// last one.
#[inline(always)]
pub(super) fn search(
    values: &[f32],
    run: usize,
    (low, high): (f32, f32),
    lists: &mut [Vec<f32>; 4],
) {
    let mut own = vec![[0.0; LANES]; run];
    for (i, groups) in values.chunks(run * LANES).enumerate() {
        for (lane, group) in groups.chunks_exact(run).enumerate() {
            for (own, value) in own.iter_mut().zip(group) {
                own[lane] = if value.is_nan() { 0.0 } else { *value };
            }
        }
        let found = match low == 0.0 {
            true => above_minima(&own, high),
            false => around_0(&own, (low, high)),
        };
        for (list, found) in lists.iter_mut().zip(found) {
            list.iter_mut().skip(i * LANES).zip(found).for_each(|(own, found)| *own = found);
        }
    }
}

/// Makes the scales of some lanes 0, and their codes the lowest ones.
fn clear([scale, minimum, _, inverse]: &mut [Lanes; 4], is_zero: impl Fn(usize) -> bool) {
    for i in (0..LANES).filter(|i| is_zero(*i)) {
        (scale[i], minimum[i], inverse[i]) = (0.0, f32::MAX, 1.0);
    }
}

/// The integer next to a number, from `low` to `high`.
#[inline(always)]
fn code(value: f32, low: f32, high: f32) -> f32 {
    let whole = half_even(value);
    let whole = if whole > low { whole } else { low };
    if whole < high { whole } else { high }
}

/// The scales and minima with the least error of numbers that have weights: those of the range, or those that fit the codes of
/// another scale best.
#[inline(always)]
fn above_minima(own: &[Lanes], high: f32) -> [Lanes; 4] {
    let is_absolute = high <= 3.0;
    let (first, steps) = if high == 15.0 { (-1.0, 20) } else { (-0.5, 15) };
    let (mut squares, mut low, mut most) = ([0.0; LANES], [0.0; LANES], [f32::MIN; LANES]);
    for x in own {
        add!(squares += |i| x[i] * x[i];);
        low = each!(|i| if x[i] < low[i] { x[i] } else { low[i] });
        most = each!(|i| if x[i] > most[i] { x[i] } else { most[i] });
    }
    let base = each!(|i| if is_absolute { 0.0 } else { root(squares[i] / own.len() as f32) });
    let (mut sum, mut sum_x, start) = ([0.0; LANES], [0.0; LANES], low);
    for x in own {
        let w = each!(|i| base[i] + x[i].abs());
        add!(sum += |i| w[i]; sum_x += |i| w[i] * x[i];);
    }
    let (mut found, mut best) = ([[0.0; LANES]; 4], [0.0; LANES]);
    for step in -1..=steps {
        let shift = if step < 0 { 0.0 } else { first + 0.1 * step as f32 };
        let inverse = each!(|i| (shift + high) / (most[i] - low[i]));
        let (mut sum_l, mut sum_l2, mut sum_xl) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for x in own {
            let l = each!(|i| code(inverse[i] * (x[i] - low[i]), 0.0, high));
            let wl = each!(|i| (base[i] + x[i].abs()) * l[i]);
            add!(sum_l += |i| wl[i]; sum_l2 += |i| wl[i] * l[i]; sum_xl += |i| wl[i] * x[i];);
        }
        let d = each!(|i| sum[i] * sum_l2[i] - sum_l[i] * sum_l[i]);
        let mut least = each!(|i| (sum_l2[i] * sum_x[i] - sum_l[i] * sum_xl[i]) / d[i]);
        let mut scale = each!(|i| match least[i] > 0.0 {
            true => sum_xl[i] / sum_l2[i],
            false => (sum[i] * sum_xl[i] - sum_x[i] * sum_l[i]) / d[i],
        });
        least = each!(|i| if least[i] > 0.0 { 0.0 } else { least[i] });
        if step < 0 {
            (least, scale) = (low, each!(|i| 1.0 / inverse[i]));
        }
        let mut error = [0.0; LANES];
        for x in own {
            let l = each!(|i| code(inverse[i] * (x[i] - low[i]), 0.0, high));
            let rest = each!(|i| scale[i] * l[i] + least[i] - x[i]);
            let rest = each!(|i| if is_absolute { rest[i].abs() } else { rest[i] * rest[i] });
            add!(error += |i| (base[i] + x[i].abs()) * rest[i];);
        }
        for i in 0..LANES {
            if step < 0 || d[i] > 0.0 && error[i] < best[i] {
                let own = [scale[i], low[i], -least[i], inverse[i]];
                found.iter_mut().zip(own).for_each(|(list, own)| list[i] = own);
                (best[i], low[i]) = (error[i], least[i]);
            }
        }
    }
    clear(&mut found, |i| start[i] == most[i]);
    found
}

/// Scales without minima that fit their codes best, where each number weighs as much as its square: of several scales, or for
/// codes of 3 bits of the codes that change one by one from those of a scale.
#[inline(always)]
fn around_0(own: &[Lanes], (low, high): (f32, f32)) -> [Lanes; 4] {
    let mut most = [0.0f32; LANES];
    for x in own {
        most = each!(|i| if x[i].abs() > most[i].abs() { x[i] } else { most[i] });
    }
    let (mut found, mut best) = ([[0.0; LANES]; 4], [0.0; LANES]);
    // The lowest code for the greatest magnitude comes first.
    let steps = if low == -4.0 { 0..0 } else { -9..10 };
    for step in core::iter::once(0).chain(steps) {
        let inverse = each!(|i| -(0.1 * step as f32 - low) / most[i]);
        let (mut products, mut squares) = ([0.0; LANES], [0.0; LANES]);
        for x in own {
            let l = each!(|i| code(inverse[i] * x[i], low, high));
            let w = each!(|i| x[i] * x[i]);
            add!(products += |i| w[i] * x[i] * l[i]; squares += |i| w[i] * l[i] * l[i];);
        }
        for i in 0..LANES {
            if squares[i] > 0.0 && products[i] * products[i] > best[i] * squares[i] {
                (found[0][i], found[3][i]) = (products[i] / squares[i], inverse[i]);
                best[i] = found[0][i] * products[i];
                if low == -4.0 {
                    found[0][i] =
                        descended(own, i, (low, high), [inverse[i], products[i], squares[i]]);
                }
            }
        }
    }
    clear(&mut found, |i| most[i].abs() < LEAST);
    found
}

/// The scale of a group whose codes change one by one, each to the best one for the others, five times at most.
fn descended(
    own: &[Lanes],
    lane: usize,
    (low, high): (f32, f32),
    [inverse, mut products, mut squares]: [f32; 3],
) -> f32 {
    let mut codes: Vec<f32> = own.iter().map(|x| code(inverse * x[lane], low, high)).collect();
    for _ in 0..5 {
        let mut is_changed = false;
        for (l, x) in codes.iter_mut().zip(own) {
            let (x, w) = (x[lane], x[lane] * x[lane]);
            let (product, square) = (products - w * x * *l, squares - w * *l * *l);
            let new = code(x * square / product, low, high);
            if product > 0.0 && new != *l {
                let (product, square) = (product + w * x * new, square + w * new * new);
                if square > 0.0 && product * product * squares > products * products * square {
                    (*l, products, squares, is_changed) = (new, product, square, true);
                }
            }
        }
        if !is_changed {
            break;
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
