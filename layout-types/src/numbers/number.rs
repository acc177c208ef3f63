//! Numbers: the element types that conversions read and write.
//! The two floats that conversions compute in round without a math library and without branches.

use core::ops::{Add, Div, Mul, Sub};

#[cfg(feature = "half")]
use half::{bf16, f16};

use super::elements::{Element, HighFirst, SubByteElement};
use super::named::{
    f4e2m1, f6e2m3, f6e3m2, f8e3m4, f8e4m3, f8e4m3b11fnuz, f8e4m3fnuz, f8e4m3ieee, f8e5m2,
    f8e5m2fnuz, f8e8m0, i1, i2, i4, u1, u2, u4,
};
use super::plain::Plain;
use layout_core::spec::half_floats;

/// The float type in which elements of `S` become elements of `D`.
pub type Exact<S, D> = <<S as Value>::Exact as Real>::With<<D as Value>::Exact>;

/// An element type that is a number, which a conversion can read and write: integers of 1, 2, 4, 8, 16, 32 and 64 bits,
/// [`f16`](struct@f16), [`bf16`], `f32`, `f64`, floats of 4, 6 and 8 bits, and `bool` with values 0 and 1.
/// [`ElementType::is_number`] says the same at run time. This trait is sealed.
///
/// [`ElementType::is_number`]: layout_core::ElementType::is_number
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that can be converted",
    label = "conversions do not take this type",
    note = "conversions take bool, Rust's integers, integers of 1, 2 and 4 bits, and floats of 4 to 64 bits"
)]
pub trait Number: Value {}

/// The interface of a number for kernels. It is not for use by hand, and may change.
pub trait Value: Element {
    /// The type of a number outside a buffer: itself, or a byte for elements of less than a byte and for `bool`.
    type Held: Plain;

    /// `f32` if it holds all values of this type exactly, else `f64`.
    type Exact: Real;

    /// Whether the type is an integer. `bool` does not count as one, since nothing is rounded to it.
    const INTEGER: bool;

    /// The smallest and the largest value of an integer, or 0 for other types.
    const RANGE: (i128, i128);

    /// Converts the element to its type outside a buffer.
    fn hold(self) -> Self::Held;

    /// Converts a number back to an element.
    fn release(held: Self::Held) -> Self;

    /// The value, rounded to nearest if `f32` does not hold it.
    fn to_f32(held: Self::Held) -> f32;

    /// The value, rounded to nearest if `f64` does not hold it.
    fn to_f64(held: Self::Held) -> f64;

    /// The conversion of Rust's `as`: to a float, to nearest with ties to even; to an integer, truncated and saturated.
    fn from_f32(value: f32) -> Self::Held;

    /// The same as [`from_f32`](Self::from_f32). 16-bit floats are rounded to `f32` first.
    fn from_f64(value: f64) -> Self::Held;

    /// The integer with these lowest bits, or 0 for other types.
    fn from_bits(bits: u64) -> Self::Held;

    /// An integer as 64 bits, clamped to `range`; 0 for other types.
    fn clamped_bits(held: Self::Held, range: (i128, i128)) -> u64;
}

/// `f32` or `f64`.
pub trait Real:
    Plain
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The wider of this type and another.
    type With<Other: Real>: Real;

    /// 0.
    const ZERO: Self;

    /// 1.
    const ONE: Self;

    /// 2 to the number of stored bits of the significand. Larger numbers are all integers.
    const WHOLE: Self;

    /// 1.5 times [`WHOLE`](Self::WHOLE). The last bit of a sum with it has value 1, so the sum is rounded to an
    /// integer. The lowest bits of the sum are the bits of that integer, of either sign.
    const ROUNDER: Self;

    /// The value of a number.
    fn of<N: Value>(held: N::Held) -> Self;

    /// The nearest number.
    fn to<N: Value>(self) -> N::Held;

    /// The value, rounded to nearest.
    fn from_f64(value: f64) -> Self;

    /// The bits.
    fn bits(self) -> u64;

    /// This magnitude with the sign of `other`.
    fn signed_as(self, other: Self) -> Self;

    /// The number to add to `rounded`, the nearest integer, so that ties round away from zero: 1 or -1 if the value is
    /// half-way between integers and `rounded` is the one nearer to zero, else 0.
    #[inline(always)]
    fn away_from(self, rounded: Self) -> Self {
        let half = Self::from_f64(0.5).signed_as(self);
        if self - rounded == half { Self::ONE.signed_as(self) } else { Self::ZERO }
    }

    /// The nearest integer. Ties round to even, or away from zero.
    #[inline(always)]
    fn rounded(self, away: bool) -> Self {
        let whole = Self::WHOLE.signed_as(self);
        let rounded = (self + whole) - whole;
        let rounded = if away { rounded + self.away_from(rounded) } else { rounded };
        if self.signed_as(Self::ONE) < Self::WHOLE { rounded } else { self }
    }
}

