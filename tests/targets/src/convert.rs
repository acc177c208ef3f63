//! Relayouts that convert elements, compared with arithmetic written here.

use bytemuck::{Pod, Zeroable as _, bytes_of};
use tensor_layout::{Conversion, Relayout, Rounding, f16, layout};

use crate::naive::{self, Coordinate};

const SCALES: [f32; 3] = [0.5, 0.25, 0.1];
const ZERO_POINTS: [i32; 3] = [0, -7, 100];
const MEANS: [f32; 3] = [123.7, 116.3, 103.5];

/// Panics unless `moved` holds what each element of `source` becomes, which may depend on its channel,
/// and its padding `fill`.
fn check<S: Pod, D: Pod>(
    [from, to]: [&str; 2],
    extents: Coordinate,
    source: &[S],
    moved: &mut [D],
    fill: D,
    becomes: fn(S, usize) -> D,
) {
    for coordinate in naive::coordinates(extents) {
        let [a, b] = [from, to].map(|format| naive::offset(format, extents, coordinate));
        let expected = becomes(source[a], coordinate[1]);
        let (found, wanted) = (bytes_of(&moved[b]), bytes_of(&expected));
        assert!(found == wanted, "{from} to {to}: {coordinate:?} is {found:?}, not {wanted:?}");
        // Seen; what is left is padding.
        moved[b] = fill;
    }
    let filled = moved.iter().all(|element| bytes_of(element) == bytes_of(&fill));
    assert!(filled, "{from} to {to}: padding");
}

/// Converts and compares: `FORMAT of ELEMENT to FORMAT of ELEMENT, <EXTENTS>, fill FILL`, the conversion, the
/// elements of the source by their position, and the expected result of one.
macro_rules! conversions {
    ($(
        $from:ident of $source:ident to $to:ident of $element:ident,
        $n:literal $c:literal $h:literal $w:literal, fill $fill:literal:
        $conversion:expr, $value:expr, $becomes:expr;
    )*) => {{
        let mut count = 0;
        $({
            type From = layout!($from<N = $n, C = $c, H = $h, W = $w>, $source);
            type To = layout!($to<N = $n, C = $c, H = $h, W = $w>, $element, pad = $fill);
            #[derive(Relayout)]
            #[relayout(From => To, convert = $conversion)]
            struct Convert;

            // Not to be repeated in one frame.
            #[inline(never)]
            fn run() {
                let value: fn(usize) -> $source = $value;
                let source: [$source; From::LEN] = core::array::from_fn(value);
                let mut moved = [<$element>::zeroed(); To::LEN];
                Convert::run_arrays(&source, &mut moved);
                let formats = [stringify!($from), stringify!($to)];
                let fill = <$element>::from($fill as i8);
                check(formats, [$n, $c, $h, $w], &source, &mut moved, fill, $becomes);
            }
            run();
            count += 1;
        })*
        count
    }};
}

/// Numbers around those that lie half-way, numbers outside of a byte's range, and NaN.
fn float(place: usize) -> f32 {
    match place % 23 {
        7 => f32::NAN,
        11 => 1e30,
        13 => -400.0,
        _ => (place as f32 - 60.0) * 0.125,
    }
}

/// Floats of 16 bits: half-way between two, too large, and too small to be normal.
fn wide(place: usize) -> f32 {
    match place % 17 {
        3 => 65519.0,
        5 => -65520.0,
        7 => f32::INFINITY,
        11 => place as f32 * 3e-8,
        13 => -1e-30,
        _ => (2048 + place) as f32 * if place % 2 == 0 { 0.5 } else { -8.0 },
    }
}

