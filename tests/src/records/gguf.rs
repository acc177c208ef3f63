//! `gguf.json`, which `tests/conformance/gguf_places.py` makes: which elements of a block each bit belongs to, by the
//! package `gguf`.

use serde_json::{Map, Value};
use tensor_layout::records::{self, Record};
use test_support::coordinates;

/// The elements that each bit of one block belongs to.
fn elements_of_bits(record: &Record, elements: usize) -> Vec<Vec<usize>> {
    let mut bits = vec![Vec::new(); 8 * record.bytes(0)];
    for i in 0..record.field_count() {
        let field = record.field(record.field_name(i).as_str()).unwrap();
        for coordinate in coordinates(field.extents()) {
            let start = field.bit_offset(&coordinate).unwrap() as usize;
            let own: Vec<usize> = (0..elements)
                .filter(|k| match field.letters().position('K') {
                    Some(axis) => k / field.shared(axis) == coordinate[axis],
                    None => true,
                })
                .collect();
            for bit in &mut bits[start..start + field.bits()] {
                assert!(bit.is_empty(), "{record}: two fields share a bit");
                bit.clone_from(&own);
            }
        }
    }
    bits
}

#[test]
fn bits_of_blocks_belong_to_the_elements_that_they_change() {
    let table: Map<String, Value> = serde_json::from_str(include_str!("gguf.json")).unwrap();
    let mut types = 0;
    for (name, entry) in table.iter().filter(|(name, _)| *name != "_about") {
        let elements = entry["elements"].as_u64().unwrap() as usize;
        let known =
            records::named(&format!("ggml::{name}")).unwrap_or_else(|error| panic!("{error}"));
        let record = known.template().unwrap().with_extents(&[('M', 1), ('K', elements)]).unwrap();
        assert_eq!(record.bytes(0) as u64, entry["bytes"].as_u64().unwrap(), "{name}");
        let own = elements_of_bits(&record, elements);
        let expected = entry["bits"].as_array().unwrap();
        assert_eq!(own.len(), expected.len(), "{name}");
        for (bit, (own, expected)) in own.iter().zip(expected).enumerate() {
            let own = match own[..] {
                [one] => Value::from(one),
                _ => Value::from(vec![own[0], own.len()]),
            };
            // Bit 7 of a scale of NVFP4 has no meaning.
            let is_ignored = name == "NVFP4" && bit < 32 && bit % 8 == 7;
            assert!(own == *expected || is_ignored, "{name}, bit {bit}: {own} and {expected}");
        }
        types += 1;
    }
    assert_eq!(types, 15);
}