macro_rules! integers {
    ($($type:ident held as $held:ident, exact in $exact:ident, $one:ident: $hold:expr, $release:expr;)*) => {$(
        impl Value for $type {
            type Held = $held;
            type Exact = $exact;
            const INTEGER: bool = true;
            const RANGE: (i128, i128) = match <$type as Element>::TYPE.integer_range() {
                Some(range) => range,
                None => unreachable!(),
            };

            #[inline(always)]
            fn hold(self) -> $held {
                let $one = self;
                $hold
            }

            #[inline(always)]
            fn release($one: $held) -> Self {
                $release
            }

            #[inline(always)]
            fn to_f32(held: $held) -> f32 {
                held as f32
            }

            #[inline(always)]
            fn to_f64(held: $held) -> f64 {
                held as f64
            }

            #[inline(always)]
            fn from_f32(value: f32) -> $held {
                value as $held
            }

            #[inline(always)]
            fn from_f64(value: f64) -> $held {
                value as $held
            }

            #[inline(always)]
            fn from_bits(bits: u64) -> $held {
                bits as $held
            }

            #[inline(always)]
            fn clamped_bits(held: $held, (low, high): (i128, i128)) -> u64 {
                held.clamp(low as $held, high as $held) as u64
            }
        }

        impl Number for $type {}
    )*};
}

integers! {
    u1 held as u8, exact in f32, one: one.get(), Self::from_bits(one);
    i1 held as i8, exact in f32, one: one.get(), Self::from_bits(one as u8);
    i2 held as i8, exact in f32, one: one.get(), Self::from_bits(one as u8);
    u2 held as u8, exact in f32, one: one.get(), Self::from_bits(one);
    i4 held as i8, exact in f32, one: one.get(), Self::from_bits(one as u8);
    u4 held as u8, exact in f32, one: one.get(), Self::from_bits(one as u8);
    i8 held as i8, exact in f32, one: one, one;
    u8 held as u8, exact in f32, one: one, one;
    i16 held as i16, exact in f32, one: one, one;
    u16 held as u16, exact in f32, one: one, one;
    i32 held as i32, exact in f64, one: one, one;
    u32 held as u32, exact in f64, one: one, one;
    i64 held as i64, exact in f64, one: one, one;
    u64 held as u64, exact in f64, one: one, one;
}

/// 0 and 1. Every number except 0 becomes `true`, also NaN, as in NumPy and PyTorch.
impl Value for bool {
    /// As in buffers, every byte except 0 is `true`.
    type Held = u8;
    type Exact = f32;
    const INTEGER: bool = false;
    const RANGE: (i128, i128) = (0, 0);

    #[inline(always)]
    fn hold(self) -> u8 {
        u8::from(self)
    }

    #[inline(always)]
    fn release(held: u8) -> Self {
        held != 0
    }

    #[inline(always)]
    fn to_f32(held: u8) -> f32 {
        f32::from(u8::from(held != 0))
    }

    #[inline(always)]
    fn to_f64(held: u8) -> f64 {
        f64::from(u8::from(held != 0))
    }

    #[inline(always)]
    fn from_f32(value: f32) -> u8 {
        u8::from(value != 0.0)
    }

    #[inline(always)]
    fn from_f64(value: f64) -> u8 {
        u8::from(value != 0.0)
    }

    #[inline(always)]
    fn from_bits(_: u64) -> u8 {
        0
    }

    #[inline(always)]
    fn clamped_bits(_: u8, _: (i128, i128)) -> u64 {
        0
    }
}

impl Number for bool {}
/// The same numbers in the other order within a byte.
impl<E: SubByteElement + Value> Value for HighFirst<E> {
    type Held = E::Held;
    type Exact = E::Exact;
    const INTEGER: bool = E::INTEGER;
    const RANGE: (i128, i128) = E::RANGE;

    #[inline(always)]
    fn hold(self) -> E::Held {
        self.0.hold()
    }

    #[inline(always)]
    fn release(held: E::Held) -> Self {
        Self(E::release(held))
    }

    #[inline(always)]
    fn to_f32(held: E::Held) -> f32 {
        E::to_f32(held)
    }

