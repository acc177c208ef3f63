//! The part of JSON that headers of .safetensors files use: strings, whole numbers, lists and maps.

/// A value.
pub(super) enum Json {
    Text(String),
    Number(usize),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

/// The maximal depth, more than that of any header, so that no file overflows the stack.
const DEPTH: usize = 8;

impl Json {
    /// Parses `text`, or returns `None` if it is anything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let value = value(&mut rest, DEPTH)?;
        rest.trim().is_empty().then_some(value)
    }

    /// Returns the value of a key of a map.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Returns the keys of a map.
    pub(super) fn keys(&self) -> Vec<String> {
        match self {
            Self::Map(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns a list of numbers.
    pub(super) fn sizes(&self) -> Option<Vec<usize>> {
        let Self::List(values) = self else { return None };
        let size = |value: &Self| match value {
            Self::Number(size) => Some(*size),
            _ => None,
        };
        values.iter().map(size).collect()
    }
}

/// Parses the value at the start of `rest` and removes it from there.
fn value(rest: &mut &str, depth: usize) -> Option<Json> {
    let depth = depth.checked_sub(1)?;
    *rest = rest.trim_start();
    match rest.chars().next()? {
        '"' => text(rest).map(Json::Text),
        '0'..='9' => {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, tail) = rest.split_at(end);
            *rest = tail;
            digits.parse().ok().map(Json::Number)
        }
        '[' => sequence(rest, ']', |rest| value(rest, depth)).map(Json::List),
        '{' => {
            let entry = |rest: &mut &str| {
                *rest = rest.trim_start();
                let key = text(rest)?;
                *rest = rest.trim_start().strip_prefix(':')?;
                Some((key, value(rest, depth)?))
            };
            sequence(rest, '}', entry).map(Json::Map)
        }
        _ => None,
    }
}

/// Parses what is between brackets, separated by commas.
fn sequence<T>(
    rest: &mut &str,
    end: char,
    mut one: impl FnMut(&mut &str) -> Option<T>,
) -> Option<Vec<T>> {
    let mut all = Vec::new();
    *rest = rest[1..].trim_start();
    if let Some(tail) = rest.strip_prefix(end) {
        *rest = tail;
        return Some(all);
    }
    loop {
        all.push(one(rest)?);
        *rest = rest.trim_start();
        if let Some(tail) = rest.strip_prefix(end) {
            *rest = tail;
            return Some(all);
        }
        *rest = rest.strip_prefix(',')?;
    }
}

/// Parses a string in quotes.
fn text(rest: &mut &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = rest.strip_prefix('"')?.chars();
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => text.push(escaped(&mut chars)?),
            c if c < ' ' => return None,
            c => text.push(c),
        }
    }
    *rest = chars.as_str();
    Some(text)
}

/// Returns the character of an escape sequence.
fn escaped(chars: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match chars.next()? {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => match code_unit(chars)? {
            // The first half of a surrogate pair; the second half follows as another escape sequence.
            high @ 0xd800..0xdc00 => {
                let escape = (chars.next()?, chars.next()?) == ('\\', 'u');
                let low = code_unit(chars)?.checked_sub(0xdc00).filter(|low| *low < 0x400);
                let low = low.filter(|_| escape)?;
                char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + low)?
            }
            unit => char::from_u32(unit)?,
        },
        same @ ('"' | '\\' | '/') => same,
        _ => return None,
    })
}

/// Parses four hexadecimal digits.
fn code_unit(chars: &mut std::str::Chars<'_>) -> Option<u32> {
    (0..4).try_fold(0, |unit, _| Some(unit * 16 + chars.next()?.to_digit(16)?))
}
