//! The arithmetic of conversions, one element at a time, in the words of the documentation.

/// What a conversion does.
#[derive(Clone, PartialEq, Debug)]
pub enum Operation {
    /// The same value, or the nearest.
    Cast,
    /// `round(x * (1 / scale)) + zero_point`.
    Quantize,
    /// `(x - zero_point) * scale`.
    Dequantize,
    /// `(x - mean) * scale`.
    Normalize,
    /// `x * multiplier * 2^(shift - 31) + zero_point`, rounded once or twice.
    Requantize,
}

/// The parameters of one coordinate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameters {
    /// The scale, which is positive.
    pub scale: f32,
    /// The zero point, which the integer has.
    pub zero_point: i32,
    /// The mean.
    pub mean: f32,
    /// The factor in fixed point, and its shift.
    pub multiplier: i32,
    /// From -31 to 31.
    pub shift: i32,
}

/// A kind of number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// Integers from one to another.
    Integer(i128, i128),
    /// Floats of this number of binary digits, with exponents of normal numbers from one to another.
    Float(i32, i32, i32),
}

/// `f32`.
pub const F32: Kind = Kind::Float(24, -126, 127);
/// `f64`.
pub const F64: Kind = Kind::Float(53, -1022, 1023);

/// A number without its type.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Of an integer type.
    Integer(i128),
    /// Of a float type.
    Float(f64),
}

impl Value {
    /// Whether two are the same to the bit; all NaNs are.
    pub fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            _ => false,
        }
    }
}

impl Kind {
    /// Whether `f32` has all numbers of the kind.
    fn fits_f32(self) -> bool {
        match self {
            Self::Integer(low, high) => low >= -(1 << 16) && high < 1 << 16,
            Self::Float(digits, ..) => digits <= 24,
        }
    }
}

/// What becomes of a number of kind `from`.
pub fn convert(
    value: Value,
    from: Kind,
    to: Kind,
    operation: &Operation,
    with: Parameters,
    is_away: bool,
) -> Value {
    let is_short = from.fits_f32() && to.fits_f32();
    let number = match value {
        Value::Integer(integer) => integer as f64,
        Value::Float(float) => float,
    };
    let scaled = |shift: f64| match is_short {
        true => f64::from((number as f32 - shift as f32) * with.scale),
        false => (number - shift) * f64::from(with.scale),
    };
    match operation {
        Operation::Cast => match (value, to) {
            (Value::Integer(integer), Kind::Integer(low, high)) => {
                Value::Integer(integer.clamp(low, high))
            }
            (Value::Integer(integer), F64) => Value::Float(integer as f64),
            (Value::Integer(integer), _) => nearest(f64::from(integer as f32), to),
            (Value::Float(float), Kind::Integer(..)) => whole(float, 0, to, is_away),
            (Value::Float(float), _) => nearest(float, to),
        },
        Operation::Quantize => {
            let quotient = match is_short {
                true => f64::from(number as f32 * (1.0 / with.scale)),
                false => number * (1.0 / f64::from(with.scale)),
            };
            whole(quotient, with.zero_point, to, is_away)
        }
        Operation::Dequantize => nearest(scaled(f64::from(with.zero_point)), to),
        Operation::Normalize => nearest(scaled(f64::from(with.mean)), to),
        Operation::Requantize => {
            let (Value::Integer(integer), Kind::Integer(low, high)) = (value, to) else {
                panic!("{value:?} and {to:?} have no integers")
            };
            let product = product(integer, with, is_away) + i128::from(with.zero_point);
            Value::Integer(product.clamp(low, high))
        }
    }
}

/// The product of an integer of 32 bits in fixed point, rounded twice or once.
fn product(value: i128, with: Parameters, is_twice: bool) -> i128 {
    let (multiplier, shift) = (i128::from(with.multiplier), with.shift);
    let wrapped = |value: i128| i128::from(value as i32);
    if is_twice {
        let high = (wrapped(value << shift.max(0)) * multiplier + (1 << 30)).div_euclid(1 << 31);
        let one = 1i128 << (-shift).max(0);
        // Away from zero.
        return (2 * high.abs() + one) / (2 * one) * high.signum();
    }
    let one = 1i128 << (31 - shift);
    wrapped((2 * value * multiplier + one).div_euclid(2 * one))
}

/// The nearest integer of the kind, and the zero point added; the zero point for NaN.
fn whole(value: f64, zero_point: i32, to: Kind, is_away: bool) -> Value {
    let Kind::Integer(low, high) = to else { panic!("{to:?} has no integers") };
    let rounded = if is_away { value.round() } else { value.round_ties_even() };
    Value::Integer((rounded as i128).saturating_add(zero_point.into()).clamp(low, high))
}

/// The nearest float of the kind, through `f32` if the kind is smaller.
fn nearest(value: f64, to: Kind) -> Value {
    let value = if to == F64 { value } else { f64::from(value as f32) };
    Value::Float(rounded(value, to))
}

/// The multiple of the last digit's weight that is nearest, of two the even one.
fn rounded(value: f64, to: Kind) -> f64 {
    let Kind::Float(digits, lowest, highest) = to else { panic!("{to:?} has no floats") };
    if !value.is_finite() || value == 0.0 || to == F64 {
        return value;
    }
    let mut exponent = lowest;
    while 2f64.powi(exponent + 1) <= value.abs() {
        exponent += 1;
    }
    let last = 2f64.powi(exponent - (digits - 1));
    let rounded = (value / last).round_ties_even() * last;
    match rounded.abs() >= 2f64.powi(highest + 1) {
        true => f64::INFINITY.copysign(value),
        false => rounded.copysign(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_rounded_to_eleven_digits() {
        let half = Kind::Float(11, -14, 15);
        for (value, expected) in [
            (1.0, 1.0),
            (2049.0, 2048.0),
            (2051.0, 2052.0),
            (65519.0, 65504.0),
            (65520.0, f64::INFINITY),
            (6e-8, 2f64.powi(-24)),
            (2e-8, 0.0),
        ] {
            assert_eq!(rounded(value, half), expected);
        }
    }
}
