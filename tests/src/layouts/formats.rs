//! Every format of the systems this library speaks for: its whole memory order, walked by the
//! oracle, and its offset as the closed formula that those systems print.

use std::any::TypeId;

use tensor_layout::{StaticLayout, layout};

use crate::support::oracle::{self, Memory};

/// Compares the layout `L` with `order`, slowest first, over the axes `letters` in coordinate
/// order, and with `formula`.
fn check<L, const RANK: usize>(letters: &str, order: &str, formula: impl Fn([usize; RANK]) -> usize)
where
    L: StaticLayout<Coordinate = [usize; RANK]>,
{
    let layout = L::LAYOUT;
    let axes: Vec<_> = letters.chars().zip(layout.extents().iter().copied()).collect();
    assert_eq!(axes.len(), layout.rank(), "{order}");
    for (axis, &(letter, _)) in axes.iter().enumerate() {
        assert_eq!(layout.letters().at(axis), letter, "{order}: axis {axis}");
    }
    let memory = Memory::new(&axes, &oracle::factors(order), layout.element().bits());
    assert_eq!(layout.len(), memory.cells.len(), "{order}: length");
    for (offset, cell) in memory.cells.iter().enumerate() {
        let found = layout.coordinate(offset).map(|all| all.to_vec());
        assert_eq!(&found, cell, "{order}: what lies at offset {offset}");
    }
    for coordinate in memory.coordinates() {
        let index = <[usize; RANK]>::try_from(&coordinate[..]).unwrap();
        let expected = formula(index);
        assert_eq!(memory.offset(&coordinate), expected, "{order}: the order at {index:?}");
        assert_eq!(layout.offset(&coordinate), expected, "{order}: the value at {index:?}");
        assert_eq!(L::default().offset_of(index), expected, "{order}: the type at {index:?}");
    }
}

/// `x` rounded up to a multiple of `a`.
fn al(x: usize, a: usize) -> usize {
    x.div_ceil(a) * a
}

#[test]
fn activations_of_megengine() {
    check::<layout!(NCHW<2, 6, 3, 5>, f32), 4>("NCHW", "N C H W", |[n, c, h, w]| {
        n * 90 + c * 15 + h * 5 + w
    });
    check::<layout!(NHWC<N = 2, C = 6, H = 3, W = 5>, f32), 4>(
        "NCHW",
        "N H W C",
        |[n, c, h, w]| n * 90 + h * 30 + w * 6 + c,
    );
    check::<layout!(NHWCD4<N = 2, C = 8, H = 3, W = 5>, f16), 4>(
        "NCHW",
        "N H C W 4c",
        |[n, c, h, w]| n * 120 + h * 40 + c / 4 * 20 + w * 4 + c % 4,
    );
    check::<layout!(CHWN4<N = 2, C = 8, H = 3, W = 5>, i8), 4>(
        "NCHW",
        "C H W N 4c",
        |[n, c, h, w]| c / 4 * 120 + h * 40 + w * 8 + n * 4 + c % 4,
    );
}

#[test]
fn activations_with_blocks_of_channels() {
    macro_rules! blocked {
        ($($format:ident $block:literal $order:literal $element:ident;)*) => {$(
            // Three blocks of channels, then the same with the last of them cut short.
            check::<layout!($format<2, { 3 * $block }, 3, 5>, $element), 4>(
                "NCHW",
                $order,
                |[n, c, h, w]| {
                    (((n * 3 + c / $block) * 3 + h) * 5 + w) * $block + c % $block
                },
            );
            check::<layout!($format<2, { 3 * $block - 2 }, 3, 5>, $element, pad), 4>(
                "NCHW",
                $order,
                |[n, c, h, w]| {
                    (((n * 3 + c / $block) * 3 + h) * 5 + w) * $block + c % $block
                },
            );
        )*};
    }
    blocked! {
        NCHW4 4 "N C H W 4c" i8;
        NCHW8 8 "N C H W 8c" f32;
        NCHW16 16 "N C H W 16c" f16;
        NCHW32 32 "N C H W 32c" i8;
        NCHW64 64 "N C H W 64c" i4;
        NCHW44 4 "N C H W 4c" f32;
        NCHW88 8 "N C H W 8c" f32;
    }
}

