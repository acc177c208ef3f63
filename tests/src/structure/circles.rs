//! Circles of files that import one another.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::Import;

/// Each circle as the names of its files.
pub(super) fn circles(imports: &[Import]) -> Vec<String> {
    let mut edges = BTreeMap::<&str, BTreeSet<&str>>::new();
    for import in imports {
        edges.entry(&import.from).or_default().insert(&import.to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        edges.keys().map(|&from| (from, reached(from, &edges))).collect();
    let both = |a: &str, b: &str| reached.get(a).is_some_and(|all| all.contains(b));
    let mut found = BTreeSet::new();
    for &file in edges.keys().filter(|&&file| both(file, file)) {
        let circle = edges.keys().filter(|&&other| both(file, other) && both(other, file));
        found.insert(circle.copied().collect::<Vec<_>>().join(" "));
    }
    found.into_iter().collect()
}

/// All files that one imports, and what those import.
fn reached<'a>(from: &str, edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut left: Vec<&str> = edges.get(from).into_iter().flatten().copied().collect();
    while let Some(file) = left.pop() {
        if reached.insert(file) {
            left.extend(edges.get(file).into_iter().flatten());
        }
    }
    reached
}
