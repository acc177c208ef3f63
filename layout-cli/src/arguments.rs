//! The arguments of a command: files, and options with their values.

use std::ffi::{OsStr, OsString};
use std::io;

use crate::failure::{Failure, cut};

/// A command, and its options without a value and with one.
pub(crate) struct CommandOptions {
    pub(crate) name: &'static str,
    pub(crate) flags: &'static [&'static str],
    pub(crate) valued: &'static [&'static str],
}

/// The options without a command.
pub(crate) const PICTURES: CommandOptions = CommandOptions {
    name: "",
    flags: &["--text", "--svg", "--html", "--explain", "--memory", "--lanes"],
    valued: &["--access", "--axes", "--color", "--color-by", "--fold"],
};

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

/// The text of a file of `what`, or of the standard input.
pub(crate) fn read_text(file: &OsStr, what: &str) -> Result<String, Failure> {
    if file == "-" {
        return input_text();
    }
    std::fs::read_to_string(file).map_err(|error| {
        Failure::input(format!("{}: {error}; name a file of {what}", file.display()))
    })
}

/// Returns an argument as text.
pub(crate) fn text_of(argument: &OsStr) -> Result<&str, Failure> {
    argument.to_str().ok_or_else(|| {
        let given = argument.to_string_lossy();
        Failure::usage(format!(
            "`{}` is not UTF-8; write layouts and options as UTF-8",
            cut(&given)
        ))
    })
}

/// The arguments of a command: files, and options with their values.
pub(crate) struct Arguments {
    pub(crate) files: Vec<OsString>,
    options: Vec<(String, Option<OsString>)>,
}

impl Arguments {
    /// Reads the arguments of a command.
    pub(crate) fn parse(of: &CommandOptions, given: &[OsString]) -> Result<Self, Failure> {
        let CommandOptions { name: command, flags, valued } = of;
        let space = if command.is_empty() { "" } else { " " };
        let see = format!("see layout{space}{command} --help");
        let mut new = Self { files: Vec::new(), options: Vec::new() };
        let mut given = given.iter();
        while let Some(argument) = given.next() {
            // The name of a file may be no text.
            let text = argument.to_string_lossy();
            // `--memory=64MiB` is `--memory 64MiB`.
            let (name, written) = match text.split_once('=') {
                Some((name, value)) if valued.contains(&name) => {
                    text_of(argument)?;
                    (name, Some(value.into()))
                }
                _ => (&*text, None),
            };
            let option = if flags.contains(&name) {
                None
            } else if valued.contains(&name) {
                let missing = || Failure::usage(format!("`{name}` has no value; {see}"));
                Some(written.or_else(|| given.next().cloned()).ok_or_else(missing)?)
            } else if name == "--" {
                new.files.extend(given.by_ref().cloned());
                continue;
            } else if name.starts_with('-') && name != "-" {
                let name = cut(name);
                return Err(Failure::usage(format!("`{name}` is not an option; {see}")));
            } else {
                new.files.push(argument.clone());
                continue;
            };
            if new.options.iter().any(|(given, _)| given == name) {
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
        self.options.iter().any(|(given, _)| given == flag)
    }

    /// The name of the one of these options that is there.
    pub(crate) fn one_of(&self, names: &[&str]) -> Result<Option<&str>, Failure> {
        let names = |given: &&str| names.contains(given);
        let mut found = self.options.iter().map(|(given, _)| given.as_str()).filter(names);
        match (found.next(), found.next()) {
            (Some(one), Some(other)) => Err(Failure::usage(format!(
                "`{one}` and `{other}` exclude each other; leave out one of them"
            ))),
            (found, _) => Ok(found),
        }
    }

    /// The value of an option that is a file.
    pub(crate) fn file(&self, option: &str) -> Option<&OsStr> {
        self.options.iter().find(|(given, _)| given == option)?.1.as_deref()
    }

    /// The value of an option that is text.
    pub(crate) fn value(&self, option: &str) -> Result<Option<&str>, Failure> {
        self.file(option).map(text_of).transpose()
    }
}
