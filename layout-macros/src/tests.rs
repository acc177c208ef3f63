//! One table of sentences through all doors: `layout!`, text and, where it has words for them, the builder. Each makes
//! the same layout, or has the same words on the same part.

use layout_core::chip::{Chip, Storage};
use layout_core::spec::Spec;
use layout_core::{
    ElementType, Layout, LayoutBuilder, LayoutError, LayoutTemplate, NotationError, Swizzle,
};

mod view_rows;

use crate::model::TokenText;
use crate::model::parts;

/// The layout that `layout!` makes, as its type does, or the first error and its part without spaces.
fn of_macro(text: &str) -> Result<Layout, (String, String)> {
    let text = TokenText::of(text.parse().unwrap());
    let (parts, faults) = parts(&text.text);
    if let Some((error, span)) = faults.first() {
        return Err((format!("{error:#}"), text.text[span.start..span.end].replace(' ', "")));
    }
    let (draft, assembly) = parts.unwrap();
    let (element, axes, factors) =
        (draft.template.element(), draft.template.axes(), assembly.factors());
    Ok(Layout::new(&Spec { element, axes, factors, fill: assembly.fill }).unwrap())
}

type Door = fn(&str) -> Result<Layout, (String, String)>;

fn of_text(text: &str) -> Result<Layout, (String, String)> {
    Layout::parse(text).map_err(|error| words_and_part(text, error))
}

/// The layout of a template without `_`, or the error of any.
fn of_template(text: &str) -> Result<Layout, (String, String)> {
    match LayoutTemplate::parse(text) {
        Ok(template) => Ok(template.with_extents(&[]).unwrap()),
        Err(error) => Err(words_and_part(text, error)),
    }
}

fn words_and_part(text: &str, error: NotationError) -> (String, String) {
    (error.message().as_str().to_owned(), text[error.range()].replace(' ', ""))
}

type Built = Result<Layout, LayoutError>;

fn build(format: &str, element: ElementType) -> LayoutBuilder {
    LayoutBuilder::new(&format.parse().unwrap(), element)
}

/// A builder with a storage of the first chip.
fn stored(builder: LayoutBuilder, name: &str, start: usize, width: Option<usize>) -> LayoutBuilder {
    let (chip, storage) = (Chip::named("bm1684x").unwrap(), Storage::named(name).unwrap());
    builder.storage(chip, storage, start, width)
}

/// The layout of a builder over axes, or its error. A template whose extents are known makes the same, and so does one
/// that learns them later.
fn all(builder: &LayoutBuilder, axes: &[(char, usize)]) -> Built {
    let built = builder.named_extents(axes);
    let known: Vec<_> = axes.iter().map(|(axis, extent)| (*axis, Some(*extent))).collect();
    let open: Vec<_> = axes.iter().map(|(axis, _)| (*axis, None)).collect();
    let known = builder.template(&known).and_then(|template| template.with_extents(&[]));
    let open = builder.template(&open).and_then(|template| template.with_extents(axes));
    assert_eq!((known, open), (built, built));
    built
}

/// A text, what it prints as, and a builder that takes its extents.
type Row = (&'static str, &'static str, Option<LayoutBuilder>);

fn formats() -> Vec<Row> {
    use ElementType::{F16, F32, I8, U8};
    vec![
        ("SCALAR, f32", "SCALAR, f32", Some(build("SCALAR", F32))),
        ("NCHW4<2, 64, 3, 3>, f16", "NCHW4c<2, 64, 3, 3>, f16", Some(build("NCHW4", F16))),
        ("NCHW < 0x2, { 64 }, (3), 3usize > , f16 ,", "NCHW<2, 64, 3, 3>, f16", None),
        (
            "NHWC<N = 1, H = 4, W = 5, C = 3>, u8",
            "NHWC<N = 1, C = 3, H = 4, W = 5>, u8",
            Some(build("NHWC", U8)),
        ),
        (
            "BSHD<B = 8, H = 12, S = 128, D = 64>, f32",
            "BSHD<8, 128, 12, 64>, f32",
            Some(build("BSHD", F32)),
        ),
        (
            "BSHD<B = 8, H = 12, S = 128, D = 64>, f32, coordinates(B, H, S, D)",
            "BSHD<B = 8, H = 12, S = 128, D = 64>, f32, coordinates(B, H, S, D)",
            Some(build("BSHD", F32).coordinates("bhsd")),
        ),
        (
            "HWC<480, 640, 3>, u8, coordinates(H, W, C)",
            "HWC<480, 640, 3>, u8, coordinates(H, W, C)",
            Some(build("HWC", U8).coordinates("HWC")),
        ),
        ("acdb<1, 2, 3, 4>, f32", "ACDB<1, 2, 3, 4>, f32", None),
        (
            "NCHW4<2, 63, 3, 3>, i8, pad = -1",
            "NCHW4c<2, 63, 3, 3>, i8, pad = -1",
            Some(build("NCHW4", I8).pad(255)),
        ),
        (
            "NCHW<2, 3, 5, 6>, f16, align(H = 64)",
            "NCHW<2, 3, 5, 6>, f16, align(H = 64)",
            Some(build("NCHW", F16).align('H', 64)),
        ),
    ]
}

