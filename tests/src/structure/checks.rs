//! The rules, one function each.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::Import;
use super::rules::{Package, Rules};
use super::source::{Source, each_level, functions, ident, is_mark, types};

const LINES_OF_A_FILE: usize = 500;
const LINES_OF_A_FUNCTION: usize = 60;

pub(super) fn long_files(all: &[Source]) -> impl Iterator<Item = String> {
    all.iter()
        .filter(|source| source.lines > LINES_OF_A_FILE)
        .map(|source| format!("file of over {LINES_OF_A_FILE} lines: {}", source.path))
}

pub(super) fn long_functions(all: &[Source]) -> impl Iterator<Item = String> {
    all.iter().flat_map(|source| {
        functions(&source.tokens).into_iter().filter(|(_, lines)| *lines > LINES_OF_A_FUNCTION).map(
            |(name, _)| {
                format!("function of over {LINES_OF_A_FUNCTION} lines: {} {name}", source.path)
            },
        )
    })
}

/// Files with the word `unsafe` outside of the folders for it.
pub(super) fn unsafe_code(libraries: &[&Source], rules: &Rules) -> Vec<String> {
    let has_unsafe = |source: &&&Source| {
        let mut found = false;
        each_level(&source.tokens, &mut |level| {
            found |= level.iter().any(|token| ident(Some(token)) == "unsafe");
        });
        found
    };
    libraries
        .iter()
        .filter(|source| !rules.may_be_unsafe(&source.path))
        .filter(has_unsafe)
        .map(|source| format!("unsafe code: {}", source.path))
        .collect()
}

/// Names of several files, except those that Cargo expects, and those in the table.
pub(super) fn names(libraries: &[&Source], rules: &Rules) -> Vec<String> {
    let mut places = BTreeMap::<&str, Vec<&str>>::new();
    for source in libraries {
        let name = source.path.rsplit('/').next().expect("a path has an end");
        places.entry(name.trim_end_matches(".rs")).or_default().push(&source.path);
    }
    places
        .into_iter()
        .filter(|(name, paths)| paths.len() > 1 && !rules.names.contains(*name))
        .map(|(name, paths)| format!("name of several files: {name}: {}", paths.join(" ")))
        .collect()
}

/// Types and traits of the same name in several files, except those for tests. One word is one type.
pub(super) fn words(libraries: &[&Source]) -> Vec<String> {
    let mut places = BTreeMap::<String, BTreeSet<&str>>::new();
    for source in libraries.iter().filter(|source| !source.is_test()) {
        for name in types(&source.tokens) {
            places.entry(name).or_default().insert(&source.path);
        }
    }
    let several = places.into_iter().filter(|(_, paths)| paths.len() > 1);
    several.map(|(name, _)| format!("type of several files: {name}")).collect()
}

/// Folders in which something is called `own`: the word does not say what it is.
pub(super) fn hidden(libraries: &[&Source]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for source in libraries.iter().filter(|source| !source.is_test()) {
        let folder: Vec<&str> = source.path.split('/').take(2).collect();
        each_level(&source.tokens, &mut |level| {
            if level.iter().any(|token| ident(Some(token)) == "own") {
                found.insert(format!("`own` names something: {}", folder.join("/")));
            }
        });
    }
    found
}

/// Files that name a package which their own may not use.
pub(super) fn packages(own: &[&Source], rules: &Rules, package: &Package) -> BTreeSet<String> {
    let others: Vec<&str> = rules.packages.iter().map(|other| &*other.name).collect();
    let is_allowed = |name: &String| {
        *name == package.name || package.uses.contains(name) || !others.contains(&name.as_str())
    };
    let mut found = BTreeSet::new();
    for source in own.iter().filter(|source| !source.is_test()) {
        each_level(&source.tokens, &mut |level| {
            let names = (0..level.len()).filter(|&at| is_mark(level.get(at + 1), ':'));
            let names = names.map(|at| ident(level.get(at)).replace('_', "-"));
            for name in names.filter(|name| !is_allowed(name)) {
                found.insert(format!("arrow: {} -> {name}: {}", package.name, source.path));
            }
        });
    }
    found
}

/// Imports between the folders of a package that are in no row.
pub(super) fn rooms(imports: &[Import], rules: &Rules, package: &Package) -> Vec<String> {
    let mut found = Vec::new();
    for import in imports {
        let [from, to] = [&import.from, &import.to].map(|path| rules.room(path));
        if package.is_root(&import.from) || package.is_root(&import.to) {
            continue;
        }
        match (from, to) {
            (Some(from), Some(to)) if from.name == to.name || from.uses.contains(&to.name) => {}
            (Some(_), Some(to)) => found.push(format!("arrow: {} -> {}", import.from, to.name)),
            (None, _) => found.push(format!("folder in no table: {}", import.from)),
            (_, None) => found.push(format!("folder in no table: {}", import.to)),
        }
    }
    found
}
