//! The arguments of a command: files, and options with their values.

use std::io;

use crate::failure::Failure;
use crate::options::cut;

/// A command, and its options without a value and with one.
pub(crate) struct CommandOptions {
    pub(crate) name: &'static str,
    pub(crate) flags: &'static [&'static str],
    pub(crate) valued: &'static [&'static str],
}

/// All commands.
pub(crate) const COMMANDS: [CommandOptions; 6] = [
    CommandOptions { name: "arena", flags: &["--svg", "--html"], valued: &["--memory"] },
    CommandOptions { name: "inspect", flags: &["--json"], valued: &[] },
    CommandOptions { name: "diff", flags: &[], valued: &[] },
    CommandOptions { name: "find", flags: &[], valued: &["--like", "--axes"] },
    CommandOptions {
        name: "repack",
        flags: &["--cached", "--check", "--dry-run", "--resume"],
        valued: &["--rules", "--memory", "--ranks", "--max-shard", "-o"],
    },
    CommandOptions { name: "completions", flags: &[], valued: &[] },
];

/// The text of the standard input.
pub(crate) fn input_text() -> Result<String, Failure> {
    let text = io::read_to_string(io::stdin().lock());
    let text = text.map_err(|error| Failure::input(format!("standard input: {error}")))?;
    Ok(text.trim().into())
}

/// The arguments of a command: files, and options with their values.
pub(crate) struct Arguments {
    pub(crate) files: Vec<String>,
    options: Vec<(String, Option<String>)>,
}

impl Arguments {
    /// Reads the arguments of a command. `flags` have no value, `valued` have one.
    pub(crate) fn parse(
        command: &str,
        given: &[String],
        flags: &[&str],
        valued: &[&str],
    ) -> Result<Self, Failure> {
        let mut new = Self { files: Vec::new(), options: Vec::new() };
        let mut given = given.iter();
        while let Some(argument) = given.next() {
            // `--memory=64MiB` is `--memory 64MiB`.
            let (name, written) = match argument.split_once('=') {
                Some((name, value)) if valued.contains(&name) => (name, Some(value)),
                _ => (argument.as_str(), None),
            };
            let option = if flags.contains(&name) {
                None
            } else if valued.contains(&name) {
                let missing = || {
                    Failure::usage(format!("`{name}` has no value; see layout {command} --help"))
                };
                let value = written.or_else(|| given.next().map(String::as_str));
                Some(value.ok_or_else(missing)?.to_string())
            } else if name == "--" {
                new.files.extend(given.by_ref().cloned());
                continue;
            } else if name.starts_with('-') && name != "-" {
                let name = cut(name);
                let unknown = format!("`{name}` is not an option; see layout {command} --help");
                return Err(Failure::usage(unknown));
            } else {
                new.files.push(argument.clone());
                continue;
            };
            if new.options.iter().any(|(own, _)| own == name) {
                return Err(Failure::usage(format!(
                    "`{name}` is written twice; leave out one of them"
                )));
            }
            new.options.push((name.into(), option));
        }
        Ok(new)
    }

    /// Whether a flag is there.
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.options.iter().any(|(own, _)| own == flag)
    }

    /// The value of an option.
    pub(crate) fn value(&self, option: &str) -> Option<&str> {
        self.options.iter().find(|(own, _)| own == option)?.1.as_deref()
    }
}
