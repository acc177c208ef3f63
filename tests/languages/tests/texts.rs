//! Errors, headers, indices of 64 bits, and what the guide prints.

use std::process::Command;

use languages::programs::subjects;
use languages::tools::{self, Folder};
use tensor_layout::source::{Language, Source};
use tensor_layout::{ElementType, Layout, layout, source};

type Act = layout!(NCHW4<2, 62, 56, 56>, i8, pad);
type Images = layout!(NHWC<N = _, C = 3, H = _, W = _>, u8);
type Conv = layout!(OIHW4i4o<16, 8, 3, 3>, i4, align(O = 32));

fn error(source: Source<'_>, language: Language) -> String {
    source.functions(language).unwrap_err().to_string()
}

#[test]
fn what_has_no_text_is_an_error() {
    let act = Act::LAYOUT;
    let large = |rows: usize| Layout::of("HW", &[rows, 65536], ElementType::F16).unwrap();
    for name in ["", "Act", "1a", "a__b", "a_", "a-b", "gl_a", "gl", "für", &"a".repeat(41)] {
        assert_eq!(
            error(Source::new(name, act), Language::C),
            "the name is not an identifier in every language; write lower-case letters, digits and single \
             underscores, a letter first and no underscore last, at most 40 characters",
            "{name}"
        );
    }
    assert_eq!(
        error(Source::new("a", large(65536)), Language::Cuda),
        "the length of 4294967296 elements is above 4294967295; add `.wide()` for indices of 64 bits"
    );
    assert_eq!(
        error(Source::new("a", large(65536)), Language::Wgsl),
        "the length of 4294967296 elements is above 4294967295; WGSL has no larger integers, so split the tensor"
    );
    assert_eq!(
        error(Source::new("a", large(40000)), Language::Glsl),
        "the size of 5242880000 bytes is above 4294967295; GLSL has no larger integers, so split the tensor"
    );
    assert!(Source::new("a", large(40000)).functions(Language::Metal).is_ok());
    assert!(Source::new("a", large(65536)).wide().functions(Language::OpenCl).is_ok());
    assert_eq!(
        error(Source::new("a", act).wide(), Language::Glsl),
        "GLSL has no integers of 64 bits; leave out `.wide()` and split larger tensors"
    );
    let wide = Layout::from_strides("HW", &[2, 4], &[-3_000_000_000, 1], ElementType::I8).unwrap();
    assert!(Source::new("a", wide).functions(Language::Cuda).is_ok());
    assert_eq!(
        Source::new("a", wide).strides(Language::Cuda).unwrap_err().to_string(),
        "a stride of 3000000000 elements is above 2147483647; add `.wide()` for indices of 64 bits"
    );
    let header = Source::new("a", act).header().unwrap();
    for word in ["int", "class", "uint8_t"] {
        assert_eq!(
            header.with_tables(&["weights", word]).unwrap_err().to_string(),
            "the name of a table is a word of C or C++; write another name"
        );
    }
    assert_eq!(
        Source::of::<Images>("a").header().unwrap_err().to_string(),
        "extents of the layout are known only at run time, so it has no constants; write them, or use \
         `functions`, which take them as parameters"
    );
    assert_eq!(
        error(Source::of::<tensor_layout::Dynamic<i8, 4>>("a"), Language::C),
        "the layout is a value and not part of the type; pass it to `Source::new`"
    );
}

