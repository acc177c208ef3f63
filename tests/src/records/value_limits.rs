//! Conversions at the ends of what floats, lists and places hold.

use tensor_layout::Layout;
use tensor_layout::records::{Quantizer, Record, ValuePlan};

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

/// What is wrong with a conversion.
fn refusal(from: &str, to: &str) -> String {
    let to = Record::parse(to).unwrap();
    let plan = match Layout::parse(from) {
        Ok(from) => ValuePlan::new(&from, &to, None),
        Err(_) => ValuePlan::new(&Record::parse(from).unwrap(), &to, None),
    };
    plan.map_or_else(|error| error.to_string(), |plan| format!("{plan:?}"))
}

#[test]
fn a_scale_of_too_many_groups_is_refused() {
    assert_eq!(
        refusal(
            "K<1099511627776>, f32",
            "<K = 1099511627776>, { d: f32, s: K/32 f8e4m3, q: K f4e2m1 } = d * s * q",
        ),
        "scales of 34359738368 groups of elements are converted at once, since they share another one or blocks of the sides \
         divide no smaller part, and at most 134217728 can be; share scales among fewer, or write blocks of which one divides \
         the other",
    );
}

#[test]
fn a_tile_of_digits_that_no_scale_divides_is_found_at_once() {
    for (extent, digits) in
        [(536870798, "2k/268435399 268435399k"), (274877906624u64, "64k/4294967291 4294967291k")]
    {
        let own = refusal(
            &format!("<K = {extent}>, {{ x: {digits} f32 }}"),
            &format!("<K = {extent}>, {{ d: K/32 f32, q: K i8 }} = d * q"),
        );
        assert!(own.contains("converted at once"), "{own}");
    }
}

#[test]
fn places_beyond_64_bits_are_refused() {
    for (from, to) in [
        (
            "MK<1, 1152921504606846975>, f16",
            "<M = 1, K = 1152921504606846975>, { q: K M f8e4m3 } = q",
        ),
        (
            "KM<M = 1125899906842624, K = 256>, f32",
            "<M = 1125899906842624, K = 256>, { d: M/128 f32; s: M/128 f8e4m3; q: K M u8 } = d * s * q",
        ),
    ] {
        assert!(
            refusal(from, to).contains("bytes, more than the"),
            "{from}: {}",
            refusal(from, to)
        );
    }
    let empty = "<M = 2305843009213693952, K = 0>, { d: K/4096 f8e8m0, q: M/4 K 4m i8 } = d * q";
    refusal("MK<2305843009213693952, 0>, f32", empty);
}
