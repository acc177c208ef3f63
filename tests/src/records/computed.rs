//! Fields that are computed: sums of codes, compensations and biases, beside the bytes of other libraries and beside sums that
//! a few lines here compute.

use tensor_layout::records::{
    FieldChange, FieldPadding, Record, RecordField, RecordPlan, ValuePlan, ValueSide,
};
use test_support::coordinates;

use super::packed::bytes_of;
use super::values::{layout, native, run};
use super::vectors::{numbers, parsed, table};

/// The bits of an element.
fn bits(field: &RecordField, bytes: &[u8], coordinate: &[usize]) -> u64 {
    let start = field.bit_offset(coordinate).unwrap() as usize;
    let bit = |bit: usize| u64::from(bytes[bit / 8] >> (bit % 8) & 1);
    (0..field.bits()).map(|i| bit(start + i) << i).sum()
}

/// The integer that an element is.
fn integer(field: &RecordField, bytes: &[u8], coordinate: &[usize]) -> i64 {
    let above = 64 - field.bits();
    let bits = bits(field, bytes, coordinate) << above;
    let is_signed = field.element().integer_range().unwrap().0 < 0;
    if is_signed { bits as i64 >> above } else { (bits >> above) as i64 }
}

fn put(field: &RecordField, bytes: &mut [u8], coordinate: &[usize], code: u64) {
    let start = field.bit_offset(coordinate).unwrap() as usize;
    for i in 0..field.bits() {
        let mask = 1 << ((start + i) % 8);
        bytes[(start + i) / 8] &= !mask;
        bytes[(start + i) / 8] |= if code >> i & 1 == 1 { mask } else { 0 };
    }
}

/// Buffers of a record with these codes in fields: in the order of the alphabet for axes A to D, and else N before K.
fn filled(record: &Record, codes: &[(&str, Vec<u64>)]) -> Vec<Vec<u8>> {
    let mut buffers: Vec<_> = (0..record.buffers()).map(|i| vec![0; record.bytes(i)]).collect();
    for (name, codes) in codes {
        let field = record.field(name).unwrap();
        let axes = "ABCDNK".chars().filter_map(|letter| field.letters().position(letter));
        let axes: Vec<usize> = axes.collect();
        let extents: Vec<usize> = axes.iter().map(|axis| field.extents()[*axis]).collect();
        assert_eq!(extents.iter().product::<usize>(), codes.len(), "{name}");
        for (own, code) in coordinates(&extents).zip(codes) {
            let mut coordinate = own.clone();
            axes.iter().zip(own).for_each(|(axis, index)| coordinate[*axis] = index);
            put(&field, &mut buffers[field.buffer()], &coordinate, *code);
        }
    }
    buffers
}

