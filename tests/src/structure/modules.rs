//! The modules of a package, and which file each path in them leads to.
//!
//! A path through a re-export leads to the file with the item. Code for tests alone does not count.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};

use super::source::{Source, braces, ident, is_mark};

/// A file that names what is in another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    pub(super) from: String,
    pub(super) to: String,
}

/// From the package's root.
type Path = Vec<String>;

#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    items: BTreeSet<String>,
    /// Names that `use` brings, with what they stand for.
    names: BTreeMap<String, Path>,
    globs: Vec<Path>,
}

/// A path as it is written in a module.
struct Reference {
    module: Path,
    path: Path,
    is_public_use: bool,
}

/// Words before the name of an item.
const DEFINES: [&str; 9] =
    ["struct", "enum", "union", "trait", "type", "fn", "const", "static", "macro_rules"];

/// All modules of a package.
pub(super) struct Modules {
    all: BTreeMap<Path, Module>,
    references: Vec<Reference>,
    of_tests: BTreeSet<Path>,
}

impl Modules {
    pub(super) fn new(folder: &str, sources: &[&Source]) -> Self {
        let mut modules =
            Self { all: BTreeMap::new(), references: Vec::new(), of_tests: BTreeSet::new() };
        for source in sources {
            let inside = source.path[folder.len() + 1..].trim_end_matches(".rs");
            let mut module: Path = inside.split('/').map(str::to_owned).collect();
            if ["lib", "mod"].contains(&module.last().map_or("", |name| name)) {
                module.pop();
            }
            modules.all.entry(module.clone()).or_default().file = source.path.clone();
            modules.scan(&source.tokens, &module, true);
        }
        modules
    }

    /// What files import of others.
    pub(super) fn imports(&self) -> Vec<Import> {
        let mut imports = BTreeSet::new();
        for Reference { module, path, is_public_use } in &self.references {
            if self.of_tests.iter().any(|tests| module.starts_with(tests)) {
                continue;
            }
            let Some(target) = self.target(module, path, 16) else { continue };
            let [from, to] = [module, &target].map(|module| self.all[module].file.clone());
            let is_front = *is_public_use && target.starts_with(module);
            if from != to && !is_front {
                imports.insert(Import { from, to });
            }
        }
        imports.into_iter().collect()
    }

    /// The module with what a path means in a module, if it is of this package.
    fn target(&self, module: &Path, path: &[String], depth: usize) -> Option<Path> {
        let depth = depth.checked_sub(1)?;
        let own = &self.all[module];
        match path[0].as_str() {
            "crate" => self.descend(Path::new(), &path[1..], depth),
            "self" => self.descend(module.clone(), &path[1..], depth),
            "super" => self.descend(parent(module), &path[1..], depth),
            name if own.children.contains(name) => self.descend(module.clone(), path, depth),
            name => match own.names.get(name) {
                Some(other) if other[0] != name => {
                    self.target(module, &[other, &path[1..]].concat(), depth)
                }
                Some(_) => None,
                None if own.items.contains(name) => Some(module.clone()),
                None => self.through_globs(module, path, depth),
            },
        }
    }

    /// The module with what a path means from a module downwards; the last that is known.
    fn descend(&self, mut module: Path, path: &[String], depth: usize) -> Option<Path> {
        for (at, name) in path.iter().enumerate() {
            let own = self.all.get(&module)?;
            if name == "super" {
                module = parent(&module);
            } else if own.children.contains(name) {
                module.push(name.clone());
            } else if own.items.contains(name) {
                break;
            } else if let Some(other) = own.names.get(name) {
                return self.target(&module, &[other, &path[at + 1..]].concat(), depth);
            } else {
                return self.through_globs(&module, &path[at..], depth).or(Some(module));
            }
        }
        self.all.contains_key(&module).then_some(module)
    }

    /// The module that contains the item of a path through `use path::*`.
    fn through_globs(&self, module: &Path, path: &[String], depth: usize) -> Option<Path> {
        let depth = depth.checked_sub(1)?;
        self.all[module].globs.iter().find_map(|glob| {
            let inner = self.target(module, glob, depth)?;
            let own = &self.all[&inner];
            let name = &path[0];
            let is_there = own.children.contains(name)
                || own.items.contains(name)
                || own.names.contains_key(name);
            if is_there { self.descend(inner, path, depth) } else { None }
        })
    }

