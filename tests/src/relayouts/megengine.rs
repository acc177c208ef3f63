//! MegEngine's relayouts that change the element, from rows of channels to blocks of four: `u8` to `i8` by the zero point, and
//! `i8`, `u8` and `i32` from one scale to another, beside formulas for one element.

use tensor_layout::{Conversion, ConversionPlan, FixedPoint, Layout, Number, Rounding};

/// Converts a tensor of 2 x 6 x 3 x 5 to blocks of four channels, and returns the elements in the order of the source. The
/// last two channels of the last block are padding.
fn relaid<S: Number<Unit = S>, D: Number<Unit = D> + Default + PartialEq>(
    source: &[S],
    conversion: &Conversion<'_>,
) -> Vec<D> {
    let from = Layout::parse(&format!("NCHW<2, 6, 3, 5>, {}", S::TYPE.name())).unwrap();
    let to = Layout::parse(&format!("NCHW4<2, 6, 3, 5>, {}, pad", D::TYPE.name())).unwrap();
    let mut packed = vec![D::default(); 2 * 2 * 3 * 5 * 4];
    let plan = ConversionPlan::<S, D>::new(&from, &to, conversion).unwrap();
    plan.run(source, &mut packed).unwrap();
    let at = |n: usize, c: usize, place: usize| ((n * 2 + c / 4) * 15 + place) * 4 + c % 4;
    let padding = (0..2 * 2 * 15).map(|i| at(i / 30, 6 + i / 15 % 2, i % 15));
    assert!(padding.into_iter().all(|at| packed[at] == D::default()));
    (0..180).map(|i| packed[at(i / 90, i / 15 % 6, i % 15)]).collect()
}

/// The nearest integer, half away from zero, in a range.
fn away(value: f32, low: f32, high: f32) -> f32 {
    let whole = (value.abs() + 0.5).floor();
    (if value < 0.0 { -whole } else { whole }).clamp(low, high)
}

const SCALES: [(f32, f32); 4] = [(0.5, 0.25), (0.1, 0.3), (1.0 / 255.0, 0.01), (0.25, 1.0)];

#[test]
fn unsigned_bytes_become_signed_ones() {
    let source: Vec<u8> = (0..180).map(|i| (i * 37 % 256) as u8).collect();
    for zero_point in [128, 0, 3, 255] {
        let own: Vec<i8> = relaid(&source, &Conversion::offset(-zero_point));
        for (own, from) in own.into_iter().zip(&source) {
            let expected = (i32::from(*from) - zero_point).clamp(-128, 127);
            assert_eq!(i32::from(own), expected, "{from} less {zero_point}");
        }
    }
}

#[test]
fn only_casts_and_offsets_wrap() {
    let [from, to] = ["A<4>, i32", "A<4>, i8"].map(|text| Layout::parse(text).unwrap());
    let conversion = Conversion::requantize(1, 0, FixedPoint::single()).wrapping();
    assert_eq!(
        ConversionPlan::<i32, i8>::new(&from, &to, &conversion).unwrap_err().to_string(),
        "`wrapping` is for `cast` and `offset` between integers, and the results of other conversions stay in range; \
         leave it out",
    );
    ConversionPlan::<i32, i8>::new(&from, &to, &Conversion::offset(1).wrapping()).unwrap();
}

#[test]
fn bytes_change_their_scale_by_floats() {
    let signed: Vec<i8> = (0..180).map(|i| (i * 37 % 256) as u8 as i8).collect();
    let unsigned: Vec<u8> = signed.iter().map(|own| *own as u8).collect();
    for (from, to) in SCALES {
        let quantize = Conversion::quantize(to, 0).rounding(Rounding::HalfAway);
        let formula = |whole: i32| away(whole as f32 * from * (1.0 / to), -128.0, 127.0) as i8;
        let real: Vec<f32> = relaid(&signed, &Conversion::dequantize(from, 0));
        let own: Vec<i8> = relaid(&real, &quantize);
        assert!(
            own.iter().zip(&signed).all(|(own, x)| *own == formula(i32::from(*x))),
            "{from}, {to}"
        );
        for zero_point in [0, 128, 200] {
            let real: Vec<f32> = relaid(&unsigned, &Conversion::dequantize(from, zero_point));
            let own: Vec<i8> = relaid(&real, &quantize);
            let expected = unsigned.iter().map(|x| formula(i32::from(*x) - zero_point));
            assert!(own.into_iter().eq(expected), "{from}, {to}, {zero_point}");
        }
    }
}

#[test]
fn integers_change_their_scale_in_one_pass() {
    let words: Vec<i32> = (0..180).map(|i: i32| i.wrapping_mul(0x3779_b97f) >> (i % 31)).collect();
    let bytes: Vec<u8> = words.iter().map(|own| *own as u8).collect();
    for (from, to) in SCALES {
        let (multiplier, shift) = FixedPoint::factor(f64::from(from) / f64::from(to)).unwrap();
        // Half up, in integers that nothing overflows.
        let formula = |whole: i32, low: i128, high: i128| {
            let product = (i128::from(whole) * i128::from(multiplier)) >> (30 - shift);
            ((product + 1) >> 1).clamp(low, high)
        };
        let conversion = Conversion::requantize(multiplier, shift, FixedPoint::single());
        let range = (i128::from(i32::MIN), i128::from(i32::MAX));
        let own: Vec<i32> = relaid(&words, &conversion);
        for (own, x) in own.iter().zip(&words) {
            let expected = formula(*x, i128::MIN, i128::MAX);
            // A result of more than 32 bits wraps around.
            assert_eq!(*own, expected as i32, "{x}, {from}, {to}");
            if (range.0..=range.1).contains(&expected) {
                let real = f64::from(*x) * f64::from(from) / f64::from(to);
                assert!((f64::from(*own) - real).abs() < 0.5 + 2e-9 * real.abs(), "{x}: {real}");
            }
        }
        let how = FixedPoint::single().source_zero_point(128);
        let own: Vec<i8> = relaid(&bytes, &Conversion::requantize(multiplier, shift, how));
        let signed: Vec<i8> = bytes.iter().map(|own| (own ^ 0x80) as i8).collect();
        let same: Vec<i8> = relaid(&signed, &conversion);
        for ((own, same), x) in own.iter().zip(&same).zip(&bytes) {
            assert_eq!(
                i128::from(*own),
                formula(i32::from(*x) - 128, -128, 127),
                "{x}, {from}, {to}"
            );
            assert_eq!(own, same, "{x}");
        }
    }
}
