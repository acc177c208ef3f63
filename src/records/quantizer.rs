//! Quantizers: how scales and codes follow from the numbers that share a scale.

use layout_records::{RecordError, UseFault};

use super::record_buffer::fault;
use super::value_form::listed;

/// How the scale of a group of numbers is chosen, and how these become codes: the rules of a program, by name.
///
/// In all of them a group of zeros has scale 0, a NaN becomes the code that is nearest to 0, and does not change a scale.
/// A group with an infinity has an infinite scale, so its values are infinities and NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quantizer {
    /// `absmax`: the greatest magnitude becomes the largest code, and `x / scale` is rounded, half away from zero. It is
    /// ggml's reference of Q8_0.
    AbsMax,
    /// `signed_max`: the number of greatest magnitude, the first of several, becomes the lowest code, whatever its sign.
    /// It is ggml's reference of Q4_0 and Q5_0.
    SignedMax,
    /// `min_max`: the least number becomes the minimum, the largest one the highest code. It is ggml's reference of Q4_1
    /// and Q5_1.
    MinMax,
}

impl Quantizer {
    /// All quantizers.
    pub const ALL: &'static [Self] = &[Self::AbsMax, Self::SignedMax, Self::MinMax];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AbsMax => "absmax",
            Self::SignedMax => "signed_max",
            Self::MinMax => "min_max",
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

    /// The scale, what numbers are multiplied by, and the minimum of a group, for codes that stand for these numbers.
    #[inline(always)]
    pub(super) fn group(self, values: &[f32], (low, high): (f32, f32)) -> GroupScale {
        match self {
            Self::AbsMax => {
                let greatest = values.iter().fold(0.0f32, |most, v| most.max(v.abs()));
                GroupScale::new(greatest / high, 0.0)
            }
            Self::SignedMax => {
                let (mut greatest, mut signed) = (0.0f32, 0.0);
                for &value in values {
                    if greatest < value.abs() {
                        (greatest, signed) = (value.abs(), value);
                    }
                }
                GroupScale::new(signed / low, 0.0)
            }
            Self::MinMax => {
                let (mut least, mut most) = (f32::MAX, -f32::MAX);
                for &value in values {
                    least = if value < least { value } else { least };
                    most = if value > most { value } else { most };
                }
                GroupScale::new((most - least) / (high - low), least)
            }
        }
    }

    /// The number that stands for a value: an integer from `low` to `high`.
    #[inline(always)]
    pub(super) fn code(self, value: f32, group: GroupScale, (low, high): (f32, f32)) -> f32 {
        let scaled = (value - group.minimum) * group.inverse;
        let whole = match self {
            Self::AbsMax => {
                // `f32::round` is not in `core`.
                let whole = (scaled as i32) as f32;
                let rest = scaled - whole;
                whole + ((rest >= 0.5) as i32 - (rest <= -0.5) as i32) as f32
            }
            // Truncated: what is added makes all numbers positive.
            Self::SignedMax | Self::MinMax => ((scaled + (0.5 - low)) as i32) as f32 + low,
        };
        let whole = if whole > high { high } else { whole };
        let whole = if whole < low { low } else { whole };
        if value.is_nan() { 0.0 } else { whole }
    }
}

/// What the numbers of a group become.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupScale {
    pub(super) scale: f32,
    pub(super) inverse: f32,
    pub(super) minimum: f32,
}

impl GroupScale {
    fn new(scale: f32, minimum: f32) -> Self {
        let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
        Self { scale, inverse, minimum }
    }
}
