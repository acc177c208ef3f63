//! Quantizers: how scales and codes follow from the numbers that share a scale.

use alloc::vec::Vec;

use layout_kernels::{extremes, larger, smaller, truncated};
use layout_records::{RecordError, UseFault};
use layout_types::spec::Kind;

use super::rule_form::listed;
use super::scale_groups::RunElements;
use crate::records::record_buffer::fault;

/// How the scale of a group of numbers is chosen, and how these become codes: the rules of a program, by name.
///
/// A NaN becomes the code that is nearest to 0, and does not change a scale. The scale of a group with an infinity is
/// infinite if its type has infinity, and else the largest one or NaN; `mx` and `mx_ggml` take an infinity as 2^128. In
/// two levels, so are all scales that share a float with it. Numbers that lie further apart than the largest `f32` have
/// no scale under `min_max` and `affine`: their values are NaN.
///
/// A scale of at most 2^-128 counts as 0. So do scales of two levels if the end of the range of their numbers, divided by
/// the greatest scale, is beyond `f32`. As in ggml, numbers below 1e-15 count as 0 under `fitted` without a minimum, and
/// so do scales up to 1e-15 of two levels whose numbers have signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quantizer {
    /// `absmax`: the greatest magnitude becomes the largest one that codes have with both signs, and `x * (1 / scale)` is rounded: to
    /// an integer half away from zero, to a float half to even, and in a table to the lower number of two equally
    /// near ones. It is ggml's reference of Q8_0 and TQ2_0, and the rule of bitsandbytes' NF4. A group of zeros has scale 0.
    AbsMax,
    /// `signed_max`: the number of greatest magnitude, the first of several, becomes the lowest integer, whatever its
    /// sign, and `x * (1 / scale)` is rounded half up. It is ggml's reference of Q4_0 and Q5_0. A group of zeros has
    /// scale -0.
    SignedMax,
    /// `min_max`: the least number becomes the minimum, the largest one the highest code, and `(x - minimum) * (1 /
    /// scale)` is rounded half up. It is ggml's reference of Q4_1 and Q5_1.
    MinMax,
    /// `affine`: the range of the numbers and 0 is that of the codes, with an integer for 0. It is PyTorch's
    /// `MinMaxObserver`: scales are at least 2^-23, and all roundings half to even. Zero points that other elements share
    /// follow from the largest scale that any of their groups needs alone, and then each scale is the least with which all
    /// its numbers have a code.
    Affine,
    /// `mx`: scales are powers of two, as OCP Microscaling Formats say: `floor(log2(greatest magnitude))` less that of
    /// the largest code. Codes are rounded half to even, and what is too large becomes the largest one. Integers may have
    /// a constant factor, such as 1/64 of MXINT8.
    Mx,
    /// `mx_ggml`: ggml's MXFP4. It is `mx` with codes rounded to the nearer one, and to the smaller magnitude of two
    /// equally near ones. The logarithm is rounded to f32, so a number just below a power of two may count as one.
    MxGgml,
    /// `nvfp4`: ggml's NVFP4. The greatest magnitude becomes 6 with a scale in `f8e4m3`, rounded half up; but
    /// 2^-6 becomes 7 * 2^-9 if the number was below it, and 256 and more become 448.
    /// Codes follow from the rounded scale, and are rounded as in `mx_ggml`.
    Nvfp4,
    /// `fitted`: ggml's reference of IQ4_NL. The number of greatest magnitude, the first of several, becomes the
    /// lowest number of the table, whatever its sign, and others the nearest one, or the higher of two equally near ones.
    /// Then the scale is the one with the least squared error, where each number weighs as much as its square. Integers have scales
    /// of two levels: it is ggml's reference of Q2_K, Q4_K, Q5_K and Q6_K, and but for codes of a scale that is stored as 0, Q3_K. Of
    /// several scales, and minima if the rule has them, it takes those with the least error. Codes follow from
    /// the stored ones, half to even.
    Fitted,
}