/// Literals of the macro are what the library prints, and go into other literals.
#[test]
fn constants_are_what_is_printed() {
    const LANGUAGES: [(Language, &str); 6] = [
        (Language::C, source!(C, act = NCHW4<2, 62, 56, 56>, i8, pad)),
        (Language::Cuda, source!(Cuda, act = NCHW4<2, 62, 56, 56>, i8, pad)),
        (Language::OpenCl, source!(OpenCl, act = NCHW4<2, 62, 56, 56>, i8, pad)),
        (Language::Metal, source!(Metal, act = NCHW4<2, 62, 56, 56>, i8, pad)),
        (Language::Wgsl, source!(Wgsl, act = NCHW4<2, 62, 56, 56>, i8, pad)),
        (Language::Glsl, source!(Glsl, act = NCHW4<2, 62, 56, 56>, i8, pad)),
    ];
    let act = Source::new("act", Act::LAYOUT);
    for (language, text) in LANGUAGES {
        assert_eq!(text, act.functions(language).unwrap().to_string(), "{language}");
    }
    const WIDE: &str = source!(Cuda, act = NCHW4<2, 62, 56, 56>, i8, pad; wide);
    assert_eq!(WIDE, act.wide().functions(Language::Cuda).unwrap().to_string());
    const STRIDES: &str = source!(Metal, act = NCHW4<2, 62, 56, 56>, i8, pad; strides, wide);
    assert_eq!(STRIDES, act.wide().strides(Language::Metal).unwrap().to_string());
    const HEADER: &str = source!(C, act = NCHW4<2, 62, 56, 56>, i8, pad; header);
    assert_eq!(HEADER, act.header().unwrap().to_string());
    const TILE: &str = concat!(source!(C, tile = MK<M = 8, K = 64>, f16, swizzle = b128), "// end");
    let tile = "MK<8, 64>, f16, swizzle = b128".parse().unwrap();
    let tile = Source::new("tile", tile).functions(Language::C).unwrap().to_string();
    assert_eq!(TILE, tile + "// end");
}

/// Every block of source text in the guide is part of what the functions print.
#[test]
fn the_guide_prints_what_is_made() {
    let guide = include_str!("../../../src/guide/languages.md");
    let act = Source::new("act", Act::LAYOUT).functions(Language::C).unwrap();
    let images = Source::of::<Images>("images").functions(Language::Cuda).unwrap();
    let made = format!("{act}{images}");
    let blocks: Vec<_> =
        guide.split("```c\n").skip(1).map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 1);
    for part in blocks.into_iter().flatten().flat_map(|block| block.split("\n\n")) {
        assert!(made.contains(part), "{part}\n is not part of \n{made}");
    }
}

