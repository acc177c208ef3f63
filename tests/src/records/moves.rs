//! Moves between records, against bits that are moved one by one.

use tensor_layout::ElementType;
use tensor_layout::records::{FieldChange, Record, RecordField, RecordPlan};
use test_support::coordinates;

pub(super) fn parse(text: &str) -> Record {
    Record::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(super) fn noise(record: &Record, seed: u64) -> Vec<Vec<u8>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    (0..record.buffers()).map(|i| (0..record.bytes(i)).map(|_| next()).collect()).collect()
}

/// The place of a bit in its byte.
fn place(field: &RecordField, bit: u64) -> u64 {
    if field.is_high_first() { 7 - bit % 8 } else { bit % 8 }
}

/// Bit `i` of an element, from its first one on, as a bit of its number.
fn weight(field: &RecordField, i: u64) -> u64 {
    if field.is_high_first() { field.bits() as u64 - 1 - i } else { i }
}

/// The bits of an element at a coordinate of its field.
fn bits(field: &RecordField, buffers: &[Vec<u8>], at: &[usize]) -> u64 {
    let (first, buffer) = (field.bit_offset(at).unwrap(), &buffers[field.buffer()]);
    (0..field.bits() as u64).fold(0, |bits, i| {
        let own = first + i;
        bits | u64::from(buffer[(own / 8) as usize] >> place(field, own) & 1) << weight(field, i)
    })
}

fn set_bits(field: &RecordField, buffers: &mut [Vec<u8>], at: &[usize], bits: u64) {
    let first = field.bit_offset(at).unwrap();
    for i in 0..field.bits() as u64 {
        let own = first + i;
        let byte = &mut buffers[field.buffer()][(own / 8) as usize];
        let bit = (bits >> weight(field, i) & 1) as u8;
        *byte = *byte & !(1 << place(field, own)) | bit << place(field, own);
    }
}

/// What lies beyond an extent, by the letters of the axes of a field, the coordinate and the extents.
type Beyond<'a> = &'a dyn Fn(&[(char, usize, usize)]) -> Option<Result<Vec<usize>, u64>>;

/// The buffers of a source, those of a destination before a move, and after it. `padded` is the destination with the extents
/// up to its blocks; `rule` says what an element of it beyond an extent is: that of a coordinate, a value, or nothing.
/// Coordinates are those of a field, by the letters of its axes, with its extents.
pub(super) fn expected(
    [source, destination, padded]: [&Record; 3],
    flip: u64,
    rule: Beyond<'_>,
) -> [Vec<Vec<u8>>; 3] {
    let (before, blank) = (noise(source, 1), noise(destination, 2));
    let mut expected = blank.clone();
    for i in 0..destination.field_count() {
        let name = destination.field_name(i);
        let field = |record: &Record| record.field(name.as_str()).unwrap();
        let (own, other, all) = (field(destination), field(source), field(padded));
        let flip = if own.element() == other.element() { 0 } else { flip };
        let letters: Vec<_> =
            (0..own.letters().count()).map(|axis| own.letters().at(axis)).collect();
        for at in coordinates(all.extents()) {
            let inside = at.iter().zip(own.extents()).all(|(at, extent)| at < extent);
            let value = match inside {
                true => Some(Ok(at.clone())),
                false => {
                    let named = letters.iter().zip(&at).zip(own.extents());
                    rule(
                        &named
                            .map(|((letter, at), extent)| (*letter, *at, *extent))
                            .collect::<Vec<_>>(),
                    )
                }
            };
            let value = match value {
                Some(Ok(at)) => {
                    // The source may have its axes in another order.
                    let axes = (0..letters.len())
                        .map(|axis| own.letters().position(other.letters().at(axis)));
                    let at: Vec<_> = axes.map(|axis| at[axis.unwrap()]).collect();
                    bits(&other, &before, &at) ^ flip
                }
                Some(Err(value)) => value,
                None => continue,
            };
            set_bits(&all, &mut expected, &at, value);
        }
    }
    [before, blank, expected]
}

