//! One table of sentences through all doors: `layout!`, text and, where it has words for them, the builder. Each makes
//! the same layout, or has the same words on the same part.

use layout_core::spec::Spec;
use layout_core::{ElementType, Layout, LayoutBuilder, LayoutError, LayoutTemplate};

mod view_rows;

use crate::model::parts;
use crate::tokens::Text;

/// The layout that `layout!` makes, as its type does, or the first error and its part without spaces.
fn of_macro(text: &str) -> Result<Layout, (String, String)> {
    let text = Text::of(text.parse().unwrap());
    let (parts, faults) = parts(&text.text);
    if let Some((error, span)) = faults.first() {
        return Err((format!("{error:#}"), text.text[span.start..span.end].replace(' ', "")));
    }
    let (draft, assembly) = parts.unwrap();
    let (element, axes, factors) = (draft.element, draft.axes(), assembly.factors());
    Ok(Layout::new(&Spec { element, axes, factors, fill: assembly.fill }).unwrap())
}

fn of_text(text: &str) -> Result<Layout, (String, String)> {
    Layout::parse(text).map_err(|error| {
        (error.message().as_str().to_owned(), text[error.range()].replace(' ', ""))
    })
}

type Built = Result<Layout, LayoutError>;

fn build(format: &str, element: ElementType) -> LayoutBuilder {
    LayoutBuilder::new(&format.parse().unwrap(), element)
}

/// A text, what it prints as, and the same from the builder.
type Row = (&'static str, &'static str, Option<Built>);

fn formats() -> Vec<Row> {
    use ElementType::{F16, F32, I8, U8};
    vec![
        ("SCALAR, f32", "SCALAR, f32", Some(build("SCALAR", F32).extents(&[]))),
        (
            "NCHW4<2, 64, 3, 3>, f16",
            "NCHW4c<2, 64, 3, 3>, f16",
            Some(build("NCHW4", F16).extents(&[2, 64, 3, 3])),
        ),
        ("NCHW < 0x2, { 64 }, (3), 3usize > , f16 ,", "NCHW<2, 64, 3, 3>, f16", None),
        (
            "NHWC<N = 1, H = 4, W = 5, C = 3>, u8",
            "NHWC<N = 1, C = 3, H = 4, W = 5>, u8",
            Some(build("NHWC", U8).named_extents(&[('C', 3), ('n', 1), ('H', 4), ('W', 5)])),
        ),
        (
            "BSHD<B = 8, H = 12, S = 128, D = 64>, f32",
            "BSHD<8, 128, 12, 64>, f32",
            Some(build("BSHD", F32).extents(&[8, 128, 12, 64])),
        ),
        (
            "BSHD<B = 8, H = 12, S = 128, D = 64>, f32, coordinates(B, H, S, D)",
            "BSHD<B = 8, H = 12, S = 128, D = 64>, f32, coordinates(B, H, S, D)",
            Some(build("BSHD", F32).coordinates("bhsd").extents(&[8, 12, 128, 64])),
        ),
        (
            "HWC<480, 640, 3>, u8, coordinates(H, W, C)",
            "HWC<480, 640, 3>, u8, coordinates(H, W, C)",
            Some(build("HWC", U8).coordinates("HWC").extents(&[480, 640, 3])),
        ),
        ("acdb<1, 2, 3, 4>, f32", "ACDB<1, 2, 3, 4>, f32", None),
        (
            "NCHW4<2, 63, 3, 3>, i8, pad = -1",
            "NCHW4c<2, 63, 3, 3>, i8, pad = -1",
            Some(build("NCHW4", I8).pad(255).extents(&[2, 63, 3, 3])),
        ),
        (
            "NCHW<2, 3, 5, 6>, f16, align(H = 64)",
            "NCHW<2, 3, 5, 6>, f16, align(H = 64)",
            Some(build("NCHW", F16).align('H', 64).extents(&[2, 3, 5, 6])),
        ),
    ]
}

