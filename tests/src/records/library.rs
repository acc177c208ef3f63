//! The records of other libraries.

use tensor_layout::records::{self, FieldPadding, KNOWN_RECORDS, Record, RecordTemplate};

use super::vectors::parsed;

#[test]
fn records_of_the_library_read_print_and_have_a_name() {
    assert!(KNOWN_RECORDS.len() > 50);
    for known in KNOWN_RECORDS {
        let template = known.template().unwrap_or_else(|error| panic!("{}: {error}", known.name()));
        let text = template.to_string();
        assert_eq!(text.parse(), Ok(template), "{text}");
        assert!(!known.source().is_empty() && records::named(known.name()) == Ok(known));
        let unknown = template.unknown();
        // Multiples of all blocks and groups of the table.
        let extents: Vec<(char, usize)> =
            (0..unknown.count()).map(|axis| (unknown.at(axis), 512)).collect();
        let record =
            template.with_extents(&extents).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(record.to_string().parse(), Ok(record), "{record}");
        let found = records::known(&record).expect("a name");
        assert_eq!(found.template(), Ok(template), "{} and {}", found.name(), known.name());
    }
}

/// The lines of the guide's table.
#[test]
fn lines_of_the_guide_are_records() {
    let page = include_str!("../../../src/guide/records.md");
    let (_, table) = page.split_once("| format | record |").unwrap();
    let lines: Vec<&str> = table.lines().filter_map(|line| line.split('`').nth(1)).collect();
    for line in &lines {
        // A block of axis E, which no macro can read.
        let is_number =
            |at: &[u8]| at[0].is_ascii_digit() && at[1] == b'e' && !at[2].is_ascii_digit();
        assert!(!line.as_bytes().windows(3).any(is_number), "{line}: a number for Rust");
        let template =
            RecordTemplate::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let unknown = template.unknown();
        let extents: Vec<_> = (0..unknown.count()).map(|axis| (unknown.at(axis), 512)).collect();
        let record =
            template.with_extents(&extents).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(record.to_string().parse(), Ok(record), "{record}");
    }
    assert!(lines.len() >= 11, "{}", lines.len());
}

#[test]
fn a_named_record_stands_for_its_fields() {
    let page = Record::parse(
        "P<P = 2, S = 3, H = 4, D = 64>, { k: S H D ggml::Q8_0(k = d), v: S H D ggml::Q8_0(k = d) }",
    );
    let page = page.unwrap();
    let written = "P<P = 2, S = 3, H = 4, D = 64>, { k: S H D { d: f16, q: 32d i8 } = d * q, v: S H D { d: f16, q: 32d i8 } = d * q }";
    assert_eq!(page.to_string(), written);
    assert_eq!(written.parse(), Ok(page));
    let names: Vec<String> = (0..4).map(|i| page.field_name(i).to_string()).collect();
    assert_eq!(names, ["k.d", "k.q", "v.d", "v.q"]);
    // numpy: page[p, v, s, h, block] of records of 34 bytes.
    let block = (((2 + 1) * 3 + 2) * 4 + 3) * 2 + 1;
    assert_eq!(page.letters().as_str(), "PSHD");
    assert_eq!(page.bit_offset("v.q", &[1, 2, 3, 37]), Ok(8 * (34 * block + 2 + 5)));

    let text = "MK<4, 64>, ggml::Q4_0 pad(M = keep)";
    let weights = Record::parse(text).unwrap();
    assert_eq!(
        weights.to_string(),
        "MK<4, 64>, { d: f16, q: 16k 2k/16 u4 } pad(M = keep) = d * (q - 8)",
    );
    assert_eq!(weights.to_string().parse(), Ok(weights));
}

