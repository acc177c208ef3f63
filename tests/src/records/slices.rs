//! Slices of records, and all elements of a field: against places and elements one by one.

use std::ops::Range;

use tensor_layout::records::{Record, RecordBuffer, RecordPlan};
use tensor_layout::{f16, u4};
use test_support::coordinates;

use super::moves::{noise, parse};

/// Compares the places of all elements of a slice, and reads its text.
fn check(text: &str, axis: char, range: Range<usize>) -> Record {
    let all = parse(text);
    let part = all.slice(axis, range.clone());
    let part = part.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(Record::parse(&part.to_string()), Ok(part), "{text}: {part}");
    let position = all.letters().position(axis).unwrap();
    for i in 0..all.extents().len() {
        let extent = if i == position { range.len() } else { all.extents()[i] };
        assert_eq!(part.extents()[i], extent, "{part}");
    }
    assert_eq!(part.field_count(), all.field_count(), "{part}");
    for field in 0..all.field_count() {
        let name = all.field_name(field);
        for at in coordinates(part.extents()) {
            let mut own = at.clone();
            own[position] += range.start;
            let places = [part.bit_offset(name.as_str(), &at), all.bit_offset(name.as_str(), &own)];
            assert_eq!(places[0], places[1], "{part}: `{name}` at {at:?}");
        }
    }
    let bytes = |of: &Record| (0..of.buffers()).map(|i| of.bytes(i)).collect::<Vec<_>>();
    assert_eq!(bytes(&part), bytes(&all), "{part}");
    assert_eq!(part.align(), all.align(), "{part}");
    part
}

#[test]
fn fields_lie_where_they_lay() {
    let q4 = "MK<4, 128>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8)";
    let part = check(q4, 'K', 32..96);
    assert_eq!(
        part.to_string(),
        "M<M = 4, K = 64>, { _: 18 u8, K { d: f16, q: 16k 2k/16 u4 }, _: 18 u8 }".to_owned()
            + " = d * (q - 8)",
    );
    assert_eq!(part.value(), Some("d * (q - 8)"));
    check(&part.to_string(), 'K', 32..64);
    check(&part.to_string(), 'M', 1..3);
    for (axis, range) in [('M', 0..4), ('M', 2..3), ('K', 0..32), ('K', 96..128), ('K', 64..64)] {
        check(q4, axis, range);
    }
    let frame = "<H = 6, W = 7>, { y: H W u8 pitch(H = 16), uv: H/2 W/2 2c u8 pitch(H = 16) }";
    check(frame, 'W', 2..6);
    check(frame, 'W', 4..7);
    check(frame, 'H', 2..6);
    check(frame, 'C', 0..2);
    check("<K = 64, N = 8>, { q: K N 8k u4; s: K/32 N f32 }", 'N', 3..5);
    check("<K = 64, N = 8>, { q: K N 8k u4; s: K/32 N f32 }", 'K', 32..64);
    check("<G = 2, N = 16, K = 8>, { G N { b: 8n i32, w: K 4k-8n 8n 2k i8 } }", 'K', 0..8);
    check("<G = 2, N = 16, K = 16>, { G N { b: 8n i32, w: K 4k-8n 8n 2k i8 } }", 'K', 8..16);
    check("<G = 2, N = 12, K = 8>, { G N { b: 8n i32, w: K 4k-8n 8n 2k i8 } pad }", 'N', 8..12);
    check(
        "P<P = 3, S = 4, D = 64>, { k: S D { d: f16, q: 32d i8 }, v: S D { d: f16, q: 32d i8 } }",
        'S',
        1..3,
    );
    check(
        "P<P = 3, S = 4, D = 64>, { k: S D { d: f16, q: 32d i8 }, v: S D { d: f16, q: 32d i8 } }",
        'D',
        32..64,
    );
    check("HW<4, 8>, { y: 2w[0] u8, u: u8, y: 2w[1] u8, v: u8 }", 'W', 2..6);
    check("HW<3, 12>, { a: u3, b: u2 }", 'W', 3..10);
    check("N<N = 6>, { x: f32 align(4), kind: u16 align(2), flag: bool }", 'N', 1..5);
    check("N<N = 3, K = 16>, { q: K u5 } align(4)", 'K', 8..16);
    check("N<N = 3, K = 16>, { c: u8, q: K 4k u8 align(4) }", 'K', 8..16);
    check("MK<4, 512>, ggml::Q4_K", 'K', 256..512);
    // Unused bits stand for alignments of what is cut, whose groups are aligned in their place.
    check("<M = 5, K = 6>, { c: u8, q: M K u8 align(8), z: u8 }", 'K', 1..3);
    check("<M = 4, K = 8>, { c: u8; q: M K u8 align(8); z: u8 }", 'K', 2..5);
    check("<M = 4, K = 8>, { c: u8, g: { q: M K u8 align(8), z: u8 } align(4), y: u8 }", 'M', 2..3);
    let bits = "<M = 4, K = 8>, { M { c: u3, q: K u4 align(2), d: u1, r: K u8 align(4), t: u8 } }";
    assert_eq!(check(bits, 'K', 2..5).align(), 4);
    check("<M = 4, K = 8>, { a: M K i8 align(64); b: M K i8 }", 'K', 0..4);
    check("M<M = 4, K = 8>, { a: K i8 align(6), b: K i8 align(4), _: 8 u8 }", 'K', 2..4);
    // The end of these rows is no multiple of 12.
    let row = parse("M<M = 4, K = 8>, { a: K i8 align(6), b: K i8 align(4) }").slice('K', 2..4);
    assert_eq!(row.map(|row| row.align()), Ok(6));
    let planes = "<H = 6, W = 7>, { y: H W u8 pitch(H = 16) align(64), uv: H/2 W/2 2c u8 pitch(H = 16) align(64) }";
    check(planes, 'W', 2..6);
    check(planes, 'H', 2..6);
    // More unused bytes than a number counts.
    check("<N = 1000000000, K = 8>, { N { d: u8, q: K u8 } }", 'N', 999_999_990..999_999_999);
    check("<M = 3, K = 12884901889>, { q: M K u1 }", 'K', 0..32);
    check("<H = 3, W = 9>, { r: H W u5 }", 'W', 8..9);
    check("<M = 5>, { s: M f32, q: 2m M/4 2m u8, _: u8 } pad(M = last)", 'M', 0..5);
}