#[test]
fn channels_of_every_group_are_padded_on_their_own() {
    // Three groups of five channels: 8 are stored for each, 24 in all.
    check::<layout!(NGCHW4c<2, 3, 5, 3, 5>, i8, pad), 5>(
        "NGCHW",
        "N G C H W 4c",
        |[n, g, c, h, w]| n * 360 + g * 120 + c / 4 * 60 + h * 20 + w * 4 + c % 4,
    );
    assert_eq!(<layout!(NGCHW4c<2, 3, 5, 3, 5>, i8, pad)>::LEN, 2 * 24 * 3 * 5);
    // At most four channels: one block, of which the rest is padding.
    check::<layout!(NCHW4<2, 3, 3, 5>, u8, pad), 4>("NCHW", "N C H W 4c", |[n, c, h, w]| {
        n * 60 + h * 20 + w * 4 + c
    });
}

#[test]
fn filters_of_megengine() {
    // NCHWp: O I/p H W p(i), without and with groups.
    check::<layout!(OIHW4i<6, 8, 3, 5>, i8), 4>("OIHW", "O I H W 4i", |[o, i, h, w]| {
        o * 120 + i / 4 * 60 + h * 20 + w * 4 + i % 4
    });
    check::<layout!(OIHW8i<3, 16, 3, 5>, i8), 4>("OIHW", "O I H W 8i", |[o, i, h, w]| {
        o * 240 + i / 8 * 120 + h * 40 + w * 8 + i % 8
    });
    check::<layout!(OIHW32i<3, 64, 1, 2>, i8), 4>("OIHW", "O I H W 32i", |[o, i, h, w]| {
        o * 128 + i / 32 * 64 + h * 64 + w * 32 + i % 32
    });
    check::<layout!(OIHW64i<3, 128, 1, 2>, u4), 4>("OIHW", "O I H W 64i", |[o, i, h, w]| {
        o * 256 + i / 64 * 128 + h * 128 + w * 64 + i % 64
    });
    check::<layout!(GOIHW4i<3, 2, 8, 3, 5>, i8), 5>("GOIHW", "G O I H W 4i", |[g, o, i, h, w]| {
        g * 240 + o * 120 + i / 4 * 60 + h * 20 + w * 4 + i % 4
    });
    // NCHW44 and NCHW88: O/p I/p H W p(i) p(o).
    check::<layout!(OIHW4i4o<12, 8, 3, 5>, f32), 4>("OIHW", "O I H W 4i 4o", |[o, i, h, w]| {
        o / 4 * 480 + i / 4 * 240 + h * 80 + w * 16 + i % 4 * 4 + o % 4
    });
    check::<layout!(OIHW8i8o<24, 16, 1, 2>, f32), 4>("OIHW", "O I H W 8i 8o", |[o, i, h, w]| {
        o / 8 * 256 + i / 8 * 128 + h * 128 + w * 64 + i % 8 * 8 + o % 8
    });
    check::<layout!(GOIHW4i4o<3, 8, 4, 2, 3>, f32), 5>(
        "GOIHW",
        "G O I H W 4i 4o",
        |[g, o, i, h, w]| g * 192 + o / 4 * 96 + i / 4 * 96 + h * 48 + w * 16 + i % 4 * 4 + o % 4,
    );
    // NCHW44_DOT: O/4 I/4 H W 4(o) 4(i).
    check::<layout!(OIHW4o4i<12, 8, 3, 5>, i8), 4>("OIHW", "O I H W 4o 4i", |[o, i, h, w]| {
        o / 4 * 480 + i / 4 * 240 + h * 80 + w * 16 + o % 4 * 4 + i % 4
    });
}

/// Filters of first layers and of single channels, and CHWN4.
#[test]
fn other_filters_of_megengine() {
    // First layer: O/p H W I p(o).
    check::<layout!(OHWI4o<O = 12, I = 3, H = 3, W = 5>, f32), 4>(
        "OIHW",
        "O H W I 4o",
        |[o, i, h, w]| o / 4 * 180 + h * 60 + w * 12 + i * 4 + o % 4,
    );
    check::<layout!(OHWI8o<O = 24, I = 3, H = 3, W = 5>, f32), 4>(
        "OIHW",
        "O H W I 8o",
        |[o, i, h, w]| o / 8 * 360 + h * 120 + w * 24 + i * 8 + o % 8,
    );
    // Channel-wise: G/p 1 1 H W p(g).
    check::<layout!(GOIHW4g<12, 1, 1, 3, 5>, f32), 5>(
        "GOIHW",
        "G O I H W 4g",
        |[g, _, _, h, w]| g / 4 * 60 + h * 20 + w * 4 + g % 4,
    );
    check::<layout!(GOIHW8g<12, 1, 1, 3, 5>, f32, pad), 5>(
        "GOIHW",
        "G O I H W 8g",
        |[g, _, _, h, w]| g / 8 * 120 + h * 40 + w * 8 + g % 8,
    );
    // CHWN4: I/4 H W O 4(i).
    check::<layout!(IHWO4i<O = 6, I = 8, H = 3, W = 5>, i8), 4>(
        "OIHW",
        "I H W O 4i",
        |[o, i, h, w]| i / 4 * 360 + h * 120 + w * 24 + o * 4 + i % 4,
    );
}

