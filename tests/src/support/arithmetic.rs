//! The naive result of a conversion of one number, computed in `f64` and `i128`, one operation at a time, from
//! the definition.

use std::fmt::Debug;
use std::vec;
use std::vec::Vec;

// The tested crate, under either of its names.
use super::{HighFirst, Number, bf16, f4e2m1, f8e4m3, f8e5m2, f16, i2, i4, u1, u2, u4};

/// The value of a number of any element type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    Integer(i128),
    Float(f64),
}

use Scalar::{Float, Integer};

/// What an element type can hold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    /// Integers between two.
    Between(i128, i128),
    /// Floats of this number of significant bits, whose exponent is between two bounds.
    Floating(i32, i32, i32),
    /// Floats of this number of significant bits, whose exponent has this lower bound, up to a largest number. Larger
    /// numbers become NaN.
    Bounded(i32, i32, i32),
}

pub(crate) const F16: Kind = Kind::Floating(11, -14, 15);
pub(crate) const BF16: Kind = Kind::Floating(8, -126, 127);
pub(crate) const F32: Kind = Kind::Floating(24, -126, 127);
pub(crate) const F64: Kind = Kind::Floating(53, -1022, 1023);
pub(crate) const F8E5M2: Kind = Kind::Floating(3, -14, 15);
pub(crate) const F8E4M3: Kind = Kind::Bounded(4, -6, 448);
/// Only a source: that it has no NaN is compared in `tensors::element_types`.
pub(crate) const F4E2M1: Kind = Kind::Bounded(2, 0, 6);

impl Kind {
    /// Whether `f32` holds all its values.
    fn fits_f32(self) -> bool {
        match self {
            Kind::Between(low, high) => -(1 << 24) <= low && high <= 1 << 24,
            Kind::Floating(digits, ..) | Kind::Bounded(digits, ..) => digits <= 24,
        }
    }
}

/// What happens to a number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Cast,
    Quantize {
        scale: f32,
        zero_point: i32,
    },
    Dequantize {
        scale: f32,
        zero_point: i32,
    },
    Normalize {
        mean: f32,
        scale: f32,
    },
    /// An integer added; what does not fit keeps its lowest bits, or becomes the nearer end of the range.
    Offset {
        offset: i32,
        wraps: bool,
    },
    Requantize(Requantize),
}

/// An integer times `multiplier * 2^(shift - 31)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requantize {
    pub multiplier: i32,
    pub shift: i32,
    /// Of the source, and of the destination.
    pub zero_points: (i32, i32),
    pub range: (i32, i32),
    /// Whether the product is rounded once.
    pub single: bool,
}

impl Requantize {
    /// The definition, with divisions of integers that nothing overflows.
    pub(crate) fn of(self, value: i128, is_wide: bool) -> i128 {
        let Self { multiplier, shift, zero_points, range, single } = self;
        let multiplier = i128::from(multiplier);
        let value = value - i128::from(zero_points.0);
        let product = if is_wide {
            let multiplier =
                if multiplier < 0x7fff_0000 { (multiplier + 0x8000) / 0x10000 } else { 0x7fff };
            // TFLite's: half of what is cut off is added first.
            let one = 1i128 << (15 - shift);
            let product = wrapped(wrapped(value * multiplier, 64) + one / 2, 64);
            product.div_euclid(one).clamp(i32::MIN.into(), i32::MAX.into())
        } else if single {
            // Halves go up: a half is added, and what is left is cut off.
            let one = 1i128 << (31 - shift);
            wrapped((2 * wrapped(value, 32) * multiplier + one).div_euclid(2 * one), 32)
        } else {
            let high =
                (wrapped(value << shift.max(0), 32) * multiplier + (1 << 30)).div_euclid(1 << 31);
            let one = 1i128 << (-shift).max(0);
            // Halves go away from zero.
            (2 * high.abs() + one) / (2 * one) * high.signum()
        };
        (product + i128::from(zero_points.1)).clamp(range.0.into(), range.1.into())
    }
}

/// The integer of `bits` bits with the same lowest ones.
fn wrapped(value: i128, bits: u32) -> i128 {
    let period = 1i128 << bits;
    (value + period / 2).rem_euclid(period) - period / 2
}