#[test]
fn what_is_no_slice() {
    let error = |text: &str, axis, range| parse(text).slice(axis, range).unwrap_err().to_string();
    let q4 = "MK<4, 128>, { d: f16, q: 16k 2k/16 u4 }";
    assert_eq!(
        error(q4, 'K', 16..64),
        "rows 16 to 64 of axis K do not begin and end at whole blocks; write multiples of 32, or the end of the axis"
    );
    let starts = |text, axis, range, start: &str| {
        let error = error(text, axis, range);
        assert!(error.starts_with(start), "{error}");
    };
    starts(q4, 'K', 96..160, "rows 96 to 160 are out of bounds for axis K of extent 128; ");
    starts(q4, 'X', 0..1, "layout has no axis `X`; ");
    starts("K<64>, f16", 'K', 0..32, "a slice of axis K is no record over the same buffers, ");
    starts(
        "M<M = 8, K = 8>, { q: K u4; s: f32 }",
        'M',
        0..4,
        "a slice of axis M is no record over",
    );
    let one = error("M<M = 3, K = 2>, { a: K u8; }", 'M', 1..2);
    assert!(one.contains(" it stands before the braces of buffers; "), "{one}");
    starts(
        "<N = 8, K = 32>, { q: N 32k u3 words(N = 4) }",
        'N',
        0..4,
        "a slice of axis N is no record over",
    );
    starts(
        "<N = 5000000000, K = 8>, { N { d: u8, q: K u8 } }",
        'N',
        4_999_999_990..4_999_999_999,
        "a slice of axis N of a buffer of 45000000000 bytes leaves more than 2^32 unused units",
    );
    starts("<M = 2, K = 64>, { M { q: 64k i8 } }", 'K', 32..64, "rows 32 to 64 of axis K do not");
    let items = (0..18).map(|i| format!("f{i}: K u8")).collect::<Vec<_>>().join(", ");
    starts(&format!("<K = 8>, {{ {items} }}"), 'K', 2..4, "record has more than 44 fields");
}

