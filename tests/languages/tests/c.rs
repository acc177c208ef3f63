//! C99, compiled by gcc with every warning an error, and run.

use std::env;
use std::fmt::Write;
use std::process::Command;

use languages::programs::{Subject, subjects};
use languages::tools::{self, Folder};
use tensor_layout::source::Language;

/// Compiles a program of one file with a C compiler, gives it `input` as a file, and returns what it prints.
fn run(name: &str, text: &str, input: &[u8]) -> String {
    let folder = Folder::new(name);
    let (source, numbers) = (folder.file("main.c", text), folder.file("numbers", input));
    let program = folder.path().join("main");
    let warnings = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror"];
    tools::run(Command::new("gcc").args(warnings).arg(&source).arg("-o").arg(&program), "gcc");
    tools::run(Command::new(&program).arg(&numbers), "it")
}

/// A program that compares all test functions with the numbers in a file.
fn program(subjects: &[Subject]) -> String {
    let mut text = String::from("#include <stdio.h>\n\n");
    subjects.iter().for_each(|subject| text += &(subject.program(Language::C) + "\n"));
    text += "static int compare(const char *name, uint32_t (*test)(uint32_t), uint32_t count, FILE *file)\n{\n\
             \x20   for (uint32_t i = 0; i < count; i++) {\n\
             \x20       uint32_t want;\n\
             \x20       if (fread(&want, 4, 1, file) != 1) { return 0; }\n\
             \x20       uint32_t got = test(i);\n\
             \x20       if (got != want) { printf(\"%s(%u) is %u, not %u\\n\", name, i, got, want); return 1; }\n\
             \x20   }\n    return 1;\n}\n\n\
             int main(int count, char **arguments)\n{\n\
             \x20   FILE *file = fopen(arguments[count - 1], \"rb\");\n    int all = 1;\n";
    for subject in subjects {
        let (test, count) = (&subject.name[1..], subject.numbers());
        let _ = writeln!(text, "    all &= compare(\"test_{test}\", test_{test}, {count}u, file);");
    }
    text + "    printf(\"%s\\n\", all && fgetc(file) == EOF ? \"all\" : \"too few numbers\");\n    return 0;\n}\n"
}

#[test]
fn functions_of_random_layouts_are_those_of_the_library() {
    let subjects = subjects(500);
    let numbers: Vec<u8> = subjects
        .iter()
        .flat_map(|subject| (0..subject.numbers()).map(|number| subject.expected(number)))
        .flat_map(u32::to_ne_bytes)
        .collect();
    let text = program(&subjects);
    if let Some(path) = env::var_os("SOURCE_TEXT") {
        std::fs::write(path, &text).expect("a file");
    }
    assert_eq!(run("functions", &text, &numbers), "all\n");
}
