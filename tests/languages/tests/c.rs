//! C99, compiled by gcc with every warning an error, and run.

use std::env;
use std::process::Command;

use languages::kernels::{expected, program};
use languages::programs::subjects;
use languages::tools::{self, Folder};
use tensor_layout::source::Language;

#[test]
fn functions_of_random_layouts_are_those_of_the_library() {
    let subjects = subjects(500);
    let text = program(Language::C, &subjects);
    if let Some(path) = env::var_os("SOURCE_TEXT") {
        std::fs::write(path, &text).expect("a file");
    }
    let numbers: Vec<u8> = expected(&subjects).into_iter().flat_map(u32::to_ne_bytes).collect();
    let folder = Folder::new("c");
    let (source, numbers) = (folder.file("main.c", text), folder.file("numbers", numbers));
    let program = folder.path().join("main");
    let options = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror"];
    tools::run(Command::new("gcc").args(options).arg(&source).arg("-o").arg(&program), "gcc");
    assert_eq!(tools::run(Command::new(&program).arg(&numbers), ""), "all\n");
}
