use super::*;

named_format!(TILED = NCHW4h4w4c);
named_format! {
    /// Attributes and comments are welcome.
    #[rustfmt::skip]
    LEADING = 4cNCHW;
}

/// Formats that the whole crate sees, by path.
pub mod formats {
    tensor_layout::named_format!(PAIRS = NCHW2c);
    tensor_layout::named_format!(QUADS = NCHW4c);
    tensor_layout::named_format!(HEADS = BSHD);
    pub(crate) use {HEADS, PAIRS, QUADS};
}

named_format!(
    /// Blocks of 16 channels.
    #[macro_export]
    EXPORTED = NCHW16c
);

type Tiled = layout!(TILED!<1, 64, 8, 8>, i8);
type Heads = layout!(formats::HEADS!<B = 8, H = 12, S = 128, D = 64>, f32);

#[derive(Relayout)]
#[relayout(layout!(NCHW<1, 64, 8, 8>, i8) => layout!(TILED!<1, 64, 8, 8>, i8))]
struct Tile;

fn generic<const C: usize>(_: layout!(formats::PAIRS!<1, C, 1, 1>, f32)) -> usize {
    C
}

#[test]
fn formats_have_names_at_every_scope() {
    same(Tiled::default(), <layout!(NCHW4h4w4c<1, 64, 8, 8>, i8)>::default());
    assert_eq!(<layout!(LEADING!<1, 8, 1, 1>, i8)>::offset([0, 1, 0, 0]), 2);
    assert_eq!(Heads::EXTENTS, [8, 128, 12, 64]);
    assert_eq!(generic::<6>(Default::default()), 6);
    same(
        <layout!(self::formats::PAIRS!<1, 6, 1, 1>, f32)>::default(),
        <layout!(crate::macros::named::formats::PAIRS!<1, 6, 1, 1>, f32)>::default(),
    );
    assert_eq!(<layout!(EXPORTED!<1, 16, 1, 1>, f32)>::LEN, 16);
    assert_eq!(Tile::constant(&[1; 4096]), [1; 4096]);

    named_format!(LOCAL = NHCW2w);
    assert_eq!(<layout!(LOCAL!<N = 1, C = 2, H = 2, W = 4>, i8)>::offset([0, 1, 0, 1]), 5);
    assert_eq!(<layout!(LOCAL!<N = 1, C = 2, H = 2, W = 3>, i8, pad)>::LEN, 16);
}
