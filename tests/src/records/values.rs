//! Values of records. `gguf_values.json`, which `tests/conformance/gguf_values.py` makes, has those of the package
//! `gguf`.

use serde_json::{Map, Value};
use tensor_layout::Layout;
use tensor_layout::records::{Quantizer, Record, RecordPlan, ValuePlan, ValueSide};

use super::vectors::parsed;

fn table() -> Map<String, Value> {
    serde_json::from_str(include_str!("gguf_values.json")).unwrap()
}

/// The bytes of all rows of a list.
fn bytes(list: &Value) -> Vec<u8> {
    let digits: String = list.as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.as_bytes().chunks(2).map(byte).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|own| f32::from_le_bytes(own.try_into().unwrap())).collect()
}

/// The bytes of numbers in the order of the machine.
pub(super) fn native(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

pub(super) fn layout(text: &str) -> Layout {
    Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(super) fn run(plan: &ValuePlan, source: &[u8], bytes: usize) -> Vec<u8> {
    let mut destination = vec![0xa5; bytes];
    plan.run(&[source], &mut [&mut destination]).unwrap_or_else(|error| panic!("{error}"));
    destination
}

/// What a name of the table is as a record of rows of blocks, and the elements of a block.
fn record(name: &str, rows: usize, columns: usize) -> Record {
    parsed(&format!("MK<{rows}, {columns}>, ggml::{name}"))
}

#[test]
fn values_are_those_of_gguf() {
    let mut types = 0;
    for (name, entry) in table().iter().filter(|(name, _)| *name != "_about") {
        let (mut blocks, expected) = (bytes(&entry["blocks"]), floats(&bytes(&entry["values"])));
        if name == "NVFP4" {
            // Bit 7 of a scale has no meaning.
            blocks
                .iter_mut()
                .enumerate()
                .filter(|own| own.0 % 36 < 4)
                .for_each(|own| *own.1 &= 0x7f);
        }
        let rows = entry["blocks"].as_array().unwrap().len();
        let columns = expected.len() / rows;
        let record = record(name, rows, columns);
        let plain = layout(&format!("MK<{rows}, {columns}>, f32"));
        let plan = ValuePlan::new(&record, &plain, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut own = vec![0; expected.len() * 4];
        plan.run(&[&blocks], &mut [&mut own]).unwrap();
        let own = own.chunks(4).map(|own| f32::from_ne_bytes(own.try_into().unwrap()));
        for (i, (own, expected)) in own.zip(&expected).enumerate() {
            // Code 8 of `f4e2m1` is -0, for which ggml has 0.
            let is_same = own.to_bits() == expected.to_bits() || own == 0.0 && *expected == 0.0;
            assert!(is_same, "{name}, {i}: {own} and {expected}");
        }
        types += 1;
    }
    assert_eq!(types, 15);
}

#[test]
fn blocks_are_those_of_gguf() {
    let mut types = 0;
    for (name, entry) in table().iter().filter(|(_, entry)| entry["quantized"].is_array()) {
        let (expected, numbers) = (bytes(&entry["quantized"]), floats(&bytes(&entry["numbers"])));
        let rows = numbers.len() / 32;
        let record = record(name, rows, 32);
        let plain = layout(&format!("MK<{rows}, 32>, f32"));
        let plan = ValuePlan::new(&plain, &record, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        let own = run(&plan, &native(&numbers), record.bytes(0));
        let size = expected.len() / rows;
        for row in 0..rows {
            let part = row * size..(row + 1) * size;
            assert_eq!(own[part.clone()], expected[part], "{name}, block {row}");
        }
        // The same numbers in another order of memory, and in rows of eight blocks side by side.
        let turned = layout(&format!("KM<K = 32, M = {rows}>, f32"));
        let columns: Vec<f32> =
            (0..numbers.len()).map(|i| numbers[i % rows * 32 + i / rows]).collect();
        let plan = ValuePlan::new(&turned, &record, None).unwrap();
        assert_eq!(run(&plan, &native(&columns), expected.len()), own, "{name}");
        types += 1;
    }
    assert_eq!(types, 6);
}

#[test]
fn repacks_are_quantized_as_what_they_are_repacked_from() {
    for (name, repacks) in [
        ("Q4_0", &["q4_0x4_4", "q4_0x4_8", "q4_0x8_8", "q4_0x16_1"][..]),
        ("Q8_0", &["q8_0x4_4", "q8_0x4_8", "q8_0x16_1"]),
        ("MXFP4", &["mxfp4x4_4"]),
        ("Q4_K", &["q4_Kx8_4", "q4_Kx8_8"]),
    ] {
        let columns = if name == "Q4_K" { 512 } else { 96 };
        let numbers = some_numbers(16 * columns);
        let plain = layout(&format!("MK<16, {columns}>, f32"));
        let rows = record(name, 16, columns);
        let plan = ValuePlan::new(&plain, &rows, None).unwrap();
        let blocks = run(&plan, &native(&numbers), rows.bytes(0));
        for repack in repacks {
            let packed = record(repack, 16, columns);
            let mut expected = vec![0; packed.bytes(0)];
            let moved = RecordPlan::new(&rows, &packed).unwrap();
            moved.run(&[&blocks], &mut [&mut expected]).unwrap();
            let plan = ValuePlan::new(&plain, &packed, None).unwrap();
            assert_eq!(run(&plan, &native(&numbers), packed.bytes(0)), expected, "{repack}");
        }
    }
}

/// Numbers of both signs and many magnitudes.
fn some_numbers(count: usize) -> Vec<f32> {
    (0..count)
        .map(|i| ((i * 7919 % 1013) as f32 - 506.0) / ((i / 32 % 7 + 1) as f32 * 41.0))
        .collect()
}

#[test]
fn scales_of_any_type_lie_in_layouts_of_their_own() {
    let codes: Vec<u8> = (0..6 * 96).map(|i| (i * 37 % 251) as u8).collect();
    let place = layout("KM<M = 6, K = 96>, f32");
    let rows = layout("MK<6, 96>, i8");
    // The layout of the scales, and which of them row m and column k have.
    type Which = fn(usize, usize) -> usize;
    let cases: [(&str, Which); 6] = [
        ("M<1>", |_, _| 0),
        ("M<6>", |m, _| m),
        ("K<96>", |_, k| k),
        ("MK<6, 3>", |m, k| m * 3 + k / 32),
        ("KM<M = 6, K = 3>", |m, k| k / 32 * 6 + m),
        ("MK<2, 3>", |m, k| m / 3 * 3 + k / 32),
    ];
    for (text, which) in cases {
        for (element, one) in [
            ("f32", (|i| i as f32 * -0.75) as fn(usize) -> f32),
            ("f16", |i| i as f32 - 2.5),
            ("bf16", |i| (i % 8) as f32 * 0.5),
            ("f8e8m0", |i| f32::from_bits((120 + i as u32 % 9) << 23)),
            ("f8e4m3", |i| (i % 9) as f32 - 4.0),
        ] {
            let scales = layout(&format!("{text}, {element}"));
            let count = scales.len();
            // The bits by another way: the cast of the library.
            let numbers: Vec<f32> = (0..count).map(one).collect();
            let plain = scales.with_element(tensor_layout::ElementType::F32).unwrap();
            let cast = ValuePlan::new(&plain, &scales, None).unwrap();
            let scale_bytes = run(&cast, &native(&numbers), scales.bytes());
            let tensors = [("q", &rows), ("s", &scales)];
            let side = ValueSide::Tensors { rule: "s * (q - 3)", tensors: &tensors };
            let plan = ValuePlan::new(side, &place, None).unwrap_or_else(|e| panic!("{text}: {e}"));
            let mut own = vec![0; place.bytes()];
            plan.run(&[&codes, &scale_bytes], &mut [&mut own]).unwrap();
            let own: Vec<f32> =
                own.chunks(4).map(|own| f32::from_ne_bytes(own.try_into().unwrap())).collect();
            for m in 0..6 {
                for k in 0..96 {
                    let code = f32::from(codes[m * 96 + k] as i8) - 3.0;
                    let expected = one(which(m, k)) * code;
                    let found = own[k * 6 + m];
                    assert_eq!(found.to_bits(), expected.to_bits(), "{text}, {element}: {m}, {k}");
                }
            }
        }
    }
}

#[test]
fn integers_are_quantized_per_channel_and_per_group() {
    let numbers = some_numbers(4 * 64);
    let plain = layout("MK<4, 64>, f32");
    let codes = layout("MK<4, 64>, u8");
    for (text, group) in [("M<4>", 64), ("MK<4, 2>", 32)] {
        let [scales, zeros] = ["f32", "u8"].map(|element| layout(&format!("{text}, {element}")));
        let tensors = [("q", &codes), ("s", &scales), ("z", &zeros)];
        let side = ValueSide::Tensors { rule: "s * (q - z)", tensors: &tensors };
        let plan = ValuePlan::new(&plain, side, None).unwrap();
        assert_eq!(plan.quantizer(), Quantizer::Affine);
        let mut own = [vec![0; 256], vec![0; scales.bytes()], vec![0; zeros.bytes()]];
        plan.run(&[native(&numbers)], &mut own).unwrap();
        for (i, part) in numbers.chunks(group).enumerate() {
            // As PyTorch's observers and `quantize_per_channel` do.
            let least = part.iter().fold(0.0f32, |a, b| a.min(*b));
            let most = part.iter().fold(0.0f32, |a, b| a.max(*b));
            let scale = ((most - least) / 255.0).max(f32::EPSILON);
            let zero = (0.0 - (least / scale).round_ties_even()).clamp(0.0, 255.0);
            assert_eq!(own[1][4 * i..4 * i + 4], scale.to_ne_bytes(), "{text}, scale {i}");
            assert_eq!(own[2][i], zero as u8, "{text}, zero point {i}");
            for (k, value) in part.iter().enumerate() {
                let code = (value * (1.0 / scale)).round_ties_even() + zero;
                assert_eq!(own[0][i * group + k], code.clamp(0.0, 255.0) as u8, "{text}: {i}, {k}");
            }
        }
    }
}

#[test]
fn codes_are_the_nearest_in_their_tables() {
    // `nf4`, as bitsandbytes writes it: the greatest magnitude becomes 1 or -1.
    let numbers = some_numbers(3 * 64);
    let blocks = parsed("MK<3, 64>, { s: f32, q: 64k u4 high_first } = s * nf4[q]");
    let plain = layout("MK<3, 64>, f32");
    let packed = run(&ValuePlan::new(&plain, &blocks, None).unwrap(), &native(&numbers), 3 * 36);
    let back = run(&ValuePlan::new(&blocks, &plain, None).unwrap(), &packed, 3 * 256);
    let mut table = vec![0; 16 * 4];
    let all = parsed("K<16>, { s: f32, q: 16k u8 } = s * nf4[q]");
    assert!(ValuePlan::new(&all, &layout("K<16>, f32"), None).is_err(), "a table has 16 numbers");
    let all = parsed("K<16>, { s: f32, q: 16k u4 } = s * nf4[q]");
    let codes: Vec<u8> = 1f32
        .to_le_bytes()
        .into_iter()
        .chain((0..8).map(|i| (2 * i) | ((2 * i + 1) << 4)))
        .collect();
    let plan = ValuePlan::new(&all, &layout("K<16>, f32"), None).unwrap();
    plan.run(&[&codes], &mut [&mut table]).unwrap();
    let table: Vec<f32> =
        table.chunks(4).map(|own| f32::from_ne_bytes(own.try_into().unwrap())).collect();
    assert!(table.is_sorted() && table[0] == -1.0 && table[7] == 0.0 && table[15] == 1.0);
    for (i, own) in back.chunks(4).enumerate() {
        let greatest = numbers[i / 64 * 64..][..64].iter().fold(0.0f32, |a, b| a.max(b.abs()));
        let distance = |value: f32| (value - numbers[i]).abs();
        let nearest = table.iter().map(|one| distance(one * greatest)).fold(f32::MAX, f32::min);
        let own = f32::from_ne_bytes(own.try_into().unwrap());
        assert!(distance(own) <= nearest + 1e-6 * greatest, "{i}: {own} for {}", numbers[i]);
    }
}

#[test]
fn wrong_conversions_of_values_are_sentences() {
    let plain = layout("MK<2, 64>, f32");
    let cases = [
        (
            "{ d: f16, q: 32k i8 }",
            "record has several fields and no value rule; write one after them, such as `= d * (q - 8)`",
        ),
        (
            "{ d: f16, q: 32k i8 } = d * (q - z)",
            "value rule `d * (q - z)`: `z` is not a field, number, operator or table there; write a rule of \
             fields such as `d * (q - 8)`, or give a destination the value of the name",
        ),
        ("{ d: f16, q: 32k i8 } = d * tab[q]", "no table is named `tab`; write one of iq4nl, nf4"),
        (
            "{ d: f16, q: 32k i16 } = d * q",
            "value rule `d * q` is not a scale that elements share times one code of at most 8 bits for each, plus a \
             minimum; write one such as `d * (q - 8)` or `d * q + m`",
        ),
        (
            "{ d: f32, q: 32k i8 } high_first = d * q",
            "elements f32 are not whole bytes side by side with the lowest one first, and take more than 8 bits, so no values are \
             computed from them; move them to elements of whole bytes first",
        ),
    ];
    for (text, sentence) in cases {
        let own = parsed(&format!("MK<2, 64>, {text}"));
        assert_eq!(ValuePlan::new(&own, &plain, None).unwrap_err().to_string(), sentence);
    }
}

#[test]
fn sides_that_do_not_fit_are_sentences() {
    let plain = layout("MK<2, 64>, f32");
    let refused = |from: ValueSide<'_>, to: ValueSide<'_>, quantizer| {
        ValuePlan::new(from, to, quantizer).unwrap_err().to_string()
    };
    let blocks = parsed("MK<2, 64>, ggml::Q4_1");
    assert_eq!(
        refused((&plain).into(), (&blocks).into(), Some(Quantizer::AbsMax)),
        "quantizer `absmax` does not fit the value rule `d * q + m` and the types of its fields; choose another \
         quantizer, or write a rule of one scale and one code",
    );
    let other = layout("MK<2, 32>, f32");
    assert_eq!(
        refused((&blocks).into(), (&other).into(), None),
        "axis K has extent 64 in the source and 32 in the destination; write the same extent",
    );
    assert_eq!(
        refused((&layout("NK<N = 2, K = 64>, f32")).into(), (&blocks).into(), None),
        "the source has axes KN and the destination MK; write the same letters",
    );
    let (codes, scales) = (layout("MK<2, 64>, i8"), layout("MK<2, 3>, f32"));
    let tensors = [("q", &codes), ("s", &scales)];
    assert_eq!(
        refused(ValueSide::Tensors { rule: "s * q", tensors: &tensors }, (&plain).into(), None),
        "`s` has 3 coordinates of axis K and the tensor 64, so they do not share them evenly; write an extent that \
         divides 64, or leave the axis out",
    );
    assert_eq!(
        Quantizer::named("best").unwrap_err().to_string(),
        "no quantizer is named `best`; write one of absmax, signed_max, min_max, affine, mx, mx_ggml, nvfp4, fitted",
    );
    let plan = ValuePlan::new(&blocks, &plain, None).unwrap();
    let mut values = [0; 512];
    assert_eq!(
        plan.run(&[&[0; 79]], &mut [&mut values]).unwrap_err().to_string(),
        "buffer 0 of the source has 79 bytes and needs 80; give one of that length",
    );
}

#[test]
fn padding_and_odd_extents_are_whole() {
    // 48 columns of blocks of 32, read into a layout whose channels are padded with ones.
    let padded = parsed("MK<3, 48>, { d: f16, q: 32k i8 } pad = d * q");
    let mut blocks = vec![0; padded.bytes(0)];
    for (i, block) in blocks.chunks_mut(34).enumerate() {
        block[..2].copy_from_slice(&[0, 0x3c]);
        block[2..].fill(i as u8 + 1);
    }
    let out = layout("KM4m<M = 3, K = 48>, f32, pad = 1.0");
    let values = run(&ValuePlan::new(&padded, &out, None).unwrap(), &blocks, out.bytes());
    for k in 0..48 {
        for m in 0..4 {
            let expected = if m == 3 { 1.0 } else { (m * 2 + k / 32 + 1) as f32 };
            let at = (k * 4 + m) * 4;
            let own = f32::from_ne_bytes(values[at..at + 4].try_into().unwrap());
            assert_eq!(own, expected, "{m}, {k}");
        }
    }
}

#[test]
fn tiles_fit_blocks_of_all_sizes_and_views() {
    let numbers = some_numbers(5 * 192);
    let rows = record("Q8_0", 5, 192);
    let plain = layout("MK<5, 192>, f32");
    let expected =
        run(&ValuePlan::new(&plain, &rows, None).unwrap(), &native(&numbers), rows.bytes(0));
    let wide = layout("MK24k<5, 240>, f32");
    let views = [
        layout("KM24k<M = 5, K = 192>, f32"),
        layout("MK5m7k<5, 192>, f32, pad = 9.0"),
        layout("MK<5, 192>, f32, align(K = 256)"),
        wide.slice('K', 7, 1, 192).unwrap(),
        wide.slice('K', 238, -1, 192).unwrap(),
    ];
    for view in views {
        let mut buffer = vec![0.5f32; view.len()];
        for m in 0..5 {
            for k in 0..192 {
                buffer[view.offset(&[m, k])] = numbers[m * 192 + k];
            }
        }
        let plan = ValuePlan::new(&view, &rows, None).unwrap_or_else(|e| panic!("{view}: {e}"));
        assert_eq!(run(&plan, &native(&buffer), rows.bytes(0)), expected, "{view}");
        let back = run(&ValuePlan::new(&rows, &view, None).unwrap(), &expected, view.bytes());
        let same = run(&ValuePlan::new(&rows, &plain, None).unwrap(), &expected, plain.bytes());
        for (i, own) in same.chunks(4).enumerate() {
            let at = 4 * view.offset(&[i / 192, i % 192]);
            assert_eq!(&back[at..at + 4], own, "{view}: {i}");
        }
    }
}

#[test]
fn nan_and_infinity_do_what_the_page_says() {
    let plain = layout("MK<2, 32>, f32");
    for name in ["Q4_0", "Q8_0", "MXFP4", "Q5_0"] {
        let blocks = record(name, 2, 32);
        let mut numbers = some_numbers(64);
        numbers[5] = f32::NAN;
        let plan = ValuePlan::new(&plain, &blocks, None).unwrap();
        let with_nan = run(&plan, &native(&numbers), blocks.bytes(0));
        numbers[5] = 0.0;
        assert_eq!(with_nan, run(&plan, &native(&numbers), blocks.bytes(0)), "{name}");
        numbers[40] = f32::INFINITY;
        let with_infinity = run(&plan, &native(&numbers), blocks.bytes(0));
        let half = with_nan.len() / 2;
        assert_eq!(with_infinity[..half], with_nan[..half], "{name}: the other block");
    }
}

#[test]
fn several_threads_compute_the_same() {
    let numbers = some_numbers(64 * 256);
    let plain = layout("MK<64, 256>, f32");
    for text in [
        "MK<64, 256>, ggml::Q4_0",
        "MK<64, 256>, ggml::q4_0x4_4",
        "KM<K = 256, M = 64>, { d: f16, q: 32k i8 } = d * q",
        "MK<64, 256>, { d: 64m f16; q: 64m 32k i8 } = d * q",
    ] {
        let blocks = parsed(text);
        let plan = ValuePlan::new(&plain, &blocks, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let buffers = || (0..blocks.buffers()).map(|i| vec![0xa5; blocks.bytes(i)]);
        let mut expected: Vec<Vec<u8>> = buffers().collect();
        plan.run(&[native(&numbers)], &mut expected).unwrap();
        let back = ValuePlan::new(&blocks, &plain, None).unwrap();
        let mut values = [vec![0; plain.bytes()], vec![0; plain.bytes()]];
        back.run(&expected, &mut values[..1]).unwrap();
        for least in [1, 1000, 5000] {
            let mut own: Vec<Vec<u8>> = buffers().collect();
            plan.par_run_in_parts(least, &[native(&numbers)], &mut own).unwrap();
            assert_eq!(own, expected, "{text}, parts of {least} bytes");
            back.par_run_in_parts(least, &own, &mut values[1..]).unwrap();
            assert_eq!(values[0], values[1], "{text}, parts of {least} bytes");
        }
    }
}

#[test]
fn quantizers_take_only_what_they_can_write() {
    let plain = layout("MK<1, 32>, f32");
    for (text, quantizer) in [
        ("{ d: f8e8m0, q: 32k i8 } = d * q", Some(Quantizer::AbsMax)),
        ("{ d: f8e8m0, q: 32k u4 } = d * (q - 8)", Some(Quantizer::SignedMax)),
        ("{ d: f16, q: 32k u4 } = d * q", Some(Quantizer::SignedMax)),
        ("{ d: f16, m: f16, q: 32k i4 } = d * q + m", None),
        ("{ d: f16, q: 32k u4 } = d * q + d", None),
        ("{ d: f16, q: 32k i4 } = d * (q << 1)", None),
        ("{ q: 32k u12 }", None),
    ] {
        let record = parsed(&format!("MK<1, 32>, {text}"));
        assert!(ValuePlan::new(&plain, &record, quantizer).is_err(), "{text}");
    }
    // Infinities of the codes are no numbers of theirs, and unsigned codes begin at 0.
    let numbers: Vec<f32> = (0..32).map(|i| i as f32 / 4.0).collect();
    for text in ["{ d: f8e8m0, q: 32k f8e5m2 } = d * q", "{ d: f16, q: 32k u4 } = d * q"] {
        let record = parsed(&format!("MK<1, 32>, {text}"));
        let plan = ValuePlan::new(&plain, &record, None).unwrap();
        let packed = run(&plan, &native(&numbers), record.bytes(0));
        let back = run(&ValuePlan::new(&record, &plain, None).unwrap(), &packed, 128);
        for (own, expected) in back.chunks(4).zip(&numbers) {
            let own = f32::from_ne_bytes(own.try_into().unwrap());
            assert!((own - expected).abs() <= 0.75, "{text}: {own} for {expected}");
        }
    }
    // A shift of the only code.
    let shifted = parsed("MK<1, 32>, { q: 32k u4 } = q << 3");
    let back = run(&ValuePlan::new(&shifted, &plain, None).unwrap(), &[0x21; 16], 128);
    assert_eq!(back[..8], native(&[8.0, 16.0])[..]);
}
