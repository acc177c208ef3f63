//! Integers times factors in fixed point agree with divisions of integers that nothing overflows, and with what
//! CMSIS-NN and gemmlowp compute.

use tensor_layout::{
    Conversion, ConversionPlan, ElementType, FixedPoint, Layout, Relayout, layout,
};

use crate::support::arithmetic::Requantize;

const SINGLE: FixedPoint = FixedPoint::single();
const DOUBLE: FixedPoint = FixedPoint::double();
const ALL: (i32, i32) = (i32::MIN, i32::MAX);

fn product(value: i128, multiplier: i32, shift: i32, single: bool, is_wide: bool) -> i32 {
    let how = Requantize { multiplier, shift, zero_points: (0, 0), range: ALL, single };
    how.of(value, is_wide) as i32
}

/// Compares one number in each of the three ways.
#[track_caller]
fn check(value: i64, multiplier: i32, shift: i32) {
    let narrow = value as i32;
    for (how, single) in [(SINGLE, true), (DOUBLE, false)] {
        let own = how.requantize(narrow, multiplier, shift);
        let expected = product(narrow.into(), multiplier, shift, single, false);
        assert_eq!(own, expected, "{narrow} by {multiplier} and {shift}, {how:?}");
        if shift <= 14 {
            let own = how.requantize_wide(value, multiplier, shift);
            let expected = product(value.into(), multiplier, shift, single, true);
            assert_eq!(own, expected, "{value} by {multiplier} and {shift} of 16 bits");
        }
    }
}

/// Random numbers of 64 bits.
fn numbers() -> impl Iterator<Item = u64> {
    let mut state = 1u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state ^ state >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// A value of any magnitude, a multiplier and a shift.
fn triple(numbers: &mut impl Iterator<Item = u64>) -> (i64, i32, i32) {
    let mut next = || numbers.next().unwrap();
    let value = next() as i64 >> (next() % 64);
    let multiplier = (next() >> 33) as i32;
    // Those of real factors have the highest bit.
    let multiplier = if next() % 4 == 0 { multiplier } else { multiplier | 1 << 30 };
    (value, multiplier, (next() % 63) as i32 - 31)
}

const VALUES: [i64; 18] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    -3996,
    1 << 30,
    -(1 << 30),
    i32::MAX as i64,
    i32::MAX as i64 - 1,
    i32::MIN as i64,
    i32::MIN as i64 + 1,
    (1 << 47) - 1,
    -(1 << 47),
    i64::MAX,
    i64::MIN,
];
const MULTIPLIERS: [i32; 8] =
    [0, 1, 1 << 30, 0x4000_0001, 3 << 29, 0x7ffe_ffff, 0x7fff_0000, i32::MAX];

#[test]
fn corners() {
    for value in VALUES {
        for multiplier in MULTIPLIERS {
            (-31..=31).for_each(|shift| check(value, multiplier, shift));
        }
    }
}

/// `TRIPLES=10000000` is a longer search.
#[test]
fn random_triples() {
    let count = std::env::var("TRIPLES").map_or(100_000, |count| count.parse().expect("a number"));
    let mut numbers = numbers();
    for _ in 0..count {
        let (value, multiplier, shift) = triple(&mut numbers);
        check(value, multiplier, shift);
    }
}

/// CMSIS-NN and gemmlowp, compiled.
#[test]
fn what_other_programs_compute() {
    const HALF: i32 = DOUBLE.requantize(-3996, 3 << 29, -1);
    assert_eq!((HALF, SINGLE.requantize(-3996, 3 << 29, -1)), (-1499, -1498));
    let [twice, once] = [DOUBLE, SINGLE].map(|how| how.requantize(18_191_836, 1_584_209_460, -1));
    assert_eq!((twice, once), (6_710_105, 6_710_104));
    let how = DOUBLE.source_zero_point(-4).zero_point(100).range(-5, 90);
    assert_eq!(
        [-4, -400, 400, -12].map(|value| how.requantize(value, 1 << 30, 0)),
        [90, -5, 90, 90]
    );
    assert_eq!(DOUBLE.zero_point(i32::MAX).requantize(2, 1 << 30, 1), i32::MAX);
    assert_eq!(DOUBLE.zero_point(i32::MIN).requantize(-1, 1 << 30, 1), i32::MIN);
}

/// TFLite's definition: `frexp`, and the fraction rounded to 31 bits.
fn factor(real: f64) -> (i32, i32) {
    let (mut fraction, mut shift) = (real, 0);
    while real > 0.0 && fraction < 0.5 && shift > -2000 {
        (fraction, shift) = (fraction * 2.0, shift - 1);
    }
    while fraction >= 1.0 {
        (fraction, shift) = (fraction / 2.0, shift + 1);
    }
    match (fraction * 2f64.powi(31)).round() as i64 {
        _ if shift < -32 || real == 0.0 => (0, 0),
        multiplier if multiplier == 1 << 31 => (1 << 30, shift + 1),
        _ if shift < -31 => (0, 0),
        multiplier => (multiplier as i32, shift),
    }
}

