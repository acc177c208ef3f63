//! Quantizing with scales, zero points and minima that are shared by different elements, along several axes and in two
//! levels, against loops over coordinates.

use tensor_layout::Layout;
use tensor_layout::records::{Quantizer, Record, ValuePlan};
use test_support::Random;

use super::values::{layout, native, run};
use super::vectors::parsed;

const ROWS: usize = 8;
const COLUMNS: usize = 24;

/// Numbers of both signs and many magnitudes, of which none are equal.
fn some_numbers(random: &mut Random) -> Vec<f32> {
    let one = |random: &mut Random| random.between(0, 1 << 20) as f32 / 65536.0 - 5.0;
    (0..ROWS * COLUMNS).map(|i| one(random) * (1 + i / 32 % 5) as f32).collect()
}

/// The coordinates that share an element along both axes, and digits that say so.
fn shares(random: &mut Random) -> ([usize; 2], String) {
    let own = [random.pick(&[1, 2, 4, ROWS]), random.pick(&[1, 3, 8, COLUMNS])];
    // A byte of each element's own would be its code.
    let own = if own == [1, 1] { [1, 3] } else { own };
    let digits =
        [("M", ROWS, own[0]), ("K", COLUMNS, own[1])].map(|(axis, all, share)| match share {
            1 => axis.into(),
            share if share == all => String::new(),
            share => format!("{axis}/{share}"),
        });
    (own, digits.join(" "))
}

/// The greatest of some numbers of the coordinates that share an element with each one.
fn joined(share: [usize; 2], of: &[f32]) -> Vec<f32> {
    let group = |i: usize| (i / COLUMNS / share[0], i % COLUMNS / share[1]);
    let most = |i: usize| {
        let own = (0..of.len()).filter(|other| group(*other) == group(i)).map(|other| of[other]);
        own.fold(f32::MIN, f32::max)
    };
    (0..of.len()).map(most).collect()
}

/// The elements of a field at all coordinates.
fn field(record: &Record, name: &str, buffers: &[Vec<u8>]) -> Vec<f32> {
    let field = record.field(name).unwrap();
    let value = |i: usize| {
        let bit = record.bit_offset(name, &[i / COLUMNS, i % COLUMNS]).unwrap() as usize;
        let bytes = &buffers[field.buffer()][bit / 8..];
        match field.bits() {
            32 => f32::from_le_bytes(bytes[..4].try_into().unwrap()),
            _ => f32::from(bytes[0]),
        }
    };
    (0..ROWS * COLUMNS).map(value).collect()
}

fn quantized(plain: &Layout, to: &Record, quantizer: Quantizer, numbers: &[f32]) -> Vec<Vec<u8>> {
    let plan = ValuePlan::new(plain, to, Some(quantizer)).unwrap_or_else(|e| panic!("{to}: {e}"));
    let mut own: Vec<Vec<u8>> = (0..to.buffers()).map(|i| vec![0xa5; to.bytes(i)]).collect();
    plan.run(&[native(numbers)], &mut own).unwrap();
    own
}

