//! The values of floats of at most 8 bits, and of scales.

use super::element::{ElementType, FloatBits, Kind, Specials};

impl ElementType {
    /// The value of an element of a float type of at most 8 bits, or of a scale, from its lowest bits. `f32` holds it
    /// exactly. NaN for other types.
    #[doc(hidden)]
    pub const fn small_float(self, bits: u8) -> f32 {
        match self.kind() {
            Kind::Float(float) if self.value_bits() <= 8 => float.value(bits),
            Kind::Scale if bits == u8::MAX => f32::NAN,
            Kind::Scale => power_of_two(bits as i32 - 127),
            _ => f32::NAN,
        }
    }
}

impl FloatBits {
    const fn value(self, bits: u8) -> f32 {
        let Self { exponent, mantissa, bias, specials } = self;
        let (ones, most) = ((1 << mantissa) - 1, (1 << exponent) - 1);
        let (fraction, power) = (bits & ones, bits >> mantissa & most);
        let is_negative = bits >> (exponent + mantissa) & 1 == 1;
        let magnitude = match specials {
            Specials::Ieee if power == most && fraction == 0 => f32::INFINITY,
            Specials::Ieee if power == most => return f32::NAN,
            Specials::Ones if power == most && fraction == ones => return f32::NAN,
            Specials::NegativeZero if is_negative && power == 0 && fraction == 0 => {
                return f32::NAN;
            }
            // Subnormal numbers have the power of the smallest normal ones.
            _ => {
                let (whole, power) = match power {
                    0 => (0, 1),
                    power => (1 << mantissa, power),
                };
                let last = power as i32 - bias as i32 - mantissa as i32;
                (whole + fraction as u16) as f32 * power_of_two(last)
            }
        };
        if is_negative { -magnitude } else { magnitude }
    }
}

/// 2 to a power from -127 to 127.
const fn power_of_two(power: i32) -> f32 {
    match power {
        // The largest of the subnormal powers.
        ..-126 => f32::from_bits(1 << 22),
        _ => f32::from_bits(((power + 127) as u32) << 23),
    }
}
