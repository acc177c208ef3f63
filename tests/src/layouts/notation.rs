//! Layouts as text. A printed layout is read as itself, errors point at their position, and no text makes the parser
//! panic. `views` has the same for views. `layout-macros/src/tests.rs` has the table of sentences, right and wrong.

use proptest::collection::vec;
use proptest::prelude::*;
use tensor_layout::{ElementType, Layout};

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

/// A buffer whose alignment no axis has says so beside its memory order.
#[test]
fn alignments_of_buffers_print_beside_memory_orders() {
    for text in ["HW<4, 5>, f32, align = 64", "NCHW4c<1, 3, 2, 2>, f32, pad, align = 4096"] {
        assert_eq!(text.parse::<Layout>().unwrap().to_string(), text);
    }
}
