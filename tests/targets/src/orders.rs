//! Blocks in another order than they nest, and swizzled tiles, against arithmetic by hand.

use tensor_layout::{Relayout, layout};

/// Runs all, and returns how many.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    scales() + tiles()
}

/// Scale factors as cuBLAS reads them, there and back.
#[inline(never)]
fn scales() -> usize {
    type Rows = layout!(RC<R = 40, C = 5>, u8);
    type Scales = layout!(RC32r4r/32 4c<R = 40, C = 5>, u8, pad = 9);
    #[derive(Relayout)]
    #[relayout(Rows => Scales)]
    struct Pack;
    #[derive(Relayout)]
    #[relayout(Scales => Rows)]
    struct Unpack;

    let by_hand = |r: usize, c: usize| c / 4 * 512 + r % 32 * 16 + r / 32 * 4 + c % 4;
    let rows: [u8; Rows::LEN] = core::array::from_fn(|i| (i % 199) as u8 + 10);
    let mut expected = [9; Scales::LEN];
    for (i, row) in rows.iter().enumerate() {
        let (r, c) = (i / 5, i % 5);
        assert_eq!(Scales::offset([r, c]), by_hand(r, c), "{r}, {c}");
        assert_eq!(Scales::coordinate(by_hand(r, c)), Some([r, c]), "{r}, {c}");
        expected[by_hand(r, c)] = *row;
    }
    let mut scales = [0; Scales::LEN];
    Pack::run_arrays(&rows, &mut scales);
    assert!(scales == expected, "scale factors");
    let mut back = [0; Rows::LEN];
    Unpack::run_arrays(&scales, &mut back);
    assert!(back == rows, "rows of scale factors");
    2
}

/// A tile in the swizzle of 128 bytes: to another buffer, in place, and to columns.
#[inline(never)]
fn tiles() -> usize {
    type Rows = layout!(MK<16, 64>, u16);
    type Tile = layout!(MK<16, 64>, u16, swizzle = b128);
    type Columns = layout!(KM<M = 16, K = 64>, u16);
    #[derive(Relayout)]
    #[relayout(Rows => Tile)]
    struct Fill;
    #[derive(Relayout)]
    #[relayout(Tile => Columns)]
    struct Turn;

    let by_hand = |m: usize, k: usize| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
    let mut tile = [0; Tile::LEN];
    {
        let rows: [u16; Rows::LEN] = core::array::from_fn(|i| i as u16);
        Fill::run_arrays(&rows, &mut tile);
    }
    for (m, k) in (0..16).flat_map(|m| (0..64).map(move |k| (m, k))) {
        assert_eq!(Tile::offset([m, k]), by_hand(m, k), "{m}, {k}");
        assert_eq!(Tile::coordinate(by_hand(m, k)), Some([m, k]), "{m}, {k}");
        assert_eq!(usize::from(tile[by_hand(m, k)]), m * 64 + k, "{m}, {k}");
    }
    let mut columns = [0; Columns::LEN];
    Turn::run_arrays(&tile, &mut columns);
    for (i, element) in columns.iter_mut().enumerate() {
        assert_eq!(usize::from(*element), i % 16 * 64 + i / 16, "{i}");
        *element = i as u16;
    }
    // The numbers are those of rows now.
    Fill::run_in_place(&mut columns);
    assert!(columns == tile, "in place");
    3
}
