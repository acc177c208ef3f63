//! Softmax of bytes in fixed point, as gemmlowp computes it for TensorFlow Lite.

use tensor_layout::FixedPoint;

/// A factor for differences of inputs: the scale of the input, as a number with 5 bits before the point.
#[derive(Clone, Copy)]
pub(crate) struct Softmax {
    multiplier: i32,
    shift: u32,
    /// The least difference whose exponential is not 0.
    least: i32,
}

impl Softmax {
    /// The softmax of inputs with this scale.
    pub(crate) const fn new(scale: f32) -> Self {
        let (multiplier, shift) =
            FixedPoint::factor(scale as f64 * (1u64 << 26) as f64).expect("a scale");
        Self { multiplier, shift: shift as u32, least: -(((31i64 << 26) >> shift) as i32) }
    }

    /// Outputs have scale 1 / 256 and zero point -128.
    pub(crate) fn run<const N: usize>(&self, input: &[i8; N], output: &mut [i8; N]) {
        let most = input.iter().copied().max().unwrap_or(0);
        let exponential = |input: i8| {
            let difference = i32::from(input) - i32::from(most);
            let is_there = difference >= self.least;
            is_there.then(|| exponential(times(difference << self.shift, self.multiplier)))
        };
        // 12 bits before the point.
        let sum: i32 =
            input.iter().filter_map(|input| exponential(*input)).map(|own| shifted(own, 12)).sum();
        let zeros = sum.leading_zeros();
        let fraction = ((sum as u32) << zeros).wrapping_sub(1 << 31) as i32;
        let inverse = inverse(fraction);
        for (input, output) in input.iter().zip(output) {
            *output = exponential(*input).map_or(-128, |own| {
                let bits = 12 - zeros as i32 + 31 - 8;
                (shifted(times(inverse, own), bits) - 128).clamp(-128, 127) as i8
            });
        }
    }
}

/// The product of two numbers with 31 bits after the point, halves up.
fn times(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b) + (1 << 30)) >> 31) as i32
}

/// A number over a power of two, halves away from zero.
fn shifted(value: i32, bits: i32) -> i32 {
    let mask = ((1i64 << bits) - 1) as i32;
    (value >> bits) + i32::from((value & mask) > (mask >> 1) + i32::from(value < 0))
}

/// A number times a power of two, within 32 bits.
fn saturated(value: i32, bits: u32) -> i32 {
    (i64::from(value) << bits).clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The exponential of a number of at most 0 with 5 bits before the point, with none before it.
fn exponential(value: i32) -> i32 {
    const QUARTER: i32 = 1 << 24;
    if value == 0 {
        return i32::MAX;
    }
    let rest = (value & (QUARTER - 1)) - QUARTER;
    let mut result = exponential_of_quarter(saturated(rest, 5));
    let remainder = rest.wrapping_sub(value);
    // exp(-1 / 4), exp(-1 / 2) and so on.
    let factors = [1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242];
    for (i, factor) in factors.into_iter().enumerate() {
        if remainder & (QUARTER << i) != 0 {
            result = times(result, factor);
        }
    }
    result
}

/// The exponential of a number between -1 / 4 and 0: four terms of its series around -1 / 8.
fn exponential_of_quarter(value: i32) -> i32 {
    const EIGHTH: i32 = 1895147668; // exp(-1 / 8)
    const THIRD: i32 = 715827883;
    let x = value + (1 << 28);
    let x2 = times(x, x);
    let (x3, x4) = (times(x2, x), times(x2, x2));
    let rest = shifted(times(shifted(x4, 2) + x3, THIRD) + x2, 1);
    EIGHTH + times(EIGHTH, x + rest)
}

/// 1 / (1 + value) of a number between 0 and 1, by three steps of Newton's method.
fn inverse(value: i32) -> i32 {
    let half = ((i64::from(value) + i64::from(i32::MAX) + 1) / 2) as i32;
    // 48 / 17 and -32 / 17 with 2 bits before the point.
    let mut x = 1515870810 + times(half, -1010580540);
    for _ in 0..3 {
        x += saturated(times(x, (1 << 29) - times(half, x)), 2);
    }
    saturated(x, 1)
}