#[test]
fn filters_of_megengine_that_pad() {
    // NHWCD4 dense: O/4 H W al(I,4) 4(o).
    check::<layout!(OHWI4i4o<O = 8, I = 5, H = 2, W = 3>, f16, pad), 4>(
        "OIHW",
        "O H W I 4i 4o",
        |[o, i, h, w]| ((o / 4 * 2 + h) * 3 + w) * al(5, 4) * 4 + i * 4 + o % 4,
    );
    // NHWCD4 dot: O/4 H W I/4 4(o) 4(i).
    check::<layout!(OHWI4o4i<O = 8, I = 5, H = 2, W = 3>, i8, pad), 4>(
        "OIHW",
        "O H W I 4o 4i",
        |[o, i, h, w]| {
            (((o / 4 * 2 + h) * 3 + w) * (al(5, 4) / 4) + i / 4) * 16 + o % 4 * 4 + i % 4
        },
    );
    // NCHW4 weight: al(O,4) I/4 H W 4(i), both padded.
    type Weight = layout!(O4oIHW4i<6, 5, 2, 3>, i8, pad);
    check::<Weight, 4>("OIHW", "O 4o I H W 4i", |[o, i, h, w]| {
        (((o * (al(5, 4) / 4) + i / 4) * 2 + h) * 3 + w) * 4 + i % 4
    });
    assert_eq!(Weight::LEN, al(6, 4) * al(5, 4) * 2 * 3);
}

#[test]
fn memory_formats_of_pytorch() {
    check::<layout!(NHWC<N = 1, C = 64, H = 5, W = 4>, f32), 4>(
        "NCHW",
        "N H W C",
        |[n, c, h, w]| n * 1280 + c + h * 256 + w * 64,
    );
    type Last3d = layout!(NDHWC<N = 2, C = 3, D = 4, H = 5, W = 6>, f32);
    check::<Last3d, 5>("NCDHW", "N D H W C", |[n, c, d, h, w]| {
        n * 360 + c + d * 90 + h * 18 + w * 3
    });
    assert_eq!(Last3d::STRIDES, Some([360, 1, 90, 18, 3]));
    check::<layout!(NCDHW<2, 3, 4, 5, 6>, f32), 5>("NCDHW", "N C D H W", |[n, c, d, h, w]| {
        n * 360 + c * 120 + d * 30 + h * 6 + w
    });
}

#[test]
fn filters_of_onednn() {
    check::<layout!(OIHW4i16o4i<32, 32, 1, 2>, i8), 4>(
        "OIHW",
        "O I H W 4i 16o 4i",
        |[o, i, h, w]| {
            let outer = ((o / 16 * 2 + i / 16) + h) * 2 + w;
            outer * 256 + i % 16 / 4 * 64 + o % 16 * 4 + i % 4
        },
    );
    check::<layout!(OIHW16i16o<32, 32, 1, 2>, f32), 4>(
        "OIHW",
        "O I H W 16i 16o",
        |[o, i, h, w]| (((o / 16 * 2 + i / 16) + h) * 2 + w) * 256 + i % 16 * 16 + o % 16,
    );
    check::<layout!(ABcd4b16a4b<20, 17, 1, 2>, i8, pad), 4>(
        "ABCD",
        "A B C D 4b 16a 4b",
        |[o, i, h, w]| {
            let outer = ((o / 16 * 2 + i / 16) + h) * 2 + w;
            outer * 256 + i % 16 / 4 * 64 + o % 16 * 4 + i % 4
        },
    );
}

#[test]
fn rows_of_4_bit_elements_are_rounded_up_to_bytes() {
    type Rows = layout!(NCHW<16, 32, 7, 7>, i4, pad);
    assert_eq!((Rows::STRIDES, Rows::BYTES), (Some([1792, 56, 8, 1]), 14_336));
    // One element of padding after each row; the oracle limits their number.
    check::<layout!(NCHW<2, 3, 5, 7>, u4, pad), 4>("NCHW", "N C H W", |[n, c, h, w]| {
        n * 120 + c * 40 + h * 8 + w
    });
    type Even = layout!(NCHW<2, 3, 5, 8>, i4);
    assert_eq!((Even::STRIDES, Even::BYTES), (Some([120, 40, 8, 1]), 120));
}