/// Moves a record to another, and compares every byte. See [`expected`].
pub(super) fn check(
    from: &str,
    to: &str,
    padded: &str,
    flip: u64,
    rule: impl Fn(&[(char, usize, usize)]) -> Option<Result<Vec<usize>, u64>>,
) {
    let (source, destination, padded) = (parse(from), parse(to), parse(padded));
    let [before, blank, expected] = expected([&source, &destination, &padded], flip, &rule);
    let mut moved = blank.clone();
    let plan = RecordPlan::new(&source, &destination);
    let plan = plan.unwrap_or_else(|error| panic!("{from} -> {to}: {error}"));
    plan.run(&before, &mut moved).unwrap();
    for (i, (moved, expected)) in moved.iter().zip(&expected).enumerate() {
        let place = moved.iter().zip(expected).position(|(a, b)| a != b);
        assert!(place.is_none(), "{from} -> {to}: buffer {i}, byte {place:?}");
    }
    check_parts(&plan, &before, &moved, blank);
}

/// Moves in parts, and in place over the bytes of the source.
fn check_parts(plan: &RecordPlan, before: &[Vec<u8>], moved: &[Vec<u8>], mut parts: Vec<Vec<u8>>) {
    plan.par_run_in_parts(1, before, &mut parts).unwrap();
    assert!(parts == moved, "{plan}, in parts");
    let (mut own, mut over) = (before.to_vec(), before.to_vec());
    if plan.run_in_place(&mut own).is_ok() {
        plan.run(before, &mut over).unwrap();
        assert!(own == over, "{plan}, in place");
    }
}

pub(super) fn same(from: &str, to: &str) {
    check(from, to, to, 0, |_| None);
    check(to, from, from, 0, |_| None);
}