#[test]
fn factors_are_those_of_tflite() {
    let below = |real: f64| f64::from_bits(real.to_bits() - 1);
    let small = 2f64.powi(-32);
    for real in [0.0, -0.0, 0.5, 0.75, 1.0, below(1.0), below(0.5), 0.1, small, below(small)] {
        assert_eq!(FixedPoint::factor(real), Some(factor(real)), "{real:e}");
    }
    for real in [f64::MIN_POSITIVE, 5e-324, small * 0.999, 2147483647.0, 2147483646.7] {
        assert_eq!(FixedPoint::factor(real), Some(factor(real)), "{real:e}");
    }
    for real in [2147483648.0, below(2147483648.0), 1e300, f64::NAN, f64::INFINITY, -1.0, -1e-300] {
        assert_eq!(FixedPoint::factor(real), None, "{real:e}");
    }
    for (number, power) in numbers().zip(numbers().skip(7)).take(10_000) {
        let real = (number >> 11) as f64 * 2f64.powi((power % 78) as i32 - 100);
        assert_eq!(FixedPoint::factor(real), Some(factor(real)), "{real:e}");
    }
}

/// Whole runs of random numbers, whose results no range hides.
#[test]
fn runs_of_triples() {
    let mut numbers = numbers();
    for round in 0..100 {
        // Factors of 16 repeat in vectors, and others do not.
        let width = [150, 144][round / 2 % 2];
        let [layout, to_bytes] = [ElementType::I32, ElementType::I8]
            .map(|own| Layout::of("HW", &[3, width], own).unwrap());
        let triples: Vec<_> = (0..width).map(|_| triple(&mut numbers)).collect();
        let values: Vec<i32> =
            triples.iter().chain(&triples).chain(&triples).map(|one| one.0 as i32).collect();
        let multipliers: Vec<i32> = triples.iter().map(|one| one.1).collect();
        // Of two rounds, one has negative shifts alone.
        let shift = |shift: i32| if round % 2 == 0 { -(shift.abs().max(1)) } else { shift };
        let shifts: Vec<i32> = triples.iter().map(|one| shift(one.2)).collect();
        for (how, single) in [(SINGLE, true), (DOUBLE, false)] {
            let each = Conversion::requantize_per_axis('W', &multipliers, &shifts, how);
            let one = Conversion::requantize(multipliers[0], shifts[0], how);
            for (conversion, is_each) in [(each, true), (one, false)] {
                let (mut results, mut bytes) = (vec![0; 3 * width], vec![0; 3 * width]);
                let plan = ConversionPlan::<i32, i32>::new(&layout, &layout, &conversion).unwrap();
                plan.run(&values, &mut results).unwrap();
                let plan = ConversionPlan::<i32, i8>::new(&layout, &to_bytes, &conversion).unwrap();
                plan.run(&values, &mut bytes).unwrap();
                for (i, (value, own)) in values.iter().zip(results).enumerate() {
                    let at = if is_each { i % width } else { 0 };
                    let expected =
                        product((*value).into(), multipliers[at], shifts[at], single, false);
                    assert_eq!(own, expected, "{value} by {} and {}", multipliers[at], shifts[at]);
                    let byte = expected.clamp(-128, 127) as i8;
                    assert_eq!(bytes[i], byte, "{value} by {} and {}", multipliers[at], shifts[at]);
                }
            }
        }
    }
}

type Sums = layout!(NHWC<N = 1, C = 3, H = 2, W = 2>, i32);
type Activations = layout!(NCHW<1, 3, 2, 2>, i8);

const FACTORS: [(i32, i32); 3] = [(1 << 30, 0), (1 << 30, -1), (i32::MAX, 0)];
const CHANNELS: ([i32; 3], [i32; 3]) =
    ([FACTORS[0].0, FACTORS[1].0, FACTORS[2].0], [FACTORS[0].1, FACTORS[1].1, FACTORS[2].1]);

#[derive(Relayout)]
#[relayout(Sums => Activations, convert = Conversion::requantize_per_axis(
    'C', &CHANNELS.0, &CHANNELS.1, FixedPoint::double().zero_point(-10).range(-10, 100),
))]
struct Requantized;

#[derive(Relayout)]
#[relayout(layout!(HC<H = 2, C = 4>, u4) => layout!(CH<C = 4, H = 2>, i4), convert = Conversion::offset(-8))]
struct Signed;

