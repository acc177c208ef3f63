//! Lists the public functions that check something in debug builds alone, with those that reach such a check through
//! functions that are not public. Safe code can call them, also if they are hidden. So a check of theirs must not be what
//! unsafe code relies on: `preconditions.txt` has a line for each, which says why unsafe code does not.
//!
//! Functions are told apart by their names within a package. A finding ends at a public function, which is listed, and at
//! an unsafe one, whose callers prove what it asks for.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::rules::Rules;
use super::source::{self, Source, ident, is_mark};

const LIST: &str = include_str!("preconditions.txt");

#[test]
fn public_functions_check_in_every_build() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let rules = std::fs::read_to_string(root.join("STRUCTURE.md")).expect("STRUCTURE.md");
    let found = findings(&source::all(root), &Rules::read(&rules));
    let mut listed = BTreeSet::new();
    for line in LIST.lines() {
        let (function, reason) =
            line.split_once(": ").unwrap_or_else(|| panic!("no reason: {line}"));
        assert!(!reason.trim().is_empty(), "no reason: {line}");
        assert!(listed.insert(function.to_owned()), "twice: {function}");
    }
    let new: Vec<_> = found.difference(&listed).map(String::as_str).collect();
    assert!(
        new.is_empty(),
        "these check in debug builds alone what a caller could get wrong; check it in every build, make the function \
         `unsafe`, or say in tests/src/structure/preconditions.txt why unsafe code does not rely on it:\n{}",
        new.join("\n")
    );
    let gone: Vec<_> = listed.difference(&found).map(String::as_str).collect();
    assert!(gone.is_empty(), "delete from preconditions.txt:\n{}", gone.join("\n"));
}

/// A function with a body.
struct Function<'a> {
    file: &'a str,
    /// The type or trait that it is a part of.
    owner: String,
    name: String,
    is_public: bool,
    /// Where it is seen, unless it is public: a file and the files below.
    scope: &'a str,
    is_method: bool,
    is_unsafe: bool,
    /// Whether the body has a check of debug builds alone.
    checks: bool,
    calls: BTreeSet<Call>,
}

/// How a body names another function.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Call {
    /// `.name()`
    Method(String),
    /// `Owner::name`
    Of(String, String),
    /// `name()`, or the name after modules.
    Free(String),
}

impl Function<'_> {
    /// Whether this may be what `file` calls.
    fn is_called(&self, call: &Call, file: &str) -> bool {
        let rest = file.strip_prefix(self.scope);
        let is_seen =
            rest.is_some_and(|rest| self.scope.is_empty() || rest.starts_with(['/', '.']));
        is_seen
            && match call {
                Call::Method(name) => self.is_method && *name == self.name,
                Call::Of(owner, name) => *owner == self.owner && *name == self.name,
                Call::Free(name) => self.owner.is_empty() && *name == self.name,
            }
    }
}

/// `FILE FUNCTION` for each public function that reaches a check of debug builds alone.
pub(super) fn findings(all: &[Source], rules: &Rules) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for package in &rules.packages {
        let own = all.iter().filter(|source| package.holds(&source.path) && !source.is_test());
        let mut functions = Vec::new();
        for source in own {
            scan(source, &source.tokens, None, &mut functions);
        }
        functions.retain(|function| !function.is_unsafe);
        let mut reaches: Vec<bool> = functions.iter().map(|function| function.checks).collect();
        // The finding of a public function ends there.
        let mut open: Vec<usize> = (0..functions.len()).filter(|&at| reaches[at]).collect();
        while let Some(at) = open.pop() {
            let called = &functions[at];
            for (by, caller) in functions.iter().enumerate() {
                let calls = || caller.calls.iter().any(|call| called.is_called(call, caller.file));
                if !called.is_public && !reaches[by] && calls() {
                    reaches[by] = true;
                    open.push(by);
                }
            }
        }
        for (function, _) in functions.iter().zip(&reaches).filter(|(_, reaches)| **reaches) {
            if function.is_public {
                let Function { file, owner, name, .. } = function;
                let separator = if owner.is_empty() { "" } else { "::" };
                found.insert(format!("{file} {owner}{separator}{name}"));
            }
        }
    }
    found
}

/// The type or trait of a level, and whether the level is a trait or its implementation, whose functions are public.
type Owner<'a> = Option<(&'a str, bool)>;

/// Adds the functions of a level and of all levels below it.
fn scan<'a>(
    source: &'a Source,
    tokens: &TokenStream,
    owner: Owner<'_>,
    functions: &mut Vec<Function<'a>>,
) {
    let level: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut start = 0;
    for at in 0..level.len() {
        let TokenTree::Group(group) = &level[at] else {
            start = if is_mark(level.get(at), ';') { at + 1 } else { start };
            continue;
        };
        let header = &level[start..at];
        let is_body = group.delimiter() == Delimiter::Brace;
        start = if is_body { at + 1 } else { start };
        if is_body && is_of_tests(header) {
            continue;
        }
        let keyword = |name| header.iter().position(|token| ident(Some(token)) == name);
        if let Some(at) = keyword("fn").filter(|_| is_body) {
            functions.push(function(&source.path, header, at, owner, &group.stream()));
            scan(source, &group.stream(), None, functions);
        } else if let Some(at) = keyword("trait").or(keyword("impl")).filter(|_| is_body) {
            let (name, is_trait) = owner_of(&header[at..]);
            scan(source, &group.stream(), Some((&name, is_trait)), functions);
        } else {
            scan(source, &group.stream(), owner, functions);
        }
    }
}