/// What a move writes to buffers of ones.
fn moved(from: &str, to: &str, changes: &[FieldChange<'_>], codes: &[(&str, Vec<u64>)]) -> Vec<u8> {
    let (from, to) = (parsed(from), parsed(to));
    let plan =
        RecordPlan::with_changes(&from, &to, changes).unwrap_or_else(|e| panic!("{to}: {e}"));
    let mut bytes = vec![0; to.bytes(0)];
    plan.run(&filled(&from, codes), &mut [&mut bytes]).unwrap();
    bytes
}

#[test]
fn packed_bytes_are_those_of_kleidiai_and_xnnpack() {
    let vectors = table(include_str!("packed.json"), 40);
    let mut count = 0;
    for vector in &vectors {
        let (id, text) = (vector["id"].as_str().unwrap(), vector["text"].as_str().unwrap());
        let codes = |name: &str| -> Vec<u64> {
            let own = &vector["fields"][name]["codes"];
            numbers(own).iter().map(|own| *own as u64).collect()
        };
        let extents = &text[text.find('<').unwrap()..=text.find('>').unwrap()];
        let bytes = if id.starts_with("kai-qsi4cxp") {
            let scales = codes("scale").into_iter().map(|own| f32::from_bits(own as u32) * 16.0);
            let scales = scales.map(|own| u64::from(own.to_bits())).collect();
            let own = [("q", codes("q")), ("s", scales), ("bias", codes("bias"))];
            let to =
                text.replace("n i32", "n i32 = 16 * sum(q)").replacen("n f32", "n f32 = s / 16", 1);
            moved(&format!("{extents}, {{ q: N K i4; s: N f32; bias: N f32 }}"), &to, &[], &own)
        } else if id.starts_with("kai-qsi8cxp") {
            let own = [("q", codes("q")), ("scale", codes("scale"))];
            let to = text
                .replace("n i32", "n i32 = izp * sum(q)")
                .replace("bias: 4n f32", "bias: 4n f32 = b");
            let own = [own[0].clone(), own[1].clone(), ("b", codes("bias"))];
            let from = format!("{extents}, {{ q: N K i8; scale: N f32; b: N f32 }}");
            moved(&from, &to, &[FieldChange::add("izp", 1i8)], &own)
        } else if id == "xnn-qs8-g1n8k16-nr8kr4sr1-z1-0-e0" || id.starts_with("xnn-qu8") {
            let (izp, kzp) = if id.starts_with("xnn-qu8") { (128, 127) } else { (1, 0) };
            let weights = codes("w");
            let signed = |own: u64| if kzp == 0 { i64::from(own as u8 as i8) } else { own as i64 };
            let rows = weights.chunks(weights.len() / 8);
            let biases = rows.zip(codes("b")).map(|(row, folded)| {
                let sum: i64 = row.iter().map(|own| signed(*own) - kzp).sum();
                u64::from((i64::from(folded as u32 as i32) + izp * sum) as u32)
            });
            let own = [("b", biases.collect()), ("w", weights.clone())];
            let to = text.replace("b: 8n i32", "folded: 8n i32 = b - izp * sum(w - kzp)");
            let element = if kzp == 0 { "i8" } else { "u8" };
            let from = format!("{extents}, {{ w: N K {element}; b: N i32 }}");
            let changes = [FieldChange::add("izp", izp as u8), FieldChange::add("kzp", kzp as u8)];
            moved(&from, &to, &changes, &own)
        } else {
            continue;
        };
        assert_eq!(bytes, bytes_of(vector["hex"].as_str().unwrap()), "{id}");
        count += 1;
    }
    assert_eq!(count, 7);
}

#[test]
fn compensations_are_those_of_onednn() {
    let vectors = table(include_str!("packed.json"), 40);
    let vector = vectors.iter().find(|own| own["id"] == "dnnl-s8s8-conv-32x16x1x1").unwrap();
    let weights = numbers(&vector["fields"]["w"]["codes"]).iter().map(|own| *own as u64).collect();
    let to = "<A = 32, B = 16, C = 1, D = 1>, onednn::s8s8_4b32a4b";
    let from = "<A = 32, B = 16, C = 1, D = 1>, { w: A B C D i8 }";
    let bytes = moved(from, to, &[], &[("w", weights)]);
    let expected = bytes_of(vector["hex"].as_str().unwrap());
    assert_eq!(bytes[..512 + 128], expected[..512 + 128]);
    // The second list is for a zero point of the source.
    for (i, own) in bytes[512..640].chunks(4).enumerate() {
        let own = i32::from_le_bytes(own.try_into().unwrap());
        let other = i32::from_le_bytes(bytes[640 + 4 * i..][..4].try_into().unwrap());
        assert_eq!(own, 128 * other, "{i}");
    }
}

/// Numbers of both signs.
fn some(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 7919 % 1013) as f32 - 506.0) / 41.0).collect()
}

