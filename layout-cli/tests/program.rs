//! The program as a user runs it.

mod checkpoints;

use std::process::{Command, Output};

/// The program.
const LAYOUT: &str = env!("CARGO_BIN_EXE_layout");

fn layout(arguments: &[&str]) -> Output {
    Command::new(LAYOUT).args(arguments).output().expect("the program runs")
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
    assert!(printed(&["MK<2, 2>, i8", "--color", "always"]).contains("\u{1b}[48;2;"));
    assert!(printed(&["MK<2, 2>, i8", "--svg", "--color-by", "32x4"]).starts_with("<svg "));
    assert!(printed(&["--html", "MK<2, 2>, i8", "--memory"]).starts_with("<!DOCTYPE html>"));
    assert!(printed(&["--help"]).contains("usage: layout LAYOUT"));
    assert_eq!(printed(&["help"]), printed(&["--help"]));
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
    for arguments in [
        &["MK<3, 4>, f32", "=>", "KM<M = 3, K = 4>, f32"][..],
        &["MK<3, 4>, f32 => KM<M = 3, K = 4>, f32"],
    ] {
        let text = printed(arguments);
        assert!(text.starts_with("MK<3, 4>, f32 -> KM<M = 3, K = 4>, f32: 48 bytes\n  "), "{text}");
        assert!(text.contains("\nsource: MK<3, 4>, f32\n"), "{text}");
        assert!(text.contains("\n    contiguous on both sides: 4 bytes\n"), "{text}");
        assert!(
            text.contains("\n    stores: into the caches; source and destination together have 96 bytes, less than "),
            "{text}"
        );
        assert!(text.contains("\ndestination\n  48 bytes, alignment 4\n  oneDNN ba\n"), "{text}");
    }
}

