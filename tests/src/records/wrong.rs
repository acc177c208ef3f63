//! Wrong texts, each with the part at fault and the sentence.

use tensor_layout::records::{self, Record, RecordTemplate};

/// A text, the part of it that is wrong between `«` and `»`, and the sentence.
const WRONG: &[(&str, &str)] = &[
    (
        "MK<2, 512>, { d: f16, s: «8k» u8, q: 4k/64 32k 2k/32 u4 }",
        "axis K: `s` covers 8 coordinates of a block and `q` 256; if 32 share one, write `8k/32`",
    ),
    (
        "N<N = 16, K = 8>, { b: 8n f32, q: K «4n» 4k i8 }",
        "axis N: `b` covers 8 coordinates of a block and `q` 4; both must cover the same",
    ),
    (
        "M«K/64»<2, 64>, { d: f16, q: 32k i8 }",
        "`K/64`: the blocks of K in the braces cover 32 coordinates, not 64; leave the weight out, or change the blocks",
    ),
    (
        "M «K»<2, 64>, { d: f16, q: K 32k i8 }",
        "axis K stands inside the braces and again before them; write it once",
    ),
    (
        "M<M = 2, K = 64>, { d: f16, «q»: 32k i8 }",
        "`q` covers 32 of the 64 coordinates of K; write K before the braces, or `K 32k` in `q`",
    ),
    (
        "MK<2, 64>, { d: f16, q: 16k «2k/32» u4 }",
        "`2k/32`: the blocks of K below it cover 16 coordinates, not 32; leave the weight out, or change the blocks",
    ),
    (
        "HW<2, 2>, { a: u5, «v»: f16 }",
        "`v` begins at bit 5, and f16 begins at bytes; write `_: u3` before it",
    ),
    (
        "HW<2, 2>, { y: 2w[0] u8, u: u8, «y»: u8 }",
        "`y` is written several times, but pieces of a field fix each step of one block once; write `y: 2w[0] ..`, `y: 2w[1] ..` and so on",
    ),
    (
        "<H = 2, W = 8>, { y: H W u8 pitch(«H = 4»), uv: H/2 W/2 2c u8 }",
        "`pitch(H = 4)`: a step takes 8 bytes; write at least 8",
    ),
    (
        "MK<2, 64>, { d: f16, q: «4k-4m» 8k i8 }",
        "`4k-4m`: `q` has no block 4m; write a block of another axis of `q`",
    ),
    (
        "MK<2, 64>, { d: f16, «q: 16k 2k/16» }",
        "`q` has no element type; write one after the digits, such as `u4`",
    ),
    (
        "MK<2, 64>, { d: f16, q: «32» i8 }",
        "`32`: a number is followed by the letter of its axis; write a block such as `32k`",
    ),
    // Those of the model beside these.
    (
        "N<N = 16>, { «w» { q: 4n i8 } }",
        "unknown element type `w`; write bool, an integer of 1 to 64 bits such as i8 or u4, or a float such as f32, f16, bf16 or f8e4m3",
    ),
    (
        "MK<2, 64>, { d: f16, q: 32k i8 «lanes»(4) }",
        "`lanes` is not a mark; write `align(..)`, `pitch(..)`, `words(..)`, `pad` or `high_first`, or a comma before another field",
    ),
    ("MK<2, 64>, «{» d: f16, q: 32k i8", "a group has no end; add its closing brace"),
    ("MKX«<M = 2, K = 64>», { d: f16, q: 32k i8 }", "axis `X` has no extent; add `X = ..`"),
    (
        "MK<2, 64>, { d: f16, «d»: f16, q: 32k i8 }",
        "`d` is written several times, but pieces of a field fix each step of one block once; write `d: 2k[0] ..`, `d: 2k[1] ..` and so on",
    ),
    (
        "«M»K<2, 64>, { d: f16, q: M 32k i8 }",
        "axis M stands inside the braces and again before them; write it once",
    ),
    (
        "K «3»_ N 16_<N = 16, K = 32>, (32k u3)",
        "`3`: a number is followed by the letter of its axis; write a block such as `3k`",
    ),
    // Others.
    (
        "MK<2, «48»>, { d: f16, q: 32k i8 }",
        "axis `K` has extent 48, which is not a multiple of its block 32; write 32 or 64, or add the option `pad` to store the rest of the last block as padding",
    ),
    (
        "«<480, 640>», { y: H W u8 }",
        "axis H is not in the format, so its extent needs a name; write `H = ..`",
    ),
    (
        "KM«<64, 2>», { d: f16, q: 32k i8 }",
        "extents of `KM` could be read in two orders; write `KM<K = 64, M = 2>` or `KM<M = 64, K = 2>`",
    ),
    (
        "MK<2, «_»>, { d: f16, q: 32k i8 }",
        "extent `_` is not known, so the text is not a record yet; write the number",
    ),
    (
        "MK<2, 64> «{» d: f16 }",
        "element type or fields are missing after the extents; write them after a comma, as in `MK<2, 64>, f16`",
    ),
    (
        "«M»K { d: f16 }",
        "axis M has no extent; write the extents before the fields, as in `<M = 64>`",
    ),
    (
        "{ d: «K» f16 }",
        "axis K has no extent; write the extents before the fields, as in `<K = 64>`",
    ),
    (
        "K<8>, { a: u8, «,» b: u8 }",
        "`,` is not an axis, block, element type or group; write a field as in `q: 16k 2k/16 u4`, its digits before its element type",
    ),
    (
        "K<8>,«»",
        "`the end` is not an axis, block, element type or group; write a field as in `q: 16k 2k/16 u4`, its digits before its element type",
    ),
    ("K<8>, «{ }»", "a group has no fields; write at least one, as in `d: f16`"),
    (
        "K<8>, { «8k i8» }",
        "a field has no name; write one and `:` before it, or `_:` for bits that belong to no field",
    ),
    (
        "K<8>, { a: f16 «b»: f16 }",
        "`b` is not a mark; write `align(..)`, `pitch(..)`, `words(..)`, `pad` or `high_first`, or a comma before another field",
    ),
    (
        "K<8>, { a: f16; b: f16«,» c: f16 }",
        "items are separated by commas and by `;`; write `;` between all of them for a buffer each, else commas",
    ),
    (
        "K<8>, { a: f16, { b: f16«;» c: f16 } }",
        "`;` puts items into a buffer each, and stands in the outermost braces alone; write a comma",
    ),
    (
        "K<8>, { a: 3k u5, b: 3k f16 } pad(«N = 0»)",
        "`pad` of axis N: the record has no such axis; name one of its axes",
    ),
    (
        "K<8>, { a: 3k u8 } pad(K = «+5»)",
        "mark `pad` is malformed; write `pad`, or for an axis `pad(N = last)`, `pad(N = keep)` or a number such as `pad(N = 5)`",
    ),
    (
        "K<8>, { a: u8 pitch(«K = 4») }",
        "`pitch` of axis K: `a` has no digit of K of its own; write the mark after the item that has the digit",
    ),
    ("K<8>, { a: u8 «pitch(4»)", "mark `pitch` is malformed; write `pitch(H = 64)`"),
    (
        "K<8>, { a: u8 align(«0») }",
        "mark `align` is malformed; write `align(64)` or `align(H = 64)`",
    ),
    (
        "K<8>, { a: u8 } «=»",
        "value rule is missing after `=`; write one such as `d * (q - 8)`, or remove `=`",
    ),
    ("K<8>, u8 align(K = 2) pad align(«K = 4»)", "option `align` is given twice; keep one"),
    ("MK<2, 64>, ggml::Q8_0 = «d»", "option `=` is given twice; keep one"),
    (
        "K<8>, u8«,» pad",
        "`,` follows the record; remove it, or write marks before `=` and without commas",
    ),
    (
        "HW<2, 4>, { y: «2w[2]» u8 }",
        "`2w[2]` fixes a step that the block does not have; write a step below 2",
    ),
    (
        "HW<2, 4>, { «y»: 2w[0] u8, u: u8 }",
        "`y` fixes one step of a block only, but pieces of a field fix each step of one block once; write `y: 2w[0] ..`, `y: 2w[1] ..` and so on",
    ),
    (
        "HW<2, 4>, { y: 2w[0] u8, «y»: 2w[1] i8 }",
        "pieces of `y` differ in their elements, axes, blocks or buffers; write the same in all of them",
    ),
    (
        "{ a: u8, «a»: u8 high_first }",
        "`a` is written several times, but pieces of a field fix each step of one block once; write `a: 2k[0] ..`, `a: 2k[1] ..` and so on",
    ),
    (
        "W<2>, { y: 2w[0] u8, «y»: 2w[1] u8 high_first }",
        "pieces of `y` differ in their elements, axes, blocks or buffers; write the same in all of them",
    ),
    (
        "MK<12, 12>, { q: «3k^4m» 4m u4 }",
        "`3k^4m`: an XOR takes sizes that are powers of two, the second one at most the first; write such sizes, or add with `+` or `-`",
    ),
    (
        "MK<12, 12>, { q: «4k-2k» 2k 2m u4 }",
        "`4k-2k`: the second block is of the same axis, fixed, or changed itself; write a plain block of another axis",
    ),
    (
        "«K»<8>, { v: f16, a: u5 }",
        "a block with `v` in it is repeated after 21 bits, and f16 begins at bytes; write `_: u3` at the end of the block",
    ),
    (
        "K«K»<8>, { v: f16 }",
        "axis K is written twice; keep one, and write a block of it as a number with a letter",
    ),
    (
        "K<64>, { q: 2k «2k/8» u4, d: 8k/8 u4 }",
        "`2k/8`: the blocks of K below it cover 2 coordinates, not 8; leave the weight out, or change the blocks",
    ),
    (
        "{ 2k/1 { a: «2k/4» u4 } }",
        "`a`: the blocks of K below `2k/4` cover 2 coordinates; write a weight of 2, so that blocks leave no gap and do not overlap",
    ),
    ("K<8>, { a: «0k» u4 }", "block `0k` has size 0; write a block of at least 1, or remove it"),
    (
        "K<8>, { a: «2k/» u4 }",
        "block `2k/` in `2k/` has no weight; write the number of coordinates in one step of the block, such as `2k/32`",
    ),
    (
        "K<8>, { a: «2k/4»u4 }",
        "weight 4 runs into `u`; write a space after the weight, such as `4r/32 4c`",
    ),
    (
        "MK<2, 64>, «ggml::q8_0»",
        "no record is named `ggml::q8_0`; write one of the library, such as `ggml::Q8_0`, or write its fields",
    ),
    (
        "MK<2, 64>, «ggml::Q9_0»",
        "no record is named `ggml::Q9_0`; write one of the library, such as `ggml::Q4_0`, or write its fields",
    ),
    (
        "PD<2, 64>, { k: «ggml::Q8_0»(x = d) }",
        "`ggml::Q8_0` has no axis X; rename one of its own, as in `ggml::Q8_0(k = d)`",
    ),
    (
        "«v9»:K<8>, u4",
        "text is in version 9 of the notation and this library reads version 1; read it with a newer version of tensor-layout",
    ),
    (
        "K<8>, { a: «4294967296»k u4 }",
        "a number takes more than 32 bits; write smaller blocks and weights",
    ),
    ("{ a: «half» }", "unknown element type `half`; write `f16`"),
    (
        "{ a: «u65» }",
        "unknown element type `u65`; write bool, an integer of 1 to 64 bits such as i8 or u4, or a float such as f32, f16, bf16 or f8e4m3",
    ),
    (
        "{ a: u4, «b»: u4 high_first }",
        "fields of both orders of bits meet in a byte where `b` begins; write `_: u4` before it, or `high_first` after all of them",
    ),
    (
        "«W»<8>, { a: u3 high_first, _: u5, b: u4 }",
        "fields of both orders of bits meet in a byte where `the group` ends; write `_: u4` at the end of the block, or `high_first` after all of them",
    ),
    (
        "{ g: { aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: { «bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb»: u8 } } }",
        "name `bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb` takes more than 64 bytes with the names of the groups around it; write shorter ones",
    ),
    (
        "K<8>, { a: u8 } = ((((((((((((((((«(»a)))))))))))))))))",
        "value rule has more than 16 brackets in one another; write fewer",
    ),
    (
        "{ s: u8 = «999999999999» * a, a: u8 }",
        "value rule `999999999999 * a`: `999999999999` is not a field, number, operator or table there; write a rule of fields such as `d * (q - 8)`, or give a destination the value of the name",
    ),
    (
        "ABCDEFGHIJKL«M»<1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>, u8",
        "layout has more than 12 axes; merge axes that are adjacent in memory",
    ),
    (
        "«K»<9223372036854775807>, { a: f64 }",
        "record takes more bytes than an address counts; write smaller extents, blocks or pitches",
    ),
    (
        "«K»<4611686018427387904>, { a: f64 }",
        "record takes more bytes than an address counts; write smaller extents, blocks or pitches",
    ),
];

