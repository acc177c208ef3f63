//! The library's records with small extents, and some with what those lack.

use tensor_layout::records::{KNOWN_RECORDS, Record, RecordTemplate};

const OTHERS: &[&str] = &[
    // Digits that others are added to.
    "<N = 16, K = 16>, { N { bias: 8n i32, w: K 4k-8n 8n 2k i8, _: 16 u8 } }",
    "<N = 7, K = 10>, { N { w: K 4k+8n 8n 2k u4 } } pad",
    "<M = 8, K = 16>, { q: K M 8k^4m 4m u8 }",
    "<M = 9, K = 6>, { q: K M 3k-3m 3m u5, _: u2 }",
    // Elements that begin at any bit, either one first, and at odd bytes.
    "HW<2, 6>, { hi: 2w u5, lo: 2w u3 } high_first",
    "HW<3, 5>, u12 high_first align(H = 1)",
    "K<64>, { e: f8e8m0, d: f16, q: 16k 2k/16 u4 }",
    // Pieces in falling order, and two buffers.
    "HW<2, 4>, { y: 2w[1] u8, u: u8, y: 2w[0] u8 }",
    "<K = 8, N = 4>, { q: K N 4n i8; s: f32 }",
    "B<0>, { x: f32, y: u8 }",
];

/// The library's records with the least extents that they have, and the others.
pub(super) fn all_records() -> impl Iterator<Item = Record> {
    let known = KNOWN_RECORDS.iter().map(|known| {
        let template = RecordTemplate::parse(known.text()).expect("a record");
        let letters = template.unknown();
        let with = |extent: usize| {
            let of = |letter| (letter, if letter == 'M' { extent.min(16) } else { extent });
            let extents: Vec<_> = (0..letters.count()).map(|i| of(letters.at(i))).collect();
            template.with_extents(&extents).ok()
        };
        (3..12).find_map(|power| with(1 << power)).unwrap_or_else(|| panic!("{template}"))
    });
    known.chain(OTHERS.iter().map(|text| Record::parse(text).expect("a record")))
}
