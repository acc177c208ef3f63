//! The distance between rows and nothing else: no alignment of the buffer, and no bytes after the last element.

use tensor_layout::spec::Rule;
use tensor_layout::{
    ElementType, Layout, LayoutError, LayoutTemplate, Relayout, Tensor, WithElement, layout, u4,
};

/// What a driver gives: rows of B, G, R, A, 512 bytes apart, at any address.
#[test]
fn rows_of_a_driver_become_an_image() {
    type Readback = layout!(HWC<H = 3, W = 100, C = 4>, u8, pitch(H = 512));
    let bytes: Vec<u8> = (0..=2 * 512 + 400).map(|i| (i * 7 % 251) as u8).collect();
    let readback = Tensor::<Readback, _>::new(&bytes[1..]).unwrap();
    assert_eq!((Readback::LEN, Readback::ALIGN), (2 * 512 + 400, 1));
    for (y, x, c) in (0..3).flat_map(|y| (0..100).flat_map(move |x| (0..4).map(move |c| (y, x, c))))
    {
        assert_eq!(readback[[c, y, x]], bytes[1 + y * 512 + x * 4 + c]);
    }
    type Rgb = layout!(HWC<H = 3, W = 100, C = 3>, u8);
    let rgb = readback.view::<3>(|all| all.flip('C')?.slice('C', 1, 1, 3)).unwrap();
    let rgb = rgb.to_layout::<Rgb>().unwrap();
    let expected = |i: usize| bytes[1 + i / 300 * 512 + i % 300 / 3 * 4 + 2 - i % 3];
    assert!((0..900).all(|i| rgb.buffer()[i] == expected(i)));
}

/// NV12 of 720 x 576 with a pitch of 768: chroma ends with its last pair, which `align` would pad.
#[test]
fn the_last_row_of_a_plane_is_not_padded() {
    let buffer: Vec<u8> = (0..768 * (576 + 287) + 720).map(|i| (i % 249) as u8).collect();
    let (luma, chroma) = buffer.split_at(768 * 576);
    type Luma = layout!(HW<576, 720>, u8, align(H = 768));
    type Chroma = layout!(HWC<H = 288, W = 360, C = 2>, u8, pitch(H = 768));
    type Aligned = layout!(HWC<H = 288, W = 360, C = 2>, u8, align(H = 768));
    let chroma = Tensor::<Chroma, _>::new(chroma).unwrap();
    for (p, r, x) in [(0, 0, 0), (1, 0, 0), (0, 287, 359), (1, 287, 359), (1, 100, 7)] {
        assert_eq!(chroma[[p, r, x]], buffer[442_368 + r * 768 + 2 * x + p]);
    }
    assert_eq!((Luma::LEN, Chroma::LEN, Aligned::LEN), (442_368, 221_136, 221_184));
    let refused = Tensor::<Aligned, _>::new(chroma.buffer()).map(|_| ()).unwrap_err();
    assert!(matches!(refused, LayoutError(Rule::BufferTail { needed: 221_184, given: 221_136 })));
    assert!(refused.to_string().contains("write `pitch(..)`"), "{refused}");
    let start = luma.as_ptr().addr().wrapping_neg() % 256 + 1;
    let moved = &buffer[start..start + Luma::LEN];
    let refused = Tensor::<Luma, _>::new(moved).map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("write `pitch(..)`"), "{refused}");
}

