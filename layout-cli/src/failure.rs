//! Why the program prints nothing, and its exit code.

use std::fmt::Display;
use std::io::{self, Write};

/// Text whose control characters a terminal does not obey: line ends are spaces, and others are escaped.
pub(crate) fn visible(text: &str) -> String {
    let mut all = String::new();
    for letter in text.chars() {
        match letter {
            '\n' => all.push(' '),
            _ if letter.is_control() => all.extend(letter.escape_unicode()),
            _ => all.push(letter),
        }
    }
    all
}

/// What is at fault, in one sentence.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The program does not have these arguments.
    Usage(String),
    /// A layout breaks a rule, or the output cannot be written.
    Input(String),
    /// The answer says that files differ.
    Differ(String),
}

impl Failure {
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    pub(crate) fn input(error: impl Display) -> Self {
        Self::Input(error.to_string())
    }

    /// Prints one line to the standard error, or the answer that files differ, and returns the exit code: 2 for a fault of usage, else 1.
    pub(crate) fn report(self) -> u8 {
        let (code, text) = match self {
            Self::Usage(text) => (2, text),
            Self::Input(text) => (1, text),
            Self::Differ(text) => {
                let _ = io::stdout().write_all(text.as_bytes());
                return 1;
            }
        };
        // Nobody reads the line if it cannot be written. The exit code stays.
        let _ = writeln!(io::stderr(), "layout: {}", visible(&text));
        code
    }
}