/// The name in the header of a trait or an `impl`, and whether it is a trait or its implementation.
fn owner_of(header: &[TokenTree]) -> (String, bool) {
    let is_trait = ident(header.first()) == "trait";
    let (mut depth, mut name, mut is_for_type) = (0, String::new(), is_trait);
    for (at, token) in header.iter().enumerate().skip(1) {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '<' => depth += 1,
            TokenTree::Punct(mark) if mark.as_char() == '>' => depth -= 1,
            TokenTree::Ident(own) if depth == 0 && own == "where" => break,
            TokenTree::Punct(mark) if depth == 0 && is_trait && mark.as_char() == ':' => break,
            // Before lifetimes, `for` begins a bound.
            TokenTree::Ident(own) if depth == 0 && own == "for" => {
                is_for_type |= !is_mark(header.get(at + 1), '<');
            }
            TokenTree::Ident(own) if depth == 0 => name = own.to_string(),
            _ => {}
        }
    }
    (name, is_for_type)
}

/// Whether an item is for tests alone.
fn is_of_tests(header: &[TokenTree]) -> bool {
    header.iter().any(|token| match token {
        TokenTree::Group(group) => group.stream().to_string().replace(' ', "") == "cfg(test)",
        _ => false,
    })
}

/// The function whose keyword stands at this position of a header.
fn function<'a>(
    file: &'a str,
    header: &[TokenTree],
    at: usize,
    owner: Owner<'_>,
    body: &TokenStream,
) -> Function<'a> {
    let is_word = |name: &str| header[..at].iter().any(|token| ident(Some(token)) == name);
    let public = header[..at].iter().position(|token| ident(Some(token)) == "pub");
    let restricted = public.and_then(|at| match header.get(at + 1) {
        Some(TokenTree::Group(group)) => Some(group.stream().to_string()),
        _ => None,
    });
    let is_of_trait = owner.is_some_and(|(_, is_trait)| is_trait);
    let own = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let scope = match restricted.as_deref() {
        None => own,
        Some("super") => own.rsplit_once('/').map_or("", |(parent, _)| parent),
        Some(_) => "",
    };
    let is_public = is_of_trait || public.is_some() && restricted.is_none();
    let owner = owner.map_or_else(String::new, |(name, _)| name.to_owned());
    let is_method = header[at..].iter().any(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            group.stream().into_iter().take(4).any(|token| ident(Some(&token)) == "self")
        }
        _ => false,
    });
    let (name, is_unsafe) = (ident(header.get(at + 1)), is_word("unsafe"));
    let (mut checks, mut calls) = (false, BTreeSet::new());
    source::each_level(body, &mut |level| {
        for (at, token) in level.iter().enumerate() {
            let name = ident(Some(token));
            checks |= name.starts_with("debug_assert") || name == "debug_assertions";
            calls.extend(call(level, at, name, &owner));
        }
    });
    Function { file, owner, name, is_public, scope, is_method, is_unsafe, checks, calls }
}

/// The call that a name at this position of a body is, or the function that it stands for.
fn call(level: &[TokenTree], at: usize, name: String, owner: &str) -> Option<Call> {
    let before = |back: usize| at.checked_sub(back).and_then(|at| level.get(at));
    let is_path = is_mark(before(1), ':') && is_mark(before(2), ':');
    let is_call = matches!(level.get(at + 1), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis)
        || is_mark(level.get(at + 1), ':') && is_mark(level.get(at + 3), '<');
    let before_path = ident(before(3));
    match name.as_str() {
        "" => None,
        _ if is_mark(before(1), '.') => is_call.then_some(Call::Method(name)),
        _ if is_path && before_path == "Self" => Some(Call::Of(owner.to_owned(), name)),
        // Types begin with a capital. After `>` or an empty name the type is not known.
        _ if is_path && before_path.starts_with(|first: char| first.is_ascii_uppercase()) => {
            Some(Call::Of(before_path, name))
        }
        _ if is_path && before_path.is_empty() => Some(Call::Method(name)),
        _ => is_call.then_some(Call::Free(name)),
    }
}

/// A library with each kind of function once.
#[test]
fn checks_of_debug_builds_are_found() {
    let rules = Rules::read(include_str!("broken.md"));
    let all = [
        ("low/src/lib.rs", "mod first; pub fn checked() { assert!(true) } pub fn seen() { inner() }"),
        (
            "low/src/first/mod.rs",
            "pub(crate) fn inner() { deeper(1) } fn deeper(at: usize) { debug_assert!(at > 0) }
             pub unsafe fn promised() { debug_assert!(true) } fn proves() { unsafe { promised() } }
             pub fn calls_unsafe() { proves() } pub fn ends() { seen() }
             pub const fn builds() { #[cfg(debug_assertions)] f(); if cfg!(debug_assertions) {} }
             impl Plain { fn own() { debug_assert!(true) } pub fn named() { all.map(Self::own) } }
             impl Trait for Plain { fn of_trait() { Self::own() } } trait Own { fn default() { inner() } }
             #[cfg(test)] mod tests { pub fn test() { debug_assert!(true) } }",
        ),
    ];
    let all = all.map(|(path, text)| Source::new(path, text));
    let expected = [
        "low/src/first/mod.rs Own::default",
        "low/src/first/mod.rs Plain::named",
        "low/src/first/mod.rs Plain::of_trait",
        "low/src/first/mod.rs builds",
        "low/src/lib.rs seen",
    ];
    assert_eq!(findings(&all, &rules).iter().collect::<Vec<_>>(), expected);
}
