//! Values of records. `gguf_values.json`, which `tests/conformance/gguf_values.py` makes, has those of the package `gguf`.

use serde_json::{Map, Value};
use tensor_layout::Layout;
use tensor_layout::records::{Record, RecordPlan, ValuePlan};

use super::vectors::parsed;

fn table() -> Map<String, Value> {
    serde_json::from_str(include_str!("gguf_values.json")).unwrap()
}

/// The bytes of all rows of a list.
fn bytes(list: &Value) -> Vec<u8> {
    let digits: String = list.as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.as_bytes().chunks(2).map(byte).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|own| f32::from_le_bytes(own.try_into().unwrap())).collect()
}

/// The bytes of numbers in the order of the machine.
fn native(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

fn layout(text: &str) -> Layout {
    Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn run(plan: &ValuePlan, source: &[u8], bytes: usize) -> Vec<u8> {
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
    let numbers: Vec<f32> = (0..16 * 96).map(|i| ((i * 37 % 101) as f32 - 50.0) / 7.0).collect();
    for (name, repacks) in [
        ("Q4_0", &["q4_0x4_4", "q4_0x4_8", "q4_0x8_8", "q4_0x16_1"][..]),
        ("Q8_0", &["q8_0x4_4", "q8_0x4_8", "q8_0x16_1"]),
        ("MXFP4", &["mxfp4x4_4"]),
    ] {
        let plain = layout("MK<16, 96>, f32");
        let rows = record(name, 16, 96);
        let plan = ValuePlan::new(&plain, &rows, None).unwrap();
        let blocks = run(&plan, &native(&numbers), rows.bytes(0));
        for repack in repacks {
            let packed = record(repack, 16, 96);
            let mut expected = vec![0; packed.bytes(0)];
            let moved = RecordPlan::new(&rows, &packed).unwrap();
            moved.run(&[&blocks], &mut [&mut expected]).unwrap();
            let plan = ValuePlan::new(&plain, &packed, None).unwrap();
            assert_eq!(run(&plan, &native(&numbers), packed.bytes(0)), expected, "{repack}");
        }
    }
}
