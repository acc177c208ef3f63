//! Types with strides of blocks and with options of views, beside sums that are written out.

use tensor_layout::{Layout, LayoutType, Relayout, Tensor, layout};

const START: isize = 72;
const ROW: isize = -12;
const LENGTH: usize = 12 * 12;
const FIRST: usize = 3;

type Part = layout!(HW<2, 3>, i16, strides = [ROW, 1], from START of LENGTH);
type Blocks = layout!(NCHW4<1, 7, 2, 3>, u8, strides = [99, 40, { 4 * 4 }, 4, 1]);
type Inside =
    layout!(CHW4c<8, 3, 3>, u8, strides = [36, 12, 4, 1], C from FIRST, from 39 of { 8 * LENGTH });
type Windows = layout!(TW<5, 3>, f32, strides = [1, 1], overlap);
type Gaps = layout!(HW<2, 3>, u8, pad = 9, strides = [5, 1], len = { 5 + 6 });

/// Compares a type with its text and with the offset of each coordinate.
fn check<L: LayoutType<Coordinate = [usize; N]>, const N: usize>(
    layout: L,
    text: &str,
    offset: impl Fn([isize; N]) -> isize,
) {
    let value = layout.layout();
    assert_eq!(Layout::parse(text), Ok(value), "{text}");
    for coordinate in test_support::coordinates(value.extents()) {
        let coordinate: [usize; N] = coordinate.try_into().unwrap();
        let expected = offset(coordinate.map(|index| index as isize));
        assert_eq!(layout.offset_of(coordinate) as isize, expected, "{text}: {coordinate:?}");
        assert_eq!(value.offset(&coordinate) as isize, expected, "{text}: {coordinate:?}");
    }
}

#[test]
fn options_of_views_are_those_of_texts() {
    let part = |[h, w]: [isize; 2]| 72 - 12 * h + w;
    check(Part::default(), "HW<2, 3>, i16, strides = [-12, 1], from 72 of 144", part);
    let blocks = |[_, c, h, w]: [isize; 4]| c / 4 * 40 + h * 16 + w * 4 + c % 4;
    check(Blocks::default(), "NCHW4<1, 7, 2, 3>, u8, strides = [99, 40, 16, 4, 1]", blocks);
    let inside = |[c, h, w]: [isize; 3]| 36 + (c + 3) / 4 * 36 + h * 12 + w * 4 + (c + 3) % 4;
    let text = "CHW4c<8, 3, 3>, u8, strides = [36, 12, 4, 1], C from 3, from 39 of 1152";
    check(Inside::default(), text, inside);
    check(Windows::default(), "TW<5, 3>, f32, strides = [1, 1], overlap", |[t, w]| t + w);
    check(Gaps::default(), "HW<2, 3>, u8, pad = 9, strides = [5, 1], len = 11", |[h, w]| 5 * h + w);
    assert_eq!(
        (Part::LEN, Blocks::LEN, Inside::LEN, Windows::LEN),
        (144, 40 + 16 + 8 + 3, 1152, 7)
    );
    assert!(Part::IS_UNIQUE && !Windows::IS_UNIQUE && Gaps::LAYOUT.fill() == Some(9));
}

#[test]
fn extents_found_later_have_the_same_options() {
    type Rows = layout!(HW<_, 3>, u8, strides = [-12, 2], from 72 of 144);
    type Windows = layout!(TW<_, 3>, u8, strides = [2, 1], overlap);
    type Channels = layout!(CHW4c<_, 2, 2>, u8, strides = [30, 9, 4, 1], C from 2, from 1 of 100);
    type Back = layout!(CW4c<_, _>, u8, strides = [-30, 4, 1]);
    for h in 1..=7 {
        let text = format!("HW<{h}, 3>, u8, strides = [-12, 2], from 72 of 144");
        check(Rows::new([h]).unwrap(), &text, |[h, w]| 72 - 12 * h + 2 * w);
        let text = format!("TW<{h}, 3>, u8, strides = [2, 1], overlap");
        check(Windows::new([h]).unwrap(), &text, |[t, w]| 2 * t + w);
        let text =
            format!("CHW4c<{h}, 2, 2>, u8, strides = [30, 9, 4, 1], C from 2, from 1 of 100");
        let place = |c: isize| (c + 2) / 4 * 30 + (c + 2) % 4;
        check(Channels::new([h]).unwrap(), &text, |[c, h, w]| 1 - 2 + place(c) + h * 9 + w * 4);
        let text = format!("CW4c<{h}, 2>, u8, strides = [-30, 4, 1]");
        let first = (h as isize - 1) / 4 * 30;
        let back = |[c, w]: [isize; 2]| first - c / 4 * 30 + w * 4 + c % 4;
        check(Back::new([h, 2]).unwrap(), &text, back);
    }
    assert!(Rows::new([8]).is_err() && Rows::new([0]).is_ok());
}

#[test]
fn views_move_and_leave_their_gaps() {
    #[derive(Relayout)]
    #[relayout(Blocks => Packed)]
    struct Pack;
    type Packed = layout!(NCHW<1, 7, 2, 3>, u8);
    let source: Vec<u8> = (0..Blocks::LEN as u8).collect();
    let source = Tensor::<Blocks, _>::try_from(&source[..]).unwrap();
    let mut packed = Tensor::<Packed, _>::from([0; Packed::LEN]);
    Pack::run(&source, &mut packed);
    for coordinate in test_support::coordinates(&[1, 7, 2, 3]) {
        let [_, c, h, w] = coordinate[..] else { unreachable!() };
        let expected = c / 4 * 40 + h * 16 + w * 4 + c % 4;
        assert_eq!(packed[[0, c, h, w]] as usize, expected, "{coordinate:?}");
    }
    #[derive(Relayout)]
    #[relayout(Packed => Blocks)]
    struct Unpack;
    let mut back = [255; Blocks::LEN];
    Unpack::run(&packed, &mut Tensor::<Blocks, _>::from(&mut back));
    let reached: Vec<usize> = packed.buffer().iter().map(|&at| at.into()).collect();
    for (at, unit) in back.into_iter().enumerate() {
        assert_eq!(usize::from(unit), if reached.contains(&at) { at } else { 255 }, "{at}");
    }
}

#[test]
fn more_factors_than_a_tuple_has() {
    type All = layout!(
        ABCDEFGHIJKL<1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3>, u8,
        align(A = 8, B = 8, C = 8, D = 8, E = 8, F = 8, G = 8, H = 8, I = 8, J = 8, K = 8),
        pitch(A = 64, B = 64, C = 64, D = 64, E = 64, F = 64, G = 64, H = 64, I = 64, J = 32, K = 16),
        align = 4
    );
    assert_eq!(All::offset([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2]), 32 + 16 + 2);
    assert_eq!((All::ALIGN, All::LEN), (4, 32 + 16 + 3));
    let text = "ABCDEFGHIJKL<1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3>, u8, \
        align(A = 8, B = 8, C = 8, D = 8, E = 8, F = 8, G = 8, H = 8, I = 8, J = 8, K = 8), \
        pitch(A = 64, B = 64, C = 64, D = 64, E = 64, F = 64, G = 64, H = 64, I = 64, J = 32, K = 16), \
        align = 4";
    assert_eq!(Layout::parse(text), Ok(All::LAYOUT));
}
