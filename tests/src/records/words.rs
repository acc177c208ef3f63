//! Strings of bits that words cut, against bits that are put one by one.

use tensor_layout::records::{Record, RecordBuffer, RecordPlan, ValuePlan};
use tensor_layout::{Layout, layout, u4};

use super::vectors::parsed;

/// `pack` of AutoGPTQ's `qlinear` of 3 bits: 32 codes of a column in three words, a row of words each.
fn pack3(code: impl Fn(usize, usize) -> u32, k: usize, n: usize) -> Vec<u8> {
    let mut rows = vec![0u32; k / 32 * 3 * n];
    for (block, column) in (0..k / 32).flat_map(|block| (0..n).map(move |column| (block, column))) {
        let code = |i: usize| code(block * 32 + i, column);
        let at = |row: usize| (block * 3 + row) * n + column;
        (0..10).for_each(|j| rows[at(0)] |= code(j) << (3 * j));
        rows[at(0)] |= code(10) << 30;
        rows[at(1)] |= code(10) >> 2 & 1;
        (0..10).for_each(|j| rows[at(1)] |= code(11 + j) << (3 * j + 1));
        rows[at(1)] |= code(21) << 31;
        rows[at(2)] |= code(21) >> 1 & 3;
        (0..10).for_each(|j| rows[at(2)] |= code(22 + j) << (3 * j + 2));
    }
    rows.into_iter().flat_map(u32::to_le_bytes).collect()
}

#[test]
fn codes_of_gptq_with_three_bits() {
    let (k, n) = (256, 32);
    let code = |k: usize, n: usize| (k * 5 + n * 3 + k / 9) as u32 % 8;
    let packed = parsed(&format!("<K = {k}, N = {n}>, gptq::q3"));
    let (own, zeros) = (pack3(code, k, n), pack3(|n, group| code(group * 7, n), n, 2));
    // Zeros have their words side by side.
    let zero = |i: usize| {
        let (group, word) = (i / 12, i % 12);
        zeros[(word / 4 * 2 + group) * 4 + word % 4]
    };
    let zeros: Vec<u8> = (0..24).map(zero).collect();
    let scales = [0x00, 0x3c].repeat(2 * n);
    let numbers = Layout::parse(&format!("KN<{k}, {n}>, f32")).unwrap();
    let mut values = vec![0; k * n * 4];
    let plan = ValuePlan::new(&packed, &numbers, None).unwrap();
    plan.run(&[&own, &zeros, &scales], &mut [&mut values]).unwrap();
    for (i, value) in values.chunks(4).enumerate() {
        let (k, n) = (i / n, i % n);
        let expected = code(k, n) as f32 - (code(k / 128 * 7, n) + 1) as f32;
        assert_eq!(f32::from_ne_bytes(value.try_into().unwrap()), expected, "{k}, {n}");
    }
    let unpacked =
        parsed(&format!("<K = {k}, N = {n}>, {{ q: N K u3; z: N K/128 u3; s: N K/128 f16 }}"));
    let mut moved: Vec<_> = (0..3).map(|i| vec![0; unpacked.bytes(i)]).collect();
    let source = [own.clone(), zeros, scales];
    RecordPlan::new(&packed, &unpacked).unwrap().run(&source, &mut moved).unwrap();
    let bit = |bit: usize| u32::from(moved[0][bit / 8] >> (bit % 8) & 1);
    for (k, n) in (0..k).flat_map(|k| (0..n).map(move |n| (k, n))) {
        let at = 3 * (n * 256 + k);
        assert_eq!(bit(at) | bit(at + 1) << 1 | bit(at + 2) << 2, code(k, n), "{k}, {n}");
    }
    let mut back: Vec<_> = source.iter().map(|own| vec![0; own.len()]).collect();
    RecordPlan::new(&unpacked, &packed).unwrap().run(&moved, &mut back).unwrap();
    assert_eq!(back, source);
}

