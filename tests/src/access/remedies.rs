//! Paddings and swizzles that remove conflicts, compared with all paddings and swizzles, tried one by one.

use proptest::collection::vec;
use proptest::prelude::*;
use tensor_layout::access::{Access, Banks, Unresolved, conflicts, padding, swizzle};
use tensor_layout::{Swizzle, layout, view};

use crate::support::random::cases;

fn moved(access: &Access, to: impl Fn(usize) -> usize) -> Access {
    let starts: Vec<usize> = (0..access.lanes()).map(|lane| to(access.start(lane))).collect();
    Access::at(&starts, access.bytes())
}

fn is_free(access: &Access) -> bool {
    conflicts(access, &Banks::NVIDIA).degree() <= 1
}

#[test]
fn the_swizzle_of_tensor_core_operands_is_found() {
    type Tile = layout!(MK<128, 64>, f16);
    const ROWS: Access = Access::of(
        &view!(
            Tile::LAYOUT,
            slice('M', 0, 1, 16),
            slice('K', 0, 1, 16),
            tile('K', &[('H', 2), ('K', 8)])
        ),
        "HM",
    );
    const COLUMNS: Access = Access::of(
        &view!(Tile::LAYOUT, slice('M', 0, 1, 1), tile('K', &[('H', 8), ('K', 8)])),
        "HM",
    );
    const FOUND: Result<Swizzle, Unresolved> = swizzle(&[ROWS, COLUMNS], &Banks::NVIDIA);
    const PAD: Result<usize, Unresolved> = padding(&[ROWS, COLUMNS], 128, &Banks::NVIDIA);
    assert_eq!(conflicts(&ROWS, &Banks::NVIDIA).degree(), 8);
    assert_eq!((FOUND, PAD), (Ok(Swizzle::B128), Ok(16)));
}

#[test]
fn what_cannot_be_removed_says_why() {
    let none = Access::at(&[0, 4, 8], 4);
    assert_eq!(padding(&[none], 128, &Banks::NVIDIA), Ok(0));
    assert_eq!(swizzle(&[none], &Banks::NVIDIA), Ok(Swizzle::new(0, 0, 0)));
    let wide = Access::at(&[0], 256);
    let why = Err(Unresolved::TooManyWords { access: 0, words: 64, banks: 32 });
    assert_eq!(padding(&[none, wide], 512, &Banks::NVIDIA).map_err(|_| ()), Err(()));
    assert_eq!(padding(&[wide], 512, &Banks::NVIDIA), why);
    let three = Banks { count: 3, ..Banks::NVIDIA };
    assert_eq!(swizzle(&[wide], &three), Err(Unresolved::NotPowersOfTwo));
    let torn = Access::at(&[0, 128, 252], 8);
    assert_eq!(padding(&[torn], 256, &Banks::NVIDIA), Err(Unresolved::Torn { access: 0, lane: 2 }));
    assert_eq!(swizzle(&[torn], &Banks::NVIDIA), Err(Unresolved::Torn { access: 0, lane: 2 }));
    // A column and a row of 33 words, two of which are in one bank for every length of rows.
    let row = Access::at(&[0, 4, 128], 4);
    let why = Unresolved::SameRow { access: 0, lanes: [0, 2] };
    assert_eq!(padding(&[row], 256, &Banks::NVIDIA), Err(why));
    assert_eq!(
        why.to_string(),
        "lanes 0 and 2 of access 0 conflict in one row, where padding keeps their distance; use a \
         swizzle"
    );
    // Every pair of 64 words in one bank: the 32 lanes of a phase differ in 5 bits, not in 6.
    let starts: Vec<usize> = (0..32).map(|i| (i * i * 37 % 64) * 128).collect();
    let hard = Access::at(&starts, 4);
    if let Err(why) = swizzle(&[hard], &Banks::NVIDIA) {
        assert!(matches!(why, Unresolved::Tried { candidates } if candidates > 0));
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_smallest_padding_is_found(
        rows in vec((0usize..16, 0usize..32), 2..=32),
        row in 32usize..80,
        width in 0u32..3,
    ) {
        let bytes = 4usize << width;
        let row = (row * 4).next_multiple_of(bytes);
        let starts: Vec<usize> =
            rows.iter().map(|(i, j)| i * row + j * 4 / bytes * bytes % row).collect();
        let access = Access::at(&starts, bytes);
        let tried = (0..256).step_by(bytes)
            .find(|pad| is_free(&moved(&access, |at| at + at / row * pad)));
        prop_assert_eq!(padding(&[access], row, &Banks::NVIDIA).ok(), tried);
    }

    #[test]
    fn the_smallest_swizzle_is_found(
        rows in vec((0usize..32, 0usize..32), 2..=32),
        row in 5u32..8,
        width in 0u32..3,
    ) {
        let bytes = 4usize << width;
        let starts: Vec<usize> =
            rows.iter().map(|(i, j)| (i << (row + 2)) + j * 4 / bytes * bytes % (4 << row)).collect();
        let access = Access::at(&starts, bytes);
        let all = (1..=5).flat_map(|bits| (2 + width as usize..8).flat_map(move |base| {
            (bits..12).map(move |shift| Swizzle::new(bits, base, shift as isize))
        }));
        let mut all = std::iter::once(Swizzle::new(0, 0, 0)).chain(all);
        let tried = all.find(|swizzle| is_free(&moved(&access, |at| swizzle.apply(at))));
        let found = swizzle(&[access], &Banks::NVIDIA).ok();
        // Another swizzle with the same number of bits and no more conflicts.
        prop_assert_eq!(found.map(Swizzle::bits), tried.map(Swizzle::bits));
        if let Some(found) = found {
            prop_assert!(is_free(&moved(&access, |at| found.apply(at))));
        }
    }
}