/// Text, types, types with `_` and the builder make one layout, which prints as text of itself.
#[test]
fn all_doors_make_one_layout() {
    macro_rules! same {
        ($(($($text:tt)*) $open:ty, $given:expr, $strides:expr, $len:expr;)*) => {$(
            let text = stringify!($($text)*);
            let parsed = Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(parsed, <layout!($($text)*)>::LAYOUT, "{text}");
            assert_eq!(parsed, <$open>::with_extents($given).unwrap().layout(), "{text}");
            let strides: Vec<isize> = parsed.digits().iter().map(|digit| digit.stride).collect();
            assert_eq!((strides, parsed.len()), ($strides.to_vec(), $len), "{text}");
            assert_eq!(parsed.to_string().parse(), Ok(parsed), "{parsed}");
        )*};
    }
    same! {
        (HW<3, 300>, u8, pitch(H = 512)) layout!(HW<3, _>, u8, pitch(H = 512)), [('W', 300)], [512, 1], 1324;
        (NCHW<2, 2, 3, 5>, f32, pitch(H = 32)) layout!(NCHW<2, _, _, 5>, f32, pitch(H = 32)),
            [('H', 3), ('C', 2)], [48, 24, 8, 1], 48 + 24 + 16 + 5;
        (NCHW<2, 2, 3, 5>, u8, pitch(C = 100, H = 8)) layout!(NCHW<2, 2, 3, _>, u8, pitch(C = 100, H = 8)),
            [('W', 5)], [200, 100, 8, 1], 200 + 100 + 16 + 5;
        (NCHW4<2, 8, 3, 3>, u8, pitch(H = 16)) layout!(NCHW4<_, 8, 3, 3>, u8, pitch(H = 16)),
            [('N', 2)], [96, 48, 16, 4, 1], 96 + 48 + 32 + 8 + 4;
        (HW<3, 5>, u4, pitch(H = 4)) layout!(HW<3, _>, u4, pitch(H = 4)), [('W', 5)], [8, 1], 21;
        (HW<3, 9>, u1, pitch(H = 2)) layout!(HW<_, 9>, u1, pitch(H = 2)), [('H', 3)], [16, 1], 41;
        (HW<1, 5>, u16, pitch(H = 64)) layout!(HW<_, 5>, u16, pitch(H = 64)), [('H', 1)], [32, 1], 5;
    }
    // Extents of 0 exist at run time.
    let empty = Layout::parse("HW<3, 0>, u16, pitch(H = 64)").unwrap();
    type Open = layout!(HW<3, _>, u16, pitch(H = 64));
    assert_eq!((empty.len(), empty), (0, Open::new([0]).unwrap().layout()));
    let nibbles = [0x21u8, 0x43, 0x05, 0xff, 0x76, 0x98, 0x0a];
    type Rows = layout!(HW<2, 5>, u4, pitch(H = 4));
    let rows = Tensor::<Rows, _>::new(nibbles).unwrap();
    let read: Vec<u4> = (0..10).map(|i| rows.get([i / 5, i % 5]).unwrap()).collect();
    assert!(
        read.iter().enumerate().all(|(i, value)| usize::from(value.get()) == i + 1),
        "{read:?}"
    );
}

/// A pitch that is known only at run time, in text and in a type, gives the layout of the number.
#[test]
fn a_pitch_may_be_known_at_run_time() {
    macro_rules! same {
        ($([$($open:tt)*] $extents:expr, $pitches:expr => $text:expr;)*) => {$({
            let text = stringify!($($open)*);
            let expected = Layout::parse($text).unwrap();
            let template = LayoutTemplate::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(template.with_extents_and_pitches(&$extents, &$pitches), Ok(expected), "{text}");
            assert_eq!(LayoutTemplate::parse(&template.to_string()), Ok(template), "{text}");
            type Open = layout!($($open)*);
            let open = Open::with_extents_and_pitches($extents, $pitches).unwrap();
            assert_eq!(open.layout(), expected, "{text}");
            assert_eq!(Open::try_from(expected), Ok(open), "{text}");
            for i in 0..expected.numel() {
                let (mut rest, mut place) = (i, open.extents());
                for (index, extent) in place.iter_mut().zip(expected.extents()).rev() {
                    (*index, rest) = (rest % extent, rest / extent);
                }
                assert_eq!(open.offset(place), expected.offset(&place), "{text} {place:?}");
            }
        })*};
    }
    same! {
        [HW<3, 5>, u8, pitch(H = _)] [], [('h', 8)] => "HW<3, 5>, u8, pitch(H = 8)";
        [HWC<H = _, W = _, C = 3>, u8, pitch(H = _)] [('W', 2), ('H', 3)], [('H', 7)]
            => "HWC<H = 3, W = 2, C = 3>, u8, pitch(H = 7)";
        [NCHW<2, 2, 3, 5>, f32, pitch(C = _, H = _)] [], [('H', 32), ('C', 100)]
            => "NCHW<2, 2, 3, 5>, f32, pitch(C = 100, H = 32)";
        [NCHW<2, _, 3, _>, u16, pitch(C = 64, H = _)] [('W', 4), ('C', 3)], [('H', 16)]
            => "NCHW<2, 3, 3, 4>, u16, pitch(C = 64, H = 16)";
        [NCHW<2, _, 3, _>, u16, pitch(C = _, H = 16)] [('W', 4), ('C', 3)], [('C', 64)]
            => "NCHW<2, 3, 3, 4>, u16, pitch(C = 64, H = 16)";
        [NCHW4<_, 8, 3, 3>, u8, pitch(H = _)] [('N', 2)], [('H', 16)]
            => "NCHW4<2, 8, 3, 3>, u8, pitch(H = 16)";
        [NCHW4<2, _, 3, 3>, i4, pitch(C = _, H = 8)] [('C', 8)], [('C', 40)]
            => "NCHW4<2, 8, 3, 3>, i4, pitch(C = 40, H = 8)";
        [HW<3, _>, u1, pitch(H = _)] [('W', 9)], [('H', 2)] => "HW<3, 9>, u1, pitch(H = 2)";
        [HW<_, 6>, u2, align(H = 4), pitch(H = _)] [('H', 2)], [('H', 8)]
            => "HW<2, 6>, u2, align(H = 4), pitch(H = 8)";
        [NHW<2, _, 8>, u16, broadcast(N), pitch(H = _)] [('H', 2)], [('H', 32)]
            => "NHW<2, 2, 8>, u16, broadcast(N), pitch(H = 32)";
        [MK<8, 16>, u8, pitch(M = _), swizzle(2, 2, 3)] [], [('M', 32)]
            => "MK<8, 16>, u8, pitch(M = 32), swizzle(2, 2, 3)";
        [MK<8, 16>, u8, pitch(M = _), swizzle(vec = 4, per_phase = 1, max_phase = 4)] [], [('M', 32)]
            => "MK<8, 16>, u8, pitch(M = 32), swizzle(vec = 4, per_phase = 1, max_phase = 4)";
        [WH<W = 3, H = _>, u8, pitch(H = _)] [('H', 2)], [('H', 2)]
            => "WH<W = 3, H = 2>, u8, pitch(H = 2)";
        [HW<_, 5>, u16, pitch(H = _)] [('H', 1)], [('H', 64)] => "HW<1, 5>, u16, pitch(H = 64)";
        [HW<_, 5>, u16, pitch(H = _)] [('H', 0)], [('H', 64)] => "HW<0, 5>, u16, pitch(H = 64)";
    }
    // One number is not to be confused with another.
    type Frame = layout!(HWC<H = 2, W = 3, C = 4>, u8, pitch(H = _));
    assert_eq!(Frame::new([16]).unwrap().offset([3, 1, 2]), 16 + 2 * 4 + 3);
    assert_eq!(size_of::<Frame>(), size_of::<usize>());
    let floats = Frame::new([64]).unwrap().with_element::<f32>().unwrap();
    assert_eq!(floats.layout().strides().as_deref(), Some(&[1, 16, 4][..]));
}