/// Columns of a page are written, and all else stays.
#[test]
fn moves_into_slices() {
    let (page, own) =
        ("MK<4, 128>, { d: f16, q: 32k i8 }", "<M = 4, K = 32>, { q: M K i8; d: M K/32 f16 }");
    let (page, own) = (parse(page), parse(own));
    let (before, tensors) = (noise(&page, 3).remove(0), noise(&own, 4));
    let mut buffer = RecordBuffer::with_record(page, [before.clone()]).unwrap();
    let mut columns = buffer.slice_mut('K', 64..96).unwrap();
    let plan = RecordPlan::new(&own, columns.record()).unwrap();
    plan.run(&tensors, &mut [columns.bytes_mut()]).unwrap();
    for m in 0..4 {
        let row = |bytes: &[u8]| bytes[m * 136..][..136].to_vec();
        let mut expected = row(&before);
        expected[68..70].copy_from_slice(&tensors[1][m * 2..][..2]);
        expected[70..102].copy_from_slice(&tensors[0][m * 32..][..32]);
        assert_eq!(row(buffer.bytes()), expected, "row {m}");
    }
    let read = buffer.slice('K', 64..96).unwrap();
    let codes: Vec<_> = read.field::<i8>("q").unwrap().iter().map(|(_, code)| code as u8).collect();
    assert_eq!(codes, tensors[0]);
}

#[test]
fn elements_of_fields_once_each() {
    let record = parse("MK<2, 64>, { d: f16, q: 16k 2k/16 u4 }");
    let buffer = RecordBuffer::with_record(record, [noise(&record, 5).remove(0)]).unwrap();
    let (scales, codes) = (buffer.field::<f16>("d").unwrap(), buffer.field::<u4>("q").unwrap());
    let expected = [[0, 0], [0, 32], [1, 0], [1, 32]].map(|at| (at, scales.get(at).unwrap()));
    let found: Vec<_> = scales.iter().map(|(at, own)| ([at[0], at[1]], own.to_bits())).collect();
    assert_eq!(found, expected.map(|(at, own)| (at, own.to_bits())));
    assert_eq!(codes.iter().count(), 128);
    for ((at, code), own) in codes.iter().zip(coordinates(&[2, 64])) {
        assert_eq!((&at[..], code.get()), (&own[..], codes.get(&own).unwrap().get()));
    }
    // An axis that the field lacks, and one without coordinates.
    let record = parse("<M = 3, K = 4>, { M { q: K i8 }, s: i8 }");
    let buffer = RecordBuffer::with_record(record, [[7; 13]]).unwrap();
    assert!(
        buffer
            .field::<i8>("s")
            .unwrap()
            .iter()
            .map(|(at, own)| (at[0], at[1], own))
            .eq([(0, 0, 7)])
    );
    let record = parse("<M = 0, K = 4>, { M { q: K i8 }, s: i8 }");
    let buffer = RecordBuffer::with_record(record, [[7; 1]]).unwrap();
    assert_eq!(buffer.field::<i8>("q").unwrap().iter().next(), None);
}

#[test]
fn alignments() {
    for (text, align) in [
        ("K<8>, { q: i8 }", 1),
        ("N<N = 3>, { x: f64 align(8), c: u8 align(2) }", 8),
        ("<H = 2, W = 4>, { y: H W u8 align(H = 64), c: W u8 align(16) }", 64),
        ("N<N = 3>, { a: u8 align(6), c: u8 align(4) }", 12),
        ("K<4>, f32", 1),
    ] {
        assert_eq!(parse(text).align(), align, "{text}");
    }
}