#[test]
fn rows_of_an_image_are_aligned_to_bytes() {
    // Rows of 10 pixels of 4 scalars are 80 bytes of f16 and take 128.
    type Image = layout!(NHWCD4<N = 2, C = 8, H = 3, W = 5>, f16, align(H = 64));
    check::<Image, 4>("NCHW", "N H align64 C W 4c", |[n, c, h, w]| {
        (n * 3 + h) * 64 + c / 4 * 20 + w * 4 + c % 4
    });
    assert_eq!(Image::ALIGN, 64);
}

#[test]
fn eight_axes_and_none() {
    check::<layout!(hgfedcba<2, 3, 1, 2, 3, 1, 2, 2>, u8), 8>(
        "ABCDEFGH",
        "H G F E D C B A",
        |[a, b, c, d, e, f, g, h]| {
            let reversed = [(h, 2), (g, 2), (f, 1), (e, 3), (d, 2), (c, 1), (b, 3), (a, 2)];
            reversed.iter().fold(0, |offset, (index, extent)| offset * extent + index)
        },
    );
    check::<layout!(SCALAR, f64), 0>("", "", |[]| 0);
}

/// Whether the two are one type, so that a value of one passes for the other.
fn same_type<A: StaticLayout + 'static, B: StaticLayout + 'static>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// Whether both map the same coordinates to the same offsets.
fn same_memory<A: StaticLayout, B: StaticLayout>() -> bool {
    let (a, b) = (A::LAYOUT, B::LAYOUT);
    a.len() == b.len() && (0..a.len()).all(|i| a.coordinate(i) == b.coordinate(i))
}

#[test]
fn names_with_the_same_letters_are_the_same_type() {
    type Blocked = layout!(NCHW16c<2, 32, 3, 5>, f32);
    assert!(same_type::<Blocked, layout!(NCHW16<2, 32, 3, 5>, f32)>());
    assert!(same_type::<Blocked, layout!(nChw16c<2, 32, 3, 5>, f32)>());
    assert!(same_type::<Blocked, layout!(NCHW16c<C = 32, W = 5, N = 2, H = 3>, f32)>());
    assert!(same_type::<layout!(NCHW44<2, 8, 3, 5>, f32), layout!(nChw4c<2, 8, 3, 5>, f32)>());
    assert!(same_type::<
        layout!(NHWCD4<N = 2, C = 8, H = 3, W = 5>, f32),
        layout!(nhCw4c<N = 2, C = 8, H = 3, W = 5>, f32),
    >());
    assert!(same_type::<
        layout!(CHWN4<N = 2, C = 8, H = 3, W = 5>, f32),
        layout!(ChwN4c<N = 2, C = 8, H = 3, W = 5>, f32),
    >());
    assert!(!same_type::<Blocked, layout!(NCHW16c<2, 32, 5, 3>, f32)>());
    assert!(!same_type::<Blocked, layout!(NCHW16c<2, 32, 3, 5>, i32)>());
    assert!(!same_type::<Blocked, layout!(NCHW8c<2, 32, 3, 5>, f32)>());
}

#[test]
fn names_with_other_letters_have_the_same_memory() {
    macro_rules! pairs {
        ($($own:ident [$($extents:tt)*] $other:ident;)*) => {$(
            assert!(
                same_memory::<
                    layout!($own<$($extents)*>, i8),
                    layout!($other<32, 32, 2, 3>, i8),
                >(),
                stringify!($own),
            );
        )*};
    }
    pairs! {
        NCHW [32, 32, 2, 3] abcd;
        NHWC [N = 32, C = 32, H = 2, W = 3] acdb;
        NCHW4c [32, 32, 2, 3] aBcd4b;
        NCHW8c [32, 32, 2, 3] aBcd8b;
        NCHW16c [32, 32, 2, 3] aBcd16b;
        NCHW32c [32, 32, 2, 3] aBcd32b;
        OIHW4i16o4i [32, 32, 2, 3] ABcd4b16a4b;
        OIHW16i16o [32, 32, 2, 3] ABcd16b16a;
        HWIO [O = 32, I = 32, H = 2, W = 3] cdba;
    }
    type First = layout!(NCHW<32, 32, 2, 3>, i8);
    assert!(!same_memory::<First, layout!(NHWC<N = 32, C = 32, H = 2, W = 3>, i8)>());
    type Filter = layout!(OIHW16i16o<32, 32, 2, 3>, i8);
    assert!(!same_memory::<Filter, layout!(OIHW16o16i<32, 32, 2, 3>, i8)>());
}