type Camera = layout!(HWC<H = 4, W = 6, C = 3>, u8, pitch(H = _));
type Planes = layout!(CHW<3, 4, 6>, u8);

#[derive(Relayout)]
#[relayout(Camera => Planes)]
struct ToPlanes;

/// The distance of rows comes from the driver, and a derived relayout, a view and a row read by it.
#[test]
fn a_frame_moves_whatever_its_pitch_is() {
    for pitch in [18, 24, 64] {
        let bytes: Vec<u8> = (0..3 * pitch + 18).map(|i| (i * 7 % 251) as u8).collect();
        let frame = Tensor::with_layout(Camera::new([pitch]).unwrap(), &bytes[..]).unwrap();
        let mut planes = Tensor::<Planes>::zeroed();
        ToPlanes::try_run(&frame, &mut planes).unwrap();
        let expected = |i: usize| bytes[i % 24 / 6 * pitch + i % 6 * 3 + i / 24];
        assert!((0..72).all(|i| planes.buffer()[i] == expected(i)), "{pitch}");
        let lower = frame.view::<3>(|all| all.slice('H', 2, 1, 2)).unwrap();
        assert_eq!(lower[[1, 1, 5]], bytes[3 * pitch + 5 * 3 + 1]);
    }
}

/// A pitch leaves no room for eight values of each unknown digit, but for those of one.
#[test]
fn rows_of_bits_within_a_pitch() {
    type Blocks = layout!(B2a3bCA<A = _, B = 3, C = _>, u1, pitch(B = 8));
    let template = LayoutTemplate::parse("B2a3bCA<A = _, B = 3, C = _>, u1, pitch(B = 8)").unwrap();
    let text = Layout::parse("B2a3bCA<A = 4, B = 3, C = 4>, u1, pitch(B = 8)").unwrap();
    assert_eq!(Blocks::new([4, 4]).unwrap().layout(), text);
    assert_eq!(template.with_extents(&[('A', 4), ('C', 4)]).unwrap(), text);
    let template =
        LayoutTemplate::parse("EGDHB<B = _, D = 3, E = 1, G = 2, H = 4>, u1, pitch(E = 8)");
    assert!(template.unwrap().with_extents(&[('B', 2)]).is_ok());
}