/// A text without the signs around a part of it, and where the part stands.
fn marked_part(marked: &str) -> (String, std::ops::Range<usize>) {
    let start = marked.find('«').unwrap_or_else(|| panic!("{marked}"));
    let text = marked.replacen('«', "", 1);
    let end = text.find('»').unwrap_or_else(|| panic!("{marked}"));
    (text.replacen('»', "", 1), start..end)
}

/// The texts with their sentences.
pub(super) fn plain_texts() -> impl Iterator<Item = (String, &'static str)> {
    WRONG.iter().map(|(marked, sentence)| (marked_part(marked).0, *sentence))
}

#[test]
fn errors_stand_on_the_part_that_is_wrong() {
    let mut others = String::new();
    for (marked, sentence) in WRONG {
        let (text, range) = marked_part(marked);
        let error = Record::parse(&text).expect_err(&text);
        if error.message().as_str() != *sentence || error.range() != Some(range) {
            others += &format!("{marked}\n{sentence}\n{error}\n\n");
        }
    }
    assert!(others.is_empty(), "{others}");
}

/// Operands and operators in turn, numbers of 31 bits, and brackets that are closed.
#[test]
fn value_rules_are_read() {
    for rule in [
        "a",
        "-a",
        "(a - 8) * s",
        "t[a | b << 4] >> 2",
        "a / 16 & 255",
        "g.a * 2k + sum(a - -1)",
        "2147483647 * a",
        "((((((((((((((((a))))))))))))))))",
    ] {
        let text = format!("K<8>, {{ a: u8 }} = {rule}");
        assert!(Record::parse(&text).is_ok(), "{text}");
    }
    for marked in [
        "a *«»",
        "a «b»",
        "((((a«»",
        "(a«]»",
        "a«)»",
        "a(«)»",
        "b[«]»",
        "«*» a",
        "1«(»a)",
        "a «<» b",
        "2«[»a]",
        "«2147483648» * a",
        "«0.5» * a",
        "a «$» 1",
        "a «?»é",
        "«1abc» - a",
        "(a«,» b)",
    ] {
        let (text, range) = marked_part(&format!("K<8>, {{ a: u8 }} = {marked}"));
        let error = Record::parse(&text).expect_err(&text);
        assert!(error.to_string().contains("value rule `"), "{text}: {error}");
        assert_eq!(error.range(), Some(range), "{text}: {error}");
    }
}