    #[inline(always)]
    fn to_f64(held: E::Held) -> f64 {
        E::to_f64(held)
    }

    #[inline(always)]
    fn from_f32(value: f32) -> E::Held {
        E::from_f32(value)
    }

    #[inline(always)]
    fn from_f64(value: f64) -> E::Held {
        E::from_f64(value)
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> E::Held {
        <E as Value>::from_bits(bits)
    }

    #[inline(always)]
    fn clamped_bits(held: E::Held, range: (i128, i128)) -> u64 {
        E::clamped_bits(held, range)
    }
}

impl<E: SubByteElement + Value> Number for HighFirst<E> {}

macro_rules! floats {
    ($($type:ident exact in $exact:ident, $value:ident: $to_f32:expr, $to_f64:expr, $from_f32:expr, $from_f64:expr;)*) => {$(
        floats!($type held as $type, $value: $value, $value; exact in $exact: $to_f32, $to_f64, $from_f32, $from_f64);
    )*};
    (
        $type:ident held as $held:ident, $value:ident: $hold:expr, $release:expr;
        exact in $exact:ident: $to_f32:expr, $to_f64:expr, $from_f32:expr, $from_f64:expr
    ) => {
        impl Value for $type {
            type Held = $held;
            type Exact = $exact;
            const INTEGER: bool = false;
            const RANGE: (i128, i128) = (0, 0);

            #[inline(always)]
            fn hold(self) -> $held {
                let $value = self;
                $hold
            }

            #[inline(always)]
            fn release($value: $held) -> Self {
                $release
            }

            #[inline(always)]
            fn to_f32($value: $held) -> f32 {
                $to_f32
            }

            #[inline(always)]
            fn to_f64($value: $held) -> f64 {
                $to_f64
            }

            #[inline(always)]
            fn from_f32($value: f32) -> $held {
                $from_f32
            }

            #[inline(always)]
            fn from_f64($value: f64) -> $held {
                $from_f64
            }

            #[inline(always)]
            fn from_bits(_: u64) -> $held {
                Default::default()
            }

            #[inline(always)]
            fn clamped_bits(_: $held, _: (i128, i128)) -> u64 {
                0
            }
        }

        impl Number for $type {}
    };
}

/// Floats of at most 8 bits, and scales, held as their bits.
macro_rules! small_floats {
    ($($type:ident)*) => {$(
        floats!($type held as u8, value: value.to_bits(), Self::from_bits(value); exact in f32:
            Self::from_bits(value).to_f32(),
            f64::from(<Self as Value>::to_f32(value)),
            Self::from_f32(value).to_bits(),
            Self::from_f32(half_floats::rounded_to_odd(value)).to_bits());
    )*};
}

small_floats! {
    f8e4m3 f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz f8e3m4 f8e4m3ieee f8e8m0 f6e2m3 f6e3m2 f4e2m1
}

#[cfg(feature = "half")]
floats! {
    f16 exact in f32, value:
        half_floats::f16_to_f32(value.to_bits()),
        f64::from(Self::to_f32(value)),
        Self::from_bits(half_floats::f16_from_f32(value)),
        Self::from_f32(value as f32);
    bf16 exact in f32, value:
        half_floats::bf16_to_f32(value.to_bits()),
        f64::from(Self::to_f32(value)),
        Self::from_bits(half_floats::bf16_from_f32(value)),
        Self::from_f32(value as f32);
}

floats! {
    f32 exact in f32, value: value, f64::from(value), value, value as f32;
    f64 exact in f64, value: value as f32, value, f64::from(value), value;
}

macro_rules! reals {
    ($($type:ident bits $bits:ident, wider of it and $other:ident: $with:ty, $of:ident, $from:ident, whole $whole:expr;)*) => {$(
        impl Real for $type {
            type With<$other: Real> = $with;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const WHOLE: Self = $whole as Self;
            const ROUNDER: Self = 1.5 * Self::WHOLE;

            #[inline(always)]
            fn of<N: Value>(held: N::Held) -> Self {
                N::$of(held)
            }

            #[inline(always)]
            fn to<N: Value>(self) -> N::Held {
                N::$from(self)
            }

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }

            #[inline(always)]
            fn signed_as(self, other: Self) -> Self {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                Self::from_bits(self.to_bits() & !SIGN | other.to_bits() & SIGN)
            }
        }
    )*};
}

reals! {
    f32 bits u32, wider of it and Other: Other, to_f32, from_f32, whole 1u32 << 23;
    f64 bits u64, wider of it and Other: f64, to_f64, from_f64, whole 1u64 << 52;
}
