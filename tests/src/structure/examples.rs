//! Checks that examples copy and run: what a reader does not see, an example does not need. Of the lines that rustdoc
//! hides there may be results, assertions and uses of a name, so that what is left compiles in a function that returns
//! a `Result`.

use std::path::Path;

use super::rules::Rules;
use super::source;

#[test]
fn examples_show_all_that_they_need() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let text = |path: &str| std::fs::read_to_string(root.join(path)).expect(path);
    let rules = Rules::read(&text("STRUCTURE.md"));
    let mut found = Vec::new();
    let mut examples = 0;
    for path in source::paths(root, &[".rs", ".md"]) {
        if rules.is_library_path(&path) {
            let (own, hidden) = hidden_lines(&path, &text(&path));
            examples += own;
            found.extend(hidden.into_iter().map(|line| format!("{path}: {line}")));
        }
    }
    assert!(found.is_empty(), "show these lines, which examples need:\n{}", found.join("\n"));
    assert!(examples > 200, "{examples} examples were found");
}

#[test]
fn needed_lines_are_found() {
    let text = "/// # Errors\n/// ```\n/// # use x::X;\n/// let x = X;\n/// # Ok::<(), X>(())\n/// ```\n/// # A\n";
    assert_eq!(hidden_lines("a.rs", text), (1, vec!["# use x::X;".to_owned()]));
    let text =
        "# Head\n```text\n# no code\n```\n```\n# assert!(true);\n# let x = 1;\n```\n# Head\n";
    assert_eq!(hidden_lines("a.md", text), (1, vec!["# let x = 1;".to_owned()]));
}

/// How many examples of Rust a file has, and their hidden lines that others need.
fn hidden_lines(path: &str, text: &str) -> (usize, Vec<String>) {
    let (mut examples, mut found) = (0, Vec::new());
    let (mut is_fenced, mut is_rust) = (false, false);
    for line in text.lines() {
        let line = line.trim_start();
        let written = match path.ends_with(".md") {
            true => line,
            false => match line.strip_prefix("///").or(line.strip_prefix("//!")) {
                Some(comment) => comment.trim_start(),
                // A fence that depends on a feature; without it the example is ignored.
                None if line.contains("doc = \"```\"") => "```",
                None => continue,
            },
        };
        if let Some(language) = written.strip_prefix("```") {
            is_fenced = !is_fenced;
            is_rust = is_fenced && (language.is_empty() || language.starts_with("no_run"));
            examples += usize::from(is_rust);
        } else if is_rust && (written == "#" || written.starts_with("# ")) {
            let allowed = ["# Ok::<", "# assert", "# let _ ="];
            if !allowed.iter().any(|start| written.starts_with(start)) {
                found.push(written.to_owned());
            }
        }
    }
    (examples, found)
}