#[test]
fn each_part_of_a_text_may_be_missing() {
    let whole = "v1:MK/32<M = 2, K = 64>, { a: 4k-8m 8m 8k/1 u4, g: { _: 3 u8, y: 2k[0] u8 } align(4), y: 2k[1] u8 } pad(K = last) = a[1] << 4";
    let mut errors = 0;
    for (start, _) in whole.char_indices() {
        for end in start + 1..=whole.len() {
            let text = format!("{}{}", &whole[..start], &whole[end..]);
            match RecordTemplate::parse(&text) {
                Ok(template) => assert_eq!(template.to_string().parse(), Ok(template), "{text}"),
                Err(error) => {
                    errors += 1;
                    let range = error.range().expect("a place");
                    assert!(text.get(range).is_some(), "{text}: {error}");
                    assert!(error.message().as_str().contains("; "), "{text}: {error}");
                }
            }
        }
    }
    assert!(errors > 1000, "{errors}");
}

#[test]
fn questions_about_what_is_not_there_are_errors() {
    let record = Record::parse("MK<2, 64>, { d: f16, q: 32k i8 }").unwrap();
    let error = |result: Result<u64, records::RecordError>| result.unwrap_err().to_string();
    assert_eq!(
        error(record.bit_offset("x", &[0, 0])),
        "record has no field `x`; write one of d, q"
    );
    assert_eq!(
        error(record.bit_offset("d", &[0])),
        "1 index is given for 2 axes; write one for each axis, in coordinate order",
    );
    assert_eq!(
        error(record.bit_offset("d", &[0, 64])),
        "index 64 is out of bounds for axis K of extent 64; write a number below 64",
    );
    assert_eq!(
        error(record.field("d").unwrap().bit_offset(&[0, 2])),
        "index 2 is out of bounds for axis K of extent 2; write a number below 2",
    );
    let odd = Record::parse("K<64>, { e: u8, d: f16, q: 32k u5 }").unwrap();
    let error = |field| odd.field(field).unwrap().elements().unwrap_err().to_string();
    assert_eq!(
        error("d"),
        "elements of `d` begin at bytes that are not multiples of their size; match on `layout` of the field, which has an axis of bytes more",
    );
    assert_eq!(
        error("q"),
        "elements of `q` do not begin and end at bytes; match on `layout` of the field, which has an axis of bits more",
    );
    let template = RecordTemplate::parse("MK<_, _>, { d: f16, q: 32k i8 }").unwrap();
    let error = |extents| template.with_extents(extents).unwrap_err().to_string();
    assert_eq!(error(&[('M', 2)]), "axis `K` has no extent; add `K = ..`");
    assert_eq!(error(&[('M', 2), ('N', 3)]), "layout has no axis `N`; write one of M, K");
    assert!(error(&[('M', 2), ('K', 48)]).contains("not a multiple of its block 32"));
}