fn strides_and_alignments() -> Vec<Row> {
    use ElementType::{F16, I4, I8, U8};
    vec![
        (
            "MK<4, 3>, i8, strides = [0, 1], broadcast(M)",
            "MK<4, 3>, i8, strides = [0, 1], broadcast(M)",
            Some(build("MK", I8).strides(&[0, 1]).broadcast('M').extents(&[4, 3])),
        ),
        (
            "HWC<H = 3, W = 3, C = 3>, u8, strides = [H = 9, W = 3, C = 1]",
            "CHW<3, 3, 3>, u8, strides = [1, 9, 3]",
            Some(build("HWC", U8).strides(&[1, 9, 3]).extents(&[3, 3, 3])),
        ),
        (
            "HW<3, 300>, u8, pitch(H = 512)",
            "HW<3, 300>, u8, strides = [512, 1]",
            Some(build("HW", U8).pitch('H', 512).extents(&[3, 300])),
        ),
        (
            "NCHW4<2, 8, 3, 3>, u8, pitch(H = 16)",
            "NCHW4c<2, 8, 3, 3>, u8, strides = [96, 48, 16, 4, 1]",
            Some(build("NCHW4", U8).pitch('H', 16).extents(&[2, 8, 3, 3])),
        ),
        (
            "HW<3, 5>, i4, pitch(H = 4)",
            "HW<3, 5>, i4, strides = [8, 1]",
            Some(build("HW", I4).pitch('H', 4).extents(&[3, 5])),
        ),
        (
            "NCHW<1, 128, 2, 2>, f16, lanes(C, 64, start = 2)",
            "NCHW<1, 128, 2, 2>, f16, lanes(C, 64, start = 2)",
            Some(build("NCHW", F16).lanes('C', 64, 2).extents(&[1, 128, 2, 2])),
        ),
        (
            "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)",
            "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)",
            Some(build("8m4kKM2k", F16).over_lanes(32).extents(&[16, 16])),
        ),
    ]
}

fn lanes_and_others() -> Vec<Row> {
    use ElementType::{F16, U8, U16};
    vec![
        (
            "MK<16, 64>, f16, swizzle = b128",
            "MK<16, 64>, f16, swizzle(3, 3, 3)",
            Some(build("MK", F16).swizzle_bytes(layout_core::Swizzle::B128).extents(&[16, 64])),
        ),
        (
            "MK<16, 64>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8)",
            "MK<16, 64>, f16, swizzle(3, 3, 3)",
            Some(build("MK", F16).swizzle_phases(8, 1, 8).extents(&[16, 64])),
        ),
        ("MK<2, 8>, u4, high_first", "MK<2, 8>, u4, high_first", None),
        (
            "NCHW<1, 64, 7, 7>, f16, bm1684x::aligned(start = 2)",
            "NCHW<1, 64, 7, 7>, f16, align(C = 64), lanes(C, 64, start = 2)",
            None,
        ),
        (
            "HW<3, 5>, u8, align(H = 64), align = 16",
            "HW<3, 5>, u8, strides = [64, 1], align = 16, len = 192",
            Some(build("HW", U8).align('H', 64).align_start(16).extents(&[3, 5])),
        ),
        (
            "HW<3, 5>, u8, strides = [8, 1], align = 16",
            "HW<3, 5>, u8, strides = [8, 1], align = 16",
            Some(build("HW", U8).strides(&[8, 1]).align_start(16).extents(&[3, 5])),
        ),
        ("RC32r4r/32 4c<R = 128, C = 4>, u8", "RC32r4r/32 4c<128, 4>, u8", None),
        ("NCHW<N = 1, C = 2, H = 3, W = 4,>, u16, pad", "NCHW<1, 2, 3, 4>, u16, pad", None),
        ("T<5>, u16", "T<5>, u16", Some(build("T", U16).extents(&[5]))),
        ("HW<3, 4>, f32, pad = 0.5", "HW<3, 4>, f32, pad = 0.5", None),
        ("NWHC<N = 1, C = 1, H = 1, W = 1>, u8", "NWHC<N = 1, C = 1, H = 1, W = 1>, u8", None),
    ]
}

