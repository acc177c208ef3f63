//! The example `attention_views`, run as a command: on its tokens, on an empty batch, and on a file that does not
//! hold tokens.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use tensor_layout::adapters::npy;
use tensor_layout::{Tensor, layout};

use super::{Outcome, empty_directory, run};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("files").join(name)
}

fn attention_views(arguments: &[&Path]) -> Outcome {
    let arguments: Vec<&OsStr> = arguments.iter().map(|path| path.as_os_str()).collect();
    run("attention_views", Path::new(env!("CARGO_TARGET_TMPDIR")), &arguments)
}

#[test]
fn two_heads_are_moved_and_put_back() {
    let target = empty_directory("attention_views/heads").join("heads.npy");
    let outcome = attention_views(&[&file("bshd_f32.npy"), &target]);
    assert!(outcome.success, "{}", outcome.errors);
    let out = outcome.out;
    assert!(
        out.contains("view    BHSD<2, 2, 3, 5>, f32, strides = [60, 5, 20, 1], from 5 of 120"),
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
    let directory = empty_directory("attention_views/empty");
    let (source, target) = (directory.join("tokens.npy"), directory.join("heads.npy"));
    type None = layout!(BSHD<B = _, S = 3, H = 4, D = 5>, f32);
    let none = Tensor::with_layout(None::new([0]).unwrap(), vec![]).unwrap();
    npy::write(&none, File::create(&source).unwrap()).unwrap();
    let outcome = attention_views(&[&source, &target]);
    assert!(outcome.success, "{}", outcome.errors);
}

#[test]
fn other_files_are_errors_that_name_them() {
    let target = empty_directory("attention_views/wrong").join("heads.npy");
    for (name, facts) in [
        ("image_hwc.npy", ["u1", "f32"]),
        ("scalar_u32.npy", ["four axes", ""]),
        ("none.npy", ["No such file", ""]),
        ("make.py", [".npy", ""]),
    ] {
        let outcome = attention_views(&[&file(name), &target]);
        let errors = outcome.errors;
        assert!(!outcome.success && !target.exists(), "{name}");
        assert!(facts.iter().all(|fact| errors.contains(fact)), "{name}: {errors}");
    }
}