impl Quantizer {
    /// All quantizers.
    pub const ALL: &'static [Self] = &[
        Self::AbsMax,
        Self::SignedMax,
        Self::MinMax,
        Self::Affine,
        Self::Mx,
        Self::MxGgml,
        Self::Nvfp4,
        Self::Fitted,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AbsMax => "absmax",
            Self::SignedMax => "signed_max",
            Self::MinMax => "min_max",
            Self::Affine => "affine",
            Self::Mx => "mx",
            Self::MxGgml => "mx_ggml",
            Self::Nvfp4 => "nvfp4",
            Self::Fitted => "fitted",
        }
    }

    /// The quantizer of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<Self, RecordError> {
        let found = Self::ALL.iter().find(|own| own.name() == name);
        let names = Self::ALL.iter().map(|own| own.name());
        found.copied().ok_or_else(|| fault(UseFault::UnknownQuantizer(name, listed(names))))
    }

    /// Computes the scales, the zero points and the minima of groups of `run` numbers, and the inverse scales. Codes stand
    /// for numbers from `low` to `high`, and a zero point is one of the codes from `codes.0` to `codes.1`. Scales and minima
    /// of `small` types are rounded to these. Groups with one element of `shared` have one scale, zero point or minimum.
    #[inline(always)]
    pub(super) fn groups(
        self,
        values: &[f32],
        run: usize,
        [(low, high), codes]: [(f32, f32); 2],
        small: [Option<Kind>; 2],
        shared: [Option<&RunElements>; 3],
        [scales, zeros, minima, inverses]: &mut [Vec<f32>; 4],
    ) {
        let none = if matches!(self, Self::MinMax) { (f32::MAX, -f32::MAX) } else { (0.0, 0.0) };
        zeros.fill(0.0);
        // First the least numbers and the largest ones.
        extremes(values, run, none, (minima, scales));
        match self {
            Self::SignedMax | Self::Fitted => {
                first_greatest(values, run, minima, scales);
                join(shared[0], scales, greater);
            }
            Self::MinMax => join(shared[2], minima, smaller),
            Self::Affine if shared[0] != shared[1] => {}
            _ => {
                join(shared[0], scales, larger);
                join(shared[0], minima, smaller);
            }
        }
        let all = scales.iter_mut().zip(minima.iter_mut()).zip(zeros.iter_mut());
        match self {
            Self::AbsMax => {
                // Numbers of both signs up to this magnitude have a code.
                let high = if low < 0.0 { high.min(-low) } else { high };
                all.for_each(|((most, least), _)| *most = larger(*most, -*least) / high);
            }
            Self::SignedMax => scales.iter_mut().for_each(|most| *most /= low),
            Self::Fitted => scales.iter_mut().for_each(|most| {
                *most = if most.abs() < COUNTS_AS_ZERO { 0.0 } else { *most / low };
            }),
            Self::MinMax => {
                for (values, ((most, least), _)) in values.chunks_exact(run).zip(all) {
                    (*least, *most) = first_least(values, *least, *most);
                    // Zeros of any sign have the scale 0.
                    *most = (*most - *least + 0.0) / (high - low);
                }
                join(shared[0], scales, larger);
            }
            Self::Affine if shared[0] != shared[1] => {
                affine(codes, small[0], shared, [scales, zeros, minima]);
            }
            Self::Affine => all.for_each(|((most, least), zero)| {
                (*most, *zero) = affine_of(codes, small[0], *least, *most);
            }),
            _ => all.for_each(|((most, least), _)| {
                *most = self.small_scale(larger(*most, -*least), high);
            }),
        }
        if !matches!(self, Self::MinMax) {
            minima.fill(0.0);
        }
        store(small, [scales, minima, inverses]);
    }

    /// Makes inverse scales, and minima in place of their magnitudes, of what two levels hold. Codes of a search stay those
    /// that it found if their scale became 0.
    #[inline(always)]
    pub(super) fn take_levels(self, [scales, zeros, minima, inverses]: &mut [Vec<f32>; 4]) {
        let is_found = matches!(self, Self::Fitted);
        let groups = scales.iter().zip(zeros).zip(minima.iter_mut().zip(inverses));
        for ((scale, zero), (minimum, inverse)) in groups {
            let found = (*zero, *inverse);
            (*zero, *minimum, *inverse) =
                (if is_found { 0.0 } else { *zero }, -*minimum, 1.0 / *scale);
            if *scale == 0.0 || inverse.is_infinite() {
                (*minimum, *inverse) = if is_found { found } else { (*minimum, 0.0) };
            }
        }
    }

    /// The power of two, or the `f8e4m3`, that is the scale of numbers up to one, for codes up to `high`.
    fn small_scale(self, most: f32, high: f32) -> f32 {
        if matches!(self, Self::Nvfp4) {
            return half_up_e4m3(most / high);
        }
        let is_next = matches!(self, Self::MxGgml) && log_is_next(most);
        let own = exponent(most) + is_next as i32;
        // A group of zeros has the least scale.
        let power = if most > 0.0 { own - exponent(high) } else { -127 };
        let power = power.clamp(-127, 127);
        // 2^-127 is subnormal.
        f32::from_bits(if power == -127 { 1 << 22 } else { ((power + 127) as u32) << 23 })
    }

    /// How numbers become integers.
    pub(super) const fn rounding(self) -> Rounding {
        match self {
            Self::SignedMax | Self::MinMax => Rounding::Up,
            Self::Affine | Self::Mx => Rounding::Even,
            Self::Fitted => Rounding::Divided,
            _ => Rounding::Away,
        }
    }

    /// Whether codes are compared with steps times a scale.
    pub(super) const fn is_exact(self) -> bool {
        matches!(self, Self::MxGgml | Self::Nvfp4)
    }
}