#[test]
fn records_are_explained_drawn_and_moved() {
    let text = printed(&["MK<1, 64>, { d: f16, q: 16k 2k/16 u4 }"]);
    assert!(
        text.starts_with("MK<1, 64>, { d: f16, q: 16k 2k/16 u4 }\n\ncells of 4 bits\n"),
        "{text}"
    );
    assert!(text.contains("\nd: f16, M = 1, K = 2, from byte 0: one for 32 of k\n"), "{text}");
    // The second row of a block of 36 cells: the codes of columns 7, 23 and on.
    assert!(text.contains("\n    9  q 7 q 23  q 8 q 24 "), "{text}");
    // The notation of `layout inspect`, and names of the library.
    let named = printed(&["layout!(MK<1, 64>, ggml::Q4_0)", "--explain"]);
    assert!(named.contains(" = d * (q - 8)\nd: f16, M = 1, K = 2, from byte 0: "), "{named}");
    assert_eq!(printed(&["layout!(MK<2, 2>, i8)"]), printed(&["MK<2, 2>, i8"]));
    assert!(printed(&["N<2>, { x: f32, y: u8 }", "--svg"]).starts_with("<svg "));
    let moved = printed(&["<N = 2>, { x: N f32; y: N u8 } => <N = 2>, { y: N u8, x: N f32 }"]);
    assert!(
        moved.starts_with("<N = 2>, { x: N f32; y: N u8 } -> <N = 2>, { y: N u8, x: N f32 }\n")
    );
    assert!(moved.contains(" }: buffer 1, cells of 8 bits\n"), "{moved}");

    let failed = |arguments: &[&str]| {
        let output = layout(arguments);
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    assert_eq!(
        failed(&["MK<2, 64>, { d: f16, q: 16k 2k/32 u4 }"]),
        (
            Some(1),
            "layout: `2k/32`: the blocks of K below it cover 16 coordinates, not 32; leave the weight out, or change the \
             blocks\n  MK<2, 64>, { d: f16, q: 16k 2k/32 u4 }\n                              ^^^^^\n"
                .into()
        )
    );
    let (code, error) = failed(&["N<2>, { x: f32 }", "--memory"]);
    assert_eq!(code, Some(2), "{error}");
    let (code, error) = failed(&["N<2>, { x: f32 }", "--color-by", "order"]);
    assert!(code == Some(2) && error.contains("color for each field"), "{error}");
    let (_, error) = failed(&["MK<2, 64>, ggml::Q9"]);
    assert!(error.contains("no record is named `ggml::Q9`"), "{error}");
}

#[test]
fn tensors_that_share_memory_get_addresses() {
    let folder = std::env::temp_dir().join(format!("layout-arena-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("tensors.txt");
    let arena = |text: &str, options: &[&str]| {
        std::fs::write(&file, text).expect("a file");
        let mut arguments = vec!["arena", file.to_str().expect("UTF-8")];
        arguments.extend(options);
        layout(&arguments)
    };
    let good = "input 0-1 NHWC<N = 1, C = 1, H = 10, W = 10>, i8 # an image\n\nhidden 1-2 100\noutput@0 2-2 4\n";
    let text = String::from_utf8(arena(good, &["--memory", "1KiB"]).stdout).expect("text");
    assert!(
        text.contains("memory: 212 bytes, at least 212\n byte\u{2193} step\u{2192} 0 1 2\n"),
        "{text}"
    );
    assert!(text.contains("1  input: bytes 0x0 to 0x64, steps 0 to 1\n"), "{text}");
    assert!(text.contains("2  hidden: bytes 0x70 to 0xd4, steps 1 to 2\n"), "{text}");
    assert!(
        text.contains("3  output: bytes 0x0 to 0x4, steps 2 to 2\n") && !text.contains("\n4  "),
        "{text}"
    );
    assert!(arena(good, &["--svg"]).stdout.starts_with(b"<svg "));
    let wrong = [
        ("input 0-1\n", "line 1: write NAME FIRST-LAST LAYOUT"),
        ("\ninput 2-1 100", "line 2: steps 2 to 1 are not a range"),
        ("input 0-5000 100", "steps 0 to 5000 are not a range up to step 4095"),
        ("input 0-x 100", "`x` is not a number"),
        ("input 0-1 HW<2, 2>", "line 1: byte 0, `HW<2, 2>`: expected `,` and an element type"),
        ("input@8 0-1 100", "begins at byte 8, but needs a multiple of 16"),
        ("a 0-1 1000\nb 1-1 1000", "need 2008 bytes, but it has 1024"),
        ("a@0 0-1 32\nb@16 1-1 32", "`b`"),
        ("a 0-1 32\nb 1-1 32\na 2-2 32", "line 3: two tensors are named `a`; rename one"),
        ("a 0-1 9223372036854775807\nb 1-1 9223372036854775807", "are too large to add up"),
    ];
    for (text, part) in wrong {
        let output = arena(text, &["--memory", "1KiB"]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && error.contains(part), "{text}: {error}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// Arguments, the exit code, and a part of the sentence. 1 is for faults of a layout, 2 for faults of the arguments.
const MISTAKES: &[(&[&str], i32, &str)] = &[
    (&[], 2, "no layout given; see layout --help"),
    (&[""], 2, "no layout given"),
    (
        &["NCHW4<2, 63, 3, 3>, f16"],
        1,
        "axis `C` has extent 63, which is not a multiple of its block 4",
    ),
    (&["NCHW<1, 3>"], 1, "expected `,` and an element type after the extents"),
    (&["explain", "MK<2, 2>, i8"], 2, "no command is named `explain`; write "),
    (&["MK<2, 2>, i8", "MK<2, 2>, i8"], 2, "two layouts without `=>` between them"),
    (&["MK<2, 2>, i8", "=>", "MK<2, 3>, i8"], 1, "axis `K` has"),
    (&["MK<2, 2>, i8 => MK<2, 2>, i8 => MK<2, 2>, i8"], 2, "more than one `=>`"),
    (&["MK<2, 2>, i8", "=>"], 1, "layout: expected a format"),
    (&["=>"], 1, "layout: expected a format"),
    (&["MK<9223372036854775807, 2>, i8"], 1, "layout takes more than `isize::MAX` bytes"),
    (&["MK<2, 2>, i8", "--png"], 2, "`--png` is not an option"),
    (&["MK<2, 2>, i8", "-p"], 2, "`-p` is not an option"),
    (&["MK<2, 2>, i8", "--", "--svg"], 2, "two layouts without `=>` between them"),
    (&["--", "--svg"], 1, "\n  --svg\n  ^"),
    (&["--"], 2, "no layout given"),
    (&["MK<2, 2>, i8", "--svg", "--text"], 2, "`--svg` and `--text` exclude each other"),
    (&["MK<2, 2>, i8", "--color", "auto", "--color", "never"], 2, "`--color` is written twice"),
    (&["MK<2, 2>, i8", "--color", "red"], 2, "`red` says not when; write auto, always or never"),
    (&["completions", "sh"], 2, "write layout completions bash, zsh or fish"),
    (&["MK<2, 2>, i8", "--svg", "--svg"], 2, "`--svg` is written twice; leave out one"),
    (&["MK<2, 2>, i8", "--fold", "2,2", "--fold", "3,3"], 2, "`--fold` is written twice"),
    (&["MK<2, 2>, i8", "--fold"], 2, "`--fold` has no value"),
    (&["MK<2, 2>, i8", "--color-by"], 2, "`--color-by` has no value"),
    (&["MK<2, 2>, i8", "--access"], 2, "`--access` has no value"),
    (&["MK<2, 2>, i8", "--axes"], 2, "`--axes` has no value"),
    (&["MK<2, 2>, i8", "--fold", "x"], 2, "`x` is not two numbers"),
    (&["MK<2, 2>, i8", "--fold", "0,0"], 2, "`0,0` is not two numbers from 1 on"),
    (&["MK<2, 2>, i8", "--fold", "-1,2"], 2, "`-1,2` is not two numbers"),
    (&["MK<2, 2>, i8", "--fold", "18446744073709551616,2"], 2, "is not two numbers"),
    (&["MK<2, 2>, i8", "--color-by", "300x4"], 2, "`300x4` is not a color"),
    (
        &["M<32>, f32", "--access", "M", "--color-by", "64x1024"],
        2,
        "`64x1024` is not a color; write block, order, lane, or banks as 32x4, up to 256 of up to 256 bytes",
    ),
    (&["MK<2, 2>, i8", "--color-by", "64x257"], 2, "`64x257` is not a color"),
    (&["MK<2, 2>, i8", "--color-by", "0x4"], 2, "`0x4` is not a color"),
    (&["MK<2, 2>, i8", "--color-by", "4x0"], 2, "`4x0` is not a color"),
    (
        &["MK<2, 2>, i8", "--color-by", "18446744073709551615x2"],
        2,
        "`18446744073709551615x2` is not a color",
    ),
    (&["MK<2, 2>, i8", "--axes", "MK"], 2, "`MK` has no `,`"),
    (&["MK<2, 2>, i8", "--axes", "Q,K"], 1, "no axis `Q`"),
    (&["MK<2, 2>, i8", "--lanes"], 1, "is not distributed over lanes"),
    (&["MK<2, 2>, i8", "--access", "Q"], 1, "no axis `Q`"),
    (&["M<9223372036854775807>, u1", "--access", "M"], 1, "access has 9223372036854775807 lanes"),
    (&["MK<2, 2>, i8", "--access", "M", "--color-by", "order"], 2, "--access shows banks"),
    (&["MK<2, 2>, i8", "--axes", "M,M"], 1, "axis `M` is given twice"),
    (&["MK<2, 2>, i8", "--memory", "--lanes"], 2, "`--memory` and `--lanes` exclude each other"),
    (
        &["MK<2, 2>, i8 => KM<M = 2, K = 2>, i8", "--axes", "M,K"],
        2,
        "`--axes` is a picture of one layout",
    ),
];

/// One line, which says what is wrong.
#[test]
fn wrong_input_is_one_clear_line() {
    for &(arguments, code, expected) in MISTAKES {
        refuses(Command::new(LAYOUT).args(arguments), code, expected);
    }
}

/// Runs the program, which must print nothing but one line that has `expected`.
fn refuses(command: &mut Command, code: i32, expected: &str) {
    let output = command.output().expect("the program runs");
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(code), "{command:?}: {error}");
    assert!(error.contains(expected), "{command:?}: {error}");
    assert!(error.starts_with("layout: ") && matches!(error.lines().count(), 1 | 3), "{error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn layouts_of_any_extents_are_drawn_in_part() {
    for (arguments, expected) in [
        (&["MK<1000000, 1000000>, i8"][..], "1000000000000 coordinates"),
        (&["MK<1000000, 1000000>, i8", "--fold", "1,18446744073709551615"], "1000000000000 coord"),
        (&["MK<9223372036854775807, 1>, i8", "--memory"], "9223372036854775807 coordinates"),
        (&["M<9223372036854775807>, u1", "--color-by", "order"], "9223372036854775807 coordinates"),
        (&["M<1>, plain(1152921504606846975, align = 1)", "--color-by", "256x256"], "1 coordinate"),
        (&["MK<0, 4611686018427387904>, i8", "--svg"], "<svg "),
        (
            &["M<9223372036854775807>, i8 => M<9223372036854775807>, i8"],
            "9223372036854775807 bytes",
        ),
    ] {
        let text = printed(arguments);
        assert!(text.contains(expected) && text.len() < 200_000, "{arguments:?}: {text}");
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, ExitStatus, Stdio};
    use test_support::Random;

    use super::{LAYOUT, refuses};

    const WHOLE: &[&str] = &["MK<2, 2>, i8"];
    const WRONG: &[&str] = &["MK<2, 2>, x9"];

    #[test]
    fn arguments_that_are_not_text_are_named() {
        let argument = OsStr::from_bytes(b"MK<2, 2>, \xff");
        let expected = "layout: `MK<2, 2>, \u{fffd}` is not UTF-8; write layouts and ";
        refuses(Command::new(LAYOUT).args([OsStr::new("--svg"), argument]), 2, expected);
    }

    /// A pipe that nobody reads.
    fn closed() -> Stdio {
        io::pipe().expect("a pipe").1.into()
    }

    /// A device that takes no byte.
    #[cfg(target_os = "linux")]
    fn full() -> Stdio {
        File::options().write(true).open("/dev/full").expect("the device").into()
    }

    fn status(arguments: &[&str], output: Stdio, error: Stdio) -> ExitStatus {
        let mut command = Command::new(LAYOUT);
        command.args(arguments).stdout(output).stderr(error).status().expect("the program runs")
    }

    #[test]
    fn a_reader_that_leaves_ends_the_program_quietly() {
        assert_eq!(status(WHOLE, closed(), closed()).code(), Some(0));
        let output = Command::new(LAYOUT).args(WHOLE).stdout(closed()).output().expect("it runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        for error in [closed, Stdio::null] {
            assert_eq!(status(WRONG, Stdio::null(), error()).code(), Some(1));
            assert_eq!(status(&["--png"], Stdio::null(), error()).code(), Some(2));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_named_where_that_is_possible() {
        let expected = "layout: the output cannot be written: No space left on device (os error 28); write it ";
        for form in ["--text", "--html", "--svg", "--explain"] {
            let mut command = Command::new(LAYOUT);
            let output = command.args(WHOLE).arg(form).stdout(full()).stderr(Stdio::piped());
            let output =
                output.spawn().and_then(|child| child.wait_with_output()).expect("it runs");
            let error = String::from_utf8(output.stderr).expect("text");
            assert!(error.starts_with(expected), "{error}");
            assert_eq!(output.status.code(), Some(1));
        }
        assert_eq!(status(&["--help"], full(), full()).code(), Some(1));
        assert_eq!(status(WRONG, Stdio::null(), full()).code(), Some(1));
        assert_eq!(status(&["--png"], Stdio::null(), full()).code(), Some(2));
    }

    /// A shell closes the files before the program begins.
    #[test]
    fn closed_files_are_no_fault() {
        for (closed, arguments, code) in [
            (">&-", WHOLE, 0),
            ("2>&-", WHOLE, 0),
            (">&- 2>&-", WRONG, 1),
            ("2>&-", &["--png"], 2),
            ("<&- >&- 2>&-", &["--help"], 0),
        ] {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("exec \"$0\" \"$@\" {closed}"), LAYOUT]).args(arguments);
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            assert_eq!(status.expect("a shell").code(), Some(code), "{closed} {arguments:?}");
        }
    }

    /// Parts of arguments. Those with a space in front continue the argument before them.
    const PARTS: &[&[u8]] = &[
        b"MK<2, 3>, i8",
        b"KM<M = 2, K = 3>, i8",
        b"NCHW4<1, 6, 2, 3>, f16, pad",
        b"MK<1000000, 3000000000>, u4",
        b"M<9223372036854775807>, i8",
        b"MK<0, 5>, f32",
        b"M<32>, f32, strides = [32]",
        b"SCALAR, f64",
        b"C<_>, u1",
        b"NCHW<1, 3, 1, 2>, f16, bm1684x::compact(start = 63)",
        b"MK<64, 64>, f16, swizzle(3, 3, 3)",
        b"M<2>, plain(1152921504606846975, align = 1)",
        b"=>",
        b" =>",
        b" MK<2, 3>, i8",
        b" , pad",
        b"--text",
        b"--svg",
        b"--html",
        b"--explain",
        b"--memory",
        b"--lanes",
        b"--access",
        b"--axes",
        b"--color-by",
        b"--fold",
        b"--ansi",
        b"--plain",
        b"--help",
        b"--",
        b"-",
        b"",
        b"\xff\xfe",
        b" \xc3",
        b"M",
        b"K,M",
        b",",
        b"HW,C",
        b"block",
        b"order",
        b"lane",
        b"32x4",
        b"64x1024",
        b"256x256",
        b"18446744073709551615x2",
        b"0x0",
        b"64,64",
        b"0,0",
        b"18446744073709551615,18446744073709551615",
        "\u{e9}".as_bytes(),
        b"\x1b[0m",
    ];

    /// Up to six arguments, most often a layout before them and a value after an option.
    fn arguments(random: &mut Random) -> Vec<OsString> {
        let mut arguments: Vec<Vec<u8>> = Vec::new();
        if random.below(4) > 0 {
            arguments.push(PARTS[random.below(12)].into());
        }
        for _ in 0..random.below(6) {
            let part = PARTS[random.below(PARTS.len())];
            match arguments.last_mut() {
                Some(last) if part.starts_with(b" ") => last.extend(part),
                _ => arguments.push(part.into()),
            }
            let values: &[&[u8]] = match part {
                b"--access" => &[b"M", b"K", b"MK", b"Q", b""],
                b"--axes" => &[b"M,K", b",", b"K,", b"M"],
                b"--color-by" => {
                    &[b"32x4", b"64x1024", b"256x256", b"lane", b"18446744073709551615x2"]
                }
                b"--fold" => &[b"1,1", b"0,9", b"18446744073709551615,18446744073709551615"],
                _ => continue,
            };
            if random.below(8) > 0 {
                arguments.push(values[random.below(values.len())].into());
            }
        }
        arguments.iter().map(|bytes| OsStr::from_bytes(bytes).into()).collect()
    }

    /// `LAYOUT_SEED` is another seed.
    #[test]
    fn no_arguments_make_it_panic() {
        let seed = std::env::var("LAYOUT_SEED").map_or(55, |seed| seed.parse().expect("a number"));
        let mut random = Random::new(seed, 0);
        let mut codes = [0; 3];
        for _ in 0..400 {
            let arguments = arguments(&mut random);
            let error = if random.below(4) > 0 { Stdio::piped() } else { closed() };
            let mut command = Command::new(LAYOUT);
            let child = command.args(&arguments).stdout(Stdio::piped()).stderr(error).spawn();
            let output = child.and_then(|child| child.wait_with_output()).expect("it runs");
            let text = String::from_utf8_lossy(&output.stderr);
            // A signal leaves no code.
            let code = output.status.code().unwrap_or(101) as usize;
            assert!(code <= 2, "seed {seed}, {arguments:?}: {text}");
            assert_eq!(code == 0, !output.stdout.is_empty(), "seed {seed}, {arguments:?}: {text}");
            assert!(code > 0 || text.is_empty(), "seed {seed}, {arguments:?}: {text}");
            codes[code] += 1;
        }
        assert!(codes.iter().all(|&count| count > 10), "each ending is tried: {codes:?}");
    }
}

/// Carets stand below what is wrong, within a long text too.
#[test]
fn carets_mark_what_is_wrong() {
    let error = |text: &str| String::from_utf8(layout(&[text]).stderr).expect("text");
    let own = error("NCHW4<2, 63, 3, 3>, f16");
    assert!(own.starts_with("layout: axis `C` has extent 63, "), "{own}");
    assert!(own.ends_with("\n  NCHW4<2, 63, 3, 3>, f16\n           ^^\n"), "{own}");
    // A letter of several bytes, and a line end.
    let own = error("MK<2,\n2>, f32, é");
    assert!(own.ends_with("\n  MK<2, 2>, f32, é\n                 ^\n"), "{own}");
    for (front, end) in [(0, 300), (300, 0), (300, 300)] {
        let own = error(&format!("{}MK<2, Q>, f32{}", " ".repeat(front), " ".repeat(end)));
        let lines: Vec<Vec<char>> = own.lines().map(|line| line.chars().collect()).collect();
        let at = lines[2].iter().position(|&own| own == '^').expect("a caret");
        assert!(lines[1].len() <= 104 && lines[1][at] == 'Q', "{own}");
    }
}

#[test]
fn the_standard_input_is_a_text_too() {
    use std::io::Write;
    let mut command = Command::new(LAYOUT);
    let command = command.args(["-", "--explain"]).stdin(std::process::Stdio::piped());
    let mut program = command.stdout(std::process::Stdio::piped()).spawn().expect("it runs");
    program.stdin.take().expect("an input").write_all(b"MK<2, 3>, f32\n").expect("it reads");
    let text = String::from_utf8(program.wait_with_output().expect("an end").stdout).expect("text");
    assert!(text.starts_with("MK<2, 3>, f32\n"), "{text}");
}

/// bash completes commands and options by the script that the program prints.
#[test]
fn bash_completes() {
    let completed = |words: &str, at: usize| {
        let script = format!(
            "eval \"$({LAYOUT} completions bash)\"; COMP_WORDS=({words}); COMP_CWORD={at}; _layout; echo ${{COMPREPLY[@]}}"
        );
        let own = Command::new("bash").args(["-c", &script]).output().expect("bash runs");
        String::from_utf8(own.stdout).expect("text").trim().to_string()
    };
    assert_eq!(completed("layout rep", 1), "repack");
    assert_eq!(completed("layout repack --m", 2), "--memory --max-shard");
    assert_eq!(completed("layout --ac", 1), "--access");
    assert!(printed(&["completions", "zsh"]).starts_with("#compdef layout\n"));
    assert!(
        printed(&["completions", "fish"]).contains("seen_subcommand_from repack' -l memory -r\n")
    );
}