#[test]
fn fields_keep_their_elements() {
    // One tile, several, and what they leave.
    for m in [8, 24] {
        let row = |kind: &str| format!("MK<{m}, 64>, ggml::{kind}");
        same(&row("Q8_0"), &row("q8_0x4_8"));
        same(&row("Q8_0"), &row("q8_0x4_4"));
        same(&row("IQ4_NL"), &row("iq4_nlx4_4"));
        same(&row("IQ4_NL"), &row("iq4_nlx8_8"));
        same(&row("MXFP4"), &row("mxfp4x4_4"));
        same(&row("q8_0x4_8"), &row("q8_0x4_4"));
    }
    same("MK<520, 32>, ggml::Q8_0", "MK<520, 32>, ggml::q8_0x4_8");
    same("MK<16, 96>, ggml::Q8_0", "MK<16, 96>, ggml::q8_0x16_1");
    same(
        "MK<8, 512>, ggml::Q6_K",
        "<M = 8, K = 512>, { q: M K u4; h: M K u2; s: M K/16 i8; d: M K/256 f16 }",
    );
    same(
        "MK<2, 512>, ggml::Q2_K",
        "KM<M = 2, K = 512>, { d: f16, dm: f16, q: 256k u2, s: 16k/16 u4, m: 16k/16 u4 }",
    );
    same(
        "MK<8, 512>, ggml::Q3_K",
        "<M = 8, K = 512>, { h: M K u1; q: M K u2; s: M K/16 u4; sh: M K/16 u2; d: M K/256 f16 }",
    );
    same(
        "<H = 5, W = 7>, { y: H W u8 pitch(H = 16), uv: H/2 W/2 2c u8 pitch(H = 16) }",
        "<H = 5, W = 7>, { y: H W u8; uv: 2c H/2 W/2 u8 }",
    );
    same("HW<4, 8>, raw::raw10", "<H = 4, W = 8>, { hi: H W u8; lo: H W u2 }");
    same("HW<4, 8>, raw::raw14", "<H = 4, W = 8>, { hi: H W u8; lo: H W u6 }");
    same(
        "HW<4, 8>, { y: 2w[0] u8, u: u8, y: 2w[1] u8, v: u8 }",
        "<H = 4, W = 8>, { y: H W u8; u: H W/2 u8; v: H W/2 u8 }",
    );
    same("HW<3, 5>, video::rgb565le", "<H = 3, W = 5>, { r: H W u5; g: H W u6; b: H W u5 }");
    same("HW<3, 5>, video::rgb565be", "<H = 3, W = 5>, { r: H W u5; g: H W u6; b: H W u5 }");
    same("N<N = 3, K = 7>, { q: K u5 } align(4)", "<N = 3, K = 7>, { q: N K u5 }");
    same(
        "K<64>, { e: f8e8m0, d: f32, q: 32k u1 }",
        "<K = 64>, { q: K u1 high_first; d: K/32 f32; e: K/32 f8e8m0 }",
    );
    same(
        "N<20>, { x: f32 align(4), y: f64 align(8), c: u8 }",
        "<N = 20>, { x: N f32; y: N f64; c: N u8 }",
    );
    same(
        "<K = 256, N = 16>, awq::gemm",
        "<K = 256, N = 16>, { s: K/128 N f16, z: K/128 N u4, q: N K u4 }",
    );
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    /// Blocks of the letter whose sizes multiply to `size`, a power of two.
    fn blocks(&mut self, letter: char, mut size: usize) -> Vec<String> {
        let mut all = Vec::new();
        while size > 1 {
            let own = 2 << self.below(size.ilog2() as usize);
            all.push(format!("{own}{letter}"));
            size /= own;
        }
        all
    }

    fn shuffled(&mut self, mut all: Vec<String>) -> String {
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i + 1));
        }
        all.join(" ")
    }

    /// A record of these fields and elements: in blocks of both axes, or a field after the other. Fields at odd places
    /// have one element for all of a block of K.
    fn record(&mut self, extents: &str, elements: &[&str]) -> String {
        let (rows, columns) = (1 << self.below(4), 8 << self.below(4));
        let is_blocked = self.below(3) > 0;
        let fields = elements.iter().enumerate().map(|(i, element)| {
            let mut digits = self.blocks('m', rows);
            if i % 2 == 0 {
                digits.extend(self.blocks('k', columns));
            }
            if !is_blocked {
                digits.extend(["M", "K"].map(String::from));
                if i % 2 == 1 {
                    digits.last_mut().unwrap().push_str(&format!("/{columns}"));
                }
            }
            let digits = self.shuffled(digits);
            format!("f{i}: {digits} {element}")
        });
        let fields: Vec<_> = fields.collect();
        let axes = if is_blocked { ["MK", "KM"][self.below(2)] } else { "" };
        let end = ["; ", ", "][usize::from(is_blocked || self.below(2) > 0)];
        // Bits of both orders would share bytes.
        let order = ["", "", " high_first"][self.below(3)];
        format!("{axes}<{extents}>, {{ {} }}{order}", fields.join(end))
    }
}

/// Random blocks in random orders, which plans of bits and others move.
#[test]
fn random_records() {
    let (mut random, mut bits, mut moved) = (Random(59), 0, 0);
    let elements = ["u4", "u1", "u2", "f16", "u8", "u6", "u3", "f32"];
    while moved < 150 {
        let extents = format!("M = {}, K = {}", 8 << random.below(2), 64 << random.below(3));
        let own: Vec<_> = (0..1 + random.below(4)).map(|_| elements[random.below(8)]).collect();
        let [from, to] = [0, 1].map(|_| random.record(&extents, &own));
        let (Ok(source), Ok(destination)) = (Record::parse(&from), Record::parse(&to)) else {
            continue;
        };
        // Fields whose scales are shared by other numbers of columns differ in their extents.
        let Ok(plan) = RecordPlan::new(&source, &destination) else { continue };
        bits += usize::from(plan.to_string().contains("permute bits"));
        check(&from, &to, &to, 0, |_| None);
        moved += 1;
    }
    assert!(bits > 30, "{bits} of {moved}");
}