#[test]
fn types_of_gguf_files_have_numbers_and_names() {
    // From `ggml_type` of ggml.h: the number, the elements of a block and its bytes.
    for (name, number, elements, bytes) in [
        ("ggml::Q4_0", 2, 32, 18),
        ("ggml::Q4_1", 3, 32, 20),
        ("ggml::Q5_0", 6, 32, 22),
        ("ggml::Q5_1", 7, 32, 24),
        ("ggml::Q8_0", 8, 32, 34),
        ("ggml::Q8_1", 9, 32, 36),
        ("ggml::Q2_K", 10, 256, 84),
        ("ggml::Q3_K", 11, 256, 110),
        ("ggml::Q4_K", 12, 256, 144),
        ("ggml::Q5_K", 13, 256, 176),
        ("ggml::Q6_K", 14, 256, 210),
        ("ggml::IQ4_NL", 20, 32, 18),
        ("ggml::IQ4_XS", 23, 256, 136),
        ("ggml::TQ2_0", 35, 256, 66),
        ("ggml::MXFP4", 39, 32, 17),
        ("ggml::NVFP4", 40, 64, 36),
    ] {
        let known = records::of_gguf_type(number).expect(name);
        assert_eq!((known.name(), known.gguf_type()), (name, Some(number)));
        let record = known.template().unwrap().with_extents(&[('M', 3), ('K', elements)]);
        assert_eq!(record.unwrap().bytes(0), 3 * bytes, "{name}");
    }
    assert_eq!(records::of_gguf_type(34), None); // TQ1_0 is in base 3.
}

#[test]
fn marks_and_value_rules_are_kept_as_written() {
    let known = records::named("kleidiai::qsi4cxp").unwrap().template().unwrap();
    let packed = known.with_extents(&[('N', 11), ('K', 33)]).unwrap();
    assert_eq!(packed.value(), Some("16 * scale * q"));
    assert_eq!(packed.field_value("sum"), Ok(Some("16 * sum(q)")));
    assert_eq!(packed.field_value("bias"), Ok(None));
    assert_eq!(packed.padding("q", 'n'), Ok(Some(FieldPadding::Last)));
    assert_eq!(packed.padding("q", 'K'), Ok(Some(FieldPadding::Zero)));
    let record =
        Record::parse("GN<G = 2, N = 11>, { b: 8n i32, w: 8n i8 pad } pad(N = kzp)").unwrap();
    assert_eq!(record.padding("b", 'N'), Ok(Some(FieldPadding::Value("kzp"))));
    assert_eq!(record.padding("w", 'N'), Ok(Some(FieldPadding::Zero)));
    assert_eq!(record.padding("w", 'G'), Ok(Some(FieldPadding::Zero)));
    assert_eq!(record.padding("b", 'G'), Ok(None));
}

#[test]
fn rows_of_the_slowest_axis_are_a_record() {
    let record = Record::parse("MK<8, 64>, { d: 4m f16, q: 4k 4m 8k i8 } = d * q").unwrap();
    let part = record.rows('M', 4..8).unwrap();
    assert_eq!(part.to_string(), "MK<4, 64>, { d: 4m f16, q: 4k 4m 8k i8 } = d * q");
    assert_eq!(record.row_bytes(0, 'm', 4..8), Ok(272..544));
    for (m, k) in [(0, 0), (1, 37), (3, 63)] {
        let all = record.bit_offset("q", &[m + 4, k]).unwrap();
        assert_eq!(part.bit_offset("q", &[m, k]).unwrap() + 8 * 272, all);
    }
    let error = record.rows('M', 2..8).unwrap_err().to_string();
    assert_eq!(
        error,
        "rows 2 to 8 of axis M do not begin and end at whole blocks; write multiples of 4, or the end of the axis",
    );
    assert!(record.rows('K', 0..32).unwrap_err().to_string().contains("not the slowest"));
    let outside = "rows 4 to 12 are out of bounds for axis M of extent 8; write a range up to 8";
    assert_eq!(record.rows('M', 4..12).unwrap_err().to_string(), outside);
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = record.rows('M', 4..0);
    assert!(reversed.is_err() && record.rows('X', 0..1).is_err());
    assert_eq!(record.rows('m', 8..8).unwrap().bytes(0), 0);
    // Two buffers, each with rows first.
    let record = Record::parse("<M = 4, K = 64>, { q: M K f4e2m1; s: M K/32 f8e8m0 }").unwrap();
    let part = record.rows('M', 1..3).unwrap();
    assert_eq!((part.bytes(0), part.bytes(1)), (64, 4));
    assert_eq!(record.row_bytes(0, 'M', 1..3), Ok(32..96));
    assert_eq!(record.row_bytes(1, 'M', 1..3), Ok(2..6));
    // Rows that begin inside a byte.
    let record = Record::parse("MK<8, 3>, u4").unwrap();
    assert!(record.rows('M', 1..3).is_err());
    assert_eq!(record.row_bytes(0, 'M', 2..4), Ok(3..6));
}