fn strides_and_alignments() -> Vec<Row> {
    use ElementType::{F16, I4, I8, U8};
    vec![
        (
            "MK<4, 3>, i8, strides = [0, 1], broadcast(M)",
            "MK<4, 3>, i8, strides = [0, 1], broadcast(M)",
            Some(build("MK", I8).strides(&[0, 1]).broadcast('M')),
        ),
        (
            "HWC<H = 3, W = 3, C = 3>, u8, strides = [H = 9, W = 3, C = 1]",
            "CHW<3, 3, 3>, u8, strides = [1, 9, 3]",
            Some(build("HWC", U8).strides(&[1, 9, 3])),
        ),
        (
            "HW<3, 300>, u8, pitch(H = 512)",
            "HW<3, 300>, u8, pitch(H = 512)",
            Some(build("HW", U8).pitch('H', 512)),
        ),
        (
            "NCHW4<2, 8, 3, 3>, u8, pitch(H = 16)",
            "NCHW4c<2, 8, 3, 3>, u8, pitch(H = 16)",
            Some(build("NCHW4", U8).pitch('H', 16)),
        ),
        (
            "HW<3, 5>, i4, pitch(H = 4)",
            "HW<3, 5>, i4, pitch(H = 4)",
            Some(build("HW", I4).pitch('H', 4)),
        ),
        (
            "NCHW<1, 128, 2, 2>, f16, lanes(C, 64, start = 2)",
            "NCHW<1, 128, 2, 2>, f16, lanes(C, 64, start = 2)",
            Some(build("NCHW", F16).lanes('C', 64, 2)),
        ),
        (
            "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)",
            "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)",
            Some(build("8m4kKM2k", F16).over_lanes(32)),
        ),
    ]
}