#[test]
fn derived() {
    let sums = [40, 40, 40, -3, -3, -3, 999, 999, 999, 3, 3, 3];
    let mut activations = [0; 12];
    Requantized::run_arrays(&sums, &mut activations);
    // Halves, quarters and all of each.
    assert_eq!(activations, [10, -10, 100, -8, 0, -10, 100, -9, 30, -10, 100, -7]);
    // The same bits but the highest one of each.
    let mut signed = [0; 4];
    Signed::run_arrays(&[0x10, 0x32, 0xd4, 0xf6], &mut signed);
    assert_eq!(signed, [0xc8, 0x59, 0xea, 0x7b]);
}

#[test]
fn what_cannot_be_requantized() {
    let layouts =
        |from, to| [from, to].map(|element| Layout::of("HC", &[2, 2], element).expect("a layout"));
    let [from, to] = layouts(ElementType::I32, ElementType::I8);
    let refused = |conversion: Conversion<'_>, text: &str| {
        let error = ConversionPlan::<i32, i8>::new(&from, &to, &conversion).unwrap_err();
        assert_eq!(error.to_string(), text);
    };
    refused(
        Conversion::requantize(-1, 0, DOUBLE),
        "multiplier -1 at index 0 is out of range for `i32`; write a number from 0 to 2147483647, such as `FixedPoint::factor` returns",
    );
    refused(
        Conversion::requantize_per_axis('C', &[1, 1], &[0, -32], DOUBLE),
        "shift -32 at index 1 is out of range for `i32`; write a number from -31 to 31, such as `FixedPoint::factor` returns",
    );
    refused(
        Conversion::requantize_per_axis('C', &[1, 1], &[0], DOUBLE),
        "axis `C` has extent 2 but the number of shifts is 1; write one for each coordinate of the axis",
    );
    refused(
        Conversion::requantize(1, 0, DOUBLE.zero_point(128)),
        "zero point 128 is out of range for `i8`; write the integer that represents 0.0",
    );
    for (low, high) in [(0, 128), (5, 4)] {
        refused(
            Conversion::requantize(1, 0, DOUBLE.range(low, high)),
            &format!(
                "{low} to {high} is not a range of `i8`; write two of its numbers, the smaller first, each an integer from -128 to 127"
            ),
        );
    }
    let [from, to] = layouts(ElementType::I64, ElementType::F32);
    let refused = |conversion: Conversion<'_>, text: &str| {
        let error = ConversionPlan::<i64, f32>::new(&from, &to, &conversion).unwrap_err();
        assert_eq!(error.to_string(), text);
    };
    refused(
        Conversion::requantize(1, 0, DOUBLE),
        "`requantize` converts `i64` or integers that `i32` holds to integers that `i32` holds, not `i64` to `f32`; change one of the two types, or use `cast`",
    );
    refused(
        Conversion::offset(1),
        "`offset` converts integers of up to 32 bits to integers of up to 32 bits, not `i64` to `f32`; change one of the two types, or use `cast`",
    );
    refused(
        Conversion::cast().wrapping(),
        "`wrapping` converts integers to integers, not `i64` to `f32`; change one of the two types, or use `cast`",
    );
    let [from, to] = layouts(ElementType::I64, ElementType::I16);
    let conversion = Conversion::requantize(1, 15, DOUBLE);
    let error = ConversionPlan::<i64, i16>::new(&from, &to, &conversion).unwrap_err();
    assert_eq!(
        error.to_string(),
        "shift 15 at index 0 is out of range for `i64`; write a number from -31 to 14, such as `FixedPoint::factor` returns",
    );
}

/// Sums beyond 2^30, zero points that take every product out of the range, and truth values.
#[test]
fn numbers_at_the_ends() {
    let double = FixedPoint::double();
    assert_eq!(double.requantize_wide(1 << 30, 1 << 30, 1), 1 << 30);
    assert_eq!(double.range(-32768, 32767).requantize_wide(1_500_000_000, 1 << 30, 1), 32767);
    assert_eq!(double.range(-32768, 32767).requantize_wide(-1_500_000_000, 1 << 30, 1), -32768);
    assert_eq!(double.zero_point(i32::MIN).range(0, 10).requantize(5, 1 << 30, 1), 0);
    assert_eq!(double.zero_point(i32::MAX).range(-100, -50).requantize(5, 1 << 30, 1), -50);
    let far = double.zero_point(-2_000_000_000).range(200_000_000, i32::MAX);
    assert_eq!(far.requantize(5, 1 << 30, 1), 200_000_000);
    let [bytes, truths] = ["K<4>, u8", "K<4>, bool"].map(|text| Layout::parse(text).unwrap());
    let wrapping = Conversion::cast().wrapping();
    assert!(ConversionPlan::<u8, bool>::new(&bytes, &truths, &wrapping).is_err());
    assert!(ConversionPlan::<bool, u8>::new(&truths, &bytes, &wrapping).is_err());
}
