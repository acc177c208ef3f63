//! Quantizers: how scales and codes follow from the numbers that share a scale.

use layout_kernels::truncated;
use layout_records::{RecordError, UseFault};

use super::record_buffer::fault;
use super::value_form::listed;

/// How the scale of a group of numbers is chosen, and how these become codes: the rules of a program, by name.
///
/// A NaN becomes the code that is nearest to 0, and does not change a scale. The scale of a group with an infinity is
/// infinite if its type has infinity, and else the largest one or NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quantizer {
    /// `absmax`: the greatest magnitude becomes the largest number of the codes, and `x * (1 / scale)` is rounded: to
    /// an integer half away from zero, to a float half to even, and in a table to the lower number of two equally
    /// near ones. It is ggml's reference of Q8_0, and the rule of bitsandbytes' NF4. A group of zeros has scale 0.
    AbsMax,
    /// `signed_max`: the number of greatest magnitude, the first of several, becomes the lowest integer, whatever its
    /// sign, and `x * (1 / scale)` is rounded half up. It is ggml's reference of Q4_0 and Q5_0. A group of zeros has
    /// scale -0.
    SignedMax,
    /// `min_max`: the least number becomes the minimum, the largest one the highest code, and `(x - minimum) * (1 /
    /// scale)` is rounded half up. It is ggml's reference of Q4_1 and Q5_1.
    MinMax,
    /// `affine`: the range of the numbers and 0 is that of the codes, with an integer for 0. It is PyTorch's
    /// `MinMaxObserver`: scales are at least 2^-23, and all roundings half to even.
    Affine,
    /// `mx`: scales are powers of two, as OCP Microscaling Formats say: `floor(log2(greatest magnitude))` less that of
    /// the largest code. Codes are rounded half to even, and what is too large becomes the largest one.
    Mx,
    /// `mx_ggml`: ggml's MXFP4. It is `mx` with codes rounded to the nearer one, and to the smaller magnitude of two
    /// equally near ones. The logarithm is rounded to f32, so a number just below a power of two may count as one.
    MxGgml,
    /// `nvfp4`: ggml's NVFP4. The greatest magnitude becomes 6 with a scale in `f8e4m3`, rounded half up, up to 448.
    /// Codes follow from the rounded scale, and are rounded as in `mx_ggml`.
    Nvfp4,
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

    /// The scale of a group of numbers, for codes that stand for numbers from `low` to `high`, and a zero point of one
    /// of the codes from `codes.0` to `codes.1`.
    #[inline(always)]
    pub(super) fn group(
        self,
        values: &[f32],
        (low, high): (f32, f32),
        codes: (f32, f32),
    ) -> GroupScale {
        match self {
            Self::AbsMax => GroupScale::new(greatest(values) / high, 0.0),
            Self::SignedMax => {
                let (least, most) = ends(values, (0.0, 0.0));
                let mut own = if most > -least { most } else { least };
                if most > 0.0 && most == -least {
                    let first = values.iter().find(|value| value.abs() == most);
                    own = *first.unwrap_or(&0.0);
                }
                GroupScale::new(own / low, 0.0)
            }
            Self::MinMax => {
                let (least, most) = ends(values, (f32::MAX, -f32::MAX));
                GroupScale::new((most - least) / (high - low), least)
            }
            Self::Affine => {
                let (least, most) = ends(values, (0.0, 0.0));
                let mut new = GroupScale::new((most - least) / (codes.1 - codes.0), 0.0);
                if new.scale < f32::EPSILON {
                    new = GroupScale::new(f32::EPSILON, 0.0);
                }
                let zero = codes.0 - half_even(least / new.scale);
                new.zero = zero.clamp(codes.0, codes.1);
                new
            }
            Self::Mx | Self::MxGgml => {
                let most = greatest(values);
                let is_next = matches!(self, Self::MxGgml) && log_is_next(most);
                let own = exponent(most) + is_next as i32;
                // A group of zeros has the least scale.
                let power = if most > 0.0 { own - exponent(high) } else { -127 };
                let power = power.clamp(-127, 127);
                // 2^-127 is subnormal.
                let scale = if power == -127 { 1 << 22 } else { ((power + 127) as u32) << 23 };
                GroupScale::new(f32::from_bits(scale), 0.0)
            }
            Self::Nvfp4 => GroupScale::new(half_up_e4m3(greatest(values) / high), 0.0),
        }
    }

    /// The function from numbers of a group to integers from `low` to `high`.
    #[inline(always)]
    pub(super) fn integers(self, of: &GroupScale, (low, high): (f32, f32)) -> impl Fn(f32) -> i32 {
        let GroupScale { inverse, minimum, zero, .. } = *of;
        // What is added before the number is truncated, and subtracted after it: the sum is positive where it matters.
        let above = match self {
            Self::SignedMax | Self::MinMax => -low,
            _ => 0.0,
        };
        let (least, most) = ((low + above) as i16, (high + above) as i16);
        let nearest_0 = (zero as i32).clamp(low as i32, high as i32);
        move |value| {
            let scaled = match self {
                Self::MinMax => (value - minimum) * inverse,
                _ => value * inverse,
            };
            let sum = match self {
                Self::Affine => half_even(scaled) + zero,
                Self::SignedMax | Self::MinMax => scaled + (0.5 + above),
                // The sum with the number below one half is a whole one from one half on, and not before.
                _ => scaled + f32::from_bits(BELOW_HALF).copysign(scaled),
            };
            let whole = truncated(sum, least, most) - above as i32;
            if scaled.is_nan() { nearest_0 } else { whole }
        }
    }
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

