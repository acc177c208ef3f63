//! Fields of records in C99: offsets, extents and coordinates as the library has them.

#[path = "../../../src/records/all_records.rs"]
mod all_records;

use std::collections::BTreeMap;
use std::fmt::Write;

use tensor_layout::records::{FieldLayout, Record};
use tensor_layout::source::{Language, Source};
use test_support::coordinates;

use super::compare;
use all_records::all_records;

/// The offset at each coordinate, with those of the parts of elements if they are not units.
fn offsets(record: &Record, name: &str) -> Vec<(Vec<usize>, usize)> {
    let field = record.field(name).expect("a field");
    let (unit, parts) = match field.layout() {
        Ok(FieldLayout::Bytes(_)) => (8, field.bits() / 8),
        Ok(FieldLayout::Bits(_)) => (1, field.bits()),
        Err(_) if field.bits() == 5 => (1, 5),
        Ok(FieldLayout::Elements(_)) | Err(_) => (field.bits(), 0),
    };
    let mut all = Vec::new();
    for coordinate in coordinates(record.extents()) {
        let first = record.bit_offset(name, &coordinate).expect("a coordinate") as usize / unit;
        for part in 0..parts {
            let place = if field.is_high_first() { parts - 1 - part } else { part };
            all.push(([&coordinate[..], &[part]].concat(), first + place));
        }
        if parts == 0 {
            all.push((coordinate, first));
        }
    }
    all
}

/// A function that compares those of a field with a list of numbers: the coordinates with their offsets, the offsets
/// with their lowest coordinates, and how many offsets there are.
fn test_function(name: &str, rank: usize, length: usize) -> String {
    let list =
        |prefix: &str| (0..rank).map(|i| format!("{prefix}x[{i}]")).collect::<Vec<_>>().join(", ");
    let (values, places) = (list(""), list("&"));
    format!(
        "static int test_{name}(FILE *file)\n{{\n    uint32_t x[{rank}], found = 0;\n    \
         for (uint32_t count = next(file); count > 0; count--) {{\n        \
         for (int i = 0; i < {rank}; i++) {{ x[i] = next(file); }}\n        \
         if (!{name}_contains({values}) || {name}_offset({values}) != next(file)) {{ return 0; }}\n    }}\n    \
         for (uint32_t count = next(file); count > 0; count--) {{\n        \
         if (!{name}_coordinate(next(file), {places})) {{ return 0; }}\n        \
         for (int i = 0; i < {rank}; i++) {{ if (x[i] != next(file)) {{ return 0; }} }}\n    }}\n    \
         for (uint32_t i = 0; i < {length}u; i++) {{ found += {name}_coordinate(i, {places}); }}\n    \
         return found == next(file);\n}}\n"
    )
}

#[test]
fn functions_of_fields_are_those_of_their_records() {
    let (mut functions, mut calls, mut numbers) = (String::new(), String::new(), Vec::<u32>::new());
    let mut count = 0;
    for record in all_records() {
        for i in 0..record.field_count() {
            let (field, name) = (record.field_name(i), format!("f{count}"));
            let source = Source::of_field(&name, &record, field.as_str());
            if record.field(field.as_str()).is_ok_and(|own| own.words().is_some()) {
                let error = source.err().map(|error| error.to_string());
                assert!(error.is_some_and(|error| error.contains("words cut strings")), "{record}");
                continue;
            }
            let source = source.unwrap_or_else(|error| panic!("{field} of {record}: {error}"));
            let text = source.functions(Language::C).expect("small numbers").to_string();
            let all = offsets(&record, field.as_str());
            let Some(rank) = all.first().map(|(coordinate, _)| coordinate.len()) else { continue };
            let length = text.split(&format!("F{count}_LEN ")).nth(1).expect("a length");
            let length = length[..length.find('u').expect("a number")].parse().expect("a number");
            functions += &(text + &test_function(&name, rank, length));
            let _ = writeln!(
                calls,
                "    if (!test_{name}(file)) {{ puts(\"{field} of {record}\"); return 0; }}"
            );
            let mut lowest = BTreeMap::new();
            // A number without a factor of two, so that all digits take all values.
            let shown: Vec<_> = all.iter().step_by(1 | (all.len() / 2000)).collect();
            numbers.push(shown.len() as u32);
            for (coordinate, offset) in shown {
                numbers.extend(coordinate.iter().chain([offset]).map(|number| *number as u32));
            }
            for (coordinate, offset) in &all {
                lowest.entry(offset).or_insert(coordinate);
            }
            let shown: Vec<_> = lowest.iter().step_by(1 | (lowest.len() / 2000)).collect();
            numbers.push(shown.len() as u32);
            for (offset, coordinate) in shown {
                numbers.extend([**offset].iter().chain(*coordinate).map(|number| *number as u32));
            }
            numbers.push(lowest.len() as u32);
            count += 1;
        }
    }
    assert!(count > 100, "{count} fields");
    let text = format!(
        "#include <stdio.h>\n#include <stdint.h>\nstatic uint32_t next(FILE *file)\n{{\n    uint32_t number = 0;\n    \
         if (fread(&number, 4, 1, file) != 1) {{ puts(\"too few numbers\"); }}\n    return number;\n}}\n{functions}\
         int main(int count, char **arguments)\n{{\n    FILE *file = fopen(arguments[count - 1], \"rb\");\n{calls}    \
         puts(fgetc(file) == EOF ? \"all\" : \"too many numbers\");\n    return 0;\n}}\n"
    );
    compare("fields", text, numbers);
}

#[test]
fn fields_that_no_digits_express_have_no_source() {
    let record =
        Record::parse("W<8>, { a: 4w[0] u8, a: 4w[1] u8, b: u8, a: 4w[2] u8, a: 4w[3] u8 }")
            .unwrap();
    let error = Source::of_field("a", &record, "a").unwrap_err().to_string();
    assert!(error.starts_with("pieces of `a` lie at unequal distances"), "{error}");
    let error = Source::of_field("a", &record, "c").unwrap_err().to_string();
    assert_eq!(error, "record has no field `c`; write one of a, b");
}