/// The number of kind `to` that the operation makes of one of kind `from`.
pub(crate) fn converted(
    number: Scalar,
    from: Kind,
    to: Kind,
    operation: Operation,
    away: bool,
) -> Scalar {
    // Arithmetic is that of `f32` where both sides fit it.
    let short = from.fits_f32() && to.fits_f32();
    let value = match number {
        Integer(integer) => integer as f64,
        Float(float) => float,
    };
    let scaled = |shift: f64, factor: f32| {
        if short {
            f64::from((value as f32 - shift as f32) * factor)
        } else {
            (value - shift) * f64::from(factor)
        }
    };
    match operation {
        Operation::Cast => match (number, to) {
            (Integer(integer), Kind::Between(low, high)) => Integer(integer.clamp(low, high)),
            (Integer(integer), F64) => Float(integer as f64),
            (Integer(integer), F16 | BF16 | F32) => nearest(f64::from(integer as f32), to),
            (Integer(integer), Kind::Floating(..) | Kind::Bounded(..)) => {
                nearest(integer as f64, to)
            }
            (Float(float), Kind::Between(..)) => whole(float, 0, to, away),
            (Float(float), _) => nearest(float, to),
        },
        Operation::Quantize { scale, zero_point } => {
            let quotient = if short {
                f64::from(value as f32 * (1.0 / scale))
            } else {
                value * (1.0 / f64::from(scale))
            };
            whole(quotient, zero_point, to, away)
        }
        Operation::Dequantize { scale, zero_point } => {
            nearest(scaled(f64::from(zero_point), scale), to)
        }
        Operation::Normalize { mean, scale } => nearest(scaled(f64::from(mean), scale), to),
        Operation::Offset { .. } | Operation::Requantize(_) => {
            between(number, (from, to), operation)
        }
    }
}

/// The result of an operation between integers.
fn between(number: Scalar, (from, to): (Kind, Kind), operation: Operation) -> Scalar {
    let (Integer(integer), Kind::Between(low, high)) = (number, to) else {
        panic!("{number:?} and {to:?} are no integers")
    };
    Integer(match operation {
        Operation::Offset { offset, wraps: true } => {
            (integer + i128::from(offset) - low).rem_euclid(high - low + 1) + low
        }
        Operation::Offset { offset, .. } => (integer + i128::from(offset)).clamp(low, high),
        Operation::Requantize(how) => {
            let is_wide = from == Kind::Between(i64::MIN.into(), i64::MAX.into());
            how.of(integer, is_wide).clamp(low, high)
        }
        _ => panic!("{operation:?} has floats"),
    })
}

/// The nearest integer, and the zero point added.
fn whole(value: f64, zero_point: i32, to: Kind, away: bool) -> Scalar {
    let Kind::Between(low, high) = to else { panic!("{to:?} is not a kind of integer") };
    let rounded = if away { value.round() } else { value.round_ties_even() };
    let zero_point = i128::from(zero_point);
    // `as` turns NaN into 0, and stops far outside of all ranges.
    Integer((rounded as i128).saturating_add(zero_point).clamp(low, high))
}

/// The nearest float; kinds of 16 bits are converted through `f32`, smaller ones are not.
fn nearest(value: f64, to: Kind) -> Scalar {
    let once = |value: f64, to: Kind| {
        let (digits, lowest, largest) = match to {
            Kind::Floating(digits, lowest, highest) => {
                // All digits are ones.
                (digits, lowest, 2f64.powi(highest) * (2.0 - 2f64.powi(1 - digits)))
            }
            Kind::Bounded(digits, lowest, largest) => (digits, lowest, f64::from(largest)),
            Kind::Between(..) => panic!("{to:?} is not a float"),
        };
        if value.is_infinite() && matches!(to, Kind::Bounded(..)) {
            return f64::NAN;
        }
        if value.is_nan() || value.is_infinite() || value == 0.0 || to == F64 {
            return value;
        }
        let mut exponent = value.abs().log2().floor() as i32;
        // The logarithm may be rounded up or down to the next integer.
        while 2f64.powi(exponent) > value.abs() {
            exponent -= 1;
        }
        while 2f64.powi(exponent + 1) <= value.abs() {
            exponent += 1;
        }
        let last = 2f64.powi(exponent.max(lowest) - (digits - 1));
        let rounded = (value / last).round_ties_even() * last;
        if rounded.abs() > largest {
            let infinity = f64::INFINITY.copysign(value);
            return if let Kind::Bounded(..) = to { f64::NAN } else { infinity };
        }
        rounded.copysign(value)
    };
    let value = if matches!(to, F16 | BF16) { once(value, F32) } else { value };
    Float(once(value, to))
}

/// Whether two numbers are the same to the bit; all NaNs are.
pub(crate) fn same(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Integer(a), Integer(b)) => a == b,
        (Float(a), Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        _ => false,
    }
}

