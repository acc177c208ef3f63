//! An offset of a literal layout costs what the expression written by hand costs: the machine
//! code of both has the same instructions, in whatever order and registers.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The instructions of each function of an assembly listing.
fn functions(assembly: &str) -> BTreeMap<String, Vec<String>> {
    let mut functions = BTreeMap::new();
    let mut current: Option<(String, Vec<String>)> = None;
    for line in assembly.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if let Some(label) = line.strip_suffix(':') {
            if !label.starts_with(['.', 'L']) {
                functions.extend(current.take());
                current = Some((label.trim_start_matches('_').to_owned(), Vec::new()));
            }
        } else if let Some((alias, of)) =
            line.strip_prefix(".set").map_or(line.split_once(" = "), |set| set.split_once(','))
        {
            // Two functions that the compiler found to be one.
            functions.insert(alias.trim().to_owned(), vec![format!("jmp {}", of.trim())]);
        } else if !line.is_empty() && !line.starts_with(['.', '#']) {
            if let Some((_, instructions)) = &mut current {
                instructions.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
    functions.extend(current);
    functions
}

/// The names of a function's instructions, sorted: what it costs. That it is right is for other
/// tests to say.
fn operations(function: &[String]) -> Vec<&str> {
    let mut names: Vec<_> =
        function.iter().filter_map(|line| line.split_whitespace().next()).collect();
    names.sort();
    names
}

#[test]
fn offsets_compile_to_the_expressions_written_by_hand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = root.join("target/codegen");
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--release", "--package", "codegen", "--target-dir"])
        .arg(&target)
        .args(["--", "--emit=asm", "-Ccodegen-units=1", "-Cdebuginfo=0"])
        .current_dir(root)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "package `codegen` does not compile");

    let newest = std::fs::read_dir(target.join("release/deps"))
        .expect("cargo wrote its output")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .expect("rustc wrote an assembly listing");
    let listing = std::fs::read_to_string(newest).expect("the listing is text");
    let functions = functions(&listing);

    let mut compared = 0;
    for (name, ours) in &functions {
        let Some(pair) = name.strip_suffix("_ours") else { continue };
        let hand = &functions[&format!("{pair}_by_hand")];
        let merged = |one: &[String], other: &str| match one {
            [jump] => jump.starts_with(['j', 'b']) && jump.ends_with(other),
            _ => false,
        };
        let same = operations(ours) == operations(hand)
            || merged(ours, &format!("{pair}_by_hand"))
            || merged(hand, &format!("{pair}_ours"));
        assert!(same, "{pair}\nours:\n{}\nby hand:\n{}", ours.join("\n"), hand.join("\n"));
        compared += 1;
    }
    assert_eq!(compared, 14, "functions in the listing: {:?}", functions.keys());
}
