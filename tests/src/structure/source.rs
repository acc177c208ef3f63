//! Files as tokens.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A file of the repository.
pub(super) struct Source {
    /// From the root, with `/`.
    pub(super) path: String,
    pub(super) lines: usize,
    pub(super) tokens: TokenStream,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let tokens = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        Self { path: path.to_owned(), lines: text.lines().count(), tokens }
    }

    /// Whether a file of a library is for tests alone.
    pub(super) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("tests.rs")
    }
}

/// All Rust files, but those of compile errors.
pub(super) fn all(root: &Path) -> Vec<Source> {
    let read = |path: String| {
        let text = fs::read_to_string(root.join(&path)).expect("a file of the repository");
        Source::new(&path, &text)
    };
    paths(root, &[".rs"]).into_iter().map(read).collect()
}

/// The files whose names end so, but those of compile errors.
pub(super) fn paths(root: &Path, ends: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    collect(root, "", ends, &mut all);
    all.sort();
    all
}

fn collect(root: &Path, folder: &str, ends: &[&str], all: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(folder)).expect("a folder of the repository") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let full = root.join(&path);
        if full.is_dir() {
            if !(name.starts_with('.') || name == "target" || path == "tests/ui") {
                collect(root, &path, ends, all);
            }
        } else if ends.iter().any(|end| name.ends_with(end)) {
            all.push(path);
        }
    }
}

/// An identifier of a token, or an empty string.
pub(super) fn ident(token: Option<&TokenTree>) -> String {
    match token {
        Some(TokenTree::Ident(ident)) => ident.to_string(),
        _ => String::new(),
    }
}

/// Whether a token is this mark.
pub(super) fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// What is in braces, if a token is that.
pub(super) fn braces(token: Option<&TokenTree>) -> Option<TokenStream> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            Some(group.stream())
        }
        _ => None,
    }
}

/// Calls `see` with the tokens of each group, the outermost first.
pub(super) fn each_level(tokens: &TokenStream, see: &mut impl FnMut(&[TokenTree])) {
    let level: Vec<TokenTree> = tokens.clone().into_iter().collect();
    see(&level);
    for token in level {
        if let TokenTree::Group(group) = token {
            each_level(&group.stream(), see);
        }
    }
}

/// Names of types and traits that are items of a file or of a module in it, but not in `mod tests` or `mod sealed`.
pub(super) fn types(tokens: &TokenStream) -> Vec<String> {
    let level: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut found = Vec::new();
    for at in 0..level.len() {
        let name = ident(level.get(at + 1));
        match &*ident(level.get(at)) {
            "struct" | "enum" | "trait" | "type" | "union" if !name.is_empty() => found.push(name),
            "mod" if name != "tests" && name != "sealed" => {
                found.extend(braces(level.get(at + 2)).iter().flat_map(types));
            }
            // A macro of layout-core that declares a struct.
            "blank" => found.extend(braces(level.get(at + 2)).iter().flat_map(types)),
            _ => {}
        }
    }
    found
}

/// Names of functions with a body, and how many lines each takes.
pub(super) fn functions(tokens: &TokenStream) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    each_level(tokens, &mut |level| {
        for (at, token) in level.iter().enumerate() {
            let name = ident(level.get(at + 1));
            if ident(Some(token)) != "fn" || name.is_empty() {
                continue;
            }
            let end = level[at..]
                .iter()
                .find(|&token| is_mark(Some(token), ';') || braces(Some(token)).is_some());
            let Some(TokenTree::Group(body)) = end else { continue };
            let lines = body.span_close().end().line - token.span().start().line + 1;
            found.push((name, lines));
        }
    });
    found
}