/// Elements of any width, in words of any width, in both orders of bits, beside other fields.
#[test]
fn elements_go_on_in_the_next_word() {
    let mut cut = 0;
    for (bits, word) in (1..=64).flat_map(|bits| [1, 2, 3, 4, 8].map(|word| (bits, word))) {
        // As many elements as fill words.
        let count = (1..).find(|count| count * bits % (8 * word) == 0).unwrap();
        for order in ["", " high_first"] {
            let (k, n) = (2 * count, 3);
            let inner =
                if count % 3 == 0 { format!("{}k 3k/1", count / 3) } else { format!("{count}k") };
            let record = parsed(&format!(
                "<K = {k}, N = {n}>, {{ a: {word}h u8, g: K {{ q: N {inner} u{bits}{order} words(N = {word}) }} }}",
            ));
            let field = record.field("g.q").unwrap();
            let string = count * bits;
            for (at, column) in (0..k).flat_map(|at| (0..n).map(move |n| (at, n))) {
                // Blocks without a weight count up from the last one.
                let first = at % count * bits;
                let place = |bit: usize| {
                    8 * word
                        + at / count * string * n
                        + bit / (8 * word) * 8 * word * n
                        + column * 8 * word
                        + bit % (8 * word)
                };
                let letters = field.letters();
                let index = |axis| if letters.at(axis) == 'K' { at } else { column };
                let own = [index(0), index(1)];
                assert_eq!(field.bit_offset(&own), Ok(place(first) as u64), "{record}");
                for bit in [first, first + bits - 1] {
                    let found = field.coordinate(place(bit) as u64);
                    assert_eq!(found.as_deref(), Some(&own[..]), "{record}: {bit}");
                }
                cut += usize::from(place(first + bits - 1) != place(first) + bits - 1);
            }
            assert!(field.layout().is_err() && field.coordinate(0).is_none());
            assert_eq!(record.to_string().parse(), Ok(record));
            let plain = parsed(&format!(
                "<K = {k}, N = {n}>, {{ g: {{ q: N K u{bits} }}, a: {word}h u8 }}"
            ));
            let before: Vec<u8> = (0..record.bytes(0)).map(|i| (i * 37 + i / 7) as u8).collect();
            let (mut moved, mut back) = (vec![0; plain.bytes(0)], vec![0; before.len()]);
            RecordPlan::new(&record, &plain).unwrap().run(&[&before], &mut [&mut moved]).unwrap();
            RecordPlan::new(&plain, &record).unwrap().run(&[&moved], &mut [&mut back]).unwrap();
            assert_eq!(back, before, "{record}");
        }
    }
    assert!(cut > 1000, "{cut}");
}

#[test]
fn elements_in_words_are_read_and_written() {
    // Nine codes take 36 bits, so three bytes of two words are filled by four of them.
    let error = Record::parse("<K = 9, N = 2>, { q: K N 9k u4 words(N = 2) }").unwrap_err();
    let sentence = "`q` has words of 2 bytes, which 36 bits do not fill; write blocks that fill words, and `align(2)` where these begin";
    assert_eq!(error.message().as_str(), sentence);
    type Words = layout!(<K = 12, N = 2>, { q: K N 12k u4 words(N = 2) });
    let mut buffer = RecordBuffer::<Words, _>::new([0; 12]).unwrap();
    for (k, n) in (0..12).flat_map(|k| [(k, 0), (k, 1)]) {
        let at = if Words::RECORD.letters().as_str() == "KN" { [k, n] } else { [n, k] };
        buffer.field_mut::<u4>("q").unwrap().set(at, u4::from_bits((k + n) as u8)).unwrap();
    }
    assert_eq!(
        buffer.bytes(),
        [0x10, 0x32, 0x21, 0x43, 0x54, 0x76, 0x65, 0x87, 0x98, 0xba, 0xa9, 0xcb]
    );
    for text in [
        "K<8>, u4 words(K = 4)",
        "<N = 8>, { N { a: 8k u4 } words(N = 4) }",
        "<N = 8>, { q: 2k[0] N 8k/2 u4 words(N = 4), q: 2k[1] N 8k/2 u4 words(N = 4) }",
        "<N = 8>, { q: N 8k u4 words }",
    ] {
        let error = Record::parse(text).unwrap_err().to_string();
        assert!(error.contains("mark `words` is malformed"), "{text}: {error}");
    }
    let error = parsed("<N = 8>, { q: N 8k u4 words(N = 4) }").rows('N', 0..4).unwrap_err();
    assert!(error.to_string().contains("not the slowest"), "{error}");
    for text in [
        "{ a: u8, q: K N 8k u4 words(N = 4) }",
        "{ K { a: u8, q: N 8k u4 words(N = 4) } }",
        "{ q: K N 8k u4 words(N = 4) pitch(K = 37) }",
    ] {
        let error = Record::parse(&format!("<K = 16, N = 8>, {text}"));
        assert!(error.unwrap_err().to_string().contains("has words of 4 bytes"), "{text}");
    }
}

#[test]
fn words_say_where_strings_go_on_alone() {
    for (content, sentence) in [
        ("32k u4 words(N = 4, K = 8)", "`q` has `words(..)` twice"),
        ("32k u4 words(N = 4) words(K = 4)", "`q` has `words(..)` twice"),
        ("32k u3 words(N = 4) pitch(N = 64)", "`pitch` of axis N and words along it"),
        ("32k u3 align(N = 4) words(N = 4)", "`align` of axis N and words along it"),
        ("32k u3 words(N = 18446744073709551615)", "more bytes than an address counts"),
    ] {
        let error = Record::parse(&format!("<K = 64, N = 8>, {{ q: K N {content} }}"));
        let error = error.unwrap_err().to_string();
        assert!(error.contains(sentence), "{content}: {error}");
    }
    // Bits before the field, which no digit of it is as long as.
    let field = parsed("<K = 8, N = 16>, { a: 4c u8, q: N 4n 8k u4 words(N = 4) }").field("q");
    assert_eq!(field.unwrap().coordinate(0), None);
    let empty = parsed("<K = 32, N = 0>, { q: N K u3 words(N = 4) }").field("q").unwrap().layout();
    assert!(empty.unwrap_err().to_string().contains("words cut strings"));
}
