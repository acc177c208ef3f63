//! Quantizing: scales and codes of the destination against those that a few lines compute from the numbers.

use tensor_layout::Layout;
use tensor_layout::records::{Quantizer, ValuePlan, ValueSide};

use super::values::{layout, native, run};
use super::vectors::parsed;

#[test]
fn elements_with_a_byte_of_their_own_are_written_whole() {
    let numbers: Vec<f32> = (0..35).map(|i| (i % 9 - 4) as f32 / 2.0).collect();
    let plain = layout("A<35>, f32");
    for small in ["f6e2m3", "f6e3m2"] {
        let to = layout(&format!("A<35>, {small}"));
        let own = run(&ValuePlan::new(&plain, &to, None).unwrap(), &native(&numbers), to.bytes());
        for (code, number) in own.iter().zip(&numbers) {
            assert!(*code < 64 && (*code >= 32) == (*number < 0.0), "{small}: {code}");
        }
    }
    let scale = layout("A<1>, f32");
    for element in ["i3", "i5", "i6", "i7", "i8"] {
        let codes = layout(&format!("A<35>, {element}"));
        let tensors = [("q", &codes), ("s", &scale)];
        let to = ValueSide::Tensors { rule: "s * q", tensors: &tensors };
        let plan = ValuePlan::new(&plain, to, Some(Quantizer::AbsMax)).unwrap();
        let (mut own, mut one) = (vec![0xaa; 35], [0; 4]);
        plan.run(&[native(&numbers)], &mut [&mut own[..], &mut one]).unwrap();
        for (code, number) in own.iter().zip(&numbers) {
            let whole = f32::from(*code as i8) * f32::from_ne_bytes(one);
            assert!((whole - number).abs() < 0.34, "{element}: {code:#x} for {number}");
        }
    }
}

fn refusal<'a>(from: &'a Layout, to: ValueSide<'a>) -> String {
    ValuePlan::new(from, to, None).unwrap_err().to_string()
}

#[test]
fn fields_that_nothing_computes_are_refused() {
    let plain = layout("MK<2, 64>, f32");
    let blocks = parsed("MK<2, 64>, { d: f16, s: f16, q: 32k i8 } = d * q");
    assert_eq!(
        refusal(&plain, (&blocks).into()),
        "value rule of the destination does not name `s`, and the source has no field of that name that the same elements \
         share; write a rule of its own such as `= d * sum(q)`, or give it a value",
    );
    // As a source, the block has values.
    ValuePlan::new(&blocks, &plain, None).unwrap();
    let (codes, one) = (layout("MK<2, 64>, i8"), layout("M<2>, f32"));
    let tensors = [("q", &codes), ("s", &one), ("more", &one)];
    let side = ValueSide::Tensors { rule: "s * q", tensors: &tensors };
    assert!(refusal(&plain, side).contains("does not name `more`"));
    // Unused bits are not a field.
    let unused = parsed("MK<2, 64>, { d: f16, _: u16, q: 32k i8 } = d * q");
    ValuePlan::new(&plain, &unused, None).unwrap();
}

#[test]
fn destinations_without_scales_say_why() {
    let plain = layout("MK<8, 64>, f32");
    let codes = layout("MK<8, 64>, u8");
    assert_eq!(
        refusal(&plain, (&codes).into()),
        "the destination has integers u8 and no scale; write floats such as f32, or a value rule such as `d * q`",
    );
    // A table with a scale that is fitted.
    let table = parsed("<M = 8, K = 64>, { q: M K u4; d: M/4 K/32 f32 } = d * iq4nl[q]");
    let fitted = ValuePlan::new(&plain, &table, Some(Quantizer::Fitted)).unwrap_err().to_string();
    assert!(fitted.starts_with("scales of the destination that a search finds"), "{fitted}");
}

#[test]
fn bytes_of_bool_are_0_and_1() {
    let (flags, scale, plain) = (layout("A<4>, bool"), layout("A<1>, f32"), layout("A<4>, f32"));
    let values = run(&ValuePlan::new(&flags, &plain, None).unwrap(), &[0, 1, 2, 255], 16);
    assert_eq!(floats(&values), [0.0, 1.0, 1.0, 1.0]);
    let tensors = [("q", &flags), ("s", &scale)];
    let plan =
        ValuePlan::new(ValueSide::Tensors { rule: "s * q", tensors: &tensors }, &plain, None)
            .unwrap();
    let mut values = [0; 16];
    plan.run(&[&[0, 1, 2, 255][..], &native(&[3.0])], &mut [&mut values]).unwrap();
    assert_eq!(floats(&values), [0.0, 3.0, 3.0, 3.0]);
}