#[test]
fn sums_follow_from_codes_that_are_quantized() {
    // Blocks, joined codes, a constant less, and several sums; rows that do not fill blocks.
    let cases = [
        ("MK<4, 96>, { d: f16, s: i32 = sum(q), q: 32k i8 } = d * q", 0),
        ("MK<4, 96>, { d: f16, q: 16k 2k/16 u4, s: i32 = sum(q - 8) } = d * (q - 8)", 8),
        (
            "MK<4, 96>, { d: f16, s: i16 = sum(q | h << 4), h: 32k u1, q: 16k 2k/16 u4 } = d * ((q | h << 4) - 16)",
            0,
        ),
        (
            "M<M = 5, K = 40>, { q: K 4k 4m 8k i8, s: 4m i32 = 3 * sum(q) - 7, d: 4m f32 } pad(M = last, K = 0) = d * q",
            0,
        ),
        ("MK<3, 50>, { d: f32, s: i32 = sum(q), q: 32k i4 } pad = d * q", 0),
    ];
    for (text, less) in cases {
        let to = parsed(text);
        let (rows, columns) = (to.extents()[0], to.extents()[1]);
        let plain = layout(&format!("MK<{rows}, {columns}>, f32"));
        let plan = ValuePlan::new(&plain, &to, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let bytes = run(&plan, &native(&some(rows * columns)), to.bytes(0));
        let [codes, sums] = ["q", "s"].map(|name| to.field(name).unwrap());
        let high = to.field("h").ok();
        let group = if text.contains("4m") { columns } else { 32 };
        for place in coordinates(sums.extents()) {
            let first = place.get(1).map_or(0, |own| own * group);
            let sum: i64 = (first..columns.min(first + group))
                .map(|k| {
                    let above = high.map_or(0, |own| integer(&own, &bytes, &[place[0], k]) << 4);
                    (integer(&codes, &bytes, &[place[0], k]) | above) - less
                })
                .sum();
            let sum = if text.contains("3 * ") { 3 * sum - 7 } else { sum };
            assert_eq!(integer(&sums, &bytes, &place), sum, "{text}: {place:?}");
        }
        let mut twice = vec![0x5a; bytes.len()];
        plan.par_run_in_parts(1, &[native(&some(rows * columns))], &mut [&mut twice]).unwrap();
        assert_eq!(twice, bytes, "{text}");
    }
}

#[test]
fn fields_of_the_source_and_values_take_part() {
    let (rows, columns) = (6, 40);
    let numbers = some(rows * columns);
    let [weights, biases] = ["NK<N = 6, K = 40>, f32", "N<6>, f32"].map(layout);
    let own = [("w", &weights), ("bias", &biases)];
    let from = ValueSide::Tensors { rule: "w", tensors: &own };
    let to = parsed("N<N = 6, K = 40>, kleidiai::qsi8cxp");
    let values = [FieldChange::add("izp", -3i32)];
    let plan = ValuePlan::with_values(from, &to, None, &values).unwrap();
    let mut bytes = vec![0x5a; to.bytes(0)];
    let bias: Vec<f32> = (0..rows).map(|i| i as f32 * 0.5 - 1.0).collect();
    plan.run(&[native(&numbers), native(&bias)], &mut [&mut bytes]).unwrap();
    let [q, sum, given] = ["q", "sum", "bias"].map(|name| to.field(name).unwrap().with_padding());
    // Rows that are missing repeat the last one.
    for n in 0..8 {
        let own = n.min(5);
        let codes: Vec<i64> = (0..64).map(|k| integer(&q, &bytes, &[k, n])).collect();
        assert!(codes[columns..].iter().all(|code| *code == 0), "{n}");
        assert!((0..64).all(|k| integer(&q, &bytes, &[k, own]) == codes[k]), "{n}");
        assert_eq!(integer(&sum, &bytes, &[n]), -3 * codes.iter().sum::<i64>(), "{n}");
        assert_eq!(bits(&given, &bytes, &[n]), u64::from(bias[own].to_bits()), "{n}");
    }
}

#[test]
fn scales_may_be_multiples_of_their_field() {
    let numbers = some(6 * 64);
    let plain = layout("NK<N = 6, K = 64>, f32");
    let to = parsed("N<N = 6, K = 64>, kleidiai::qsi4cxp");
    let values = [FieldChange::add("bias", 0.5f32)];
    let plan = ValuePlan::with_values(&plain, &to, None, &values).unwrap();
    let bytes = run(&plan, &native(&numbers), to.bytes(0));
    let [q, sum, scale, bias] = ["q", "sum", "scale", "bias"].map(|name| to.field(name).unwrap());
    for (n, row) in numbers.chunks(64).enumerate() {
        let greatest = row.iter().fold(0f32, |own, x| if x.abs() > own.abs() { *x } else { own });
        let step = greatest / -8.0;
        assert_eq!(bits(&scale, &bytes, &[n]), u64::from((step / 16.0).to_bits()), "{n}");
        assert_eq!(bits(&bias, &bytes, &[n]), u64::from(0.5f32.to_bits()), "{n}");
        let codes = row.iter().map(|x| ((x * (1.0 / step) + 8.5) as i64).min(15) - 8);
        let codes: Vec<i64> = codes.collect();
        assert!((0..64).all(|k| integer(&q, &bytes, &[k, n]) == codes[k]), "{n}");
        assert_eq!(integer(&sum, &bytes, &[n]), 16 * codes.iter().sum::<i64>(), "{n}");
    }
}

#[test]
fn what_a_rule_of_a_field_names_is_checked() {
    let plain = layout("NK<N = 4, K = 32>, f32");
    let refused = |text: &str, values: &[FieldChange<'_>]| {
        let to = parsed(&format!("NK<N = 4, K = 32>, {text} = d * q"));
        ValuePlan::with_values(&plain, &to, None, values).unwrap_err().to_string()
    };
    assert_eq!(
        refused("{ d: f32, s: i32 = izp * sum(q), q: 32k i8 }", &[]),
        "value rule `izp * sum(q)`: `izp` is not a field, number, operator or table there; write a rule of fields such as \
         `d * (q - 8)`, or give a destination the value of the name",
    );
    assert_eq!(
        refused("{ d: f32, s: i32 = sum(q), q: 32k i8 }", &[FieldChange::add("izp", 1)]),
        "no rule of a field of the destination names `izp`; leave the value out",
    );
    for rule in ["q", "d * sum(q)", "sum(d)", "sum(q) / 2", "sum(sum(q))"] {
        let text = format!("{{ d: f32, s: i32 = {rule}, q: 32k i8 }}");
        let start = format!("`{rule}` of `s` is not computed of numbers");
        assert!(refused(&text, &[]).starts_with(&start), "{rule}: {}", refused(&text, &[]));
    }
    let own = layout("K<32>, f32");
    let tensors = [("w", &plain), ("s", &own)];
    let from = ValueSide::Tensors { rule: "w", tensors: &tensors };
    let to = parsed("NK<N = 4, K = 32>, { d: f32, s: f32, q: 32k i8 } = d * q");
    let error = ValuePlan::new(from, &to, None).unwrap_err().to_string();
    assert!(
        error.contains(
            "`s`, and the source has no field of that name that the same elements share; "
        )
    );
    let [from, to] = ["{ w: N K i8 }", "{ s: N i32 = sum(w) + z, w: N K i8 }"]
        .map(|text| parsed(&format!("<N = 4, K = 32>, {text}")));
    let error = RecordPlan::new(&from, &to).unwrap_err().to_string();
    assert!(error.starts_with("value rule `sum(w) + z`: `z` is not a field"), "{error}");
}

#[test]
fn the_last_field_keeps_its_rule_before_marks_of_all() {
    let record = parsed("N<N = 6>, { a: 4n u8, b: 4n u8 = 2 * a } pad(N = last)");
    assert_eq!(record.field_value("b"), Ok(Some("2 * a")));
    assert_eq!(record.value(), None);
    assert_eq!(record.padding("a", 'N'), Ok(Some(FieldPadding::Last)));
    assert_eq!(parsed(&record.to_string()), record);
}