#[test]
fn all_doors_make_the_same_layout() {
    let rows = [
        formats(),
        strides_and_alignments(),
        lanes_and_others(),
        view_rows::strides(),
        view_rows::parts(),
    ]
    .concat();
    for (text, printed, built) in rows {
        let layout = of_text(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(layout.to_string(), printed, "{text}");
        assert_eq!(of_text(printed), Ok(layout), "{text}");
        assert_eq!(of_macro(text), Ok(layout), "{text}");
        assert_eq!(built.unwrap_or(Ok(layout)), Ok(layout), "{text}");
        let template = LayoutTemplate::parse(text).unwrap();
        assert_eq!(template.with_extents(&[]), Ok(layout), "{text}");
        assert_eq!(LayoutTemplate::parse(&template.to_string()), Ok(template), "{text}");
    }
}

/// Texts that are not layouts: the wrong part without spaces, and the words.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "NCHW4<2, 63, 3, 3>, f16",
        "63",
        "axis `C` has extent 63, which is not a multiple of its block 4; write 60 or 64, or add the option `pad` to store the rest of the last block as padding",
    ),
    (
        "HWC<480, 640, 3>, u8",
        "<480,640,3>",
        "extents of `HWC` could be read in two orders; write `HWC<H = 480, W = 640, C = 3>` or `HWC<C = 480, H = 640, W = 3>`",
    ),
    (
        "NHWCD4<1, 5, 6, 4>, f16",
        "<1,5,6,4>",
        "extents of `NHWCD4` could be read in two orders; write `NHWCD4<N = 1, H = 5, W = 6, C = 4>` or `NHWCD4<N = 1, C = 5, H = 6, W = 4>`",
    ),
    (
        "NHWC<_, _, _, _>, u8",
        "<_,_,_,_>",
        "extents of `NHWC` could be read in two orders; write `NHWC<N = _, H = _, W = _, C = _>` or `NHWC<N = _, C = _, H = _, W = _>`",
    ),
    (
        "HWC<480, 640, 3>, u8, coordinates(C, H, W)",
        "<480,640,3>",
        "extents of `HWC` could be read in two orders; write `HWC<H = 480, W = 640, C = 3>` or `HWC<C = 480, H = 640, W = 3>`",
    ),
    (
        "HWC<H = 3, W = 3, C = 3>, u8, strides = [9, 3, 1]",
        "[9,3,1]",
        "strides could be read in two orders; write `strides = [H = 9, W = 3, C = 1]` or `strides = [C = 9, H = 3, W = 1]`",
    ),
    ("NHWC<N = 1, 3, 4, 4>, u8", "3", "named and positional extents are mixed; name all of them"),
    (
        "NCHW<N = 1, 3, 4, 4>, u8",
        "3",
        "named and positional extents are mixed; name all of them or none",
    ),
    (
        "NHWC<1, 224, 224>, u8",
        "<1,224,224>",
        "format `NHWC` has 4 axes (N, C, H, W) but 3 extents are given; name each: `NHWC<N = .., C = .., H = .., W = ..>`",
    ),
    (
        "HWC<H = 3, W = 3, C = 3>, u8, strides = [9, 3]",
        "[9,3]",
        "2 strides are given for 3 axes (C, H, W); name each: `strides = [C = .., H = .., W = ..]`",
    ),
    (
        "ABCDEFGHIJKL<1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>, u8, strides = [A = 1, B = 1, C = 1, D = 1, E = 1, F = 1, G = 1, H = 1, I = 1, J = 1, K = 1, L = 1, Z = 1]",
        "Z",
        "layout has no axis `Z`; write one of A, B, C, D, E, F, G, H, I, J, K, L",
    ),
    (
        "NC<1, 2>, u8, coordinates(N,, C)",
        "coordinates(N,,C)",
        "option `coordinates` is malformed; write `coordinates(N, H, W, C)`, with each axis once",
    ),
    ("NHWC<N = 1, H = 3, W = 4, W = 4>, u8", "W", "axis `W` is given twice; keep one"),
    ("NHWC<N = 1, H = 3, W = 4>, u8", "<N=1,H=3,W=4>", "axis `C` has no extent; add `C = ..`"),
    (
        "NCHW<1, 2, 3>, u8",
        "<1,2,3>",
        "format `NCHW` has 4 axes (N, C, H, W) but 3 extents are given; write one extent for each axis, in this order",
    ),
    (
        "NCHWC<1, 3, 7, 7>, f32",
        "C",
        "axis `C` appears twice; keep one, and write a block of the axis as a number with a letter, such as `4c`",
    ),
    (
        "NCHW<1, -3, 7, 7>, f32",
        "-3",
        "extent `-3` is not an integer of at least 1; write a literal, or in `layout!` a const or `{ const expression }`",
    ),
    ("NCHW<1, 3 7, 7>, f32", "7", "expected `,` between two values; add it"),
    ("NCHW<1, 3, 7, 7>, float32", "float32", "unknown element type `float32`; write `f32`"),
    (
        "NCHW<1, 3, 7, 7>",
        "NCHW<1,3,7,7>",
        "expected `,` and an element type after the extents; write them as in `NCHW<1, 3, 224, 224>, f32`",
    ),
    (
        "NCHW<1, 3, 7, 7>, f32, pads",
        "pads",
        "unknown option `pads`; write one of `pad`, `pad = VALUE`, `strides = [..]`, `align(AXIS = BYTES)`, `pitch(AXIS = BYTES)`, `broadcast(AXIS)`, `lanes(AXIS, LANES, start = LANE)`, `swizzle(B, M, S)`, `high_first`, `coordinates(AXES)`, `from START of LENGTH`, `len = LENGTH`, `overlap`, or a storage such as `bm1684x::aligned`",
    ),
    ("NCHW<1, 3, 7, 7>, f32, pad, pad", "pad", "option `pad` is given twice; keep one"),
    (
        "NCHW<1, 3, 7, 7>, f16, pad = 70000",
        "70000",
        "pad value 70000 does not fit in `f16`; write a number from -65504 to 65504",
    ),
    (
        "NCHW<1, 3, 7, 7>, f32, align(X = 64)",
        "X",
        "layout has no axis `X`; write one of N, C, H, W",
    ),
    (
        "NCHW<1, 3, 7, 7>, f32, align(H = 3)",
        "3",
        "alignment of 3 bytes is not a multiple of the element size; write a multiple of 4 bytes",
    ),
    (
        "HW<3, 300>, u8, pitch(H = 256)",
        "256",
        "pitch of 256 bytes is shorter than its rows of 300 bytes; write at least 300",
    ),
    (
        "HW<3, 300>, u16, pitch(H = 1023)",
        "1023",
        "pitch of 1023 bytes is not a multiple of the element size; write a multiple of 2 bytes",
    ),
    (
        "HW<3, 300>, u8, align(H = 64), pitch(H = 500)",
        "500",
        "pitch of 500 bytes is not a multiple of the alignment of its axis, 64 bytes; write a multiple, or remove one of the two",
    ),
    (
        "NHW<2, 4, 300>, u8, pitch(H = 512), broadcast(H)",
        "pitch(H=512)",
        "option `pitch` cannot be combined with option `broadcast` of the same axis; remove one of the two",
    ),
    (
        "HW<2, 4>, u8, pitch(H = 18446744073709551615)",
        "18446744073709551615",
        "layout takes more than `isize::MAX` bytes (9223372036854775807) at 8 bits per element; write smaller extents, alignments or strides",
    ),
    (
        "HW<3, 300>, u8, pad, pitch(H = 512)",
        "pitch(H=512)",
        "option `pitch` cannot be combined with option `pad`; remove one of the two",
    ),
    (
        "NCHW<1, 3, 7, 7>, f32, align = 2",
        "2",
        "alignment of the buffer, 2 bytes, is not a power of two of at least 4; write 4, or a larger power of two",
    ),
    (
        "NCHW<1, 3, 7, 7>, f32, strides = [1]",
        "[1]",
        "1 stride is given for 4 axes (N, C, H, W); write one stride for each axis, in this order",
    ),
    (
        "MK<4, 3>, i8, strides = [1, 1.5]",
        "1.5",
        "stride `1.5` is not an integer; write a literal, or in `layout!` a const or `{ const expression }`",
    ),
    (
        "MK<4, 3>, i8, lanes(K, 2, start = 2)",
        "2",
        "start lane 2 of axis `K` is out of bounds for 2 lanes; write 0 to 1",
    ),
    (
        "MK<4, 64>, f16, swizzle(1, 2)",
        "swizzle(1,2)",
        "option `swizzle` is malformed; write `swizzle(3, 3, 3)` in elements, `swizzle = b128` or `swizzle(vec = 8, per_phase = 1, max_phase = 8)`",
    ),
    (
        "MK<4, 64>, f16, coordinates(M)",
        "coordinates(M)",
        "coordinates (M) do not list all axes (M, K); name each once",
    ),
    (
        "NHWC<N = 1, C = 64, H = 7, W = 7>, f16, bm1684x::aligned",
        "NHWC",
        "storage `aligned` does not take format `NHWC`; write `NCHW`",
    ),
    (
        "NCHW<1, 64, 7, 7>, f16, bm1684x::nowhere",
        "nowhere",
        "unknown storage `nowhere`; write `aligned`, `compact`, `line_aligned`, `continuous`, `matrix`, `vector` or `ic`",
    ),
];

