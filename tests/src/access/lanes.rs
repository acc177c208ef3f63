//! Accesses out of layouts, and how their costs print.

use tensor_layout::access::{Access, Banks, Segments, coalescing, conflicts};
use tensor_layout::{ElementType, Layout, layout, view};

type Tile = layout!(MK<128, 64>, f16);

fn starts(access: &Access) -> Vec<usize> {
    (0..access.lanes()).map(|lane| access.start(lane)).collect()
}

#[test]
fn axes_that_are_lanes_and_axes_that_are_values() {
    // ldmatrix.x4 of a fragment of 16x16: matrix l / 8, row l % 8.
    let quarter = view!(
        Tile::LAYOUT,
        slice('M', 16, 1, 16),
        slice('K', 32, 1, 16),
        tile('K', &[('H', 2), ('K', 8)])
    );
    let access = Access::of(&quarter, "HM");
    let by_hand: Vec<usize> =
        (0..32).map(|lane| 2 * ((16 + lane % 16) * 64 + 32 + lane / 16 * 8)).collect();
    assert_eq!((starts(&access), access.bytes()), (by_hand, 16));
    assert_eq!(starts(&access.based(1024))[0], access.start(0) + 1024);
    assert!(access.is_active(31) && !access.is_active(32));
    assert!(!access.only(0b101).is_active(1));
}

#[test]
fn a_fragment_is_read_register_by_register() {
    // A of m16n8k16, lanes and registers: m % 8, k / 2 % 4 | k / 8, m / 8, k % 2.
    let digits = Layout::of("ABCDE", &[8, 4, 2, 2, 2], ElementType::F16).unwrap();
    let fragment = digits.merge("DA", 'M').unwrap().merge("CBE", 'K').unwrap();
    let error = Access::checked_of_fragment(&Tile::LAYOUT, &[0, 0], &fragment, 0..2).unwrap_err();
    assert!(error.to_string().starts_with("fragment is not distributed over lanes"), "{error}");
    let fragment = fragment.over_lanes(32).unwrap();
    for register in (0..8).step_by(2) {
        let access = Access::of_fragment(&Tile::LAYOUT, &[0, 0], &fragment, register..register + 2);
        let by_hand: Vec<usize> = (0..32)
            .map(|lane| (lane / 4 + register / 2 % 2 * 8, lane % 4 * 2 + register / 4 * 8))
            .map(|(m, k)| 2 * (m * 64 + k))
            .collect();
        assert_eq!((starts(&access), access.bytes()), (by_hand, 4));
        assert_eq!(conflicts(&access, &Banks::NVIDIA).degree(), 8);
    }
    let refused =
        |registers| Access::checked_of_fragment(&Tile::LAYOUT, &[0, 0], &fragment, registers);
    assert!(refused(0..9).is_err() && refused(3..3).is_err());
    let error = refused(0..4).unwrap_err().to_string();
    assert!(error.starts_with("the elements of lane 0 are not contiguous"), "{error}");
    let outside = Access::checked_of_fragment(&Tile::LAYOUT, &[124, 0], &fragment, 0..2);
    assert!(outside.unwrap_err().to_string().contains("axis `M`"));
    assert!(Access::checked_of_fragment(&Tile::LAYOUT, &[0], &fragment, 0..2).is_err());
    let error = refused(4..9).unwrap_err().to_string();
    assert_eq!(
        error,
        "registers end at 9, but each lane of the fragment holds 8; write a range within 0..8"
    );
    let smaller = Layout::of("MK", &[16, 8], ElementType::F16).unwrap();
    assert!(Access::checked_of_fragment(&smaller, &[0, 0], &fragment, 4..6).is_err());
    let padded = Layout::builder("MK4k", ElementType::F16).pad(0).extents(&[16, 7]).unwrap();
    let padded = padded.over_lanes(32).unwrap();
    let error =
        Access::checked_of_fragment(&smaller, &[0, 0], &padded, 0..4).unwrap_err().to_string();
    assert_eq!(error, "register 3 of lane 1 holds padding; write a fragment without padding");
}

#[test]
fn what_is_not_an_access_says_why() {
    let tile = Tile::LAYOUT;
    let error = |view: &Layout, lanes| Access::checked_of(view, lanes).unwrap_err().to_string();
    assert_eq!(
        error(&tile, "M"),
        "access has 128 lanes; write an access of 1 to 64 lanes for each instruction"
    );
    let rows = tile.slice('M', 0, 1, 8).unwrap();
    assert!(error(&rows, "MX").contains("`X`"), "{}", error(&rows, "MX"));
    assert!(error(&rows, "Mé").contains("`Mé`"), "{}", error(&rows, "Mé"));
    assert!(error(&rows, "MM").contains("twice"), "{}", error(&rows, "MM"));
    assert_eq!(
        error(&rows, "K"),
        "the elements of lane 0 are not contiguous: two in a row are 64 elements apart; let each lane read \
         contiguous elements, or make one access for each element"
    );
    let nibbles = Layout::of("MK", &[4, 6], ElementType::I4).unwrap();
    assert!(error(&nibbles, "MK").contains("whole bytes"));
    assert!(error(&nibbles.slice('K', 1, 1, 2).unwrap(), "M").contains("whole bytes"));
    assert!(error(&nibbles.slice('M', 0, 1, 0).unwrap(), "M").contains("0 lanes"));
    assert!(error(&nibbles.slice('K', 0, 1, 0).unwrap(), "M").contains("0 bytes"));
    assert!(Access::checked_at(&[0; 65], 4).is_err() && Access::checked_at(&[0], 0).is_err());
}

#[test]
fn costs_print() {
    let column = Access::of(&view!(Tile::LAYOUT, slice('M', 0, 1, 4), index('K', 0)), "M");
    assert_eq!(
        conflicts(&column, &Banks::NVIDIA).to_string(),
        "4-way bank conflict: lanes 0, 1, 2 and 3 want 4 words of bank 0, and 1 phase takes 4 \
         wavefronts; pad the rows or swizzle the layout, as `access::padding` and \
         `access::swizzle` find"
    );
    let row = Access::of(&view!(Tile::LAYOUT, index('M', 3)), "K");
    assert_eq!(
        conflicts(&row, &Banks::NVIDIA).to_string(),
        "no bank conflicts: 2 wavefronts for 2 phases"
    );
    assert_eq!(
        coalescing(&row, &Segments::NVIDIA).to_string(),
        "4 sectors in 1 line: 128 of 128 bytes are used"
    );
    assert_eq!(coalescing(&column, &Segments::NVIDIA).efficiency(), 8.0 / 128.0);
}