impl GroupScale {
    #[inline(always)]
    fn new(scale: f32, minimum: f32) -> Self {
        let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
        Self { scale, inverse, minimum, zero: 0.0 }
    }
}

/// The greatest magnitude.
#[inline(always)]
fn greatest(values: &[f32]) -> f32 {
    reduced(values, 0.0, |own, value| larger(own, value.abs()))
}

/// The least and the largest number.
#[inline(always)]
fn ends(values: &[f32], none: (f32, f32)) -> (f32, f32) {
    (reduced(values, none.0, smaller), reduced(values, none.1, larger))
}

/// The larger number, or the first one if the other is NaN.
#[inline(always)]
fn larger(own: f32, other: f32) -> f32 {
    if other > own { other } else { own }
}

/// The smaller number, or the first one if the other is NaN.
#[inline(always)]
fn smaller(own: f32, other: f32) -> f32 {
    if other < own { other } else { own }
}

/// The one of all numbers that a function chooses, in parts that the compiler computes side by side.
#[inline(always)]
fn reduced(values: &[f32], none: f32, of: impl Fn(f32, f32) -> f32) -> f32 {
    const PARTS: usize = 16;
    let mut parts = [none; PARTS];
    let groups = values.chunks_exact(PARTS);
    let rest = groups.remainder();
    for group in groups {
        for (part, value) in parts.iter_mut().zip(group) {
            *part = of(*part, *value);
        }
    }
    let mut half = PARTS / 2;
    while half > 0 {
        for i in 0..half {
            parts[i] = of(parts[i], parts[i + half]);
        }
        half /= 2;
    }
    rest.iter().fold(parts[0], |own, value| of(own, *value))
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
fn half_even(value: f32) -> f32 {
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

/// The nearest `f8e4m3` of a number that is not negative, half up, at most 448.
fn half_up_e4m3(value: f32) -> f32 {
    let value = if value > 448.0 { 448.0 } else { value };
    // The last bit of the result: 2^-9 below the normal numbers.
    let unit = f32::from_bits(((exponent(value).max(-6) - 3 + 127) as u32) << 23);
    let rounded = whole(value / unit + 0.5) * unit;
    if rounded > 448.0 { 448.0 } else { rounded }
}
