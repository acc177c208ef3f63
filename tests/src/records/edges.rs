//! Records at the edges of what there may be.

use tensor_layout::Layout;
use tensor_layout::records::{Record, RecordBuffer, RecordPlan, ValuePlan, ValueSide};

use super::vectors::parsed;

/// The digits of pieces are held once if they are the same.
#[test]
fn pieces_of_many_digits() {
    let pieces: Vec<_> = (0..8).map(|step| format!("y: 8w[{step}] u8")).collect();
    let record = parsed(&format!("ABCD<1, 1, 2, 1>, {{ {} }}", pieces.join(", ")));
    for (c, w) in (0..2).flat_map(|c| (0..8).map(move |w| (c, w))) {
        assert_eq!(record.bit_offset("y", &[0, 0, c, 0, w]).unwrap(), (8 * c + w) as u64 * 8);
    }
    let bytes: Vec<u8> = (0..16).collect();
    let mut moved = [vec![0; 16]];
    RecordPlan::new(&record, &record).unwrap().run(&[&bytes], &mut moved).unwrap();
    assert_eq!(moved[0], bytes);
    let axes = "<A = 2, B = 2, C = 2, D = 2, E = 2, F = 2, G = 2>";
    let [one, two] = ["A 2a B 2b C 2c D 2d E 2e F 2f", "B 2b A 2a C 2c D 2d E 2e F 2f"];
    let text = format!("{axes}, {{ y: 2w[0] {one} G 2g u8, y: 2w[1] {two} G 2g u8 }}");
    let error = Record::parse(&text).unwrap_err();
    assert!(error.message().as_str().starts_with("a field has more than 24 digits"), "{error}");
    assert!(error.range().is_some());
}

/// Ten codes of 3 bits in a word, the first one on top, each of another tenth of the rows: `pack_3bit_32` of HQQ.
#[test]
fn codes_of_tenths_of_the_rows() {
    let pieces: Vec<_> = (0..10).rev().map(|step| format!("q: 10e/4[{step}] u3")).collect();
    let record =
        parsed(&format!("<E = 40, C = 5>, {{ 4e/1 C {{ {} }} align(4) }}", pieces.join(", ")));
    let code = |e: usize, c: usize| (e * 5 + c * 3 + e / 7) as u32 % 8;
    let word = |row: usize, c: usize| {
        (0..10).fold(0, |word, i| word | code(i * 4 + row, c) << (27 - 3 * i))
    };
    let bytes: Vec<u8> = (0..20).flat_map(|i| word(i / 5, i % 5).to_le_bytes()).collect();
    let plain = parsed("<E = 40, C = 5>, { q: E C u8 }");
    let numbers = Layout::parse("EC<E = 40, C = 5>, f32").unwrap();
    let expected: Vec<u8> = (0..200).map(|i| code(i / 5, i % 5) as u8).collect();
    let mut own = vec![0; 800];
    let valued = parsed(&format!("{record} = q"));
    ValuePlan::new(&valued, &numbers, None).unwrap().run(&[&bytes], &mut [&mut own]).unwrap();
    let values: Vec<u8> =
        own.chunks(4).map(|own| f32::from_ne_bytes(own.try_into().unwrap()) as u8).collect();
    assert_eq!(values, expected);
    assert!(RecordPlan::new(&record, &plain).is_err(), "u3 and u8");
    let string = parsed("<E = 40, C = 5>, { q: E C u3 }");
    let (mut moved, mut back) = ([vec![0; 75]], [vec![0; 80]]);
    RecordPlan::new(&record, &string).unwrap().run(&[&bytes], &mut moved).unwrap();
    for (i, code) in expected.iter().enumerate() {
        let bit = |bit: usize| moved[0][bit / 8] >> (bit % 8) & 1;
        assert_eq!((0..3).fold(0, |own, b| own | bit(3 * i + b) << b), *code, "{i}");
    }
    RecordPlan::new(&string, &record).unwrap().run(&moved, &mut back).unwrap();
    assert_eq!(back[0], bytes);
}

