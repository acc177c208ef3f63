//! Floats of at most 8 bits, and scales: their values, and the nearest of them. Without branches, so that loops over
//! them are vectorized.

use super::element::{FloatBits, Kind, Specials};

/// The bits of an `f32` but for its sign.
const MAGNITUDE: u32 = u32::MAX >> 1;
/// The bits of an infinite `f32`.
const INFINITY: u32 = 0xff << 23;

impl Kind {
    /// The value of an element of a float type of at most 8 bits, or of a scale, from its lowest bits. `f32` holds it
    /// exactly. NaN for other types.
    #[inline(always)]
    pub const fn small_float(self, bits: u8) -> f32 {
        match self {
            Self::Float(float) if float.is_small() => float.value(bits),
            Self::Scale => scale(bits),
            _ => f32::NAN,
        }
    }

    /// The bits of the element of a float type of at most 8 bits, or of a scale, that is nearest to a value. 0 for
    /// other types.
    #[inline(always)]
    pub const fn nearest_small_float(self, value: f32) -> u8 {
        match self {
            Self::Float(float) if float.is_small() => float.nearest(value),
            Self::Scale => nearest_scale(value),
            _ => 0,
        }
    }

    /// Whether some bits are NaN.
    pub(super) const fn has_nan(self) -> bool {
        matches!(self, Self::Scale)
            || matches!(self, Self::Float(float) if !matches!(float.specials, Specials::None))
    }

    /// The largest finite value of a float type or a scale, or infinity for other types.
    pub const fn largest_float(self) -> f64 {
        match self {
            Self::Float(float) => {
                let FloatBits { exponent, mantissa, bias, .. } = float;
                // The bits of an `f64` with the mantissa and the exponent of the largest.
                let largest = float.largest();
                let power = (largest >> mantissa & ((1 << exponent) - 1)) + 1023 - bias as u64;
                let fraction = largest & ((1 << mantissa) - 1);
                f64::from_bits(power << 52 | fraction << (52 - mantissa))
            }
            Self::Scale => scale(u8::MAX - 1) as f64,
            _ => f64::INFINITY,
        }
    }
}

impl FloatBits {
    const fn is_small(self) -> bool {
        self.exponent + self.mantissa < 8
    }

    /// The bits of the largest finite number.
    const fn largest(self) -> u64 {
        let all = (1 << (self.exponent + self.mantissa)) - 1;
        match self.specials {
            Specials::Ieee => all - (1 << self.mantissa),
            Specials::Ones => all - 1,
            Specials::NegativeZero | Specials::None => all,
        }
    }

    #[inline(always)]
    const fn value(self, bits: u8) -> f32 {
        let Self { exponent, mantissa, bias, specials } = self;
        let sign = (bits as u32) >> (exponent + mantissa) & 1;
        let magnitude = bits as u32 & ((1 << (exponent + mantissa)) - 1);
        let normal = (magnitude << (23 - mantissa)) + ((127 - bias as u32) << 23);
        // A subnormal number is a multiple of the smallest one.
        let smallest = f32::from_bits((128 - bias as u32 - mantissa as u32) << 23);
        let small = (magnitude as f32 * smallest).to_bits();
        let finite = if magnitude < 1 << mantissa { small } else { normal };
        let largest = self.largest() as u32;
        let value = match specials {
            Specials::Ieee if magnitude == largest + 1 => INFINITY,
            Specials::Ieee | Specials::Ones if magnitude > largest => INFINITY | 1 << 22,
            Specials::NegativeZero if magnitude == 0 && sign == 1 => INFINITY | 1 << 22,
            _ => finite,
        };
        f32::from_bits(value | sign << 31)
    }

    /// The bits of the nearest number, ties to even.
    ///
    /// What is above the largest number becomes infinity, or NaN in a type without infinity. In a type without NaN it
    /// becomes the largest number, and NaN becomes negative zero, or zero if its sign is set: as in ml_dtypes.
    #[inline(always)]
    const fn nearest(self, value: f32) -> u8 {
        let Self { exponent, mantissa, bias, specials } = self;
        let (bits, magnitude) = (value.to_bits(), value.to_bits() & MAGNITUDE);
        // An addition of floats rounds to the last bit of the larger one, here that of subnormal results.
        let last = (151 - bias as u32 - mantissa as u32) << 23;
        let small = (f32::from_bits(magnitude) + f32::from_bits(last)).to_bits().wrapping_sub(last);
        // Add half of the last bit, minus one if the last bit is 0 and so even. A carry goes to the exponent.
        let cut = 23 - mantissa as u32;
        let half = (1 << (cut - 1)) - 1 + (magnitude >> cut & 1);
        let normal = magnitude.wrapping_sub((127 - bias as u32) << 23).wrapping_add(half) >> cut;
        let finite = if magnitude < (128 - bias as u32) << 23 { small } else { normal };
        let largest = self.largest() as u32;
        let (above, nan) = match specials {
            Specials::Ieee => (largest + 1, largest + 1 + (1 << (mantissa - 1))),
            Specials::Ones => (largest + 1, largest + 1),
            Specials::NegativeZero => (0, 0),
            Specials::None => (largest, 0),
        };
        let is_nan = magnitude > INFINITY;
        let found = if finite > largest { above } else { finite };
        let found = if is_nan { nan } else { found };
        let sign = match specials {
            // Zero has no sign, and with it is NaN.
            Specials::NegativeZero => match found {
                0 => (is_nan || finite != 0) as u32,
                _ => bits >> 31,
            },
            Specials::None => bits >> 31 ^ is_nan as u32,
            _ => bits >> 31,
        };
        (found | sign << (exponent + mantissa)) as u8
    }
}

/// The value of a scale: 2 to the power of its bits less 127.
#[inline(always)]
const fn scale(bits: u8) -> f32 {
    match bits {
        // A subnormal number.
        0 => f32::from_bits(1 << 22),
        u8::MAX => f32::NAN,
        bits => f32::from_bits((bits as u32) << 23),
    }
}

/// The bits of the nearest scale. Values half-way between two become the larger one, and all above the smallest scale
/// the next at least. Zero, negative values and NaN become NaN, and so do values that are too large: as in ml_dtypes.
#[inline(always)]
const fn nearest_scale(value: f32) -> u8 {
    let bits = value.to_bits();
    // Half of a step is one bit; at the smallest scale this bit alone is the scale.
    let half = if bits < 1 << 23 { (1 << 22) - 1 } else { 1 << 22 };
    let near = (bits.wrapping_add(half)) >> 23;
    if bits == 0 || bits >= INFINITY { u8::MAX } else { near as u8 }
}
