//! The program as a user runs it.

use std::process::{Command, Output};

fn layout(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_layout")).args(arguments).output().expect("the program runs")
}

/// What it prints where all is well.
fn printed(arguments: &[&str]) -> String {
    let output = layout(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_layout_is_explained_and_drawn() {
    let text = printed(&["NCHW4<1, 6, 2, 3>, i8, pad"]);
    assert!(
        text.starts_with("NCHW4c<1, 6, 2, 3>, i8, pad\n  36 coordinates, 48 elements, "),
        "{text}"
    );
    assert!(text.contains("  oneDNN aBcd4b\n") && text.contains("      4   24 "), "{text}");
    assert!(!text.contains('\u{1b}'), "no colors in a file");
    assert!(printed(&["MK<2, 2>, i8", "--ansi"]).contains("\u{1b}[48;2;"));
    assert!(printed(&["MK<2, 2>, i8", "--svg", "--color", "32x4"]).starts_with("<svg "));
    assert!(printed(&["--html", "MK<2, 2>, i8", "--memory"]).starts_with("<!DOCTYPE html>"));
    assert!(printed(&["--help"]).contains("usage: layout LAYOUT"));
    let lanes = printed(&["NCHW<1, 3, 1, 2>, f16, bm1684x::compact(start = 63)", "--lanes"]);
    assert!(
        lanes.contains("\n   63  0,0   0,1     ()    ()\n    0    ()    ()  1,0   1,1\n"),
        "{lanes}"
    );
    let banks = printed(&["M<32>, f32, strides = [32]", "--access", "M"]);
    assert!(banks.contains(" 3968 31\n") && banks.contains("32-way bank conflict"), "{banks}");
}

#[test]
fn a_relayout_says_its_bytes_and_its_path() {
    for arguments in
        [&["MK<3, 4>, f32", "=>", "KM<3, 4>, f32"][..], &["MK<3, 4>, f32 => KM<3, 4>, f32"]]
    {
        let text = printed(arguments);
        assert!(text.starts_with("MK<3, 4>, f32 -> KM<3, 4>, f32: 48 bytes\n  "), "{text}");
        assert!(text.contains("\nsource: MK<3, 4>, f32\n"), "{text}");
        assert!(text.contains("\n    contiguous on both sides: 4 bytes\n"), "{text}");
        assert!(
            text.contains("\n    stores: into the caches; source and destination together have 96 bytes, less than "),
            "{text}"
        );
        assert!(text.contains("\ndestination\n  48 bytes, alignment 4\n  oneDNN ba\n"), "{text}");
    }
}

/// One line, which says what is wrong.
#[test]
fn wrong_input_is_one_clear_line() {
    for (arguments, expected) in [
        (&[][..], "no layout given; see layout --help"),
        (
            &["NCHW4<2, 63, 3, 3>, f16"],
            "axis `C` has extent 63, which is not a multiple of its block 4",
        ),
        (&["NCHW<1, 3>"], "expected `,` and an element type after the extents"),
        (&["MK<2, 2>, i8", "MK<2, 2>, i8"], "two layouts without `=>` between them"),
        (&["MK<2, 2>, i8", "=>", "MK<2, 3>, i8"], "axis `K` has"),
        (&["MK<2, 2>, i8 => MK<2, 2>, i8 => MK<2, 2>, i8"], "more than one `=>`"),
        (&["MK<2, 2>, i8", "--png"], "`--png` is not an option"),
        (&["MK<2, 2>, i8", "--fold"], "`--fold` has no value"),
        (&["MK<2, 2>, i8", "--fold", "x"], "`x` is not two numbers"),
        (&["MK<2, 2>, i8", "--color", "300x4"], "`300x4` is not a color"),
        (&["MK<2, 2>, i8", "--axes", "Q,K"], "no axis `Q`"),
        (&["MK<2, 2>, i8", "--lanes"], "is not distributed over lanes"),
        (&["MK<2, 2>, i8", "--access", "Q"], "no axis `Q`"),
        (&["MK<2, 2>, i8", "--access", "M", "--color", "order"], "--access shows banks"),
        (&["MK<2, 2>, i8", "--axes", "M,M"], "axis `M` is given twice"),
        (&["MK<2, 2>, i8", "--memory", "--lanes"], "`--memory` and `--lanes` are two pictures"),
        (&["MK<2, 2>, i8 => KM<2, 2>, i8", "--axes", "M,K"], "`--axes` is a picture of one layout"),
    ] {
        let output = layout(arguments);
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(error.starts_with("layout: ") && error.lines().count() == 1, "{error}");
        assert!(output.stdout.is_empty());
    }
}