/// The size of a group is a multiple of each alignment in it, of one byte too.
#[test]
fn alignment_to_one_byte() {
    for content in [
        "{ a: u1 align(1) }",
        "{ g: { a: u1 align(1) } }",
        "{ a: u1, _: u7 }",
        "{ a: u1 } align(1)",
    ] {
        let record = parsed(&format!("W<W = 2>, {content}"));
        assert_eq!(record.bytes(0), 2, "{content}");
        let name = record.field_name(0);
        assert_eq!(record.bit_offset(name.as_str(), &[1]).unwrap(), 8, "{content}");
    }
    let record = parsed("{ x: u1, g: { y: u1 align(1) }, z: u2 }");
    let places = ["x", "g.y", "z"].map(|field| record.bit_offset(field, &[]).unwrap());
    assert_eq!((places, record.bytes(0)), ([0, 8, 16], 3));
}

/// Rows up to the end of the axis have what is aligned after it.
#[test]
fn rows_before_an_aligned_end() {
    let record = parsed("<B = 16>, { f1: B 6b/3 f8e8m0 } align(4) pad");
    assert_eq!(record.rows('B', 0..16).unwrap(), record);
    assert_eq!(record.row_bytes(0, 'B', 0..16).unwrap(), 0..8);
    let buffer = RecordBuffer::with_record(record, [[7; 8]]).unwrap();
    assert_eq!(buffer.rows('B', 0..16).unwrap().bytes().len(), 8);
    let record = parsed("<M = 12>, { a: M u8 } align(8)");
    for (rows, bytes) in [(0..12, 0..16), (0..8, 0..8), (8..12, 8..16), (12..12, 12..12)] {
        assert_eq!(record.row_bytes(0, 'M', rows.clone()).unwrap(), bytes);
        let part = record.rows('M', rows);
        match bytes.len() % 8 {
            0 => assert_eq!(part.unwrap().bytes(0), bytes.len()),
            _ => assert!(part.is_err()),
        }
    }
    assert_eq!(
        record.rows('M', 0..4).unwrap_err().to_string(),
        "rows 0 to 4 of axis M take 4 bytes, and a record of them 8, since its end is aligned; write rows up to such an end",
    );
}

#[test]
fn empty_records_of_huge_extents() {
    let huge = 1usize << (usize::BITS - 2);
    let record = parsed(&format!("ABC<{huge}, {huge}, 0>, {{ q: u8 }}"));
    assert_eq!((record.bytes(0), record.block_steps(0).unwrap().blocks()), (0, 0));
    let record = parsed(&format!("AB<A = {huge}, B = {huge}, C = 0>, {{ q: C u8 }}"));
    let buffer = RecordBuffer::with_record(record, [[0u8; 0]]).unwrap();
    assert_eq!(buffer.blocks().unwrap().next().unwrap().bytes().len(), 0);
    RecordPlan::new(&record, &record).unwrap().run(&[[]], &mut [[]]).unwrap();
}

/// Plans alone: no memory is as large.
#[test]
fn moves_of_huge_extents_have_plans() {
    let pairs = [
        ("M = 1610612736, K = 1610612736", "q: M K u3; d: f32", "q: K M u3; d: f32"),
        ("M = 288230376151711743, K = 2", "q: M K i8, d: M u8", "d: M u8, q: M K i8"),
    ];
    for (extents, from, to) in pairs {
        let [from, to] = [from, to].map(|fields| parsed(&format!("<{extents}>, {{ {fields} }}")));
        assert!(RecordPlan::new(&from, &to).is_ok(), "{from} to {to}");
    }
}

