//! C99, compiled by gcc with every warning an error, and run.

#[path = "c/fields.rs"]
mod fields;

use std::env;
use std::process::Command;

use languages::kernels::{expected, program};
use languages::programs::subjects;
use languages::tools::{self, Folder};
use tensor_layout::source::Language;
use tensor_layout::{Digit, Layout};

#[test]
fn functions_of_random_layouts_are_those_of_the_library() {
    let subjects = subjects(700);
    let text = program(Language::C, &subjects);
    if let Some(path) = env::var_os("SOURCE_TEXT") {
        std::fs::write(path, &text).expect("a file");
    }
    compare("c", text, expected(&subjects));
}

/// Compiles a program, which compares the numbers in a file with those of its functions.
fn compare(name: &str, text: String, numbers: Vec<u32>) {
    let numbers: Vec<u8> = numbers.into_iter().flat_map(u32::to_ne_bytes).collect();
    let folder = Folder::new(name);
    let (source, numbers) = (folder.file("main.c", text), folder.file("numbers", numbers));
    let program = folder.path().join("main");
    let options = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror"];
    tools::run(Command::new("gcc").args(options).arg(&source).arg("-o").arg(&program), "gcc");
    assert_eq!(tools::run(Command::new(&program).arg(&numbers), ""), "all\n");
}

/// What the random layouts are, so that no kind is left out.
#[test]
fn random_layouts_are_of_every_kind() {
    let subjects = subjects(700);
    let check = |kind: &str, is_kind: fn(&Layout) -> bool| {
        let count = subjects.iter().filter(|subject| is_kind(&subject.layout)).count();
        println!("{kind}: {count}");
        assert!(count >= 10, "{count} layouts are {kind}");
    };
    check("swizzled", |layout| layout.swizzle().is_some());
    check("padded", |layout| layout.fill().is_some() && !layout.is_exhaustive());
    check("with gaps", |layout| layout.fill().is_none() && !layout.is_exhaustive());
    check("ragged", |layout| {
        let ends_inside =
            |digit: &Digit| digit.weight > 1 && layout.extents()[digit.axis] % digit.weight != 0;
        layout.digits().iter().any(ends_inside)
    });
    check("of negative strides", |layout| layout.digits().iter().any(|digit| digit.stride < 0));
    check("swizzled, of negative strides", |layout| {
        layout.swizzle().is_some() && layout.digits().iter().any(|digit| digit.stride < 0)
    });
    check("of nibbles", |layout| layout.element().bits() == 4);
    check("of 2-bit elements", |layout| layout.element().bits() == 2);
    check("of bits", |layout| layout.element().bits() == 1);
    check("of elements with the first in the highest bits", |layout| {
        layout.element().is_high_first()
    });
    check("without coordinates", |layout| layout.numel() == 0);
    check("of no axes or of one", |layout| layout.rank() < 2);
    check("broadcast", |layout| !layout.is_unique());
    check("over lanes", |layout| layout.lanes().is_some());
    check("with blocks in any order", |layout| {
        layout.format().is_some_and(|format| format.to_string().contains('/'))
    });
}
