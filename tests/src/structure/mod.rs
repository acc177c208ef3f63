//! Checks that the sources comply with STRUCTURE.md: arrows between packages and folders, no circles of files,
//! places of unsafe code, lengths of files and functions, and names of files and types with one meaning.
//!
//! Exceptions are in a list beside this file, which may only shrink: an unused exception is an error too.
//! `STRUCTURE=overwrite cargo test -p tensor-layout-tests structure::` writes the list again; read the
//! difference.

mod source;

mod modules;

mod circles;

mod rules;

mod checks;

mod examples;

mod packages;

mod preconditions;

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use modules::Modules;
use rules::Rules;
use source::Source;

const EXCEPTIONS: &str = "tests/src/structure/exceptions.txt";

#[test]
fn the_sources_keep_the_rules() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let rules = Rules::read(&fs::read_to_string(root.join("STRUCTURE.md")).expect("STRUCTURE.md"));
    let found = violations(&source::all(root), &rules);
    let path = root.join(EXCEPTIONS);
    if env::var_os("STRUCTURE").is_some_and(|how| how == "overwrite") {
        let lines: String = found.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&path, lines).expect("the list can be written");
    }
    let list = fs::read_to_string(&path).expect("a list of exceptions");
    let listed: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    let new: Vec<_> = found.difference(&listed).map(String::as_str).collect();
    assert!(new.is_empty(), "these break a rule of STRUCTURE.md:\n{}", new.join("\n"));
    let gone: Vec<_> = listed.difference(&found).map(String::as_str).collect();
    assert!(
        gone.is_empty(),
        "no longer exceptions; delete from {EXCEPTIONS}:\n{}",
        gone.join("\n")
    );
}

/// One line for each violation, without numbers of lines: a line stays the same while others edit.
fn violations(all: &[Source], rules: &Rules) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    found.extend(checks::long_files(all));
    found.extend(checks::long_functions(all));
    let libraries: Vec<&Source> = all.iter().filter(|source| rules.is_library(source)).collect();
    found.extend(checks::unsafe_code(&libraries, rules));
    found.extend(checks::names(&libraries, rules));
    found.extend(checks::words(&libraries));
    found.extend(checks::hidden(&libraries));
    for package in &rules.packages {
        let own: Vec<&Source> =
            libraries.iter().copied().filter(|source| package.holds(&source.path)).collect();
        let imports = Modules::new(&package.folder, &own).imports();
        found.extend(checks::packages(&own, rules, package));
        found.extend(checks::rooms(&imports, rules, package));
        found
            .extend(circles::circles(&imports).into_iter().map(|files| format!("circle: {files}")));
    }
    found
}

/// A library that breaks each rule once.
#[test]
fn every_rule_can_be_broken() {
    let rules = Rules::read(include_str!("broken.md"));
    let long = format!("fn long() {{{}}}", "\n".repeat(60));
    let all = [
        ("low/src/lib.rs", "mod first; mod second; mod third; pub use second::Second;"),
        ("low/src/first/mod.rs", "mod inner; use high::Thing; struct First;"),
        // Found through the re-export and through the glob.
        ("low/src/first/inner.rs", "use super::*; fn f(_: First) -> crate::Second { todo!() }"),
        ("low/src/second.rs", "mod one; mod two; pub struct Second; fn f() { unsafe { g() } }"),
        ("low/src/second/one.rs", "fn f() { super::two::f() }"),
        ("low/src/second/two.rs", "pub fn f() {} use super::one;"),
        (
            "high/src/lib.rs",
            "#[cfg(test)] mod tests { use super::*; } use low::Second; mod second;",
        ),
        (
            "high/src/second.rs",
            "/// `unsafe` in a text.\nfn f() -> &'static str { \"unsafe low::X\" }",
        ),
        ("high/src/long.rs", &long),
        ("tests/long.rs", &"\n".repeat(501)),
        ("low/src/third.rs", "use crate::second::two;"),
        (
            "high/src/word.rs",
            "mod a { enum Word {} } fn f() { g(|own| 1) } impl Thing for First { type Second = (); }",
        ),
        ("high/src/other.rs", "type Word = (); mod tests { struct Second; }"),
    ];
    let all = all.map(|(path, text)| Source::new(path, text));
    let found: Vec<_> = violations(&all, &rules).into_iter().collect();
    assert_eq!(
        found,
        [
            "`own` names something: high/src",
            "arrow: low -> high: low/src/first/mod.rs",
            "arrow: low/src/first/inner.rs -> low/src/second",
            "circle: low/src/second/one.rs low/src/second/two.rs",
            "file of over 500 lines: tests/long.rs",
            "folder in no table: low/src/third.rs",
            "function of over 60 lines: high/src/long.rs long",
            "name of several files: second: low/src/second.rs high/src/second.rs",
            "type of several files: Word",
            "unsafe code: low/src/second.rs",
        ]
    );
}

/// The fuzz target of the macros, which no step of CI builds, compiles their modules one by one.
#[test]
fn fuzzing_has_all_modules_of_macros() {
    let modules = include_str!("../../../layout-macros/src/lib.rs");
    let listed = include_str!("../../../fuzz/fuzz_targets/macros.rs");
    let is_own = |line: &&str| line.starts_with("mod ") && line.ends_with(';');
    let lines: Vec<&str> = modules.lines().collect();
    let own = lines.windows(2).filter(|two| !two[0].starts_with("#[cfg")).map(|two| two[1]);
    let missing: Vec<&str> = own.filter(is_own).filter(|line| !listed.contains(line)).collect();
    assert!(missing.is_empty(), "fuzz/fuzz_targets/macros.rs has no {missing:?}");
}