/// Runs all, and returns how many.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    conversions! {
        // What a network reads, out of what a sensor or a layer of floats leaves.
        NCHW of f32 to NCHW4c of i8, 2 6 3 5, fill 3:
            Conversion::quantize(0.5, 3), float,
            |value, _| quantized(value, 0.5, 3, false);
        NHWC of f32 to NCHW4c of i8, 1 3 5 7, fill 0:
            Conversion::quantize_per_axis('C', &SCALES, &ZERO_POINTS).rounding(Rounding::HalfAway),
            float,
            |value, channel| quantized(value, SCALES[channel], ZERO_POINTS[channel], true);
        NHWC of u8 to NCHW of f32, 1 3 6 7, fill 0:
            Conversion::normalize_per_axis('C', &MEANS, &SCALES), |place| (place * 7) as u8,
            |value, channel| (f32::from(value) - MEANS[channel]) * SCALES[channel];
        // Back.
        NCHW4c of i8 to NHWC of f32, 2 8 3 3, fill 0:
            Conversion::dequantize(0.1, -5), |place| (place * 7) as i8,
            |value, _| (f32::from(value) + 5.0) * 0.1;
        NHWC of i8 to NCHW of f32, 1 3 5 5, fill 0:
            Conversion::dequantize_per_axis('C', &SCALES, &ZERO_POINTS), |place| (place * 7) as i8,
            |value, channel| (f32::from(value) - ZERO_POINTS[channel] as f32) * SCALES[channel];
        // Between floats, and between integers.
        NCHW of f32 to NHWC of f16, 1 6 5 7, fill 0:
            Conversion::cast(), wide, |value, _| f16::from_bits(nearest_half(value));
        NHWC of f16 to NCHW of f32, 1 6 5 7, fill 0:
            Conversion::cast(), |place| f16::from_bits((place * 151 % 0x7c00) as u16),
            |value, _| half(value.to_bits());
        NCHW of i32 to NCHW4c of i8, 1 6 4 5, fill 9:
            Conversion::cast(), |place| (place as i32 - 60) * if place % 9 == 0 { 1 << 24 } else { 3 },
            |value, _| if value < -128 { -128 } else if value > 127 { 127 } else { value as i8 };
        NCHW of i8 to NHWC of i32, 1 6 4 5, fill 0:
            Conversion::cast(), |place| (place * 7) as i8, |value, _| value.into();
        // So few that loops are unrolled.
        NHWC of f32 to NCHW4c of i8, 2 3 2 3, fill 7:
            Conversion::quantize_per_axis('C', &SCALES, &ZERO_POINTS).rounding(Rounding::HalfAway),
            float,
            |value, channel| quantized(value, SCALES[channel], ZERO_POINTS[channel], true);
        NHWC of u8 to NCHW of f32, 1 3 4 4, fill 0:
            Conversion::normalize_per_axis('C', &MEANS, &SCALES), |place| (place * 7) as u8,
            |value, channel| (f32::from(value) - MEANS[channel]) * SCALES[channel];
        NHWC of u8 to NHWC of f32, 1 3 4 4, fill 0:
            Conversion::cast(), |place| (place * 7) as u8, |value, _| f32::from(value);
    }
}

/// The nearest integer. Half-way between two, it is the even one, or the one away from zero.
fn nearest(value: f32, away: bool) -> i32 {
    // Far outside of all ranges here, where integers are exact; 0 for NaN.
    let value = value.clamp(-1e6, 1e6);
    let towards_zero = value as i32;
    let below = towards_zero - i32::from(value < towards_zero as f32);
    let rest = value - below as f32;
    let up = if rest == 0.5 { if away { value > 0.0 } else { below % 2 != 0 } } else { rest > 0.5 };
    below + i32::from(up)
}

/// The byte that a number is quantized to.
fn quantized(value: f32, scale: f32, zero_point: i32, away: bool) -> i8 {
    (nearest(value * (1.0 / scale), away) + zero_point).clamp(-128, 127) as i8
}

/// The number that a float of 16 bits stands for: a sign, 5 bits of exponent, 10 of mantissa.
fn half(bits: u16) -> f32 {
    let (exponent, mantissa) = (bits >> 10 & 31, f32::from(bits & 1023));
    let mut value = if exponent == 0 { mantissa } else { mantissa + 1024.0 };
    for _ in exponent.max(1)..25 {
        value /= 2.0;
    }
    for _ in 25..exponent.max(1) {
        value *= 2.0;
    }
    if bits >> 15 == 1 { -value } else { value }
}

/// The bits of the float of 16 bits that is nearest, of two the even one.
fn nearest_half(value: f32) -> u16 {
    let size = value.abs();
    // Larger bits are larger numbers. After the largest comes infinity.
    let mut below = 0;
    for bit in (0..15).rev() {
        let bits = below | 1 << bit;
        if bits <= 0x7c00 && half(bits) <= size {
            below = bits;
        }
    }
    let (down, up) = (size - half(below), half(below + 1) - size);
    let is_up = below < 0x7c00 && (up < down || up == down && below % 2 == 1);
    let sign = u16::from(value.is_sign_negative()) << 15;
    sign | (below + u16::from(is_up))
}
