//! Templates of error texts. A `const fn` fills them in, so const evaluation, macros and run time print the same text.
//!
//! | placeholder | prints |
//! |---|---|
//! | `{name}` | the value |
//! | `{name:byte\|bytes}` | the value and its noun: `1 byte`, `2 bytes` |
//! | `{name?some\|none}` | the first text if the value is true, not 0 and not empty, otherwise the second |
//!
//! The texts after `?` are templates themselves. The second may be left out: `{name?some}`.

use super::element::ElementType;
use super::factor::Letters;
use super::text::{Message, same_bytes};

/// The value of a placeholder.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    /// Selects one of two texts, and prints nothing.
    Flag(bool),
    Number(usize),
    Signed(isize),
    /// An address, which may not fit in `usize`.
    Wide(u64),
    /// Bits in hexadecimal.
    Bits(u64),
    Character(char),
    Text(&'a str),
    /// Prints `N, C, H, W`. As a number, it is their count.
    Letters(Letters),
    /// A named extent for each of these axes, as the reader writes it.
    Named(Letters, Reader),
    /// The values that a fill of this type can have.
    Fill(ElementType),
    /// `[0, 1, 0, 0]`
    Indices(&'a [u32]),
    /// `` `a`, `b` or `c` ``
    Names(&'a [&'a str]),
    /// `i8, u8 or f32`
    Elements(&'a [ElementType]),
}

/// The reader of a remedy: types have options, functions have other functions.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    /// A reader who writes `layout!`, or uses a type that it makes.
    Macro,
    /// A reader who calls functions.
    Function,
}

/// Appends `template` with its placeholders filled in from `values`.
pub(super) const fn fill(m: &mut Message, template: &str, values: &[(&str, Value<'_>)]) {
    fill_bytes(m, template.as_bytes(), values);
}

const fn fill_bytes(m: &mut Message, template: &[u8], values: &[(&str, Value<'_>)]) {
    let mut rest = template;
    while let Some((before, after)) = split_at_first(rest, b"{") {
        m.push_bytes(before);
        let Some((placeholder, tail)) = split_at_first(after, b"}") else { return };
        fill_placeholder(m, placeholder, values);
        rest = tail;
    }
    m.push_bytes(rest);
}

const fn fill_placeholder(m: &mut Message, placeholder: &[u8], values: &[(&str, Value<'_>)]) {
    if let Some((name, texts)) = split_at_first(placeholder, b"?") {
        let (some, none) = match split_at_first(texts, b"|") {
            Some(both) => both,
            None => (texts, &[] as &[u8]),
        };
        fill_bytes(m, if value_of(name, values).is_some() { some } else { none }, values);
    } else if let Some((name, nouns)) = split_at_first(placeholder, b":") {
        let count = value_of(name, values).count();
        m.push_number(count);
        m.push(" ");
        if let Some((one, many)) = split_at_first(nouns, b"|") {
            m.push_bytes(if count == 1 { one } else { many });
        }
    } else {
        value_of(placeholder, values).push(m);
    }
}

/// The text before and after the first `separator` that is not inside braces.
const fn split_at_first<'a>(text: &'a [u8], separator: &[u8; 1]) -> Option<(&'a [u8], &'a [u8])> {
    let mut depth = 0;
    let mut i = 0;
    while let Some((before, [byte, after @ ..])) = text.split_at_checked(i) {
        if depth == 0 && *byte == separator[0] {
            return Some((before, after));
        }
        match *byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        i += 1;
    }
    None
}

const fn value_of<'a>(name: &[u8], values: &[(&str, Value<'a>)]) -> Value<'a> {
    let mut rest = values;
    while let [(own, value), others @ ..] = rest {
        if same_bytes(own.as_bytes(), name) {
            return *value;
        }
        rest = others;
    }
    // A test checks that templates only use names that exist.
    Value::Flag(false)
}

impl Value<'_> {
    const fn is_some(&self) -> bool {
        match *self {
            Self::Flag(is_true) => is_true,
            Self::Signed(number) => number != 0,
            Self::Bits(bits) | Self::Wide(bits) => bits != 0,
            Self::Text(text) => !text.is_empty(),
            Self::Character(_) | Self::Indices(_) | Self::Fill(_) => true,
            Self::Number(_)
            | Self::Letters(_)
            | Self::Named(..)
            | Self::Names(_)
            | Self::Elements(_) => self.count() > 0,
        }
    }

    /// The number, or the length of a list.
    const fn count(&self) -> usize {
        match *self {
            Self::Number(number) => number,
            Self::Letters(letters) | Self::Named(letters, _) => letters.count(),
            Self::Indices(indices) => indices.len(),
            Self::Names(names) => names.len(),
            Self::Elements(elements) => elements.len(),
            _ => 0,
        }
    }

    const fn push(&self, m: &mut Message) {
        match *self {
            Self::Flag(_) => {}
            Self::Number(number) => m.push_number(number),
            Self::Signed(number) => m.push_signed(number),
            Self::Wide(number) => m.push_wide(number),
            Self::Bits(bits) => m.push_bits(bits),
            Self::Character(character) => m.push_char(character),
            Self::Text(text) => m.push(text),
            Self::Indices(indices) => m.push_list(indices),
            Self::Fill(element) => push_fill(m, element),
            Self::Letters(_) | Self::Named(..) | Self::Names(_) | Self::Elements(_) => {
                let mut i = 0;
                while i < self.count() {
                    m.push(self.separator(i));
                    self.push_entry(m, i);
                    i += 1;
                }
            }
        }
    }

    /// The separator before entry `i` of a list.
    const fn separator(&self, i: usize) -> &'static str {
        match self {
            _ if i == 0 => "",
            Self::Names(_) | Self::Elements(_) if i + 1 == self.count() => " or ",
            _ => ", ",
        }
    }

    const fn push_entry(&self, m: &mut Message, i: usize) {
        match *self {
            Self::Letters(letters) => m.push_char(letters.at(i)),
            Self::Named(letters, Reader::Macro) => {
                m.push_char(letters.at(i));
                m.push(" = ..");
            }
            Self::Named(letters, Reader::Function) => {
                m.push("('");
                m.push_char(letters.at(i));
                m.push("', ..)");
            }
            Self::Names(names) => {
                m.push("`");
                m.push(names[i]);
                m.push("`");
            }
            Self::Elements(elements) => m.push(elements[i].name().as_str()),
            _ => {}
        }
    }
}