#[test]
fn a_constant_between_value_rules_is_flipped() {
    for m in [8, 600] {
        for packed in ["q4_0x4_4", "q4_0x4_8", "q4_0x8_8"] {
            let (rows, packed) =
                (format!("MK<{m}, 32>, ggml::Q4_0"), format!("MK<{m}, 32>, ggml::{packed}"));
            check(&rows, &packed, &packed, 8, |_| None);
            check(&packed, &rows, &rows, 8, |_| None);
        }
    }
    // Moves of several boxes have no step of bits, which would flip them.
    let bytes = "<N = 5, K = 6>, { q: N K u8 } = (q - 128)";
    let padded = "<N = 8, K = 8>, { q: K N 4n 4k i8 }";
    check(bytes, "<N = 5, K = 6>, { q: K N 4n 4k i8 } pad = q", padded, 128, |_| Some(Err(0)));
    let error = RecordPlan::new(
        &parse("MK<8, 64>, { d: f16, q: 32k u4 } = d * q"),
        &parse("MK<8, 64>, { d: f16, q: 32k i4 } = d * q"),
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "elements of `q` are u4 in the source and i4 in the destination, and no constant step makes one of the other; \
         write one type in both, or convert their values"
    );
}

#[test]
fn padding_follows_its_marks() {
    let clamped = |at: &[(char, usize, usize)]| -> Vec<usize> {
        at.iter().map(|(_, at, extent)| (*at).min(extent - 1)).collect()
    };
    let is_past = |at: &[(char, usize, usize)], letter: char| {
        at.iter().any(|(own, at, extent)| *own == letter && at >= extent)
    };
    let content = "{ d: 4n f16, q: 2k/8 4n 8k 2k/16 i4 }";
    check(
        "NK<N = 5, K = 64>, { d: f16, q: 32k i4 }",
        &format!("NK<N = 5, K = 64>, {content} pad(N = last)"),
        &format!("NK<N = 8, K = 64>, {content}"),
        0,
        |at| Some(Ok(clamped(at))),
    );
    for (value, bits) in [("0", 0), ("-3", 13), ("7", 7)] {
        // N beyond its extent writes nothing, whatever K is there.
        check(
            "<N = 5, K = 50>, { q: N K i4 }",
            &format!("NK<N = 5, K = 50>, {{ q: 2k/8 4n 8k 2k/16 i4 }} pad(N = keep, K = {value})"),
            "NK<N = 8, K = 64>, { q: 2k/8 4n 8k 2k/16 i4 }",
            0,
            |at| if is_past(at, 'N') { None } else { Some(Err(bits)) },
        );
    }
    // A value comes before the last coordinate.
    check(
        "MK<3, 5>, { q: u8 }",
        "MK<3, 5>, { q: 4m 8k u8 } pad(M = last, K = 9)",
        "MK<4, 8>, { q: 4m 8k u8 }",
        0,
        |at| if is_past(at, 'K') { Some(Err(9)) } else { Some(Ok(clamped(at))) },
    );
    check(
        "HW<3, 5>, { y: u8, u: u8 }",
        "HW<3, 5>, { 4w { y: u8 }, 4w { u: u8 } } pad",
        "HW<3, 8>, { 4w { y: u8 }, 4w { u: u8 } }",
        0,
        |_| Some(Err(0)),
    );
    let error =
        RecordPlan::new(&parse("K<5>, { w: i8 }"), &parse("K<5>, { w: 4k i8 } pad(K = kzp)"));
    assert_eq!(
        error.unwrap_err().to_string(),
        "padding `kzp` of `w` is not a number that an element holds; write one, or `last` or `keep`"
    );
}

#[test]
fn fields_are_added_and_dropped_by_name() {
    let from = parse("MK<2, 64>, { d: f16, m: f16, q: 32k u8 }");
    let to = parse("MK<2, 64>, { q: 64k u8, e: f32, d: 2k/32 f16, z: 2k/32 u4 }");
    let before = noise(&from, 3);
    let mut after = noise(&to, 4);
    let add =
        [FieldChange::add("e", 1.5f32), FieldChange::add("z", tensor_layout::u4::from_bits(9))];
    let error = RecordPlan::with_changes(&from, &to, &add).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the source has a field `m` and the destination has none; drop it by name, or write it in both"
    );
    let error =
        RecordPlan::with_changes(&from, &to, &[FieldChange::Drop("m"), add[0]]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the destination has a field `z` and the source has none; add it with a value, or leave it out"
    );
    let plan =
        RecordPlan::with_changes(&from, &to, &[FieldChange::Drop("m"), add[0], add[1]]).unwrap();
    plan.run(&before, &mut after).unwrap();
    let field = |record: &Record, name: &str| record.field(name).unwrap();
    for name in ["d", "q"] {
        for at in coordinates(field(&to, name).extents()) {
            let moved = bits(&field(&to, name), &after, &at);
            assert_eq!(moved, bits(&field(&from, name), &before, &at));
        }
    }
    for (name, value) in [("e", u64::from(1.5f32.to_bits())), ("z", 9)] {
        for at in coordinates(field(&to, name).extents()) {
            assert_eq!(bits(&field(&to, name), &after, &at), value);
        }
    }
}

