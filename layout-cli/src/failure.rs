//! Why the program prints nothing, and its exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;

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

/// Text that fits into a line.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// The most letters of a text that are printed.
const MOST_LETTERS: usize = 100;

/// A line of text around a range of its bytes, and carets below the range.
fn marked(text: &str, range: &Range<usize>) -> String {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let at = |byte: usize| letters.partition_point(|letter| letter.0 < byte);
    let (start, end) = (at(range.start), at(range.end));
    let from = match letters.len() {
        0..=MOST_LETTERS => 0,
        all => start.saturating_sub(MOST_LETTERS / 3).min(all - MOST_LETTERS),
    };
    let until = (from + MOST_LETTERS).min(letters.len());
    let shown = letters[from..until]
        .iter()
        .map(|letter| if letter.1.is_control() { ' ' } else { letter.1 });
    let (before, after) =
        (if from > 0 { "…" } else { "" }, if until < letters.len() { "…" } else { "" });
    let carets = "^".repeat(end.min(until).saturating_sub(start).max(1));
    let space = " ".repeat(before.chars().count() + start - from);
    format!("  {before}{}{after}\n  {space}{carets}", shown.collect::<String>())
}

/// What is at fault, in one sentence.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The program does not have these arguments.
    Usage(String),
    /// A layout breaks a rule, or the output cannot be written.
    Input(String),
    /// A text is not a layout: why, and the text with carets below it.
    Text { message: String, marked: String },
    /// The answer says that files differ.
    Differ(String),
}

impl Failure {
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// What is wrong in a text, with carets below it.
    pub(crate) fn text(text: &str, message: impl Display, range: Range<usize>) -> Self {
        Self::Text { message: message.to_string(), marked: marked(text, &range) }
    }

    pub(crate) fn input(error: impl Display) -> Self {
        Self::Input(error.to_string())
    }

    /// Prints one line to the standard error, or three of a text, or the answer that files differ, and returns the exit
    /// code: 2 for a fault of usage, else 1.
    pub(crate) fn report(self) -> u8 {
        let (code, text) = match self {
            Self::Usage(text) => (2, text),
            Self::Input(text) => (1, text),
            Self::Text { message, marked } => {
                let _ = writeln!(io::stderr(), "layout: {}\n{marked}", visible(&message));
                return 1;
            }
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
