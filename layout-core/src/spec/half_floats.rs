//! Conversions between 16-bit floats and `f32` without branches, so that loops over them are vectorized.
//!
//! The crate `half` branches and counts leading zeros, which is ten times slower for a tensor.

/// The value of an IEEE binary16. A signaling NaN becomes quiet.
#[inline(always)]
pub const fn f16_to_f32(bits: u16) -> f32 {
    /// 2^112, where 112 is the difference of the two exponent biases.
    const REBIAS: f32 = f32::from_bits((127 + 112) << 23);
    const INFINITY: u32 = 0x7c00;
    let magnitude = (bits & 0x7fff) as u32;
    // The product also turns subnormal numbers into normal ones.
    let value = (f32::from_bits(magnitude << 13) * REBIAS).to_bits();
    let special = if magnitude >= INFINITY { 0xff << 23 } else { 0 };
    let quiet = if magnitude > INFINITY { 1 << 22 } else { 0 };
    f32::from_bits(value | special | quiet | ((bits & 0x8000) as u32) << 16)
}

/// The nearest IEEE binary16, ties to even. NaN becomes a quiet NaN.
#[inline(always)]
pub const fn f16_from_f32(value: f32) -> u16 {
    /// 2^16. From here on, there are only infinity and NaN.
    const LARGE: u32 = (127 + 16) << 23;
    /// 2^-14, the smallest normal number.
    const NORMAL: u32 = (127 - 14) << 23;
    /// A number whose last bit is the last bit of a subnormal result.
    const SUBNORMAL: u32 = (127 - 14 + 13) << 23;
    let magnitude = value.to_bits() & 0x7fff_ffff;
    let sign = (value.to_bits() >> 16) & 0x8000;
    // An addition of floats rounds to the last bit of the larger one.
    let small = (f32::from_bits(magnitude) + f32::from_bits(SUBNORMAL)).to_bits();
    let small = small.wrapping_sub(SUBNORMAL);
    // Add half of the last bit, minus one if the last bit is 0 and so even. A carry goes to the exponent.
    let odd = (magnitude >> 13) & 1;
    let normal = magnitude.wrapping_sub((127 - 15) << 23).wrapping_add(0xfff + odd) >> 13;
    let nan = 0x7e00 | ((magnitude >> 13) & 0x3ff);
    let large = if magnitude > 0x7f80_0000 { nan } else { 0x7c00 };
    let finite = if magnitude < NORMAL { small } else { normal };
    (if magnitude >= LARGE { large } else { finite } | sign) as u16
}

/// The nearest IEEE binary16, rounded once.
pub const fn f16_from_f64(value: f64) -> u16 {
    f16_from_f32(rounded_to_odd(value))
}

/// The nearest bfloat16, rounded once.
pub const fn bf16_from_f64(value: f64) -> u16 {
    bf16_from_f32(rounded_to_odd(value))
}

/// The `f32` next to a value in the direction of zero, with its last bit set if it differs from the value (rounding to
/// odd). A type with fewer bits then rounds to the same number as from the value itself.
pub const fn rounded_to_odd(value: f64) -> f32 {
    let near = value as f32;
    let back = near as f64;
    if back == value || value.is_nan() {
        return near;
    }
    const MAGNITUDE: u64 = u64::MAX >> 1;
    let past = back.to_bits() & MAGNITUDE > value.to_bits() & MAGNITUDE;
    f32::from_bits((near.to_bits() - past as u32) | 1)
}

/// The value of a bfloat16.
#[inline(always)]
pub const fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits((bits as u32) << 16)
}

/// The nearest bfloat16, ties to even. NaN becomes a quiet NaN.
#[inline(always)]
pub const fn bf16_from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    let nan = (bits >> 16) | 0x40;
    (if bits & 0x7fff_ffff > 0x7f80_0000 { nan } else { rounded }) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    /// All 32-bit values next to a 16-bit value or to the midpoint of two, and others.
    fn values() -> impl Iterator<Item = f32> {
        let near = |center: u32| [center.wrapping_sub(1), center, center.wrapping_add(1)];
        let halves = (0..=u16::MAX).flat_map(move |bits| {
            let exact = f16::from_bits(bits).to_f32().to_bits();
            // The midpoints of normal numbers and of subnormal ones of each size.
            let middles = (12..=23).map(move |bit| exact | 1 << bit);
            core::iter::once(exact).chain(middles).flat_map(near)
        });
        let tops = (0..=u16::MAX).flat_map(move |bits| {
            let exact = u32::from(bits) << 16;
            [exact, exact | 0x8000].into_iter().flat_map(near)
        });
        halves.chain(tops).map(f32::from_bits)
    }

    #[test]
    fn sixteen_bits_become_what_half_makes_of_them() {
        for bits in 0..=u16::MAX {
            for (ours, other) in [
                (f16_to_f32(bits), f16::from_bits(bits).to_f32()),
                (bf16_to_f32(bits), bf16::from_bits(bits).to_f32()),
            ] {
                let same = ours.to_bits() == other.to_bits() || ours.is_nan() && other.is_nan();
                assert!(same, "{bits:#x}: {ours} is not {other}");
            }
        }
    }

    #[test]
    fn floats_round_as_half_rounds_them() {
        for value in values() {
            let (ours, other) = (f16::from_bits(f16_from_f32(value)), f16::from_f32_const(value));
            assert!(
                ours.to_bits() == other.to_bits() || ours.is_nan() && value.is_nan(),
                "{value:e} becomes {ours}, not {other}"
            );
            let (ours, other) =
                (bf16::from_bits(bf16_from_f32(value)), bf16::from_f32_const(value));
            assert!(
                ours.to_bits() == other.to_bits() || ours.is_nan() && value.is_nan(),
                "{value:e} becomes {ours}, not {other}"
            );
        }
    }

    /// A number that `f32` cannot hold is rounded once: next to the midpoint of two values, it becomes the nearer one.
    #[test]
    fn doubles_round_once() {
        for bits in 0..0x7bffu16 {
            let [low, high] = [bits, bits + 1].map(|bits| f64::from(f16_to_f32(bits)));
            let middle = (low + high) / 2.0;
            // An odd `f32` that is next to the midpoint, and inexact.
            let beyond = f64::from((middle as f32).next_up()).next_up();
            for (value, nearest) in
                [(middle.next_down(), bits), (middle.next_up(), bits + 1), (beyond, bits + 1)]
            {
                assert_eq!(f16_from_f64(value), nearest, "{value:e}");
                assert_eq!(f16_from_f64(-value), nearest | 0x8000, "{value:e}");
            }
        }
        for bits in 0..0x7f7fu16 {
            let [low, high] = [bits, bits + 1].map(|bits| f64::from(bf16_to_f32(bits)));
            let middle = (low + high) / 2.0;
            for (value, nearest) in [(middle.next_down(), bits), (middle.next_up(), bits + 1)] {
                assert_eq!(bf16_from_f64(value), nearest, "{value:e}");
            }
        }
        assert_eq!((f16_from_f64(1e300), bf16_from_f64(-1e300)), (0x7c00, 0xff80));
        assert!(f16::from_bits(f16_from_f64(f64::NAN)).is_nan());
    }

    #[test]
    fn nan_is_never_infinity() {
        for value in [0x7f80_0001, 0xff80_0001, 0x7fff_ffff, 0xffff_ffff].map(f32::from_bits) {
            assert!(f16::from_bits(f16_from_f32(value)).is_nan());
            assert!(bf16::from_bits(bf16_from_f32(value)).is_nan());
        }
    }
}
