//! `packed.json`, which `tests/conformance/packed_fields.py` makes: what the packers of other libraries wrote, and the
//! codes that each field holds.

use serde_json::Value;
use tensor_layout::records::{FieldChange, Record, RecordField, RecordPlan, ValuePlan};
use test_support::coordinates;

use super::values::{layout, run};
use super::vectors::{numbers, parsed, table};

pub(super) fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..][..2], 16).unwrap()).collect()
}

/// The code at a coordinate of the record, on these axes.
fn code(field: &RecordField, bytes: &[u8], axes: &str, coordinate: &[usize]) -> usize {
    let own = (0..field.letters().count()).map(|axis| {
        let letter = field.letters().at(axis);
        axes.find(letter).map_or(0, |at| coordinate[at])
    });
    let own: Vec<usize> = own.collect();
    let start = field.bit_offset(&own).unwrap() as usize;
    let bit = |bit: usize| usize::from(bytes[bit / 8] >> (bit % 8) & 1);
    (0..field.bits()).map(|i| bit(start + i) << i).sum()
}

/// Compares the codes of a field with those of a vector, and returns how many there are.
fn check(record: &Record, bytes: &[u8], name: &str, expected: &Value) -> usize {
    let field = record.field(name).unwrap_or_else(|error| panic!("{record}: {error}"));
    let axes = expected["axes"].as_str().unwrap();
    // An axis that the vector lacks has one coordinate.
    let extents = axes.chars().map(|letter| match field.letters().position(letter) {
        Some(axis) => field.extents()[axis],
        None => 1,
    });
    let extents: Vec<usize> = extents.collect();
    let expected = numbers(&expected["codes"]);
    assert_eq!(extents.iter().product::<usize>(), expected.len(), "{record}: {name}");
    for (coordinate, expected) in coordinates(&extents).zip(&expected) {
        let own = code(&field, bytes, axes, &coordinate);
        assert_eq!(own, *expected, "{name} at {coordinate:?} of {record}");
    }
    expected.len()
}

/// A record of one field, its elements side by side, with the axes and elements that a field of another record has.
fn alone(record: &Record, name: &str) -> Record {
    let field = record.field(name).unwrap();
    let letters = || (0..field.letters().count()).map(|axis| (axis, field.letters().at(axis)));
    let extents: Vec<_> = letters()
        .map(|(_, letter)| {
            format!("{letter} = {}", record.extents()[record.letters().position(letter).unwrap()])
        })
        .collect();
    let digits: String =
        letters().map(|(axis, letter)| format!("{letter}/{} ", field.shared(axis))).collect();
    let element = field.element().name();
    parsed(&format!("<{}>, {{ {name}: {digits}{element} }}", extents.join(", ")))
}

/// Digits that are added to others too. The vectors are read by code of their own.
#[test]
fn plans_move_what_packers_wrote() {
    for vector in table(include_str!("packed.json"), 40) {
        let text = vector["text"].as_str().unwrap().replace("kzp", "0");
        let (record, bytes) = (parsed(&text), bytes_of(vector["hex"].as_str().unwrap()));
        for (name, expected) in vector["fields"].as_object().unwrap() {
            let all = (0..record.field_count()).map(|i| record.field_name(i));
            let others: Vec<_> = all.filter(|other| other.as_str() != name).collect();
            let drops: Vec<_> =
                others.iter().map(|other| FieldChange::Drop(other.as_str())).collect();
            let plain = alone(&record, name);
            let plan = RecordPlan::with_changes(&record, &plain, &drops).unwrap();
            let mut moved = vec![0xa5; plain.bytes(0)];
            plan.run(&[&bytes], &mut [&mut moved]).unwrap();
            check(&plain, &moved, name, expected);
            let adds: Vec<_> = others
                .iter()
                .map(|other| {
                    let element = record.field(other.as_str()).unwrap().element();
                    FieldChange::Add(other.as_str(), element, 0)
                })
                .collect();
            let plan = RecordPlan::with_changes(&plain, &record, &adds).unwrap();
            let mut back = vec![0xa5; bytes.len()];
            plan.run(&[&moved], &mut [&mut back]).unwrap();
            check(&record, &back, name, expected);
        }
    }
}

/// Values of weights whose digits are added to others, in tiles of whole periods and their rests.
#[test]
fn values_follow_digits_that_are_added() {
    let mut rotated = 0;
    for vector in table(include_str!("packed.json"), 40) {
        let text = vector["text"].as_str().unwrap();
        if !text.contains("k-") {
            continue;
        }
        rotated += 1;
        let record = parsed(&format!("{} = w", text.replace("kzp", "0")));
        let bytes = bytes_of(vector["hex"].as_str().unwrap());
        let field = record.field("w").unwrap();
        let [n, k] =
            ['N', 'K'].map(|letter| record.extents()[record.letters().position(letter).unwrap()]);
        let plain = layout(&format!("NK<N = {n}, K = {k}>, f32"));
        let own = run(&ValuePlan::new(&record, &plain, None).unwrap(), &bytes, n * k * 4);
        let expected = numbers(&vector["fields"]["w"]["codes"]);
        for (own, code) in own.chunks(4).zip(expected) {
            let own = f32::from_ne_bytes(own.try_into().unwrap());
            let expected = match field.element().name().as_str() {
                "i8" => f32::from(code as u8 as i8),
                "f32" => f32::from_bits(code as u32),
                _ => code as f32,
            };
            assert_eq!(own, expected, "{text}");
        }
        // Integers without a scale are no destination.
        if field.element().is_number() && text.contains("f32 }") {
            let bias = FieldChange::Add("b", field.element(), 0);
            let plan = ValuePlan::with_values(&plain, &record, None, &[bias]).unwrap();
            check(&record, &run(&plan, &own, bytes.len()), "w", &vector["fields"]["w"]);
        }
    }
    assert!(rotated >= 4, "{rotated}");
}

#[test]
fn packers_of_other_libraries_put_codes_where_fields_are() {
    let mut codes = 0;
    let vectors = table(include_str!("packed.json"), 40);
    for vector in &vectors {
        let (id, text) = (vector["id"].as_str().unwrap(), vector["text"].as_str().unwrap());
        let (record, bytes) = (parsed(text), bytes_of(vector["hex"].as_str().unwrap()));
        assert_eq!(record.bytes(0), bytes.len(), "{id}: {text}");
        for (name, expected) in vector["fields"].as_object().unwrap() {
            codes += check(&record, &bytes, name, expected);
        }
    }
    assert!(codes > 8000, "{codes}");
}
