//! From bits to coordinates: each bit of an element leads to it, and all others to nothing.

use std::collections::HashMap;

use tensor_layout::records::{KNOWN_RECORDS, Record, RecordTemplate};

use super::vectors::{coordinates, parsed};

/// Digits that others are added to, and pieces in falling order and at unequal distances.
const OTHERS: &[&str] = &[
    "<N = 16, K = 16>, { N { bias: 8n i32, w: K 4k-8n 8n 2k i8, _: 16 u8 } }",
    "<N = 7, K = 10>, { N { w: K 4k+8n 8n 2k u4 } } pad",
    "<M = 8, K = 16>, { q: K M 8k^4m 4m u8 }",
    "<M = 9, K = 6>, { q: K M 3k-3m 3m u5, _: u2 }",
    "HW<2, 6>, { hi: 2w u5, lo: 2w u3 } high_first",
    "HW<3, 5>, u12 high_first align(H = 1)",
    "HW<2, 4>, { y: 2w[1] u8, u: u8, y: 2w[0] u8 }",
    "W<8>, { a: 4w[0] u8, a: 4w[1] u8, b: u8, a: 4w[2] u8, a: 4w[3] u8 }",
    "MK<3, 10>, { a: 4k[2] u4, 2k { a: 4k/2[0] u4, b: u4 }, a: 4k[1] u4, a: 4k[3] u4, _: u4 } pad",
    "<H = 5, W = 7>, { y: H W u8 pitch(H = 8), uv: H/2 W/2 2c u8 pitch(H = 8) }",
    "<K = 8, N = 4>, { q: K N 4n i8; s: f32 }",
    "B<0>, { x: f32, y: u8 }",
];

#[test]
fn bits_lead_to_their_elements() {
    let least = |text: &str| {
        let template = RecordTemplate::parse(text).unwrap();
        let letters = template.unknown();
        let with = |extent: usize| {
            let own =
                |i| (letters.at(i), if letters.at(i) == 'M' { extent.min(16) } else { extent });
            template.with_extents(&(0..letters.count()).map(own).collect::<Vec<_>>()).ok()
        };
        (3..9).find_map(|power| with(1 << power)).unwrap_or_else(|| panic!("{text}"))
    };
    let known = KNOWN_RECORDS.iter().map(|known| least(known.text()));
    let mut elements = 0;
    for record in known.chain(OTHERS.iter().filter_map(|text| Record::parse(text).ok())) {
        for i in 0..record.field_count() {
            let name = record.field_name(i);
            let field = record.field(name.as_str()).unwrap();
            let mut owners = HashMap::new();
            for at in coordinates(field.extents()) {
                let first = field.bit_offset(&at).unwrap();
                owners.extend((0..field.bits() as u64).map(|bit| (first + bit, at.clone())));
                elements += 1;
            }
            let end = 8 * record.bytes(field.buffer()) as u64;
            // Large records by some of their bits.
            for bit in (0..end).step_by(1 + end as usize / 40_000).chain([end, end + 1, u64::MAX]) {
                let own = field.coordinate(bit);
                let expected = owners.get(&bit).map(Vec::as_slice);
                assert_eq!(own.as_deref(), expected, "bit {bit}, `{name}` of {record}");
            }
        }
    }
    assert!(elements > 10_000, "{elements}");
    assert!(OTHERS.iter().filter(|text| Record::parse(text).is_err()).count() < 2);
    assert_eq!(parsed("N<2>, u8").field("").unwrap().coordinate(9).as_deref(), Some(&[1][..]));
}
