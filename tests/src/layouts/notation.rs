//! Layouts as text. A printed layout is read as itself, errors point at their position, and no text makes the parser
//! panic. `views` has the same for views.

use proptest::collection::vec;
use proptest::prelude::*;
use tensor_layout::{ElementType, Layout, NotationError};

use crate::support::random::{self, Case};

fn any_case() -> impl Strategy<Value = Case> {
    (random::axes(), random::element())
        .prop_flat_map(|(axes, element)| random::layout_of(axes, element, true))
}

proptest! {
    #![proptest_config(random::cases(3000))]

    /// What prints is read as the same layout: every offset, and all else that a layout says.
    #[test]
    fn printed_layouts_are_read_as_themselves(case in any_case()) {
        let layout = case.layout();
        let text = layout.to_string();
        let read: Layout = match text.parse() {
            Ok(read) => read,
            Err(error) => return Err(TestCaseError::fail(format!("{error}: {text}"))),
        };
        let memory = case.memory();
        for coordinate in memory.coordinates() {
            prop_assert_eq!(read.offset(&coordinate), memory.offset(&coordinate), "{}", text);
        }
        prop_assert_eq!(read.extents(), layout.extents());
        prop_assert_eq!((read.element(), read.fill()), (case.element, case.fill), "{}", text);
        prop_assert_eq!(read.len(), memory.cells.len(), "{}", text);
        prop_assert_eq!(read.align(), layout.align(), "{}", text);
        prop_assert_eq!(read.lanes(), layout.lanes(), "{}", text);
        prop_assert_eq!(read, layout, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }
}

/// Pieces of layouts as text, and what no layout has.
const PIECES: &[&str] = &[
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "=",
    ":",
    "::",
    "!",
    "-",
    "_",
    ".",
    " ",
    "\n",
    "0",
    "1",
    "4",
    "64",
    "18446744073709551615",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999999999999999999999999999",
    "0x40",
    "1e9",
    "0.5",
    "4c",
    "C",
    "é",
    "𝄞",
    "\0",
    "pad",
    "strides = [",
    "align(",
    "broadcast(",
    "lanes(",
    "from ",
    " of ",
    "len = ",
    "4c/2 ",
    "/",
    "coordinates(",
    "bm1684x::aligned",
    "plain(",
    "f16",
    "i4",
    "SCALAR",
    "((((((((",
];

/// Text with small changes: a piece of it is left out, repeated, replaced or put elsewhere.
fn changed(text: &str, changes: &[(u16, u16, u16, u8)]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for &(from, to, at, kind) in changes {
        let place = |number: u16| usize::from(number) % (text.len() + 1);
        let (from, to) = (place(from).min(place(to)), place(from).max(place(to)));
        let at = place(at);
        let to = to.min(from + 12);
        match kind % 4 {
            0 => drop(text.drain(from..to)),
            1 => {
                let piece = text[from..to].to_vec();
                text.splice(at..at, piece);
            }
            2 => {
                let piece = PIECES[usize::from(kind / 4) * 7 % PIECES.len()];
                text.splice(at..at, piece.chars());
            }
            _ => {
                let piece = PIECES[usize::from(kind / 4) * 11 % PIECES.len()];
                text.splice(from..to, piece.chars());
            }
        }
    }
    text.into_iter().collect()
}

/// An error has a position in its text; a layout can be used.
fn check_read(text: &str) -> Result<(), TestCaseError> {
    match Layout::parse(text) {
        Ok(layout) => {
            let printed = layout.to_string();
            prop_assert_eq!(printed.parse(), Ok(layout), "{} of {}", printed, text);
            prop_assert!(layout.span() <= layout.len(), "{}", text);
        }
        Err(error) => {
            prop_assert!(text.get(error.range()).is_some(), "{:?} in {}", error, text);
            prop_assert!(!error.to_string().is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(random::cases(5000))]

    #[test]
    fn changed_texts_are_layouts_or_errors(
        case in any_case(),
        flip in any::<Option<(u8, u8)>>(),
        changes in vec(any::<(u16, u16, u16, u8)>(), 1..6),
    ) {
        let mut layout = case.layout();
        if let Some((axis, index)) = flip.filter(|_| layout.rank() > 0 && layout.numel() > 0) {
            let axis = usize::from(axis) % layout.rank();
            let name = layout.letters().at(axis);
            let index = usize::from(index) % layout.extents()[axis];
            layout = layout.flip(name).unwrap();
            layout = layout.slice(name, index, 1, layout.extents()[axis] - index).unwrap_or(layout);
        }
        check_read(&changed(&layout.to_string(), &changes))?;
    }

    #[test]
    fn random_texts_are_layouts_or_errors(text in any::<String>(), bytes in vec(any::<u8>(), 0..60)) {
        check_read(&text)?;
        check_read(&String::from_utf8_lossy(&bytes))?;
        let format: String = bytes.iter().map(|byte| char::from(byte % 96 + 32)).collect();
        check_read(&format)?;
    }
}

/// Text that is not a layout: its wrong part, and the start of the message. Each error has its position, and the
/// remedy that `layout!` gives.
fn check_error(text: &str, piece: &str, message: &str) {
    let error: NotationError = Layout::parse(text).expect_err(text);
    assert_eq!(&text[error.range()], piece, "{text}: {error}");
    assert!(error.message().as_str().starts_with(message), "{text}: {error}");
}

#[test]
fn errors_point_at_their_place() {
    for (text, piece, message) in [
        ("", "", "expected a format and its extents"),
        ("f32", "f32", "expected a format and its extents"),
        ("AB<1, 2>, u8, align(lanes = 4)", "align(lanes = 4)", "layout has no axis `lanes`"),
        ("NCHW!<1>, f32", "NCHW", "text cannot name a format of your own"),
        ("NCHW4<2, 63, 3, 3>, f16", "63", "axis `C` has extent 63, which is not a multiple of"),
        ("NCHWé<1, 2, 3, 4>, f16", "é", "format `NCHWé` contains `é`; write a letter"),
        ("NCHW", "NCHW", "expected `,` and an element type after"),
        ("NCHW, f16", "NCHW", "format `NCHW` has 4 axes (N, C, H, W) but 0 extents are given"),
        ("NCHW<1, 2, 3>, f16", "<1, 2, 3>", "format `NCHW` has 4 axes (N, C, H, W) but 3"),
        ("NCHW<1, 2, 3, 4", "<1, 2, 3, 4", "the list of extents has no end; add `>`"),
        ("NCHW<1, 2, 3, 4, u8", "<1, 2, 3, 4, u8", "the list of extents has no end; add `>`"),
        ("NCHW<1, 2 3, 4>, f16", "3", "expected `,` between two values"),
        ("NCHW<1, _, 3, 4>, f16", "_", "extent `_` is not known, so the text is no layout yet"),
        ("NCHW<1, -2, 3, 4>, f16", "-2", "extent `-2` is not an integer of at least 1"),
        ("NCHW<1, CHANNELS, 3, 4>, f16", "CHANNELS", "extent `CHANNELS` is not an integer"),
        ("NCHW<1, 2u8, 3, 4>, f16", "2u8", "extent `2u8` has type `u8`; write"),
        (
            "NCHW<1, 99999999999999999999999, 3, 4>, f16",
            "99999999999999999999999",
            "extent `99999999999999999999999` does not fit in `usize`; write at most",
        ),
        ("NCHW<1, , 3, 4>, f16", ",", "expected a value"),
        ("NCHW<N = 1, 2, 3, 4>, f16", "2", "named and positional extents are mixed"),
        ("NCHW<N = 1, C = 2, H = 3>, f16", "<N = 1, C = 2, H = 3>", "axis `W` has no extent"),
        ("NCHW<N = 1, C = 2, H = 3, h = 3>, f16", "h", "axis `H` is given twice; keep one"),
        ("NCHW<N = 1, C = 2, H = 3, X = 3>, f16", "X", "layout has no axis `X`; write one of N, C"),
        ("NHWC<1, 2, 3, 4>, f16", "<1, 2, 3, 4>", "extents of `NHWC` could be read in two orders"),
        ("NCHW<1, 2, 3, 4>, f16; pad", ";", "expected `,` and an option"),
        ("NCHW<1, 2, 3, 4>, float", "float", "unknown element type `float`; write `f32`"),
        ("NCHW<1, 2, 3, 4>, Complex<f32>", "Complex<f32>", "unknown element type `Complex<f32>`"),
        ("NCHW<1, 2, 3, 4>, plain(6, align = 4)", "plain(6, align = 4)", "an element of 6 bytes"),
        ("NCHW<1, 2, 3, 4> f16", "f16", "expected `,` and an element type after the extents"),
        ("NCHW<1, 2, 3, 4>, f16 pad", "pad", "expected `,` and an option"),
    ] {
        check_error(text, piece, message);
    }
}

#[test]
fn errors_of_options_point_at_their_place() {
    for (text, piece, message) in [
        (
            "NCHW<1, 2, 3, 4>, f16, padding",
            "padding",
            "unknown option `padding`; write one of `pad`",
        ),
        ("NCHW<1, 2, 3, 4>, f16, pad, pad", "pad", "option `pad` is given twice; keep one"),
        ("NCHW<1, 2, 3, 4>, u8, pad = 256", "256", "pad value 256 does not fit in `u8`; write an"),
        ("MK<1, 2>, u4, pad = 16, high_first", "16", "pad value 16 does not fit in `u4`; write an"),
        ("MK<1, 2>, u4, high_first, pad = 16", "16", "pad value 16 does not fit in `u4`; write an"),
        ("NCHW<1, 2, 3, 4>, u8, pad = x", "x", "pad value x does not have type `u8`; write"),
        ("NCHW<1, 2, 3, 4>, f16, pad(0)", "pad(0)", "option `pad` is malformed; write `pad` or"),
        ("NCHW<1, 2, 3, 4>, f16, strides = [1, 2]", "[1, 2]", "2 strides are given for 4 axes"),
        ("HW<3, 4>, f16, strides = [4, x]", "x", "stride `x` is not an integer"),
        (
            "HW<3, 4>, f16, strides = [4, 1",
            "[4, 1",
            "the list of values has no end; add `)` or `]`",
        ),
        ("HW<3, 4>, f16, strides = [3, 1]", "[3, 1]", "coordinates [1, 0] and [0, 3] share an"),
        ("HW<3, 4>, f16, strides = [0, 1]", "0", "axis `H` has stride 0, so its 3 coordinates"),
        ("HW<3, 4>, f16, strides = [2, 1], broadcast(H)", "2", "axis `H` is broadcast but has"),
        ("HW<3, 4>, f16, align(H = 3)", "3", "alignment of 3 bytes is not a multiple"),
        ("HW<3, 4>, f16, align(X = 4)", "X", "layout has no axis `X`; write one of H, W"),
        ("HW<3, 4>, f16, align(H)", "align(H)", "option `align` is malformed; write `align(H"),
        (
            "HW<3, 4>, f16, align = 24",
            "24",
            "alignment of the buffer, 24 bytes, is not a power of two",
        ),
        ("HW<3, 4>, f16, broadcast(H, H)", "H", "axis `H` is given twice; keep one"),
        ("HW<3, 4>, f16, lanes(H, 0)", "0", "axis `H` is distributed over 0 lanes"),
        ("HW<3, 4>, f16, lanes(H, 2, start = 2)", "2", "start lane 2 of axis `H` is out of bounds"),
    ] {
        check_error(text, piece, message);
    }
}

#[test]
fn errors_of_storages_and_views_point_at_their_place() {
    for (text, piece, message) in [
        ("NCHW<1, 2, 3, 4>, f16, bm::aligned", "bm", "unknown chip `bm`; write `bm1684x`"),
        ("NCHW<1, 2, 3, 4>, f16, bm1688::align", "align", "unknown storage `align`; write"),
        (
            "NHWC<N = 1, C = 2, H = 3, W = 4>, f16, bm1688::aligned",
            "NHWC",
            "storage `aligned` does not take format",
        ),
        ("NCHW<1, 2, 3, 4>, f64, bm1688::aligned", "f64", "storage `aligned` does not take"),
        ("MN<1, 2>, f16, bm1688::matrix", "bm1688::matrix", "storage `matrix` needs argument `w`"),
        (
            "MN<1, 2>, f16, bm1688::matrix(x = 2)",
            "x = 2",
            "storage `matrix` is malformed; write `bm1688",
        ),
        ("NC4c<1, 8>, u8, strides = [8, 4]", "[8, 4]", "2 strides are given for 3 axes and blocks"),
        ("NC4c<1, 8>, u8, strides = [8, 4, 1], C from 4", "4", "axis `C` starts at position"),
        ("NC<1, 8>, u8, from 0 of 8", "from 0 of 8", "option `from` needs strides"),
        (
            "NC<2, 8>, u8, strides = [8, 1], from 1 of 16",
            "from 1 of 16",
            "strides and extents reach",
        ),
        ("NC<2, 8>, u8, strides = [8, 1], from 1", "from 1", "option `from` is malformed"),
        (
            "NC<2, 8>, u8, strides = [7, 1], len = 16",
            "[7, 1]",
            "a stride is smaller than the space",
        ),
        (
            "NC<2, 8>, u8, strides = [9, 1], len = 17",
            "len = 17",
            "strides and extents take more than 17",
        ),
        ("NC<2, 8>, u8, coordinates(N)", "coordinates(N)", "coordinates (N) do not list all axes"),
        (
            "NC2c4c/4 <2, 8>, u8, strides = [8, 1, 1, 2]",
            "4c/4",
            "blocks of axis `C` leave a gap: one step of `4c/4` is 4 coordinates, but `2c` covers 2",
        ),
        (
            "NC<4294967296, 4294967296>, f64",
            "<4294967296, 4294967296>",
            "layout takes more than `isize::MAX` bytes",
        ),
    ] {
        check_error(text, piece, message);
    }
}

/// Views print what they are in the words of the options.
#[test]
fn views_print_with_options_of_their_own() {
    let parsed = |text: &str| text.parse::<Layout>().unwrap_or_else(|error| panic!("{error}"));
    let act = parsed("NCHW4<2, 8, 3, 3>, f32, align(N = 64)");
    assert_eq!(act.element(), ElementType::F32);
    for (layout, text) in [
        (
            act.index('N', 1),
            "CHW4c<8, 3, 3>, f32, strides = [36, 12, 4, 1], align = 64, from 80 of 160",
        ),
        (
            parsed("NCHW<2, 3, 4, 5>, f32").permute("NHWC"),
            "NHWC<2, 4, 5, 3>, f32, strides = [60, 5, 1, 20], coordinates(N, H, W, C)",
        ),
        (parsed("MK<1, 1>, f32").index('M', 0).unwrap().index('K', 0), "SCALAR, f32, from 0 of 1"),
    ] {
        let layout = layout.unwrap();
        assert_eq!(layout.to_string(), text);
        assert_eq!(parsed(text), layout);
    }
}