    /// Takes in the tokens of a module, or of what is inside of an item.
    fn scan(&mut self, tokens: &TokenStream, module: &Path, is_module: bool) {
        let level: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut at = 0;
        let mut is_public = false;
        while at < level.len() {
            let [name, next] = [ident(level.get(at)), ident(level.get(at + 1))];
            let is_lifetime = at > 0 && is_mark(level.get(at - 1), '\'');
            let is_test = is_attribute_of_tests(&level, at);
            if is_test {
                at = self.skip_test(&level, at + 2, module);
                continue;
            } else if name == "use" && !is_mark(level.get(at + 1), '<') {
                let end = level[at..].iter().position(|token| is_mark(Some(token), ';'));
                let end = at + end.unwrap_or(level.len() - at);
                self.import(&level[at + 1..end], &[], module, is_public);
                at = end;
            } else if is_module && name == "mod" && !next.is_empty() {
                self.child(module, &next, level.get(at + 2));
                at += 2;
            } else if is_module && !is_lifetime && DEFINES.contains(&name.as_str()) {
                self.item(module, next);
            } else if name == "macro_rules" {
                self.item(module, ident(level.get(at + 2)));
            } else {
                at = self.reference(&level, at, module);
                if let Some(TokenTree::Group(group)) = level.get(at) {
                    self.scan(&group.stream(), module, false);
                }
            }
            is_public =
                name == "pub" || is_public && matches!(level.get(at), Some(TokenTree::Group(_)));
            at += 1;
        }
    }

    fn item(&mut self, module: &Path, name: String) {
        self.all.get_mut(module).expect("the module is known").items.insert(name);
    }

    /// A module inside of another: of a file of its own, or of what is in the braces.
    fn child(&mut self, module: &Path, name: &str, body: Option<&TokenTree>) {
        let own = self.all.get_mut(module).expect("the module is known");
        own.children.insert(name.to_owned());
        let file = own.file.clone();
        if let Some(body) = braces(body) {
            let inner = [&module[..], &[name.to_owned()]].concat();
            self.all.entry(inner.clone()).or_default().file = file;
            self.scan(&body, &inner, true);
        }
    }

    /// Returns the position after an item for tests alone, of which only a module's file is noted.
    fn skip_test(&mut self, level: &[TokenTree], at: usize, module: &Path) -> usize {
        let is_end = |token| is_mark(Some(token), ';') || braces(Some(token)).is_some();
        let end = level[at..].iter().position(is_end).map_or(level.len(), |end| at + end);
        let keyword = level[at..end].iter().position(|token| ident(Some(token)) == "mod");
        if let Some(keyword) = keyword {
            let name = ident(level.get(at + keyword + 1));
            self.of_tests.insert([&module[..], &[name]].concat());
        }
        end + 1
    }

    /// Notes a path that begins here, and returns the position of its last token.
    fn reference(&mut self, level: &[TokenTree], at: usize, module: &Path) -> usize {
        let mut path = vec![ident(level.get(at))];
        let mut end = at;
        let is_inside = at > 0 && [':', '.', '\''].iter().any(|&c| is_mark(level.get(at - 1), c));
        let is_type = at > 1 && is_mark(level.get(at - 1), ':') && !is_mark(level.get(at - 2), ':');
        if path[0].is_empty() || is_inside && !is_type {
            return at;
        }
        while is_mark(level.get(end + 1), ':') && is_mark(level.get(end + 2), ':') {
            let name = ident(level.get(end + 3));
            if name.is_empty() {
                break;
            }
            path.push(name);
            end += 3;
        }
        if path.len() > 1 {
            self.references.push(Reference { module: module.clone(), path, is_public_use: false });
        }
        end
    }

    /// Takes in what `use` names, one part of a tree after the other.
    fn import(&mut self, tree: &[TokenTree], start: &[String], module: &Path, is_public: bool) {
        for part in tree.split(|token| is_mark(Some(token), ',')) {
            let mut names: Path = part.iter().map(|token| ident(Some(token))).collect();
            names.retain(|name| !name.is_empty());
            let mut alias = None;
            if let Some(at) = names.iter().position(|name| name == "as") {
                alias = names.get(at + 1).cloned();
                names.truncate(at);
            }
            let mut path = [start, &names].concat();
            if let Some(inner) = braces(part.last()) {
                let inner: Vec<TokenTree> = inner.into_iter().collect();
                self.import(&inner, &path, module, is_public);
                continue;
            }
            if !start.is_empty() && path.last().is_some_and(|name| name == "self") {
                path.pop();
            }
            if !path.is_empty() {
                self.name(path, alias, is_mark(part.last(), '*'), module, is_public);
            }
        }
    }

    /// One name that `use` brings, or all of a module.
    fn name(
        &mut self,
        path: Path,
        alias: Option<String>,
        is_glob: bool,
        module: &Path,
        is_public: bool,
    ) {
        let own = self.all.get_mut(module).expect("the module is known");
        if is_glob {
            own.globs.push(path.clone());
        } else {
            let name = alias.unwrap_or_else(|| path.last().expect("a name").clone());
            own.names.insert(name, path.clone());
        }
        let module = module.clone();
        self.references.push(Reference { module, path, is_public_use: is_public });
    }
}

fn parent(module: &Path) -> Path {
    module[..module.len().saturating_sub(1)].to_vec()
}

/// Whether `#[cfg(test)]` begins here.
fn is_attribute_of_tests(level: &[TokenTree], at: usize) -> bool {
    let attribute = match level.get(at + 1) {
        Some(TokenTree::Group(group)) => group.stream().to_string().replace(' ', ""),
        _ => return false,
    };
    is_mark(level.get(at), '#') && attribute == "cfg(test)"
}
