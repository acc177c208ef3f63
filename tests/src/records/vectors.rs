//! `vectors.json`, which `tests/conformance/record_vectors.py` makes: where fields of examples and of random records
//! lie.

use std::collections::HashSet;

use serde_json::Value;
use tensor_layout::records::{FieldLayout, Record, RecordField};
use test_support::coordinates;

pub(super) fn table(text: &str, least: usize) -> Vec<Value> {
    let all: Vec<Value> = serde_json::from_str(text).expect("a table");
    assert!(all.len() >= least, "{} cases", all.len());
    all
}

fn vectors() -> Vec<Value> {
    table(include_str!("vectors.json"), 350)
}

pub(super) fn parsed(text: &str) -> Record {
    Record::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(super) fn numbers(value: &Value) -> Vec<usize> {
    let list = value.as_array().unwrap_or_else(|| panic!("{value}"));
    list.iter().map(|number| number.as_u64().expect("a number") as usize).collect()
}

/// The name, the shares on the axes of the vector, and the samples of each field.
fn fields(vector: &Value) -> impl Iterator<Item = (&str, Vec<usize>, Vec<Vec<usize>>)> {
    let fields = vector["fields"].as_object().expect("fields").iter();
    fields.map(|(name, field)| {
        let samples = field["samples"].as_array().expect("samples").iter().map(numbers);
        (name.as_str(), numbers(&field["shares"]), samples.collect())
    })
}

/// A coordinate on the axes of a vector as one on these axes.
fn ordered(axes: &str, letters: &str, coordinate: &[usize]) -> Vec<usize> {
    let at = |letter| axes.find(letter).unwrap_or_else(|| panic!("no {letter} in {axes}"));
    letters.chars().map(|letter| coordinate[at(letter)]).collect()
}

/// The places of the lowest and of the highest bit of an element in a layout.
fn bits_in_layout(field: &RecordField, layout: &FieldLayout, own: &[usize]) -> (usize, usize) {
    let at = |part: Option<usize>| {
        let coordinate: Vec<usize> = own.iter().copied().chain(part).collect();
        let layout = layout.layout();
        let offset = layout.offset(&coordinate);
        assert!(offset < layout.len());
        match layout.element().bits() {
            1..8 => {
                let (per_byte, bits) = (layout.element().per_byte(), layout.element().bits());
                let first = offset % per_byte;
                let high = layout.element().is_high_first();
                offset / per_byte * 8 + bits * if high { per_byte - 1 - first } else { first }
            }
            bits => offset * bits,
        }
    };
    match layout {
        FieldLayout::Elements(_) => (at(None), at(None) + field.bits() - 1),
        FieldLayout::Bytes(_) => (at(Some(0)), at(Some(field.bits() / 8 - 1)) + 7),
        FieldLayout::Bits(_) => (at(Some(0)), at(Some(field.bits() - 1))),
    }
}

#[test]
fn fields_lie_where_the_model_has_them() {
    let (mut compared, mut layouts, mut fields_seen) = (0, [0; 3], 0);
    for vector in vectors() {
        let (text, axes) = (vector["text"].as_str().unwrap(), vector["axes"].as_str().unwrap());
        let record = parsed(text);
        let bytes: Vec<usize> = (0..record.buffers()).map(|i| record.bytes(i)).collect();
        assert_eq!(bytes, numbers(&vector["bytes"]), "{text}");
        assert_eq!(record.field_count(), fields(&vector).count(), "{text}");
        for (name, shares, samples) in fields(&vector) {
            let field = record.field(name).unwrap_or_else(|error| panic!("{text}: {error}"));
            let letters = field.letters();
            let own_shares = ordered(axes, letters.as_str(), &shares);
            assert!((0..letters.count()).all(|i| field.shared(i) == own_shares[i]), "{text}");
            assert_eq!(letters.count(), shares.iter().filter(|&&share| share > 0).count());
            let layout = field.layout();
            fields_seen += 1;
            for sample in samples {
                let (coordinate, [buffer, low, high]) = sample.split_at(axes.len()) else {
                    panic!("{sample:?}")
                };
                let first = if field.is_high_first() { high ^ 7 } else { *low };
                let whole = ordered(axes, record.letters().as_str(), coordinate);
                let place = record.bit_offset(name, &whole);
                assert_eq!(place, Ok(first as u64), "{text}: {name} at {coordinate:?}");
                assert_eq!(field.buffer(), *buffer, "{text}: {name}");
                let own = ordered(axes, letters.as_str(), coordinate);
                let own: Vec<_> = own.iter().zip(&own_shares).map(|(c, share)| c / share).collect();
                assert_eq!(field.bit_offset(&own), Ok(first as u64));
                compared += 1;
                if let Ok(layout) = &layout {
                    let places = bits_in_layout(&field, layout, &own);
                    assert_eq!(
                        places,
                        (*low, *high),
                        "{text}: {name} at {coordinate:?}: {layout:?}"
                    );
                }
            }
            match layout {
                Ok(FieldLayout::Elements(_)) => layouts[0] += 1,
                Ok(FieldLayout::Bytes(_)) => layouts[1] += 1,
                Ok(FieldLayout::Bits(_)) => layouts[2] += 1,
                Err(error) => {
                    let error = error.to_string();
                    let expected = ["is added to another", "unequal distances"];
                    assert!(expected.iter().any(|text| error.contains(text)), "{text}: {error}");
                }
            }
        }
    }
    assert!(compared > 4000, "{compared}");
    let [elements, bytes, bits] = layouts;
    assert!(elements > 450 && bytes > 40 && bits > 200, "{layouts:?} of {fields_seen}");
    assert!(layouts.iter().sum::<usize>() * 100 > fields_seen * 90, "{layouts:?} of {fields_seen}");
}

#[test]
fn records_print_as_text_that_reads_back() {
    for vector in vectors() {
        let record = parsed(vector["text"].as_str().unwrap());
        let printed = record.to_string();
        assert_eq!(parsed(&printed), record, "{printed}");
        assert_eq!(parsed(&printed).to_string(), printed);
    }
}

/// Whether an element of these fields lies outside of the buffer, or shares a bit with another one.
fn share_bits(fields: &[RecordField]) -> bool {
    let mut seen = HashSet::new();
    let mut share = false;
    for field in fields {
        for coordinate in coordinates(field.extents()) {
            let start = field.bit_offset(&coordinate).unwrap() as usize;
            for bit in start..start + field.bits() {
                let bit = if field.is_high_first() { bit ^ 7 } else { bit };
                share |= bit >= 8 * field.buffer_bytes() || !seen.insert((field.buffer(), bit));
            }
        }
    }
    share
}

fn fields_of(record: &Record) -> Vec<RecordField> {
    (0..record.field_count())
        .map(|i| record.field(record.field_name(i).as_str()).unwrap())
        .collect()
}

/// Both orders of bits, in all groups of three: those whose string has both in one byte are refused, and no other ones.
#[test]
fn orders_of_bits_meet_at_bytes() {
    let items = ["_: u4", "u3", "u5", "u4 high_first", "u5 high_first", "u8", "u12 high_first"];
    let (mut right, mut wrong) = (0, 0);
    for (number, count) in (0..343).flat_map(|number| [(number, 1), (number, 2)]) {
        let own = [items[number / 49], items[number / 7 % 7], items[number % 7]];
        let named = |(i, item): (usize, &&str)| match item.starts_with('_') {
            true => (*item).to_owned(),
            false => format!("f{i}: {item}"),
        };
        let named: Vec<_> = own.iter().enumerate().map(named).collect();
        let text = format!("K<{count}>, {{ {} }}", named.join(", "));
        // The orders in each byte of the string.
        let (mut orders, mut end, mut is_split) = (vec![[false; 2]; 16], 0, false);
        for item in own.iter().cycle().take(3 * count) {
            let name = item.trim_start_matches("_: ").split(' ').next().unwrap();
            let bits: usize = name[1..].parse().unwrap();
            is_split |= bits == 8 && end % 8 > 0;
            for bit in end..end + bits {
                let is_field = bits % 8 > 0 && !item.starts_with('_');
                orders[bit / 8][usize::from(item.ends_with("first"))] |= is_field;
            }
            end += bits;
        }
        let meets = orders.contains(&[true; 2]);
        match Record::parse(&text) {
            Ok(record) => {
                right += 1;
                assert!(!meets && !is_split, "{text}");
                assert!(!share_bits(&fields_of(&record)), "{text}");
            }
            Err(error) => {
                wrong += 1;
                // A group with a whole byte or with both orders is repeated after whole bytes.
                let has = |order: usize| orders.iter().any(|own| own[order]);
                let is_whole = own.contains(&"u8") || has(0) && has(1);
                let is_odd = is_whole && end / count % 8 > 0;
                assert!(meets || is_split || is_odd, "{text}: {error}");
            }
        }
    }
    assert!(right > 200 && wrong > 200, "{right} {wrong}");
}

#[test]
fn no_two_elements_share_a_bit() {
    let mut records = 0;
    for vector in vectors() {
        let record = parsed(vector["text"].as_str().unwrap());
        let fields = fields_of(&record);
        let elements: usize =
            fields.iter().map(|field| field.extents().iter().product::<usize>()).sum();
        if elements > 300 {
            continue;
        }
        assert!(!share_bits(&fields), "{record}");
        records += 1;
    }
    assert!(records > 250, "{records}");
}
