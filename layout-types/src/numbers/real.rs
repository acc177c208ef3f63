//! The two float types that conversions compute in. Their rounding needs neither a math library nor branches.

use super::number::{Real, Value};

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