#[test]
fn other_buffers_and_other_extents_are_refused() {
    let (from, to) = (parse("MK<8, 64>, ggml::Q8_0"), parse("MK<8, 64>, ggml::q8_0x4_8"));
    let plan = RecordPlan::new(&from, &to).unwrap();
    let mut after = [vec![7; to.bytes(0)]];
    let error = plan.run(&[vec![0; from.bytes(0) - 1]], &mut after).unwrap_err();
    assert!(
        error.to_string().starts_with("buffer 0 of the source has 543 bytes and needs 544; "),
        "{error}"
    );
    assert!(after[0].iter().all(|byte| *byte == 7));
    let error = RecordPlan::new(&from, &parse("MK<8, 96>, ggml::q8_0x4_8")).unwrap_err();
    assert!(error.to_string().starts_with("axes or extents of `d` differ"), "{error}");
    // No coordinate, and no tile.
    let (from, to) = (parse("MK<0, 64>, ggml::Q8_0"), parse("MK<0, 64>, ggml::q8_0x4_8"));
    RecordPlan::new(&from, &to).unwrap().run(&[[]], &mut [[]]).unwrap();
}

/// Moves `source` between records, and returns the result over bytes of `blank`.
fn moved(
    from: &str,
    to: &str,
    changes: &[FieldChange<'_>],
    source: &[u8],
    blank: u8,
) -> Result<Vec<u8>, String> {
    let (from, to) = (Record::parse(from).unwrap(), Record::parse(to).unwrap());
    let plan = RecordPlan::with_changes(&from, &to, changes).map_err(|error| error.to_string())?;
    let mut destination = vec![blank; to.bytes(0)];
    plan.run(&[source], &mut [&mut destination[..]]).map_err(|error| error.to_string())?;
    Ok(destination)
}

/// Padding of a field is written where it has a place, and nowhere else.
#[test]
fn padding_leaves_other_fields() {
    let axes = "<M = 2, K = 3, C = 4>";
    let bytes: Vec<u8> = (1..=20).collect();
    let from = format!("{axes}, {{ t: M K u8; q: M K u8; z: M C u8 }}");
    let from = from.replace(';', ",");
    let to = format!("{axes}, {{ t: M 4k u8 pad, q: M K u8, z: M C u8 }}");
    let result = moved(&from, &to, &[], &bytes, 0xee).unwrap();
    assert_eq!(
        result,
        [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    );
    let result = moved(
        "<K = 3>, { t: K u8, q: K u8 }",
        "<K = 3>, { t: 4k u8 pad, q: K u8, _: u16 }",
        &[],
        &[1, 2, 3, 4, 5, 6],
        9,
    );
    assert_eq!(result.unwrap(), [1, 2, 3, 0, 4, 5, 6, 9, 9]);
}

/// The padding of a field has a place of its own, whatever lies before it.
#[test]
fn padding_of_one_field_moves_no_other() {
    let bytes: Vec<u8> = (1..=25).collect();
    let from = "<M = 5>, { s: M f32, q: M u8 }";
    let result = moved(from, "<M = 5>, { s: M f32, q: M 4m u8 } pad", &[], &bytes, 9).unwrap();
    assert_eq!(result, [&bytes[..], &[0; 3]].concat());
    let result =
        moved(from, "<M = 5>, { s: M f32, q: 2m M/4 2m u8, _: u8 } pad(M = last)", &[], &bytes, 9);
    assert_eq!(result.unwrap(), [&bytes[..20], &[21, 22, 25, 25, 23, 24, 25, 25, 9]].concat());
    // Fields of bits before it, which end inside a byte with other extents.
    let to = "<K = 5>, { a: K u3, _: u1, b: K 2k u8 } pad";
    let result =
        moved("<K = 5>, { b: K u8, a: K u3 }", to, &[], &[1, 2, 3, 4, 5, 0xff, 0xff], 0x11);
    assert_eq!(result.unwrap(), [0xff, 0x7f, 1, 2, 3, 4, 5, 0]);
    // A pitch that other extents do not fit in.
    let packed = parse("<C = 3, N = 7>, { b0: N C u4 pitch(N = 6); b1: C/16 2c/8 2c/4 u2 } pad");
    let mut after = [vec![0; 42], vec![0xff]];
    let before = noise(&packed, 5);
    RecordPlan::new(&packed, &packed).unwrap().run(&before, &mut after).unwrap();
    let masked =
        before[0].iter().enumerate().map(|(i, byte)| byte & [0xff, 0x0f, 0, 0, 0, 0][i % 6]);
    assert_eq!(after, [masked.collect(), vec![before[1][0] & 3]]);
}

/// What is aligned after the last row, elements of several bytes, bits that fill no byte.
#[test]
fn odd_moves() {
    let same = "<M = 3>, { a: M u8 } align(4)";
    assert_eq!(moved(same, same, &[], &[1, 2, 3, 0], 0).unwrap()[..3], [1, 2, 3]);
    let added = [FieldChange::add("z", 0x0102u16)];
    let result =
        moved("<K = 2>, { q: K u8 }", "<K = 2>, { q: K u8, z: K u16 }", &added, &[7, 8], 0);
    assert_eq!(result.unwrap(), [7, 8, 2, 1, 2, 1]);
    let result =
        moved("<K = 3>, { z: K u5, _: u1 }", "<K = 3>, { z: 8k u5 } pad", &[], &[0xff, 0xff], 0xff);
    assert_eq!(result.unwrap(), [0xff, 0x7f, 0, 0, 0]);
    let last = "MK<M = 20, K = 4>, { a: 16k u8 } pad(K = last)";
    let result = moved(
        "MK<M = 20, K = 4>, { b: u8 }",
        last,
        &[FieldChange::Drop("b"), FieldChange::add("a", 0x5au8)],
        &[0; 80],
        0,
    );
    assert!(result.unwrap().iter().all(|&byte| byte == 0x5a));
}

#[test]
fn wrong_changes() {
    let (from, to) = ("<K = 2>, { q: K u8 }", "<K = 2>, { q: K u8, z: K u8 }");
    let refused = |changes: &[FieldChange<'_>]| moved(from, to, changes, &[7, 8], 0).unwrap_err();
    assert!(refused(&[FieldChange::Add("z", ElementType::U8, 300)]).contains("300"));
    let error = refused(&[FieldChange::add("z", 3u16)]);
    assert!(error.starts_with("elements of `z` are u8, not u16"), "{error}");
    let error = refused(&[FieldChange::add("z", 3u8), FieldChange::add("z", 4u8)]);
    assert!(error.starts_with("field `z` is added twice"), "{error}");
    let error = refused(&[FieldChange::add("z", 3u8), FieldChange::add("q", 4u8)]);
    assert!(error.starts_with("the source has a field `q` too"), "{error}");
    assert!(refused(&[FieldChange::add("y", 3u8)]).contains("y"));
    assert!(refused(&[FieldChange::Drop("y"), FieldChange::add("z", 3u8)]).contains("y"));
    assert!(refused(&[FieldChange::Drop("q"), FieldChange::add("z", 3u8)]).contains("q"));
    // A rule that has the field twice does not say that a constant lies between two elements.
    let twice = ["<K = 2>, { q: K u4 } = (q - 8) + q", "<K = 2>, { q: K i4 } = q + q"];
    assert!(moved(twice[0], twice[1], &[], &[0x21], 0).is_err());
    let huge = Record::parse("<M = 1152921504606846976, K = 0>, { q: M K u8 }").unwrap();
    assert!(RecordPlan::new(&huge, &huge).is_ok());
}