#[test]
fn scales_zero_points_and_minima_are_shared_by_any_elements() {
    let plain = layout(&format!("MK<{ROWS}, {COLUMNS}>, f32"));
    for case in 0..120 {
        let mut random = Random::new(0x5ca1e, case);
        let numbers = some_numbers(&mut random);
        let ((scale, scales), (other, others)) = (shares(&mut random), shares(&mut random));
        let negative: Vec<f32> = numbers.iter().map(|own| -own).collect();
        let sizes: Vec<f32> = numbers.iter().map(|own| own.abs()).collect();
        let record = |fields: &str, rule: &str| {
            parsed(&format!("<M = {ROWS}, K = {COLUMNS}>, {{ q: M K {fields} }} = {rule}"))
        };
        // The greatest magnitude becomes 127.
        let to = record(&format!("i8; s: {scales} f32"), "s * q");
        let own = quantized(&plain, &to, Quantizer::AbsMax, &numbers);
        let expected: Vec<f32> = joined(scale, &sizes).iter().map(|own| own / 127.0).collect();
        assert_eq!(field(&to, "s", &own), expected, "{to}");
        // The number of greatest magnitude becomes -8.
        let to = record(&format!("u8; s: {scales} f32"), "s * (q - 128)");
        let own = quantized(&plain, &to, Quantizer::SignedMax, &numbers);
        for (i, size) in joined(scale, &sizes).into_iter().enumerate() {
            assert_eq!(field(&to, "s", &own)[i].abs(), size / 128.0, "{to}");
            if sizes[i] == size {
                assert_eq!(field(&to, "q", &own)[i], 0.0, "{to}");
            }
        }
        // Minima are the least numbers, and no number is above the highest code.
        let to = record(&format!("u8; s: {scales} f32; m: {others} f32"), "s * q + m");
        let own = quantized(&plain, &to, Quantizer::MinMax, &numbers);
        let least: Vec<f32> = joined(other, &negative).iter().map(|own| -own).collect();
        assert_eq!(field(&to, "m", &own), least, "{to}");
        let ranges: Vec<f32> = (0..numbers.len()).map(|i| numbers[i] - least[i]).collect();
        let expected: Vec<f32> = joined(scale, &ranges).iter().map(|own| own / 255.0).collect();
        let found = field(&to, "s", &own);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-6 * b), "{to}");
        check_codes(&to, &own, &numbers, 0.501);
        // Zero points: each number has a code, and in each group of a scale one needs it.
        let to = record(&format!("u8; s: {scales} f32; z: {others} u8"), "s * (q - z)");
        let own = quantized(&plain, &to, Quantizer::Affine, &numbers);
        // PyTorch's rule for the same elements cuts what a rounded zero point moves out of the range.
        let most = if scale == other { 1.001 } else { 0.501 };
        check_codes(&to, &own, &numbers, most);
        if scale != other {
            let (s, z) = (field(&to, "s", &own), field(&to, "z", &own));
            let need: Vec<f32> = (0..numbers.len())
                .map(|i| {
                    let of = |end: f32| if end == 0.0 { 0.0 } else { numbers[i] / end };
                    of(-z[i]).max(of(255.0 - z[i]))
                })
                .collect();
            let need = joined(scale, &need);
            assert!(s.iter().zip(&need).all(|(a, b)| (a - b).abs() <= 1e-5 * b), "{to}");
        }
    }
}

/// Compares values with numbers, in parts of the scale of each.
fn check_codes(record: &Record, buffers: &[Vec<u8>], numbers: &[f32], most: f32) {
    let plain = layout(&format!("MK<{ROWS}, {COLUMNS}>, f32"));
    let mut values = vec![0; plain.bytes()];
    ValuePlan::new(record, &plain, None).unwrap().run(buffers, &mut [&mut values]).unwrap();
    let scales = field(record, "s", buffers);
    for (i, own) in values.chunks(4).enumerate() {
        let own = f32::from_ne_bytes(own.try_into().unwrap());
        let far = (own - numbers[i]).abs();
        assert!(far <= most * scales[i].abs(), "{record}, {i}: {own} for {}", numbers[i]);
    }
}

#[test]
fn records_of_two_levels_are_quantized() {
    let plain = layout("MK<4, 256>, f32");
    let mut random = Random::new(0x2e, 60);
    let numbers: Vec<f32> =
        (0..1024).map(|i| (random.share() - 0.5) as f32 * (1 + i / 32 % 7) as f32).collect();
    for (fields, rule, quantizer, most) in [
        ("d: f16, s: 8k/32 u6, q: 256k i8", "d * s * q", Quantizer::AbsMax, 0.05),
        ("d: f32, s: 16k/16 i8, q: 256k u4", "d * s * (q - 8)", Quantizer::Fitted, 0.13),
        ("g: f32, s: 16k/16 f8e4m3, q: 256k f4e2m1", "g * s * q", Quantizer::AbsMax, 0.26),
        (
            "d: f16, sh: 8k/32 u2, s: 8k/32 u4, q: 256k u4",
            "d * ((s | sh << 4) - 32) * iq4nl[q]",
            Quantizer::AbsMax,
            0.2,
        ),
    ] {
        let to = parsed(&format!("MK<4, 256>, {{ {fields} }} = {rule}"));
        let chosen = (quantizer == Quantizer::AbsMax).then_some(quantizer);
        let plan = ValuePlan::new(&plain, &to, chosen).unwrap_or_else(|e| panic!("{to}: {e}"));
        assert_eq!(plan.quantizer(), quantizer, "{to}");
        let packed = run(&plan, &native(&numbers), to.bytes(0));
        let back = run(&ValuePlan::new(&to, &plain, None).unwrap(), &packed, plain.bytes());
        for (group, own) in back.chunks(4 * 32).enumerate() {
            let numbers = &numbers[32 * group..][..32];
            let size = numbers.iter().fold(0f32, |size, own| size.max(own.abs()));
            for (own, x) in own.chunks(4).zip(numbers) {
                let own = f32::from_ne_bytes(own.try_into().unwrap());
                assert!((own - x).abs() <= most * size, "{to}, group {group}: {own} for {x}");
            }
        }
    }
}
