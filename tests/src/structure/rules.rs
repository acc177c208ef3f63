//! The tables of STRUCTURE.md.

use std::collections::BTreeSet;

use super::source::Source;

/// All of them.
pub(super) struct Rules {
    pub(super) packages: Vec<Package>,
    rooms: Vec<Room>,
    unsafe_places: Vec<String>,
    pub(super) names: BTreeSet<String>,
}

/// A package of the library and the others that it may use.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) uses: Vec<String>,
}

impl Package {
    pub(super) fn holds(&self, path: &str) -> bool {
        is_below(path, &self.folder)
    }

    /// Whether a file is the package's front, which names all of it.
    pub(super) fn is_root(&self, path: &str) -> bool {
        path.strip_prefix(&self.folder) == Some("/lib.rs")
    }
}

/// A folder or a file of a package and the others that it may use.
pub(super) struct Room {
    pub(super) name: String,
    pub(super) uses: Vec<String>,
}

impl Rules {
    pub(super) fn read(text: &str) -> Self {
        let packages = rows(text, "Packages");
        let packages = packages.into_iter().map(|row| {
            let [name, folder, uses] = cells(&row);
            Package { name: name.into(), folder: folder.into(), uses: list(uses) }
        });
        let rooms = rows(text, "Folders").into_iter().map(|row| {
            let [name, uses] = cells(&row);
            let package = name.split_once("/src/").map_or("src", |(package, _)| package);
            let folder = if package == "src" { "src".into() } else { format!("{package}/src") };
            let full = |to: String| {
                if to.contains('/') { to } else { format!("{folder}/{to}") }
            };
            let uses = list(uses).into_iter().map(full).collect();
            Room { name: name.into(), uses }
        });
        let first = |heading| {
            rows(text, heading).into_iter().map(|row| {
                let [name, _] = cells(&row);
                name.to_owned()
            })
        };
        Self {
            packages: packages.collect(),
            rooms: rooms.collect(),
            unsafe_places: first("Unsafe code").collect(),
            names: first("Names").collect(),
        }
    }

    /// Whether a file is of one of the packages.
    pub(super) fn is_library(&self, source: &Source) -> bool {
        self.is_library_path(&source.path)
    }

    /// Whether a path is below the folder of one of the packages.
    pub(super) fn is_library_path(&self, path: &str) -> bool {
        self.packages.iter().any(|package| package.holds(path))
    }

    /// The row of a file: the one of the innermost folder.
    pub(super) fn room(&self, path: &str) -> Option<&Room> {
        let own = self.rooms.iter().filter(|room| is_below(path, &room.name));
        own.max_by_key(|room| room.name.len())
    }

    pub(super) fn may_be_unsafe(&self, path: &str) -> bool {
        self.unsafe_places.iter().any(|place| is_below(path, place))
    }
}

/// Whether a path is this file, with or without its ending, or in this folder.
fn is_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
}

/// The rows of the table below a heading, without its head.
fn rows(text: &str, heading: &str) -> Vec<String> {
    let start = format!("## {heading}\n");
    let (_, section) = text.split_once(&start).unwrap_or_else(|| panic!("no heading {heading}"));
    let section = section.split("\n## ").next().expect("a part");
    let rows: Vec<String> =
        section.lines().filter(|line| line.starts_with('|')).skip(2).map(str::to_owned).collect();
    assert!(!rows.is_empty(), "no table below {heading}");
    rows
}

fn cells<const N: usize>(row: &str) -> [&str; N] {
    let all: Vec<&str> =
        row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
    all.try_into().unwrap_or_else(|_| panic!("{N} columns, not {row}"))
}

fn list(cell: &str) -> Vec<String> {
    let all = cell.split([' ', ',', '`']).filter(|name| !name.is_empty() && *name != "-");
    all.map(str::to_owned).collect()
}