/// How numbers half-way between two integers become one of them.
#[derive(Clone, Copy)]
pub(super) enum Rounding {
    Away,
    Up,
    Even,
    /// Half to even of a quotient, or of a product if the scale is 0.
    Divided,
}

impl Rounding {
    /// The function from numbers of a group to integers from `low` to `high`.
    #[inline(always)]
    pub(super) fn integers(self, of: GroupScale, (low, high): (f32, f32)) -> impl Fn(f32) -> i32 {
        let GroupScale { scale, inverse, minimum, zero } = of;
        let is_divided = matches!(self, Self::Divided) && scale != 0.0;
        // What is added before the number is truncated, and subtracted after it: the sum is positive where it matters.
        let above = if matches!(self, Self::Up) { -low } else { 0.0 };
        let (least, most) = ((low + above) as i32, (high + above) as i32);
        let nearest_0 = (zero as i32).clamp(low as i32, high as i32);
        move |value| {
            let above_least = value - minimum;
            let scaled = if is_divided { above_least / scale } else { above_least * inverse };
            let sum = match self {
                Self::Even | Self::Divided => half_even(scaled) + zero,
                Self::Up => scaled + (0.5 + above),
                // The sum with the number below one half is a whole one from one half on, and not before.
                Self::Away => scaled + f32::from_bits(BELOW_HALF).copysign(scaled),
            };
            let whole = truncated(sum, least, most) - above as i32;
            if scaled.is_nan() { nearest_0 } else { whole }
        }
    }
}

/// The magnitude below which ggml takes numbers whose scale is searched, and scales of two levels, as 0.
pub(super) const COUNTS_AS_ZERO: f32 = 1e-15;

/// The number of greater magnitude, the first one of two equal ones.
#[inline(always)]
pub(super) fn greater(own: f32, other: f32) -> f32 {
    if other.abs() > own.abs() { other } else { own }
}

/// Joins the numbers of groups that share one.
#[inline(always)]
fn join(shared: Option<&RunElements>, numbers: &mut [f32], by: impl Fn(f32, f32) -> f32) {
    if let Some(shared) = shared {
        shared.join(numbers, by);
    }
}

/// The scale and the zero point of numbers in a range with 0.
#[inline(always)]
fn affine_of(codes: (f32, f32), small: Option<Kind>, least: f32, most: f32) -> (f32, f32) {
    let scale = nearest(small, larger(f32::EPSILON, (most - least) / (codes.1 - codes.0)));
    let below = if scale > 0.0 { half_even(least / scale) } else { 0.0 };
    (scale, (codes.0 - below).clamp(codes.0, codes.1))
}