/// Appends the values that a fill of this type can have.
const fn push_fill(m: &mut Message, element: ElementType) {
    match (element.integer_range(), element) {
        (Some((low, high)), _) => {
            m.push("an integer from ");
            if low < 0 {
                m.push("-");
            }
            m.push_wide(low.unsigned_abs() as u64);
            m.push(" to ");
            m.push_wide(high as u64);
        }
        (None, ElementType::F16) => m.push("a number from -65504 to 65504"),
        (None, ElementType::F8E4M3 | ElementType::F8E5M2) => {
            m.push("0, or bits as in `");
            m.push(element.name().as_str());
            m.push("::from_bits(0x38)`");
        }
        _ => {
            m.push("a number that `");
            m.push(element.name().as_str());
            m.push("` can hold");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::TEMPLATES;
    use super::*;

    fn filled(template: &str, values: &[(&str, Value<'_>)]) -> Message {
        let mut message = Message::EMPTY;
        fill(&mut message, template, values);
        message
    }

    #[test]
    fn placeholders_are_filled_in() {
        let axes = Letters::EMPTY.with('N').with('C');
        let values: &[(&str, Value<'_>)] = &[
            ("one", Value::Number(1)),
            ("none", Value::Number(0)),
            ("step", Value::Signed(-3)),
            ("axes", Value::Letters(axes)),
            ("fields", Value::Named(axes, Reader::Macro)),
            ("pairs", Value::Named(axes, Reader::Function)),
            ("names", Value::Names(&["a", "b", "c"])),
            ("elements", Value::Elements(&[ElementType::I4, ElementType::F16])),
            ("bits", Value::Bits(0xff0)),
        ];
        for (template, text) in [
            ("", ""),
            ("{one}é{step}", "1é-3"),
            ("{one:byte|bytes}, {none:byte is|bytes are}", "1 byte, 0 bytes are"),
            ("{axes:axis|axes} ({axes})", "2 axes (N, C)"),
            ("{axes?a {one?b{none? c|{step}}| d}| e} f", "a b-3 f"),
            ("{none?{one?a|b}|c}{one? d}{none? e}", "c d"),
            ("<{fields}> [{pairs}]", "<N = .., C = ..> [('N', ..), ('C', ..)]"),
            ("{names} or {elements} {bits}", "`a`, `b` or `c` or i4 or f16 0xff0"),
        ] {
            assert_eq!(filled(template, values).as_str(), text, "{template}");
        }
    }

    #[test]
    fn zero_and_nothing_are_absent() {
        let none = [
            Value::Flag(false),
            Value::Number(0),
            Value::Signed(0),
            Value::Bits(0),
            Value::Wide(0),
            Value::Text(""),
            Value::Letters(Letters::EMPTY),
            Value::Named(Letters::EMPTY, Reader::Macro),
            Value::Names(&[]),
            Value::Elements(&[]),
        ];
        let some = [
            Value::Flag(true),
            Value::Number(2),
            Value::Signed(-1),
            Value::Bits(1),
            Value::Wide(1),
            Value::Text("0"),
            Value::Letters(Letters::EMPTY.with('N')),
            Value::Named(Letters::EMPTY.with('N'), Reader::Macro),
            Value::Names(&["a"]),
            Value::Elements(&[ElementType::I4]),
            Value::Character('0'),
        ];
        let text = |value| filled("{value?there|not}", &[("value", value)]);
        assert!(none.into_iter().all(|value| text(value).as_str() == "not"));
        assert!(some.into_iter().all(|value| text(value).as_str() == "there"));
    }

    /// The names that a template uses, including its nested texts.
    fn names<'a>(template: &'a str, all: &mut std::vec::Vec<&'a str>) {
        let mut rest = template.as_bytes();
        while let Some((_, after)) = split_at_first(rest, b"{") {
            let (placeholder, tail) = split_at_first(after, b"}").expect(template);
            let placeholder = core::str::from_utf8(placeholder).unwrap();
            let end = placeholder.find([':', '?']).unwrap_or(placeholder.len());
            all.push(&placeholder[..end]);
            names(&placeholder[end..], all);
            rest = tail;
        }
        assert!(split_at_first(rest, b"}").is_none(), "{template}");
    }

    #[test]
    fn templates_name_values_that_are_there() {
        for (template, there) in TEMPLATES {
            let mut used = std::vec::Vec::new();
            names(template, &mut used);
            for name in used {
                assert!(there.contains(&name), "{name} in {template}");
            }
        }
    }

    /// The form of rustc's messages: no capital, no period, and the remedy after a semicolon.
    #[test]
    fn templates_have_the_form_of_errors() {
        for (template, _) in TEMPLATES {
            assert!(!template.starts_with(char::is_uppercase), "{template}");
            assert!(!template.ends_with('.'), "{template}");
            assert!(template.contains("; "), "{template}");
            assert!(template.matches('`').count() % 2 == 0, "{template}");
        }
    }
}