#[test]
fn a_pitch_that_does_not_fit_is_an_error() {
    type Frame = layout!(HW<_, 300>, u16, pitch(H = _), align(H = 64));
    let template = LayoutTemplate::parse("HW<_, 300>, u16, pitch(H = _), align(H = 64)").unwrap();
    let rows = [('H', 3)];
    macro_rules! refused {
        ($($extents:expr, $pitches:expr => $words:literal;)*) => {$(
            let error = Frame::with_extents_and_pitches($extents, $pitches).unwrap_err();
            assert_eq!(error.to_string(), $words);
            let error = template.with_extents_and_pitches(&$extents, &$pitches).unwrap_err();
            assert_eq!(error.to_string(), $words);
        )*};
    }
    refused! {
        rows, [('H', 512)] => "pitch of 512 bytes is shorter than its rows of 640 bytes; write at least 640";
        rows, [('H', 641)] =>
            "pitch of 641 bytes is not a multiple of the element size; write a multiple of 2 bytes";
        rows, [('H', 700)] =>
            "pitch of 700 bytes is not a multiple of the alignment of its axis, 64 bytes; write a multiple, or remove one of the two";
        rows, [('H', 0)] => "pitch is 0; write a multiple of 2 bytes";
        rows, [] => "axis `H` has no pitch; add `('H', ..)`";
        rows, [('W', 640)] => "axis `W` has no pitch written `_`; write one of H";
        rows, [('H', 640), ('H', 640)] => "axis `H` is given twice; keep one";
        [('W', 300)], [('H', 640)] => "axis `W` has extent 300 already; leave it out";
        [('H', 3), ('C', 3)], [('H', 640)] => "layout has no axis `C`; write one of H";
        [('H', 3)], [('H', usize::MAX - 63)] =>
            "layout takes more than `isize::MAX` bytes (9223372036854775807) at 16 bits per element; write smaller extents, alignments or strides";
    }
    let known = LayoutTemplate::parse("HW<_, 300>, u8, pitch(H = 512)").unwrap();
    let error = known.with_extents_and_pitches(&rows, &[('H', 512)]).unwrap_err();
    assert_eq!(error.to_string(), "axis `H` has pitch 512 already; leave it out");
    let none = LayoutTemplate::parse("HW<_, 300>, u8").unwrap();
    let error = none.with_extents_and_pitches(&rows, &[('H', 512)]).unwrap_err();
    assert_eq!(error.to_string(), "axis `H` has no pitch written `_`; leave it out");
    let error = template.with_extents(&rows).unwrap_err();
    assert_eq!(error.to_string(), "axis `H` has no pitch; add `('H', ..)`");
    let error = Layout::parse("HW<3, 300>, u8, pitch(H = _)").unwrap_err();
    let message = "pitch of axis `H` is not known, so this is no layout yet; write the number";
    assert_eq!((error.message().as_str(), error.range()), (message, 26..27));
    // Extents alone do not make the layout of a destination.
    let source = Tensor::<layout!(HW<3, 300>, u16)>::zeroed();
    let error = source.to_layout::<Frame>().map(|_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pitch of axis `H` is known only at run time, and extents do not say it; make the layout by `with_extents_and_pitches`, and move into a tensor of it",
    );
}

#[test]
fn what_a_pitch_contradicts_is_an_error() {
    let rows = Layout::builder("HW", ElementType::U16);
    for (found, words) in [
        (rows.pitch('H', 63).extents(&[3, 5]), "pitch of 63 bytes is not a multiple"),
        (rows.pitch('H', 8).extents(&[3, 5]), "pitch of 8 bytes is shorter than its rows of 10"),
        (rows.pitch('H', 0).extents(&[3, 5]), "pitch is 0; write a multiple of 2 bytes"),
        (
            rows.pitch('H', 64).pad(0).extents(&[3, 5]),
            "option `pitch` cannot be combined with option `pad`",
        ),
        (
            rows.pitch('H', 64).strides(&[32, 1]).extents(&[3, 5]),
            "option `pitch` cannot be combined with explicit strides",
        ),
        (
            rows.pitch('H', 64).lanes('H', 3, 0).extents(&[3, 5]),
            "option `pitch` cannot be combined with lanes",
        ),
        (rows.pitch('H', 64).pitch('H', 64).extents(&[3, 5]), "axis `H` is given twice"),
        (rows.pitch('H', isize::MAX as usize - 1).extents(&[3, 5]), "layout takes more than"),
    ] {
        let error = found.map(|layout| layout.to_string()).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
}

/// Rows of one element of `B` end inside a byte, and a pitch has no room for eight.
#[test]
fn a_pitch_has_room_for_some_extents_alone() {
    type Open = layout!(EGDHB<B = _, D = 3, E = 1, G = 2, H = 4>, u1, pitch(E = 8));
    let text = "EGDHB<B = 2, D = 3, E = 1, G = 2, H = 4>, u1, pitch(E = 8)";
    assert_eq!(Open::with_extents([('B', 2)]).unwrap().layout(), text.parse().unwrap());
    assert!(Open::with_extents([('B', 1)]).is_err() && Open::with_extents([('B', 8)]).is_err());
}
