//! What the messages of several rules have in common.

use super::factor::Letters;
use super::text::Message;

/// Who is told what to write instead: the same thing has other names in types than in functions.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    /// Of `layout!`, and of the type that it makes.
    Type,
    /// Of a function's result.
    Function,
}

/// What makes a layout with padding, for both.
pub(super) const PADDED: &str = "`Layout::padded`, `contiguous_padded` or the option `pad`";

/// An axis that is still to get its extent.
pub(super) const fn push_named(m: &mut Message, letter: char, reader: Reader) {
    match reader {
        Reader::Type => {
            m.push_char(letter);
            m.push(" = ..");
        }
        Reader::Function => {
            m.push("('");
            m.push_char(letter);
            m.push("', ..)");
        }
    }
}

pub(super) const fn push_axis(m: &mut Message, letter: char) {
    m.push("axis `");
    m.push_char(letter);
    m.push("`");
}

pub(super) const fn push_letters(m: &mut Message, letters: Letters) {
    let mut i = 0;
    while i < letters.count() {
        if i > 0 {
            m.push(", ");
        }
        m.push_char(letters.at(i));
        i += 1;
    }
    if letters.count() == 0 {
        m.push("none");
    }
}

pub(super) const fn push_count(m: &mut Message, count: usize, one: &str, many: &str) {
    m.push_number(count);
    m.push(" ");
    m.push(if count == 1 { one } else { many });
}