#[test]
fn all_doors_have_the_same_words_on_the_same_part() {
    let mut wrong = Vec::new();
    for &(text, part, words) in WRONG.iter().chain(view_rows::WRONG) {
        let expected = Err((words.to_owned(), part.to_owned()));
        let found = [("text", of_text(text)), ("layout!", of_macro(text))];
        let found = found.into_iter().filter(|(_, found)| *found != expected);
        wrong.extend(found.map(|(door, found)| format!("{door}: {text}: {found:?}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_builder_has_the_same_words() {
    use ElementType::{F16, F32, I8, U8, U16};
    let nchw = |element| build("NCHW", element);
    let rows: [(&str, Built); 9] = [
        ("NCHW4<2, 63, 3, 3>, f16", build("NCHW4", F16).extents(&[2, 63, 3, 3])),
        ("NCHW<1, 2, 3>, u8", nchw(U8).extents(&[1, 2, 3])),
        ("NCHW<1, 3, 7, 7>, f32, align(X = 64)", nchw(F32).align('X', 64).extents(&[1, 3, 7, 7])),
        ("NCHW<1, 3, 7, 7>, f32, align(H = 3)", nchw(F32).align('H', 3).extents(&[1, 3, 7, 7])),
        ("HW<3, 300>, u8, pitch(H = 256)", build("HW", U8).pitch('H', 256).extents(&[3, 300])),
        ("HW<3, 300>, u16, pitch(H = 1023)", build("HW", U16).pitch('H', 1023).extents(&[3, 300])),
        (
            "HW<3, 300>, u8, pad, pitch(H = 512)",
            build("HW", U8).pad(0).pitch('H', 512).extents(&[3, 300]),
        ),
        ("MK<4, 3>, i8, lanes(K, 2, start = 2)", build("MK", I8).lanes('K', 2, 2).extents(&[4, 3])),
        ("MK<4, 64>, f16, coordinates(M)", build("MK", F16).coordinates("M").extents(&[4, 64])),
    ];
    for (text, built) in rows {
        let words = of_text(text).unwrap_err().0;
        assert_eq!(format!("{:#}", built.unwrap_err()), words, "{text}");
    }
}

#[test]
fn templates_hold_what_is_not_known() {
    for (text, extents, expected) in [
        (
            "NHWC<N = _, C = 3, H = _, W = 5>, u8",
            &[('H', 4), ('N', 2)][..],
            "NHWC<N = 2, C = 3, H = 4, W = 5>, u8",
        ),
        ("NCHW4c<_, 7, 2, 2>, i8, pad = -1", &[('N', 0)], "NCHW4c<0, 7, 2, 2>, i8, pad = -1"),
        (
            "MK<_, 64>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8)",
            &[('m', 4)],
            "MK<4, 64>, f16, swizzle(3, 3, 3)",
        ),
        ("HW<_, 300>, u8, pitch(H = 512)", &[('H', 2)], "HW<2, 300>, u8, strides = [512, 1]"),
        (
            "NCHW<1, _, 7, 7>, f16, bm1684x::aligned(start = 2)",
            &[('C', 64)],
            "NCHW<1, 64, 7, 7>, f16, align(C = 64), lanes(C, 64, start = 2)",
        ),
        (
            "HW<_, 5>, u8, strides = [8, 1], len = 24",
            &[('H', 2)],
            "HW<2, 5>, u8, strides = [8, 1], len = 24",
        ),
        (
            "CHW4c<_, 3, 3>, f16, strides = [36, 12, 4, 1], C from 1, from 613 of 1152",
            &[('C', 8)],
            "CHW4c<8, 3, 3>, f16, strides = [36, 12, 4, 1], C from 1, from 613 of 1152",
        ),
    ] {
        let template = LayoutTemplate::parse(text).unwrap();
        assert_eq!(template.to_string(), text);
        let layout = template.with_extents(extents).unwrap();
        assert_eq!(layout.to_string(), expected, "{text}");
        assert_eq!(
            Layout::parse(text).unwrap_err().message().as_str(),
            "extent `_` is not known, so the text is no layout yet; write the number, or read the text as a `LayoutTemplate`"
        );
    }
    let template = LayoutTemplate::parse("NCHW4<_, 64, _, 2>, i8").unwrap();
    for (extents, words) in [
        (&[('N', 1)][..], "axis `H` has no extent; add `('H', ..)`"),
        (&[('N', 1), ('N', 2), ('H', 3)], "axis `N` is given twice; keep one"),
        (&[('N', 1), ('C', 64), ('H', 3)], "axis `C` has extent 64 already; leave it out"),
        (&[('N', 1), ('X', 64)], "layout has no axis `X`; write one of N, H"),
    ] {
        let error = template.with_extents(extents).unwrap_err();
        assert_eq!(error.to_string(), words);
    }
    let broken = LayoutTemplate::parse("NCHW4<_, 63, _, 2>, i8").unwrap_err();
    assert_eq!(broken.range(), 9..11);
}