/// A plan looks at parts of a tile, however many elements these have, and at no more than it has time for.
#[cfg(target_pointer_width = "64")]
#[test]
fn plans_of_huge_tiles() {
    let huge = 1usize << 33;
    let plan = |n: &str, content: &str| {
        let record = parsed(&format!("<K = {huge}{n}>, {{ {content} }} = s * q"));
        let format = if n.is_empty() { "K" } else { "NK" };
        let plain = Layout::parse(&format!("{format}<K = {huge}{n}>, f32")).unwrap();
        let plan = ValuePlan::new(&plain, &record, None);
        plan.map(|plan| format!("{plan:?}")).map_err(|error| error.to_string())
    };
    assert!(plan("", "s: f32, q: K i8").unwrap().contains(&huge.to_string()));
    for content in ["s: f32, q: N 2k/1 K/2 i8", "s: f32, q: K 2147483648k+2n 2n i8"] {
        let error = plan(", N = 2", content).unwrap_err();
        assert!(error.contains("are converted at once"), "{error}");
    }
}

/// A reader of rules calls itself for each bracket.
#[test]
fn rules_of_many_brackets() {
    let layout = Layout::parse("K<32>, u8").unwrap();
    for depth in [16, 17, 100_000] {
        let rule = format!("{}q{}", "(".repeat(depth), ")".repeat(depth));
        let side = ValueSide::Tensors { rule: &rule, tensors: &[("q", &layout)] };
        let to = Layout::parse("K<32>, f32").unwrap();
        match ValuePlan::new(side, &to, None) {
            Ok(_) => assert_eq!(depth, 16),
            Err(error) => assert!(
                depth > 16 && error.to_string().contains("more than 16 brackets"),
                "{error}"
            ),
        }
    }
}

#[test]
fn explanations_count_bytes() {
    assert!(parsed("{ a: u8 }").explain().to_string().ends_with("1 byte"));
    assert!(parsed("{ a: u8; b: u8 }").explain().to_string().ends_with("1 and 1 bytes"));
}

/// Names of 64 bytes are told apart.
#[test]
fn names_of_64_bytes() {
    let text = |order: [char; 2]| {
        let fields = order.map(|last| format!("{}{last}: u8", "x".repeat(63)));
        parsed(&format!("{{ {} }}", fields.join(", ")))
    };
    let mut moved = [vec![0; 2]];
    let plan = RecordPlan::new(&text(['1', '2']), &text(['2', '1'])).unwrap();
    plan.run(&[[1, 2]], &mut moved).unwrap();
    assert_eq!(moved[0], [2, 1]);
    let longer = format!("{{ {}1: u8 }}", "x".repeat(64));
    assert!(Record::parse(&longer).is_err());
}

#[test]
fn tiles_move_in_parts_and_in_place() {
    let plan = |from: &str, to: &str| RecordPlan::new(&parsed(from), &parsed(to)).unwrap();
    // Three tiles, and what they leave.
    let (rows, packed) = ("MK<1704, 32>, ggml::Q8_0", "MK<1704, 32>, ggml::q8_0x4_8");
    assert!(plan(rows, packed).to_string().contains("\n3 of "));
    let before: Vec<u8> = (0..parsed(rows).bytes(0)).map(|byte| (byte * 7 % 251) as u8).collect();
    let (mut moved, mut parts) = ([before.clone()], [before.clone()]);
    plan(rows, packed).run(&[&before], &mut moved).unwrap();
    plan(rows, packed).par_run_in_parts(1, &[&before], &mut parts).unwrap();
    let mut bytes = [before.clone()];
    plan(rows, packed).run_in_place(&mut bytes).unwrap();
    assert!(moved[0] != before && parts == moved && bytes == moved);
    plan(packed, rows).run_in_place(&mut bytes).unwrap();
    assert!(bytes[0] == before);
    let other = plan("N<8>, { a: u8, b: u8 }", "N<8>, { a: u8, _: u8, b: u8 }");
    let error = other.run_in_place(&mut [[0; 16]]).unwrap_err().to_string();
    assert!(error.starts_with("tiles of the two records take different bytes"), "{error}");
}
