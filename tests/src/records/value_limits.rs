//! Conversions at the ends of what floats, lists and places hold.

use tensor_layout::records::{Quantizer, ValuePlan};

use super::values::{layout, native};
use super::vectors::parsed;

/// The values that numbers have after a record.
fn after(record: &str, quantizer: Option<Quantizer>, numbers: &[f32]) -> Vec<f32> {
    let count = numbers.len();
    let (to, plain) =
        (parsed(&format!("MK<1, {count}>, {record}")), layout(&format!("MK<1, {count}>, f32")));
    let plan = ValuePlan::new(&plain, &to, quantizer).unwrap_or_else(|e| panic!("{to}: {e}"));
    let mut packed: Vec<Vec<u8>> = (0..to.buffers()).map(|i| vec![0; to.bytes(i)]).collect();
    plan.run(&[native(numbers)], &mut packed).unwrap();
    let mut own = vec![0; plain.bytes()];
    ValuePlan::new(&to, &plain, None).unwrap().run(&packed, &mut [&mut own]).unwrap();
    own.chunks(4).map(|own| f32::from_ne_bytes(own.try_into().unwrap())).collect()
}

/// Numbers up to one, of which the first ones are 0.
fn up_to(most: f32, zeros: usize, count: usize) -> Vec<f32> {
    let number = |i: usize| if i < zeros { 0.0 } else { most * (1.0 - (i % 7) as f32 / 7.0) };
    (0..count).map(number).collect()
}

const TWO_LEVELS: &str = "{ d: f32, s: 16k/16 i8, q: 256k i4 } = d * s * q";

#[test]
fn a_block_of_two_levels_with_an_infinity_has_no_finite_value() {
    for (record, quantizer) in [
        ("ggml::Q6_K", Some(Quantizer::AbsMax)),
        ("ggml::Q6_K", None),
        ("ggml::Q3_K", None),
        ("ggml::Q4_K", None),
        ("ggml::Q2_K", None),
        ("{ d: f32, s: 16k/16 f8e4m3, q: 256k f4e2m1 } = d * s * q", None),
    ] {
        for infinity in [f32::INFINITY, f32::NEG_INFINITY] {
            let mut numbers = up_to(1.0, 0, 512);
            numbers[3] = infinity;
            let own = after(record, quantizer, &numbers);
            assert!(own[..256].iter().all(|own| !own.is_finite()), "{record}: {:?}", &own[..20]);
            assert!(own[256..].iter().all(|own| own.is_finite()), "{record}: the other block");
        }
    }
}

#[test]
fn large_and_small_numbers_are_fitted() {
    for most in [1e-9, 1.0, 1e13, 1e20, 3e38] {
        let numbers = up_to(most, 0, 256);
        for record in [
            TWO_LEVELS,
            "{ d: f32, s: 16k/16 u6, q: 256k u4, dm: f32, m: 16k/16 u6 } = d * s * q - dm * m",
            "{ d: 8k/32 f32, q: 256k u4 } = d * iq4nl[q]",
        ] {
            let own = after(record, Some(Quantizer::Fitted), &numbers);
            for (own, x) in own.iter().zip(&numbers) {
                assert!((own - x).abs() <= 0.13 * most, "{record}: {own:e} for {x:e}");
            }
        }
    }
}

#[test]
fn numbers_without_an_inverse_count_as_0_in_two_levels() {
    let own = after(
        "{ d: f32, s: 16k/16 f8e4m3, q: 256k f4e2m1 } = d * s * q",
        None,
        &up_to(6e-37, 16, 256),
    );
    assert!(own.iter().all(|own| own.abs() <= 6e-37), "{:?}", &own[..20]);
}

#[test]
fn an_infinity_leaves_other_scales_of_a_zero_point_alone() {
    let mut numbers: Vec<f32> = (0..64).map(|i| (i % 32) as f32 / 32.0 - 0.5).collect();
    numbers[3] = f32::INFINITY;
    let own = after("{ d: 2k/32 f32, z: u8, q: 64k u8 } = d * (q - z)", None, &numbers);
    assert!(own[..32].iter().all(|own| own.is_nan()), "{:?}", &own[..32]);
    assert!(
        own[32..].iter().zip(&numbers[32..]).all(|(own, x)| (own - x).abs() < 0.003),
        "{:?}",
        &own[32..]
    );
}