#[test]
fn extents_may_be_zero_and_axes_many() {
    for text in ["MK<0, 64>, { d: f16, q: 32k i8 }", "MK<8, 0>, { d: f16, q: 32k i8 }"] {
        let record = parsed(text);
        assert_eq!(record.bytes(0), 0);
        for field in ["d", "q"] {
            let layout = record.field(field).unwrap().elements().unwrap();
            assert_eq!((layout.numel(), layout.len()), (0, 0));
        }
    }
    let one = Record::parse("{ a: u5, _: u3, b: f16 }").unwrap();
    assert_eq!((one.letters().count(), one.bytes(0), one.bit_offset("b", &[])), (0, 3, Ok(8)));
    let many = "ABCDEFGHIJKL<1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2>, { a: u8, b: u12 }";
    let many = Record::parse(many).map(|record| record.letters().count());
    assert!(many.unwrap_err().to_string().contains("write `_: u4` at the end"));
    let many = Record::parse("ABCDEFGHIJKL<1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2>, { a: u8, b: u16 }");
    let (many, last) = (many.unwrap(), [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    assert_eq!(many.bit_offset("b", &last), Ok(8 * (63 * 3 + 1)));
    // A layout has at most 16 digits and 12 axes, and bytes at odd places are another axis.
    let error = |field| many.field(field).unwrap().layout().unwrap_err().to_string();
    assert!(many.field("a").unwrap().layout().is_ok() && error("b").contains("16"));
    let digits =
        "ABC<256, 256, 256>, { q: 2a 2b 2c 2a 2b 2c 2a 2b 2c 2a 2b 2c 2a 2b 2c 2a 2b 2c u8 }";
    let field = parsed(digits).field("q").unwrap();
    assert!(field.layout().unwrap_err().to_string().contains("16"));
    assert_eq!(field.bit_offset(&[1, 0, 0]), Ok(8 * 4));
}

const ROW: Record = match Record::parse("MK<2, 64>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8)") {
    Ok(record) => record,
    Err(error) => error.panic(),
};

#[test]
fn constants_know_their_places() {
    const CODE: u64 = match ROW.bit_offset("q", &[1, 50]) {
        Ok(offset) => offset,
        Err(error) => error.panic(),
    };
    const STRIDES: tensor_layout::Layout = match ROW.field("d") {
        Ok(field) => match field.elements() {
            Ok(layout) => layout,
            Err(error) => error.panic(),
        },
        Err(error) => error.panic(),
    };
    assert_eq!(CODE, 8 * (3 * 18 + 2 + 2) + 4);
    assert_eq!(STRIDES.to_string(), "MK<2, 2>, f16, strides = [18, 9], from 0 of 36");
    assert!(size_of::<Record>() <= 1536);
}

#[test]
fn templates_without_all_extents_are_records_later() {
    let template =
        RecordTemplate::parse("<H = _, W = 8>, { y: H W u8, uv: H/2 W/2 2c u8 }").unwrap();
    assert_eq!(template.to_string(), "<H = _, W = 8>, { y: H W u8, uv: H/2 W/2 2c u8 }");
    let frame = template.with_extents(&[('h', 5)]).unwrap();
    assert_eq!(frame, Record::parse("<W = 8, H = 5>, { y: H W u8, uv: H/2 W/2 2c u8 }").unwrap());
    assert_eq!(frame.template().unknown().count(), 0);
}
