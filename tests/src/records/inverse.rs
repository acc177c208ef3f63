//! From bits to coordinates: each bit of an element leads to it, and all others to nothing.

use std::collections::HashMap;

use test_support::coordinates;

use super::all_records::all_records;
use super::vectors::parsed;

/// Pieces at unequal distances, and pitches.
const OTHERS: &[&str] = &[
    "W<8>, { a: 4w[0] u8, a: 4w[1] u8, b: u8, a: 4w[2] u8, a: 4w[3] u8 }",
    "<H = 5, W = 7>, { y: H W u8 pitch(H = 8), uv: H/2 W/2 2c u8 pitch(H = 8) }",
];

#[test]
fn bits_lead_to_their_elements() {
    let mut elements = 0;
    for record in all_records().chain(OTHERS.iter().map(|text| parsed(text))) {
        for i in 0..record.field_count() {
            let name = record.field_name(i);
            let field = record.field(name.as_str()).unwrap();
            // Of 32 columns, words of 32 bits lie side by side.
            let is_cut = name.as_str() == "q" && record.to_string().contains("u3 words(N = 4)");
            let mut owners = HashMap::new();
            for at in coordinates(field.extents()) {
                let first = field.bit_offset(&at).unwrap();
                let place = |bit: u64| match is_cut {
                    true => {
                        first - first % 32 + (first % 32 + bit) / 32 * 1024 + (first + bit) % 32
                    }
                    false => first + bit,
                };
                owners.extend((0..field.bits() as u64).map(|bit| (place(bit), at.clone())));
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
    assert_eq!(parsed("N<2>, u8").field("").unwrap().coordinate(9).as_deref(), Some(&[1][..]));
}