/// Scales and zero points that are shared by other groups each. A zero point follows from the largest scale that any group
/// needs which has it, and then a scale is the least one that gives all its numbers a code.
fn affine(
    codes: (f32, f32),
    small: Option<Kind>,
    [scale, zero, _]: [Option<&RunElements>; 3],
    [scales, zeros, minima]: [&mut Vec<f32>; 3],
) {
    let (mut low, mut high) = (minima.clone(), scales.clone());
    // Infinities have no zero point, and do not change that of others.
    let has_range = |low: f32, high: f32| (high - low).is_finite();
    for (low, high) in low.iter_mut().zip(&mut high).filter(|own| !has_range(*own.0, *own.1)) {
        (*low, *high) = (0.0, 0.0);
    }
    join(zero, &mut low, smaller);
    join(zero, &mut high, larger);
    // The ranges of zero points, of the scales that they need, and of all that have a zero point.
    let mut ranges: Vec<f32> = low.iter().zip(&high).map(|(low, high)| high - low).collect();
    join(scale, &mut ranges, larger);
    join(zero, &mut ranges, larger);
    let ends = low.iter().zip(&high).zip(&ranges);
    let groups = zeros.iter_mut().zip(scales.iter_mut().zip(&*minima));
    for ((zero, (most, least)), ((low, high), range)) in groups.zip(ends) {
        // Numbers below and above 0 have codes on both sides of a zero point.
        let ends = (codes.0 + f32::from(*low < 0.0), codes.1 - f32::from(*high > 0.0));
        *zero = affine_of(codes, small, *low, *low + range).1.max(ends.0).min(ends.1);
        let of = |number: f32, code: f32| if code == 0.0 { 0.0 } else { number / code };
        let both = larger(of(*least, codes.0 - *zero), of(*most, codes.1 - *zero));
        let is_held = has_range(*least, *most);
        *most = if is_held { larger(f32::EPSILON, both) } else { f32::INFINITY };
    }
    join(scale, scales, larger);
    scales.iter_mut().for_each(|own| *own = nearest(small, *own));
}

/// Rounds scales and minima to types of at most 8 bits, and computes inverse scales.
#[inline(always)]
fn store(small: [Option<Kind>; 2], [scales, minima, inverses]: [&mut Vec<f32>; 3]) {
    for (list, kind) in [&mut *scales, minima].into_iter().zip(small) {
        if kind.is_some() {
            list.iter_mut().for_each(|own| *own = nearest(kind, *own));
        }
    }
    for (inverse, scale) in inverses.iter_mut().zip(scales) {
        *inverse = 1.0 / *scale;
        // A subnormal scale without an inverse counts as 0.
        if inverse.is_infinite() {
            (*scale, *inverse) = (0.0f32.copysign(*scale), 0.0);
        }
    }
}

/// The number of a type of at most 8 bits that is nearest to one, which is that itself without a type.
#[inline(always)]
fn nearest(kind: Option<Kind>, value: f32) -> f32 {
    match kind {
        Some(own) => own.small_float(own.nearest_small_float(value)),
        None => value,
    }
}

/// Makes the largest number of each group that of greatest magnitude, the first of several.
#[inline(always)]
fn first_greatest(values: &[f32], run: usize, least: &[f32], most: &mut [f32]) {
    let mut are_apart = true;
    for (most, least) in most.iter_mut().zip(least) {
        are_apart &= *most != -*least;
        *most = if *most > -*least { *most } else { *least };
    }
    if are_apart {
        return;
    }
    for (values, most) in values.chunks_exact(run).zip(most) {
        let is_first = |own: &&f32| **own != 0.0 && own.abs() == most.abs();
        *most = *values.iter().find(is_first).unwrap_or(most);
    }
}

/// The least and the largest number. Of both zeros, the least one is the first. Without a number, both are 0.
#[inline(always)]
fn first_least(values: &[f32], least: f32, most: f32) -> (f32, f32) {
    if most < least {
        // Others that share the minimum may have numbers.
        return if least < f32::MAX { (least, least) } else { (0.0, 0.0) };
    }
    if least == 0.0 {
        return (*values.iter().find(|value| **value == 0.0).unwrap_or(&least), most);
    }
    (least, most)
}