/// Compiles a program of C and runs it.
fn run(name: &str, options: &[&str], text: &str) {
    let folder = Folder::new(name);
    let source = folder.file("main.c", text);
    let program = folder.path().join("main");
    let warnings = ["-pedantic", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror"];
    let mut command = Command::new("gcc");
    tools::run(command.args(options).args(warnings).arg(&source).arg("-o").arg(&program), "gcc");
    tools::run(&mut Command::new(&program), "");
}

/// A header declares tables of each element type as C stores it.
#[test]
fn headers_have_the_types_of_c() {
    for own in test_support::elements::elements() {
        let element = ElementType::from_name(own.name).unwrap();
        let layout = Layout::of("HW", &[2, 8], element).unwrap();
        let header = Source::new("a", layout).header().unwrap();
        let text = header.with_tables(&["weights"]).unwrap().to_string();
        let size = if own.bits.1 < 8 { "A_BYTES" } else { "A_LEN" };
        let line = format!("A_ALIGNED extern const {} weights[{size}];", own.c);
        assert!(text.contains(&line), "{}: {text}", own.name);
    }
    let contents = |text: &str| {
        let header = Source::new("a", Layout::parse(text).unwrap()).header().unwrap();
        let text = header.with_tables(&["weights"]).unwrap().to_string();
        let line = text.lines().find_map(|line| line.split_once("Elements: "));
        line.expect("a comment").1.to_string()
    };
    for (text, expected) in [
        ("HW<2, 8>, i24", "24-bit integers."),
        (
            "HW<2, 8>, u2, high_first",
            "2-bit integers, four in a byte, the first in the highest bits.",
        ),
        ("HW<2, 8>, f16", "the bits of f16: IEEE 754 binary16."),
        ("HW<2, 8>, f32", "IEEE 754 binary32."),
        ("HW<2, 8>, plain(3)", "the bytes of a type of the program."),
    ] {
        assert_eq!(contents(text), expected, "{text}");
    }
}

#[test]
fn headers_align_their_tables() {
    let header = Source::new("conv", Conv::LAYOUT).header().unwrap();
    let header = header.with_tables(&["weights", "more"]).unwrap().to_string();
    let check = "const uint8_t weights[CONV_BYTES] = {1};\n\
                 CONV_ALIGNED const uint8_t more[CONV_BYTES] = {2};\n\
                 int main(void) { return (uintptr_t)weights % CONV_ALIGN || (uintptr_t)more % CONV_ALIGN; }\n";
    for standard in ["-std=c99", "-std=c11"] {
        // Twice, as files include it.
        run("header", &[standard], &format!("{header}{header}{check}"));
    }
    let header = Source::new("conv", Conv::LAYOUT).header().unwrap();
    assert!(header.with_tables(&["2d"]).is_err());
}

/// Indices above 32 bits, of a layout and with extents as parameters.
#[test]
fn wide_indices_are_exact() {
    let layout = Layout::of("CHW", &[5, 70_000, 65_536], ElementType::I8).unwrap();
    let at = layout.offset(&[4, 69_999, 65_535]);
    let fixed = Source::new("a", layout).wide().functions(Language::C).unwrap();
    let open = Source::of::<Images>("b").wide().functions(Language::C).unwrap();
    let images = Images::new([3, 40_000, 50_000]).unwrap().layout();
    let far = images.offset(&[2, 1, 39_999, 49_999]);
    let text = format!(
        "{fixed}{open}\nint main(void) {{\n    uint64_t c, h, w, n;\n    \
         if (a_offset(4, 69999, 65535) != {at}) {{ return 1; }}\n    \
         if (!a_coordinate({at}, &c, &h, &w) || c != 4 || h != 69999 || w != 65535) {{ return 2; }}\n    \
         if (b_offset(3, 40000, 50000, 2, 1, 39999, 49999) != {far}) {{ return 3; }}\n    \
         if (b_len(3, 40000, 50000) != {}) {{ return 4; }}\n    \
         if (!b_coordinate(3, 40000, 50000, {far}, &n, &c, &h, &w)) {{ return 5; }}\n    \
         return n != 2 || c != 1 || h != 39999 || w != 49999;\n}}\n",
        images.len()
    );
    run("wide", &["-std=c99"], &text);
}

/// Extents are valid where the library finds them to be, and where no index overflows.
#[test]
fn extents_fit_where_the_library_says_so() {
    type Rows = layout!(NCHW4<_, 8, _, _>, i4, align(H = 6));
    type Nibbles = layout!(HW<_, _>, u4);
    type Twos = layout!(HW<_, _>, u2);
    type Bits = layout!(HW<_, _>, u1);
    type PaddedBits = layout!(HW<_, _>, u1, pad, high_first);
    type Blocks = layout!(NCHW4<2, _, _, 3>, i8);
    let mut text = String::new();
    text += &Source::of::<Rows>("rows").functions(Language::C).unwrap().to_string();
    text += &Source::of::<Blocks>("blocks").functions(Language::C).unwrap().to_string();
    text += &Source::of::<Images>("images").functions(Language::C).unwrap().to_string();
    text += &Source::of::<Nibbles>("nibbles").functions(Language::C).unwrap().to_string();
    text += &Source::of::<Twos>("twos").functions(Language::C).unwrap().to_string();
    text += &Source::of::<Bits>("bits").functions(Language::C).unwrap().to_string();
    text += &Source::of::<PaddedBits>("padded").functions(Language::C).unwrap().to_string();
    text += "int main(void) {\n";
    let mut line = |call: String, fits: bool| {
        text += &format!("    if ({call} != {}) {{ return 1; }}\n", u32::from(fits));
    };
    let sizes = [0, 1, 2, 3, 4, 5, 8, 12, 1000, 21_845, 65_535, 65_536, 4_294_967_295];
    for a in sizes {
        for b in sizes {
            let small = |len: Option<usize>| len.is_some_and(|len| len <= 4_294_967_295);
            let len = Blocks::new([a, b]).ok().map(|layout| layout.layout().len());
            line(format!("blocks_fits({a}u, {b}u)"), small(len));
            let len = Nibbles::new([a, b]).ok().map(|layout| layout.layout().len());
            line(format!("nibbles_fits({a}u, {b}u)"), small(len));
            let len = Twos::new([a, b]).ok().map(|layout| layout.layout().len());
            line(format!("twos_fits({a}u, {b}u)"), small(len));
            let len = Bits::new([a, b]).ok().map(|layout| layout.layout().len());
            line(format!("bits_fits({a}u, {b}u)"), small(len));
            let len = PaddedBits::new([a, b]).ok().map(|layout| layout.layout().len());
            line(format!("padded_fits({a}u, {b}u)"), small(len));
            for c in sizes {
                let len = Images::new([a, b, c]).ok().map(|layout| layout.layout().len());
                line(format!("images_fits({a}u, {b}u, {c}u)"), small(len));
                let len = Rows::new([a, b, c]).ok().map(|layout| layout.layout().len());
                line(format!("rows_fits({a}u, {b}u, {c}u)"), small(len));
            }
        }
    }
    run("fits", &["-std=c99"], &(text + "    return 0;\n}\n"));
}

/// The words of a struct are the numbers of its constant.
#[test]
fn words_are_those_of_the_constant() {
    let mut checked = 0;
    for subject in subjects(200) {
        let Ok(strides) = subject.source().strides(Language::C) else { continue };
        let text = strides.to_string();
        let list = text.split("_STRIDES {").nth(1).and_then(|rest| rest.split('}').next());
        let numbers = list.expect("a constant").split(", ");
        let numbers = numbers.map(|number| number.trim_end_matches('u').parse::<i64>().unwrap());
        let expected: Vec<u64> = numbers.map(|number| (number as u32).into()).collect();
        assert_eq!(strides.words().collect::<Vec<_>>(), expected, "{text}");
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

/// Layouts found at run time, in the functions of another one with the same axes and blocks.
#[test]
fn words_of_other_layouts_go_to_the_functions() {
    let parse = |text: &str| text.parse::<Layout>().unwrap();
    let flipped = parse("NCHW4<3, 8, 5, 2>, i8").flip('H').unwrap();
    let rows = parse("NCHW4<3, 8, 5, 2>, i8").slice('W', 1, -1, 2).unwrap();
    let others = [
        parse("NCHW4<2, 6, 3, 5>, i8, pad"),
        parse("CHWN4c<N = 3, C = 12, H = 2, W = 2>, i8"),
        parse("NCHW4<1, 3, 3, 5>, i8, pad"),
        parse("NCHW4<2, 8, 3, 5>, i8, align(H = 64)"),
        flipped,
        rows,
    ];
    let act = Source::new("act", parse("NCHW4<1, 8, 4, 4>, i8"));
    let strides = act.strides(Language::C).unwrap();
    let mut text = format!("{strides}\nint main(void) {{\n");
    for (i, other) in others.iter().enumerate() {
        let words: Vec<String> =
            strides.words_of(other).unwrap().map(|word| (word as u32 as i32).to_string()).collect();
        text += &format!("    const struct act_strides other{i} = {{{}}};\n", words.join(", "));
        for index in 0..other.numel() {
            let mut rest = index;
            let mut at = [0; 4];
            for (own, extent) in at.iter_mut().zip(other.extents()).rev() {
                (*own, rest) = (rest % extent, rest / extent);
            }
            let [n, c, h, w] = at;
            let offset = other.offset(&at);
            text += &format!(
                "    if (act_strided_offset(other{i}, {n}, {c}, {h}, {w}) != {offset}) {{ return 1; }}\n"
            );
        }
    }
    run("words", &["-std=c99", "-Wno-sign-conversion"], &(text + "    return 0;\n}\n"));
    let refused = |layout: Layout| strides.words_of(&layout).err().map(|error| error.to_string());
    let error = "the layout has other axes, blocks or swizzles than the functions; make the functions of a layout \
                 with the same ones, in which blocked axes are longer than a block";
    for layout in [
        parse("NCHW<1, 8, 4, 4>, i8"),
        parse("NCHW8<1, 16, 4, 4>, i8"),
        parse("NCHW4<1, 8, 4, 4>, i8, swizzle(1, 2, 3)"),
        parse("CHW<8, 4, 4>, i8"),
    ] {
        assert_eq!(refused(layout).as_deref(), Some(error), "{layout}");
    }
    // With one block there is no remainder, so a longer axis has another function.
    let short = Source::new("act", parse("NCHW4<1, 3, 4, 4>, i8, pad"));
    let short = short.strides(Language::C).unwrap();
    assert!(short.words_of(&parse("NCHW4<1, 8, 4, 4>, i8")).is_err());
    assert!(short.words_of(&parse("NCHW4<1, 2, 4, 4>, i8, pad")).is_ok());
    let large = parse("NCHW4<1, 8, 65536, 65536>, i8");
    assert!(refused(large).unwrap().contains("above 4294967295"));
}