fn lanes_and_others() -> Vec<Row> {
    use ElementType::{F16, U8, U16};
    vec![
        (
            "MK<16, 64>, f16, swizzle = b128",
            "MK<16, 64>, f16, swizzle(3, 3, 3)",
            Some(build("MK", F16).swizzle_bytes(layout_core::Swizzle::B128)),
        ),
        (
            "MK<16, 64>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8)",
            "MK<16, 64>, f16, swizzle(3, 3, 3)",
            Some(build("MK", F16).swizzle_phases(8, 1, 8)),
        ),
        ("MK<2, 8>, u4, high_first", "MK<2, 8>, u4, high_first", None),
        (
            "NCHW<1, 64, 7, 7>, f16, bm1684x::aligned(start = 2)",
            "NCHW<1, 64, 7, 7>, f16, align(C = 64), lanes(C, 64, start = 2)",
            Some(stored(build("NCHW", F16), "aligned", 2, None)),
        ),
        (
            "NCHW<1, 64, 7, 7>, f16, bm1684x::aligned, align(lanes = 256)",
            "NCHW<1, 64, 7, 7>, f16, align(C = 128, lanes = 256), lanes(C, 64)",
            Some(stored(build("NCHW", F16), "aligned", 0, None).align_lanes(256)),
        ),
        (
            "MN<2, 40>, f16, bm1684x::matrix(w = 20)",
            "MN20n<2, 40>, f16, pad, align(N = 64), lanes(N, 64)",
            Some(stored(build("MN", F16), "matrix", 0, Some(20))),
        ),
        (
            "HW<3, 5>, u8, align(H = 64), align = 16",
            "HW<3, 5>, u8, strides = [64, 1], align = 16, len = 192",
            Some(build("HW", U8).align('H', 64).align_start(16)),
        ),
        (
            "HW<3, 5>, u8, strides = [8, 1], align = 16",
            "HW<3, 5>, u8, strides = [8, 1], align = 16",
            Some(build("HW", U8).strides(&[8, 1]).align_start(16)),
        ),
        ("RC32r4r/32 4c<R = 128, C = 4>, u8", "RC32r4r/32 4c<128, 4>, u8", None),
        ("NCHW<N = 1, C = 2, H = 3, W = 4,>, u16, pad", "NCHW<1, 2, 3, 4>, u16, pad", None),
        ("T<5>, u16", "T<5>, u16", Some(build("T", U16))),
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
        if let Some(built) = built {
            let letters = layout.letters();
            let axes: Vec<_> =
                letters.as_str().chars().zip(layout.extents().iter().copied()).collect();
            assert_eq!(all(&built, &axes), Ok(layout), "{text}");
            assert_eq!(built.extents(layout.extents()), Ok(layout), "{text}");
            let known: Vec<_> = axes.iter().map(|(axis, extent)| (*axis, Some(*extent))).collect();
            assert_eq!(built.template(&known), LayoutTemplate::parse(text).map_err(Into::into));
        }
        assert_eq!(of_template(text), Ok(layout), "{text}");
        let template = LayoutTemplate::parse(text).unwrap();
        assert_eq!(LayoutTemplate::parse(&template.to_string()), Ok(template), "{text}");
    }
}

/// Texts that are not layouts, in blocks: the text, its wrong part without spaces, and what is said of it. A block of
/// `door: text` has what only text refuses: constants, types and `_` of `layout!`, options after `;`, and text that is
/// no list of Rust's tokens.
const WRONG: &str = include_str!("tests/wrong.txt");

#[test]
fn all_doors_have_the_same_words_on_the_same_part() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for block in WRONG.trim_end().split("\n\n") {
        let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        let text = line("text:").unwrap().trim_start();
        let [part, words] = ["part:", "says: "].map(|name| line(name).unwrap().trim_start());
        let expected = Err((words.to_owned(), part.to_owned()));
        let doors: &[(&str, Door)] = match line("door: ") {
            None => &[("text", of_text), ("template", of_template), ("layout!", of_macro)],
            Some(_) => &[("text", of_text)],
        };
        let found = doors.iter().map(|(door, read)| (door, read(text)));
        let found = found.filter(|(_, found)| *found != expected);
        wrong.extend(found.map(|(door, found)| format!("{door}: {text}: {found:?}")));
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 100, "{count} blocks");
}

/// A number that only the compiler knows breaks no rule here.
#[test]
fn expressions_break_no_rule() {
    for text in [
        "HW<3, 300>, u8, align(H = 48), pitch(H = { BYTES })",
        "HW<3, HEIGHT>, u16, pitch(H = BYTES)",
        "HW<3, 300>, u8, align(H = BYTES), pitch(H = 512)",
        "HW<3, 300>, f32, align = BYTES",
        "HW<3, N as usize>, f32",
    ] {
        let faults = parts(&TokenText::of(text.parse().unwrap()).text).1;
        assert!(faults.is_empty(), "{text}: {:?}", faults.first());
    }
}