/// The scale with the least squared error, where each value weighs as much as its square, for the numbers of a table that
/// codes stand for.
#[inline(always)]
pub(super) fn fitted(values: &[f32], codes: &[u8], table: &[f32; 16]) -> f32 {
    let of = |by: f32| {
        let (mut products, mut squares) = (0.0, 0.0);
        for (&value, code) in values.iter().zip(codes) {
            let value = if value.is_nan() { 0.0 } else { value * by };
            let (weight, number) = (value * value, table[usize::from(code & 15)]);
            products += weight * number * value;
            squares += weight * number * number;
        }
        [if squares > 0.0 { products / squares / by } else { 0.0 }, 0.0, 0.0, 0.0]
    };
    without_overflow(values, of)[0]
}

/// The scale, the minimum, its magnitude and the inverse scale that a function finds for numbers times 1, or if sums
/// overflow, for numbers times a power of two that brings them near 1. An infinity has an infinite scale.
#[inline(always)]
pub(super) fn without_overflow(values: &[f32], mut find: impl FnMut(f32) -> [f32; 4]) -> [f32; 4] {
    let found = find(1.0);
    if found[0].is_finite() && found[2].is_finite() {
        return found;
    }
    let most = values.iter().fold(0.0, |most, own| larger(most, own.abs()));
    if most.is_infinite() {
        return [f32::INFINITY, 0.0, 0.0, 0.0];
    }
    find(f32::from_bits((254 - (most.to_bits() >> 23).min(253)) << 23))
}

/// The bits of the largest `f32` below one half.
const BELOW_HALF: u32 = 0.5f32.to_bits() - 1;

/// What the numbers of a group become.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupScale {
    pub(super) scale: f32,
    pub(super) inverse: f32,
    pub(super) minimum: f32,
    /// The code of 0.
    pub(super) zero: f32,
}

/// The integer next to a number in the direction of 0. `as` would look for numbers that an integer does not hold.
#[inline(always)]
fn whole(value: f32) -> f32 {
    let nearest = half_even(value);
    let beyond = f32::from(u8::from(nearest.abs() > value.abs()));
    nearest - if value < 0.0 { -beyond } else { beyond }
}

/// The nearest integer, half to even.
#[inline(always)]
pub(super) fn half_even(value: f32) -> f32 {
    const WHOLE: f32 = (1 << 23) as f32;
    let large = WHOLE.copysign(value);
    if value.abs() < WHOLE { (value + large) - large } else { value }
}

/// `floor(log2(value))` of a positive number.
fn exponent(value: f32) -> i32 {
    match value.to_bits() >> 23 {
        // Subnormal.
        0 => 31 - value.to_bits().max(1).leading_zeros() as i32 - 149,
        own => own as i32 - 127,
    }
}

/// Whether the logarithm of a number, rounded to f32, is that of the next power of two.
fn log_is_next(value: f32) -> bool {
    let next = exponent(value) + 1;
    // The distance to the next power, as a part of it.
    let rest = 1.0 - f64::from(value) * f64::from_bits(((1023 - next) as u64) << 52);
    // The first two terms of `log2(1 - rest)`: the others are below the rounding where it matters.
    let log = f64::from(next) - rest * (1.0 + rest / 2.0) * core::f64::consts::LOG2_E;
    rest < 1e-4 && log as f32 == next as f32
}

/// The `f8e4m3` that ggml's NVFP4 takes for a number that is not negative: half up, but below the normal numbers none of
/// these, and for numbers that round to 256 or more the largest one.
fn half_up_e4m3(value: f32) -> f32 {
    const NORMAL: f32 = 1.0 / 64.0;
    let value = if value > 448.0 { 448.0 } else { value };
    // The last bit of the result: 2^-9 below the normal numbers.
    let unit = f32::from_bits(((exponent(value).max(-6) - 3 + 127) as u32) << 23);
    let rounded = whole(value / unit + 0.5) * unit;
    match value < NORMAL {
        true if rounded == NORMAL => NORMAL - unit,
        false if rounded >= 256.0 => 448.0,
        _ => rounded,
    }
}
