//! Random layout types, compiled as a program of their own: those that are refused get the words that their text gets,
//! the others are the layouts of their texts, and of the table.
//!
//! `TYPES` is their number, 40 if it is not given, and `SEED` the seed of the first 40 of them, those after which have the next one.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use campaign::library::typed::read_text;
use campaign::library::violations;
use campaign::types::{FIRST_LINE, Typed, program, types};

/// The types of one program.
const PROGRAM: usize = 40;

/// The libraries of programs that use the campaign, as cargo builds them with all features of the workspace, and where
/// their dependencies are. After `cargo test --workspace --all-features` nothing is left to build: with an example,
/// packages have the features that tests need too.
fn libraries() -> (Vec<(&'static str, String)>, PathBuf) {
    // This program is `TARGET/PROFILE/deps/NAME`, or `TARGET/TRIPLE/PROFILE/deps/NAME`.
    let program = env::current_exe().expect("a program knows its path");
    let profile = program.ancestors().nth(2).expect("a test is in TARGET/PROFILE/deps");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder of TARGET");
    let name = profile.file_name().filter(|name| *name != "debug").unwrap_or(OsStr::new("dev"));
    let mut command = Command::new(env!("CARGO"));
    command.args([
        "build",
        "--workspace",
        "--all-features",
        "--bin",
        "campaign",
        "--example",
        "pack_image",
        "--message-format=json",
    ]);
    command.arg("--target-dir").arg(target).arg("--profile").arg(name);
    if let Some(triple) =
        profile.parent().filter(|&parent| parent != target).and_then(Path::file_name)
    {
        command.arg("--target").arg(triple);
    }
    let built = command
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let messages = String::from_utf8(built.stdout).expect("messages are UTF-8");
    let library = |name: &'static str| {
        let is_own = |text: &&str| {
            let file = text.rsplit('/').next().unwrap_or_default();
            file.ends_with(".rlib")
                && file
                    .strip_prefix("lib")
                    .is_some_and(|file| file.split(['-', '.']).next() == Some(name))
        };
        let path =
            messages.split('"').find(is_own).unwrap_or_else(|| panic!("cargo names no {name}"));
        (name, path.to_string())
    };
    (["campaign", "tensor_layout"].map(library).to_vec(), profile.join("deps"))
}

/// What the compiler says against types, by their numbers.
fn refused(stderr: &str) -> BTreeMap<usize, String> {
    let mut refused = BTreeMap::<usize, String>::new();
    for error in format!("\n{stderr}").split("\nerror") {
        let line =
            error.split("types.rs:").nth(1).and_then(|rest| rest.split(':').next()?.parse().ok());
        if let Some(line) = line {
            let line: usize = line;
            refused.entry(line - FIRST_LINE).or_default().push_str(error);
        }
    }
    refused
}

/// What is wrong about the words in which a type is refused, or that it is. The first words of the text are those of
/// the type, unless that has constants, or extents that the text knows.
fn misjudged(typed: &Typed, words: &str) -> Option<String> {
    let text = match read_text(&typed.notation) {
        // A type is judged by extents above 0, and may be one of empty tensors alone.
        Ok(layout) if layout.numel() == 0 && typed.unknown.contains(&true) => return None,
        Ok(_) => return Some(format!("is refused, and its text is not:\n{words}")),
        Err((_, text)) => text,
    };
    let is_exact = !typed.source.contains('{') && !typed.is_open();
    let others = if is_exact { Vec::new() } else { violations(&typed.notation, &typed.unseen) };
    // Rows have fewer bytes where an extent is not known.
    let start = if is_exact { text.len() } else { text.find("rows of").unwrap_or(text.len()) };
    let is_said = words.contains(&text[..start]) || others.iter().any(|text| words.contains(text));
    (!is_said).then(|| format!("its text: {text}\n{words}\n{others:?}"))
}

/// Compiles types without those that the compiler refuses, runs the program, and adds what is wrong to `failures`.
fn check(
    seed: u64,
    types: &[Typed],
    libraries: &(Vec<(&str, String)>, PathBuf),
    failures: &mut Vec<String>,
) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("types-{seed}"));
    fs::create_dir_all(&folder).expect("a folder for the program");
    let about = |number: usize, what: &str| {
        let Typed { source, notation, .. } = &types[number];
        format!("{number} of seed {seed}: {source}\n  {notation}\n  {what}")
    };
    let mut all = Vec::new();
    // Errors of macros keep the compiler from those of constants.
    loop {
        fs::write(folder.join("types.rs"), program(seed, types, &all)).expect("a file is written");
        let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()));
        rustc.args(["--edition=2024", "--error-format=human", "--color=never", "types.rs", "-L"]);
        rustc.arg(format!("dependency={}", libraries.1.display()));
        for (name, path) in &libraries.0 {
            rustc.arg("--extern").arg(format!("{name}={path}"));
        }
        let compiled = rustc.current_dir(&folder).output().expect("rustc runs");
        if compiled.status.success() {
            break;
        }
        let stderr = String::from_utf8_lossy(&compiled.stderr);
        let refused = refused(&stderr);
        assert!(!refused.is_empty(), "{stderr}");
        for (number, words) in refused {
            let text = misjudged(&types[number], &words);
            failures.extend(text.map(|text| about(number, &text)));
            all.push(number);
        }
    }
    let found = Command::new(folder.join("types")).output().expect("the program starts");
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    failures.extend(
        String::from_utf8_lossy(&found.stdout).split_terminator("\n\n").map(str::to_string),
    );
    for (number, typed) in types.iter().enumerate().filter(|(number, _)| !all.contains(number)) {
        // What is said of unknown extents is said when they are known.
        let refused = read_text(&typed.notation).err().filter(|_| !typed.is_open());
        failures.extend(
            refused.map(|(_, text)| about(number, &format!("is taken, and its text: {text}"))),
        );
    }
    println!("seed {seed}: {} types, {} of them refused", types.len(), all.len());
    fs::remove_dir_all(&folder).expect("the program can go");
}

#[test]
fn random_types_are_the_layouts_of_their_texts() {
    let number = |name| env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    let first = number("SEED").unwrap_or(now.as_nanos() as u64 % 1_000_000_007);
    let (mut left, mut failures) = (number("TYPES").unwrap_or(PROGRAM as u64) as usize, Vec::new());
    let libraries = libraries();
    for seed in first.. {
        let count = left.min(PROGRAM);
        check(seed, &types(seed, count), &libraries, &mut failures);
        left -= count;
        if left == 0 {
            break;
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n\n"));
}