/// A text, and a builder that has its options.
type WrongRow = (&'static str, LayoutBuilder);

fn wrong_options() -> Vec<WrongRow> {
    use ElementType::{F16, F32, I8, U8, U16};
    let nchw = |element| build("NCHW", element);
    let bits = Swizzle::new(1, 0, 1);
    vec![
        ("NCHW4<2, 63, 3, 3>, f16", build("NCHW4", F16)),
        ("NCHW<1, 3, 7, 7>, f32, align(X = 64)", nchw(F32).align('X', 64)),
        ("NCHW<1, 3, 7, 7>, f32, align(H = 3)", nchw(F32).align('H', 3)),
        ("HW<3, 300>, u8, pitch(H = 256)", build("HW", U8).pitch('H', 256)),
        ("HW<3, 300>, u16, pitch(H = 1023)", build("HW", U16).pitch('H', 1023)),
        ("HW<3, 300>, u8, pad, pitch(H = 512)", build("HW", U8).pad(0).pitch('H', 512)),
        ("HW<3, 300>, u8, pitch(H = _)", build("HW", U8).unknown_pitch('H')),
        ("MK<4, 3>, i8, lanes(K, 2, start = 2)", build("MK", I8).lanes('K', 2, 2)),
        ("MK<4, 64>, f16, coordinates(M)", build("MK", F16).coordinates("M")),
        ("HW<3, 5>, u8, pad, pad = 1", build("HW", U8).pad(0).pad(1)),
        ("HW<3, 5>, u8, align = 64, align = 8", build("HW", U8).align_start(64).align_start(8)),
        (
            "HW<3, 5>, u8, lanes(H, 3), lanes(W, 5)",
            build("HW", U8).lanes('H', 3, 0).lanes('W', 5, 0),
        ),
        (
            "HW<3, 5>, u8, lanes(H, 3), align(lanes = 4, lanes = 4)",
            build("HW", U8).lanes('H', 3, 0).align_lanes(4).align_lanes(4),
        ),
        (
            "HW<3, 5>, u8, strides = [8, 1], strides = [8, 1]",
            build("HW", U8).strides(&[8, 1]).strides(&[8, 1]),
        ),
        (
            "HW<3, 5>, u8, coordinates(H, W), coordinates(W, H)",
            build("HW", U8).coordinates("HW").coordinates("WH"),
        ),
        ("HW<3, 5>, u8, overlap, overlap", build("HW", U8).overlap().overlap()),
        ("HW<3, 5>, u8, len = 15, len = 15", build("HW", U8).length(15).length(15)),
        (
            "HW<3, 5>, u8, strides = [8, 1], W from 0, W from 0",
            build("HW", U8).strides(&[8, 1]).first_position('W', 0).first_position('W', 0),
        ),
        (
            "HW<3, 5>, u8, swizzle(1, 0, 1), swizzle(vec = 1, per_phase = 2, max_phase = 2)",
            build("HW", U8).swizzle(bits).swizzle_phases(1, 2, 2),
        ),
        (
            "HW<3, 5>, u8, swizzle_bytes(1, 0, 1), swizzle_bytes(1, 0, 1)",
            build("HW", U8).swizzle_bytes(bits).swizzle_bytes(bits),
        ),
        (
            "HW<3, 5>, u8, swizzle(1, 0, 1), swizzle_bytes(1, 0, 1)",
            build("HW", U8).swizzle(bits).swizzle_bytes(bits),
        ),
    ]
}

fn wrong_storages() -> Vec<WrongRow> {
    use ElementType::{F16, U4};
    let nchw = |element| build("NCHW", element);
    vec![
        ("MN<2, 40>, f16, bm1684x::matrix", stored(build("MN", F16), "matrix", 0, None)),
        ("MN<2, 40>, u4, bm1684x::matrix(w = 20)", stored(build("MN", U4), "matrix", 0, Some(20))),
        ("MN<2, 40>, f16, bm1684x::aligned", stored(build("MN", F16), "aligned", 0, None)),
        (
            "NCHW<1, 3, 7, 7>, f16, bm1684x::continuous(start = 1)",
            stored(nchw(F16), "continuous", 1, None),
        ),
        (
            "NCHW<1, 3, 7, 7>, f16, lanes(C, 4), bm1684x::aligned",
            stored(nchw(F16).lanes('C', 4, 0), "aligned", 0, None),
        ),
        (
            "NCHW<1, 3, 7, 7>, f16, strides = [9, 9, 9, 9], bm1684x::aligned",
            stored(nchw(F16).strides(&[9; 4]), "aligned", 0, None),
        ),
        (
            "NCHW<1, 3, 7, 7>, f16, bm1684x::aligned, bm1684x::compact",
            stored(stored(nchw(F16), "aligned", 0, None), "compact", 0, None),
        ),
    ]
}

#[test]
fn the_builder_has_the_same_words() {
    use ElementType::U8;
    for (text, builder) in [wrong_options(), wrong_storages()].concat() {
        let (format, rest) = text.split_once('<').unwrap();
        let numbers = rest.split_once('>').unwrap().0.split(", ").map(|n| n.parse().unwrap());
        let axes: Vec<_> = format.chars().filter(char::is_ascii_uppercase).zip(numbers).collect();
        let words = of_text(text).unwrap_err().0;
        assert_eq!(format!("{:#}", builder.named_extents(&axes).unwrap_err()), words, "{text}");
    }
    let nchw = build("NCHW", U8);
    let few = format!("{:#}", nchw.extents(&[1, 2, 3]).unwrap_err());
    assert_eq!(few, of_text("NCHW<1, 2, 3>, u8").unwrap_err().0);
    for (axes, words) in [
        (&[('N', None), ('C', Some(3))][..], "axis `H` has no extent; add `('H', ..)`"),
        (&[('N', None), ('n', Some(1))], "axis `N` is given twice; keep one"),
        (&[('X', None)], "layout has no axis `X`; write one of N, C, H, W"),
    ] {
        assert_eq!(nchw.template(axes).unwrap_err().to_string(), words);
    }
}

/// A text with `_`, a builder of it, the extents that are not known, and the layout with them.
type OpenRow = (&'static str, Option<LayoutBuilder>, &'static [(char, usize)], &'static str);

fn open_rows() -> Vec<OpenRow> {
    use ElementType::{F16, I4, I8, U8};
    vec![
        (
            "NHWC<N = _, C = 3, H = _, W = 5>, u8",
            Some(build("NHWC", U8)),
            &[('H', 4), ('N', 2)],
            "NHWC<N = 2, C = 3, H = 4, W = 5>, u8",
        ),
        (
            "NCHW4c<_, 7, 2, 2>, i8, pad = -1",
            Some(build("NCHW4", I8).pad(255)),
            &[('N', 0)],
            "NCHW4c<0, 7, 2, 2>, i8, pad = -1",
        ),
        (
            "MK<_, 64>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8)",
            Some(build("MK", F16).swizzle_phases(8, 1, 8)),
            &[('m', 4)],
            "MK<4, 64>, f16, swizzle(3, 3, 3)",
        ),
        (
            "HW<_, 300>, u8, pitch(H = 512)",
            Some(build("HW", U8).pitch('H', 512)),
            &[('H', 2)],
            "HW<2, 300>, u8, pitch(H = 512)",
        ),
        (
            "HW<_, 300>, u8, pitch(H = _)",
            Some(build("HW", U8).unknown_pitch('H')),
            &[('H', 2)],
            "HW<2, 300>, u8, pitch(H = 512)",
        ),
        (
            "NHWC<N = 2, C = 3, H = 4, W = _>, i4, pitch(H = _, W = 2)",
            Some(build("NHWC", I4).unknown_pitch('H').pitch('W', 2)),
            &[('W', 5)],
            "NCHW<2, 3, 4, 5>, i4, strides = [4096, 1, 1024, 4]",
        ),
        (
            "NCHW<1, _, 7, 7>, f16, bm1684x::aligned(start = 2)",
            Some(stored(build("NCHW", F16), "aligned", 2, None)),
            &[('C', 64)],
            "NCHW<1, 64, 7, 7>, f16, align(C = 64), lanes(C, 64, start = 2)",
        ),
    ]
}

#[test]
fn templates_hold_what_is_not_known() {
    for (text, builder, extents, expected) in [open_rows(), view_rows::open()].concat() {
        let template = LayoutTemplate::parse(text).unwrap();
        assert_eq!(template.to_string(), text);
        let axes = template.letters();
        let axes: Vec<_> =
            axes.as_str().chars().map(|axis| (axis, template.extent(axis))).collect();
        if let Some(builder) = builder {
            assert_eq!(builder.template(&axes), Ok(template));
        }
        let pitches = if template.unknown_pitches().count() > 0 { &[('h', 512)][..] } else { &[] };
        let layout = template.with_extents_and_pitches(extents, pitches).unwrap();
        assert_eq!(layout.to_string(), expected, "{text}");
        let words = "is not known, so this is no layout yet; write the number";
        assert!(of_text(text).unwrap_err().0.ends_with(words), "{text}");
    }
}

#[test]
fn templates_refuse_numbers_that_are_not_theirs() {
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