/// Numbers that are likely to go wrong, and some others: ends of ranges, half-way cases, their
/// neighbours, subnormal numbers, infinities, NaN, random bits.
pub(crate) fn samples() -> Vec<f64> {
    let mut samples =
        vec![0.0, f64::NAN, f64::INFINITY, 1e-40, 3e-8, 6e-5, 65504.0, 65519.0, 1e300];
    // Half-way between two floats of 8 bits, as `f32`s.
    samples.extend([1.0625 + 1e-12, 464.0 + 1e-9, 464.0]);
    for bits in [3, 4, 7, 8, 15, 16, 31, 32, 63, 64] {
        let power = 2f64.powi(bits);
        samples.extend([power - 1.0, power - 0.5, power, power + 0.5, power * 1.5 + 0.5]);
    }
    samples.extend((0..40).map(|i| f64::from(i) / 2.0));
    samples.extend((0..40).map(|i| f64::from(i) + 0.499_999_97));
    let mut state = 1u64;
    for _ in 0..200 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let unit = (state >> 11) as f64 / (1u64 << 53) as f64;
        samples.push(unit * 2f64.powi((state % 160) as i32 - 80));
        samples.push(unit * 300.0);
    }
    let negative: Vec<f64> = samples.iter().map(|sample| -sample).collect();
    samples.extend(negative);
    samples
}

/// An element type, as the oracle sees it.
pub(crate) trait Element: Number<Unit: PartialEq + Debug> + Debug {
    const KIND: Kind;
    /// Its value.
    fn scalar(self) -> Scalar;
    /// An element near the value. Which one does not matter: it is an input.
    fn near(value: f64) -> Self;
    /// The element with these bits, the lowest ones.
    #[allow(dead_code, reason = "not every test pads")]
    fn of_bits(bits: u64) -> Self;
}

/// Elements of less than a byte, the first in the highest bits.
pub(crate) type HighU2 = HighFirst<u2>;
pub(crate) type HighI4 = HighFirst<i4>;
pub(crate) type HighF4 = HighFirst<f4e2m1>;

macro_rules! elements {
    ($($type:ident $kind:expr, $one:ident => $scalar:expr, $value:ident => $near:expr, $bits:ident => $from_bits:expr;)*) => {$(
        impl Element for $type {
            const KIND: Kind = $kind;

            fn scalar(self) -> Scalar {
                let $one = self;
                $scalar
            }

            fn near($value: f64) -> Self {
                $near
            }

            fn of_bits($bits: u64) -> Self {
                $from_bits
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ident)*) => { elements! {$(
        $type Kind::Between($type::MIN as i128, $type::MAX as i128),
            one => Integer(one.into()), value => value as $type, bits => bits as $type;
    )*} };
}

integers! { i8 u8 i16 u16 i32 u32 i64 u64 }
elements! {
    u1 Kind::Between(0, 1), one => Integer(one.get().into()),
        value => u1::from_bits(value as i64 as u8), bits => u1::from_bits(bits as u8);
    i2 Kind::Between(-2, 1), one => Integer(one.get().into()),
        value => i2::from_bits(value as i64 as u8), bits => i2::from_bits(bits as u8);
    HighU2 Kind::Between(0, 3), one => Integer(one.get().into()),
        value => HighFirst(u2::from_bits(value as i64 as u8)), bits => HighFirst(u2::from_bits(bits as u8));
    HighI4 Kind::Between(-8, 7), one => Integer(one.get().into()),
        value => HighFirst(i4::from_bits(value as i64 as u8)), bits => HighFirst(i4::from_bits(bits as u8));
    i4 Kind::Between(-8, 7), one => Integer(one.get().into()),
        value => i4::from_bits(value as i64 as u8), bits => i4::from_bits(bits as u8);
    u4 Kind::Between(0, 15), one => Integer(one.get().into()),
        value => u4::from_bits(value as i64 as u8), bits => u4::from_bits(bits as u8);
    f16 F16, one => Float(one.to_f64()),
        value => f16::from_f64(value), bits => f16::from_bits(bits as u16);
    bf16 BF16, one => Float(one.to_f64()),
        value => bf16::from_f64(value), bits => bf16::from_bits(bits as u16);
    f8e4m3 F8E4M3, one => Float(one.to_f32().into()),
        value => f8e4m3::from_f32(value as f32), bits => f8e4m3::from_bits(bits as u8);
    f8e5m2 F8E5M2, one => Float(one.to_f32().into()),
        value => f8e5m2::from_f32(value as f32), bits => f8e5m2::from_bits(bits as u8);
    f4e2m1 F4E2M1, one => Float(one.to_f32().into()),
        value => f4e2m1::from_f32(value as f32), bits => f4e2m1::from_bits(bits as u8);
    HighF4 F4E2M1, one => Float(one.0.to_f32().into()),
        value => HighFirst(f4e2m1::from_f32(value as f32)), bits => HighFirst(f4e2m1::from_bits(bits as u8));
    f32 F32, one => Float(one.into()),
        value => value as f32, bits => f32::from_bits(bits as u32);
    f64 F64, one => Float(one), value => value, bits => f64::from_bits(bits);
}

/// This number of elements, each near a sample.
pub(crate) fn elements<E: Element>(count: usize) -> Vec<E> {
    let samples = samples();
    (0..count).map(|i| E::near(samples[i.wrapping_mul(40_503) % samples.len()])).collect()
}
