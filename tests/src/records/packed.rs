//! `packed.json`, which `tests/conformance/packed_fields.py` makes: what the packers of other libraries wrote, and the
//! codes that each field holds.

use tensor_layout::records::RecordField;
use test_support::coordinates;

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

#[test]
fn packers_of_other_libraries_put_codes_where_fields_are() {
    let mut codes = 0;
    let vectors = table(include_str!("packed.json"), 40);
    for vector in &vectors {
        let (id, text) = (vector["id"].as_str().unwrap(), vector["text"].as_str().unwrap());
        let (record, bytes) = (parsed(text), bytes_of(vector["hex"].as_str().unwrap()));
        assert_eq!(record.bytes(0), bytes.len(), "{id}: {text}");
        for (name, expected) in vector["fields"].as_object().unwrap() {
            let field = record.field(name).unwrap_or_else(|error| panic!("{id}: {error}"));
            let axes = expected["axes"].as_str().unwrap();
            // An axis that the vector lacks has one coordinate.
            let extents = axes.chars().map(|letter| match field.letters().position(letter) {
                Some(axis) => field.extents()[axis],
                None => 1,
            });
            let extents: Vec<usize> = extents.collect();
            let expected = numbers(&expected["codes"]);
            assert_eq!(extents.iter().product::<usize>(), expected.len(), "{id}: {name}");
            for (coordinate, expected) in coordinates(&extents).zip(expected) {
                let own = code(&field, &bytes, axes, &coordinate);
                assert_eq!(own, expected, "{id}: {name} at {coordinate:?} of {text}");
                codes += 1;
            }
        }
    }
    assert!(codes > 8000, "{codes}");
}
