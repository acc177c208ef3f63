//! The two float types that conversions compute in, and their rounding, which needs neither a
//! library of mathematics nor branches.

use core::ops::{Add, Div, Mul, Sub};

use bytemuck::Pod;

use super::Value;

/// `f32` or `f64`.
pub trait Real:
    Pod + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The wider of this type and another.
    type With<Other: Real>: Real;

    /// 0.
    const ZERO: Self;

    /// 1.
    const ONE: Self;

    /// 2 to the number of stored bits of the significand: from here on there are only integers.
    const WHOLE: Self;

    /// 1.5 times [`WHOLE`](Self::WHOLE): the last bit of a sum with it is worth 1, so that the
    /// sum is rounded to an integer, whose bits, of either sign, are the lowest of the sum.
    const ROUNDER: Self;

    /// The value of a number.
    fn of<N: Value>(held: N::Held) -> Self;

    /// The number nearest to this.
    fn to<N: Value>(self) -> N::Held;

    /// The value, rounded to the nearest.
    fn from_f64(value: f64) -> Self;

    /// The bits.
    fn bits(self) -> u64;

    /// This magnitude with the sign of `other`.
    fn signed_as(self, other: Self) -> Self;

    /// What to add to `rounded`, the integer nearest to this: 1 or -1 where this is half-way
    /// between integers and `rounded` the one nearer to zero, else 0.
    #[inline(always)]
    fn away_from(self, rounded: Self) -> Self {
        let half = Self::from_f64(0.5).signed_as(self);
        if self - rounded == half { Self::ONE.signed_as(self) } else { Self::ZERO }
    }

    /// The nearest integer, of two the even one or the one away from zero.
    #[inline(always)]
    fn rounded(self, away: bool) -> Self {
        let whole = Self::WHOLE.signed_as(self);
        let rounded = (self + whole) - whole;
        let rounded = if away { rounded + self.away_from(rounded) } else { rounded };
        if self.signed_as(Self::ONE) < Self::WHOLE { rounded } else { self }
    }
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