/// Some numbers of both signs.
fn some_numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 7919 % 1013) as f32 - 506.0) / 41.0).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|own| f32::from_ne_bytes(own.try_into().unwrap())).collect()
}

#[test]
fn groups_that_do_not_divide_an_axis() {
    let (rows, columns) = (9, 100);
    let numbers = some_numbers(rows * columns);
    let plain = layout("MK<9, 100>, f32");
    for group in [7, 32, 64, 99, 128] {
        let text = format!("<M = 9, K = 100>, {{ q: M K i8; s: M K/{group} f32 }} = s * q");
        let to = parsed(&text);
        let plan = ValuePlan::new(&plain, &to, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut own = [vec![0xa5; to.bytes(0)], vec![0xa5; to.bytes(1)]];
        plan.run(&[native(&numbers)], &mut own).unwrap();
        let mut scales = own[1].chunks(4).map(|own| f32::from_le_bytes(own.try_into().unwrap()));
        for (m, row) in numbers.chunks(columns).enumerate() {
            for (i, part) in row.chunks(group).enumerate() {
                let greatest = part.iter().fold(0f32, |own, x| own.max(x.abs()));
                assert_eq!(scales.next(), Some(greatest / 127.0), "{text}: row {m}, group {i}");
                for (k, x) in part.iter().enumerate() {
                    let code = own[0][m * columns + i * group + k] as i8;
                    let exact = f64::from(*x) / f64::from(greatest) * 127.0;
                    assert!((f64::from(code) - exact).abs() < 0.5001, "{text}: {m}, {i}, {k}");
                }
            }
        }
    }
}

#[test]
fn scales_along_another_axis_than_those_of_the_source() {
    let numbers = some_numbers(64 * 96);
    let plain = layout("MK<64, 96>, f32");
    let blocks = parsed("MK<64, 96>, ggml::Q8_0");
    let packed =
        run(&ValuePlan::new(&plain, &blocks, None).unwrap(), &native(&numbers), blocks.bytes(0));
    let back = run(&ValuePlan::new(&blocks, &plain, None).unwrap(), &packed, plain.bytes());
    let codes = layout("MK<64, 96>, i8");
    for scales in ["K<96>, f32", "MK<8, 96>, f32", "M<64>, f32", "MK<64, 3>, f32"] {
        let own = layout(scales);
        let tensors = [("q", &codes), ("s", &own)];
        let side = ValueSide::Tensors { rule: "s * q", tensors: &tensors };
        let run = |plan: ValuePlan, source: &[u8]| {
            let mut all = [vec![0xa5; codes.bytes()], vec![0xa5; own.bytes()]];
            plan.run(&[source], &mut all).unwrap();
            all
        };
        let once = ValuePlan::new(&blocks, side, None).unwrap_or_else(|e| panic!("{scales}: {e}"));
        let twice = ValuePlan::new(&plain, side, None).unwrap();
        assert_eq!(run(once, &packed), run(twice, &back), "{scales}");
    }
}

/// The number of a `f8e4m3` that is not negative.
fn e4m3(byte: u8) -> f64 {
    let (exponent, rest) = (i32::from(byte >> 3), f64::from(byte & 7) / 8.0);
    match exponent {
        0 => rest * 2f64.powi(-6),
        _ => (1.0 + rest) * 2f64.powi(exponent - 7),
    }
}

#[test]
fn codes_follow_from_scales_of_eight_bits_as_stored() {
    let numbers = some_numbers(32 * 32);
    let plain = layout("MK<1, 1024>, f32");
    let to = parsed("MK<1, 1024>, { d: f8e4m3, q: 32k i8 } = d * q");
    let own = run(&ValuePlan::new(&plain, &to, None).unwrap(), &native(&numbers), to.bytes(0));
    for (block, part) in own.chunks(33).zip(numbers.chunks(32)) {
        let scale = e4m3(block[0]);
        let greatest = part.iter().fold(0f32, |own, x| own.max(x.abs()));
        assert!((scale * 127.0 / f64::from(greatest) - 1.0).abs() < 0.063);
        for (code, x) in block[1..].iter().zip(part) {
            let exact = (f64::from(*x) / scale).clamp(-128.0, 127.0);
            assert!((f64::from(*code as i8) - exact).abs() < 0.5001, "{exact}: {}", *code as i8);
        }
    }
}

#[test]
fn groups_of_tiny_numbers_are_zeros() {
    let plain = layout("MK<1, 32>, f32");
    let tiny: Vec<f32> = (0..32).map(|i| (i - 16) as f32 * 1e-39).collect();
    for text in ["{ d: f32, q: 32k i8 } = d * q", "{ d: f32, q: 32k u4 } = d * (q - 8)"] {
        let to = parsed(&format!("MK<1, 32>, {text}"));
        let own = run(&ValuePlan::new(&plain, &to, None).unwrap(), &native(&tiny), to.bytes(0));
        let back = run(&ValuePlan::new(&to, &plain, None).unwrap(), &own, 128);
        assert!(floats(&back).iter().all(|own| *own == 0.0), "{text}: {:?}", floats(&back));
    }
}

#[test]
fn codes_that_reach_farther_up_than_down() {
    // ggml's TQ2_0 has the greatest magnitude as scale, and codes of -1, 0 and 1.
    let plain = layout("MK<1, 256>, f32");
    let to = parsed("MK<1, 256>, ggml::TQ2_0");
    let numbers: Vec<f32> = (0..256).map(|i| (i * 37 % 256) as f32 / 16.0 - 12.0).collect();
    let plan = ValuePlan::new(&plain, &to, None).unwrap();
    assert_eq!(plan.quantizer(), Quantizer::AbsMax);
    let own = run(&plan, &native(&numbers), to.bytes(0));
    // 12 in `f16`.
    assert_eq!(own[64..], [0x00, 0x4a]);
    let back = run(&ValuePlan::new(&to, &plain, None).unwrap(), &own, 1024);
    for (own, x) in floats(&back).iter().zip(&numbers) {
        let expected = if *x <= -6.0 {
            -12.0
        } else if *x >= 6.0 {
            12.0
        } else {
            0.0
        };
        assert_eq!(*own, expected, "{x}");
    }
    // Codes of -4 to 11: nothing is cut.
    let to = parsed("MK<1, 256>, { d: f32, q: 32k u4 } = d * (q - 4)");
    let own = run(&ValuePlan::new(&plain, &to, None).unwrap(), &native(&numbers), to.bytes(0));
    let back = run(&ValuePlan::new(&to, &plain, None).unwrap(), &own, 1024);
    for (own, x) in floats(&back).iter().zip(&numbers) {
        assert!((own - x).abs() <= 1.5001, "{own} for {x}");
    }
}

#[test]
fn integers_of_microscaling_formats() {
    let mut numbers = some_numbers(8 * 32);
    numbers[32..64].fill(0.0);
    // Ties, the largest number of a scale and just below the next power of two.
    (64..96).for_each(|i| numbers[i] = (i as f32 - 79.5) / 64.0);
    (numbers[65], numbers[66]) = (127.6 / 64.0, -127.6 / 64.0);
    numbers[224..].iter_mut().for_each(|own| *own *= 0.1);
    numbers[230] = -2.0f32.next_up();
    (numbers[97], numbers[98]) = (f32::INFINITY, f32::NEG_INFINITY);
    (numbers[130], numbers[131]) = (f32::NAN, 3e38);
    (160..192).for_each(|i| numbers[i] *= 1e-38);
    (192..224).for_each(|i| numbers[i] *= 1e-36);
    let to = parsed("<M = 2, K = 128>, mx::int8");
    let plan = ValuePlan::new(&layout("MK<2, 128>, f32"), &to, None).unwrap();
    assert_eq!(plan.quantizer(), Quantizer::Mx);
    let mut own = [vec![0xa5; 256], vec![0xa5; 8]];
    plan.run(&[native(&numbers)], &mut own).unwrap();
    for (i, part) in numbers.chunks(32).enumerate() {
        let greatest = part.iter().fold(0f32, |own, x| own.max(x.abs()));
        let exponent = f64::from(greatest).log2().floor().clamp(-127.0, 127.0);
        assert_eq!(f64::from(own[1][i]), exponent + 127.0, "block {i}");
        for (k, x) in part.iter().enumerate() {
            // Numbers of a scale below 2^-122 count as 0.
            let scaled = f64::from(*x) / 2f64.powf(exponent) * 64.0;
            let expected = match exponent < -121.0 {
                true => 0.0,
                false => scaled.round_ties_even().clamp(-128.0, 127.0),
            };
            assert_eq!(own[0][32 * i + k] as i8, expected as i8, "block {i}: {x}");
        }
    }
    let mut back = vec![0; 1024];
    let plan = ValuePlan::new(&to, &layout("MK<2, 128>, f32"), None).unwrap();
    plan.run(&own, &mut [&mut back]).unwrap();
    for (i, value) in floats(&back).into_iter().enumerate() {
        let scale = 2f64.powi(i32::from(own[1][i / 32]) - 127);
        // -2 times the largest scale is beyond `f32`.
        assert_eq!(value, (f64::from(own[0][i] as i8) * scale / 64.0) as f32, "{i}");
    }
}

#[test]
fn scales_of_several_fields_are_refused() {
    let to = parsed("MK<8, 256>, ggml::IQ4_XS");
    let sentence = refusal(&layout("MK<8, 256>, f32"), (&to).into());
    assert!(sentence.contains("has a scale of several fields, which no quantizer of its codes"));
}

#[test]
fn an_element_may_have_a_scale_of_its_own() {
    let (plain, codes) = (layout("MK<4, 1>, f32"), layout("MK<4, 1>, i8"));
    let numbers = [3.0, -2.0, 0.0, 254.0];
    let scales = layout("MK<4, 1>, f32");
    let tensors = [("q", &codes), ("s", &scales)];
    let side = ValueSide::Tensors { rule: "s * q", tensors: &tensors };
    let mut own = [vec![0xa5; 4], vec![0xa5; 16]];
    ValuePlan::new(&plain, side, None).unwrap().run(&[native(&numbers)], &mut own).unwrap();
    assert_eq!(own[0], [127, 129, 0, 127]);
    assert_eq!(floats(&own[1])[3], 2.0);
    let mut back = vec![0; 16];
    ValuePlan::new(side, &plain, None).unwrap().run(&own, &mut [&mut back]).unwrap();
    assert!(floats(&back).iter().zip(numbers).all(|(own, x)| (own - x).abs() < 1e-6));
    let record = parsed("K<4>, { d: f32, q: 1k i8 } = d * q");
    let plain = layout("K<4>, f32");
    let bytes = run(&ValuePlan::new(&plain, &record, None).unwrap(), &native(&numbers), 20);
    assert_eq!([bytes[4], bytes[9], bytes[14], bytes[19]], [127, 129, 0, 127]);
    let shared = layout("MK<4, 8>, f32, broadcast(M)");
    assert_eq!(
        refusal(&layout("MK<4, 8>, f32"), (&shared).into()),
        "several coordinates share an element, and no rule makes values of it; give each an element of its own, or write a rule",
    );
}

#[test]
fn numbers_of_rules_are_exact() {
    let plain = layout("K<4>, f32");
    let value = |rule: &str| {
        let record = parsed(&format!("K<4>, {{ q: u8 }} = {rule}"));
        let plan = ValuePlan::new(&record, &plain, None);
        let values = plan.map(|plan| floats(&run(&plan, &[1, 2, 3, 255], 16)));
        values.map_err(|error| error.to_string())
    };
    assert_eq!(
        value("q - 16777216").unwrap(),
        [-16777215.0, -16777214.0, -16777213.0, -16776961.0]
    );
    assert_eq!(value("-3 * q").unwrap(), [-3.0, -6.0, -9.0, -765.0]);
    assert_eq!(value("1 / 4 * q").unwrap(), [0.25, 0.5, 0.75, 63.75]);
    assert_eq!(value("(1 << 31) * q").unwrap()[0], -(2f32.powi(31)));
    for rule in ["q << 64", "q * (1 << 33)", "sum(q)", "q - 16777217"] {
        assert!(value(rule).unwrap_err().contains("is not a scale"), "{rule}");
    }
}

/// The number of a float of 8 bits or less: exponent bits, fraction bits and bias, and the least magnitude that is no finite
/// number.
fn float_of(code: usize, (exponent, fraction, bias, end): (usize, usize, i32, usize)) -> f64 {
    let size = code & ((1 << (exponent + fraction)) - 1);
    let is_negative = size != code;
    if size >= end || is_negative && size == 0 && end > 0x80 {
        return f64::NAN;
    }
    let (power, rest) = ((size >> fraction) as i32, size & ((1 << fraction) - 1));
    let whole = if power > 0 { rest + (1 << fraction) } else { rest };
    let number = whole as f64 * 2f64.powi(power.max(1) - bias - fraction as i32);
    if is_negative { -number } else { number }
}

#[test]
fn constants_are_subtracted_from_floats() {
    let elements = [
        ("f8e4m3", (4, 3, 7, 0x7f)),
        ("f8e5m2", (5, 2, 15, 0x7c)),
        ("f8e4m3fnuz", (4, 3, 8, 0x81)),
        ("f8e5m2fnuz", (5, 2, 16, 0x81)),
        ("f8e4m3b11fnuz", (4, 3, 11, 0x81)),
        ("f8e3m4", (3, 4, 3, 0x70)),
        ("f8e4m3ieee", (4, 3, 7, 0x78)),
        ("f6e2m3", (2, 3, 1, 0x80)),
        ("f6e3m2", (3, 2, 3, 0x80)),
        ("f4e2m1", (2, 1, 1, 0x80)),
    ];
    let power = layout("A<1>, f8e8m0");
    for ((name, format), less) in elements.into_iter().flat_map(|own| [1, -3, 5].map(|i| (own, i)))
    {
        let bits = 1 + format.0 + format.1;
        let all: Vec<f64> = (0..1 << bits).map(|code| float_of(code, format)).collect();
        let codes = layout(&format!("A<{}>, {name}", all.len()));
        let (plain, scale) = (layout(&format!("A<{}>, f32", all.len())), layout("A<1>, f32"));
        let (rule, tensors) = (format!("s * (q - {less})"), [("q", &codes), ("s", &scale)]);
        let rule = rule.replace("- -", "+ ");
        let side = ValueSide::Tensors { rule: &rule, tensors: &tensors };
        // Each code becomes its number.
        let bytes: Vec<u8> = match bits {
            4 => (0..8).map(|i| ((2 * i + 1) << 4) | (2 * i)).collect(),
            _ => (0..all.len()).map(|i| i as u8).collect(),
        };
        let mut values = vec![0; plain.bytes()];
        let plan = ValuePlan::new(side, &plain, None).unwrap();
        plan.run(&[&bytes[..], &native(&[0.75])], &mut [&mut values]).unwrap();
        for (number, value) in all.iter().zip(floats(&values)).filter(|own| own.0.is_finite()) {
            assert_eq!(value, (*number as f32 - less as f32) * 0.75, "{name}, {rule}: {number}");
        }
        // Each number becomes the code of the nearest one.
        let numbers = some_numbers(all.len());
        let (mut own, mut one) = (vec![0; codes.bytes()], [0; 4]);
        let plan = ValuePlan::new(&plain, side, None).unwrap();
        assert_eq!(plan.quantizer(), Quantizer::AbsMax);
        plan.run(&[native(&numbers)], &mut [&mut own[..], &mut one]).unwrap();
        let inverse = 1.0 / f32::from_ne_bytes(one);
        for (i, x) in numbers.into_iter().enumerate() {
            let code = if bits == 4 { own[i / 2] >> (i % 2 * 4) & 15 } else { own[i] };
            let sum = f64::from(x * inverse + less as f32);
            let finite = all.iter().filter(|own| own.is_finite());
            let least = finite.fold(f64::MAX, |least, own| least.min((own - sum).abs()));
            assert_eq!((all[code as usize] - sum).abs(), least, "{name}, {rule}: {x}");
        }
        // Powers of two take a constant, rules for the magnitudes of codes none, and none fits if all have one sign.
        let tensors = [("q", &codes), ("s", &power)];
        let plan = |rule, quantizer| {
            let side = ValueSide::Tensors { rule, tensors: &tensors };
            ValuePlan::new(&plain, side, quantizer).map(|plan| plan.quantizer()).ok()
        };
        assert_eq!(plan(&rule, None), Some(Quantizer::Mx));
        assert_eq!(plan(&rule, Some(Quantizer::MxGgml)), None);
        assert_eq!(plan("s * (q - 65536)", None), None);
    }
}
