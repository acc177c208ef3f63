//! The example `attention_views`, run as a command: on its tokens, on a batch of none, and on what
//! is no file of tokens.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tensor_layout::adapters::npy;
use tensor_layout::{Tensor, layout};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("files").join(name)
}

/// An empty directory of one test's own.
fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attention_views").join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("the directory can be made");
    directory
}

fn attention_views(arguments: &[&Path]) -> Output {
    // Tests lie in `deps`, beside `examples`.
    let test = env::current_exe().expect("a test knows where it is");
    let built = test.parent().and_then(Path::parent).expect("a test lies in target/PROFILE/deps");
    let command =
        built.join("examples").join(format!("attention_views{}", env::consts::EXE_SUFFIX));
    Command::new(&command).args(arguments).output().unwrap_or_else(|error| {
        panic!("{}: {error}; build it with `cargo test --all-features`", command.display())
    })
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the example prints UTF-8")
}

#[test]
fn two_heads_are_moved_and_put_back() {
    let target = directory("heads").join("heads.npy");
    let output = attention_views(&[&file("bshd_f32.npy"), &target]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = text(&output.stdout);
    assert!(
        out.contains(
            "view    BHSD<B = 2, H = 2, S = 3, D = 5>, f32, strides = [60, 5, 20, 1], from 5 of 120"
        ),
        "{out}"
    );
    assert!(out.contains("[[0.000, 1.000, 2.000, 3.000, 4.000],"), "{out}");

    // The file, by NumPy's rules: tokens count up through b, s, h and d.
    type Heads = layout!(BHSD<B = 2, H = 2, S = 3, D = 5>, f32);
    let heads = npy::read(Heads::default(), File::open(&target).unwrap()).unwrap();
    for ([b, h, s, d], number) in heads.iter() {
        assert_eq!(number, (((b * 3 + s) * 4 + h + 1) * 5 + d) as f32);
    }
}

#[test]
fn a_batch_may_be_empty() {
    let directory = directory("empty");
    let (source, target) = (directory.join("tokens.npy"), directory.join("heads.npy"));
    type None = layout!(BSHD<B = _, S = 3, H = 4, D = 5>, f32);
    let none = Tensor::with_layout(None::new([0]).unwrap(), vec![]).unwrap();
    npy::write(&none, File::create(&source).unwrap()).unwrap();
    let output = attention_views(&[&source, &target]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn other_files_are_errors_that_name_them() {
    let target = directory("wrong").join("heads.npy");
    for (name, facts) in [
        ("image_hwc.npy", ["u1", "f32"]),
        ("scalar_u32.npy", ["four axes", ""]),
        ("none.npy", ["No such file", ""]),
        ("make.py", [".npy", ""]),
    ] {
        let output = attention_views(&[&file(name), &target]);
        let errors = text(&output.stderr);
        assert!(!output.status.success() && !target.exists(), "{name}");
        assert!(facts.iter().all(|fact| errors.contains(fact)), "{name}: {errors}");
    }
}
