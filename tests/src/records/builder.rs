//! Records built by calls are those of their texts, and the same mistakes have the same words.

use tensor_layout::ElementType;
use tensor_layout::records::{KNOWN_RECORDS, Record, RecordBuilder, RecordTemplate};

/// A text without its next part, which ends before one of these signs, outside of brackets.
fn part<'a>(text: &mut &'a str, ends: &[char]) -> &'a str {
    let mut depth = 0;
    let end = text.find(|letter: char| {
        depth += i32::from("({[".contains(letter)) - i32::from(")}]".contains(letter));
        depth < 0 || depth == 0 && ends.contains(&letter)
    });
    let (own, rest) = text.split_at(end.unwrap_or(text.len()));
    *text = rest;
    own.trim()
}

/// Calls for the marks of an item.
fn with_marks(mut builder: RecordBuilder, mut marks: &str) -> Option<RecordBuilder> {
    while !marks.trim().is_empty() {
        marks = marks.trim_start();
        if let Some(rule) = marks.strip_prefix('=') {
            return Some(builder.value(rule.trim()));
        }
        let (name, rest) = marks.split_at(marks.find([' ', '(']).unwrap_or(marks.len()));
        marks = rest;
        let list = match marks.strip_prefix('(') {
            Some(rest) => {
                let (list, after) = rest.split_once(')')?;
                marks = after;
                list
            }
            None => "",
        };
        for own in list.split(',') {
            let own = if list.is_empty() { name.into() } else { format!("{name}({})", own.trim()) };
            builder = builder.mark(&own);
        }
    }
    Some(builder)
}

/// Calls for the items of a group, up to its brace.
fn with_items(mut builder: RecordBuilder, text: &mut &str) -> Option<RecordBuilder> {
    loop {
        let mut item = part(text, &[',', ';']);
        let name = match item.split_once(':') {
            Some((name, rest)) if !name.contains(['{', ' ']) => {
                item = rest;
                name
            }
            _ => "",
        };
        builder = match item.find('{') {
            Some(open) => {
                let (digits, mut rest) = (item[..open].trim(), &item[open + 1..]);
                let inner = with_items(builder.group(name, digits), &mut rest)?;
                with_marks(inner.end(), rest.strip_prefix('}')?)?
            }
            None => {
                let words: Vec<&str> = item.split_whitespace().collect();
                let element =
                    words.iter().position(|word| ElementType::from_name(word).is_some())?;
                let own = ElementType::from_name(words[element])?;
                let after = item.find(words[element])? + words[element].len();
                let field = builder.field(name, &words[..element].join(" "), own);
                with_marks(field, &item[after..])?
            }
        };
        if text.starts_with('}') || text.is_empty() {
            return Some(builder);
        }
        *text = text[1..].trim_start();
        if text.starts_with('}') {
            return Some(builder);
        }
    }
}

/// The calls that build the record of a text, if calls can say it.
fn calls(text: &str) -> Option<RecordBuilder> {
    let (head, content) = text.split_once('{')?;
    let (format, extents) = head.trim().trim_end_matches(',').split_once('<').unwrap_or((head, ""));
    let mut content = content;
    let has_buffers = {
        let mut rest = content;
        part(&mut rest, &[',', ';']);
        rest.starts_with(';')
    };
    let format = format.trim().trim_end_matches(',');
    let builder = RecordBuilder::new(format);
    let builder = if has_buffers { builder.in_buffers() } else { builder };
    let builder = with_items(builder, &mut content)?;
    let mut builder = with_marks(builder.end(), content.strip_prefix('}')?)?;
    let mut letters = format.chars().filter(char::is_ascii_uppercase);
    for own in extents.trim_end_matches('>').split(',').filter(|own| !own.trim().is_empty()) {
        let (axis, extent) = own.split_once('=').unwrap_or(("", own));
        let axis = axis.trim().chars().next().or_else(|| letters.next())?;
        if extent.trim() != "_" {
            builder = builder.extents(&[(axis, extent.trim().parse().ok()?)]);
        }
    }
    Some(builder)
}

#[test]
fn calls_build_the_records_of_texts() {
    let mut built = 0;
    for known in KNOWN_RECORDS {
        let template = RecordTemplate::parse(known.text()).unwrap();
        let letters = template.unknown();
        let extents: Vec<_> = (0..letters.count()).map(|i| (letters.at(i), 512)).collect();
        let Some(builder) = calls(known.text()) else { continue };
        let builder = builder.extents(&extents);
        match (builder.build(), template.with_extents(&extents)) {
            (Ok(own), Ok(record)) => assert_eq!(own, record, "{}", builder.text()),
            (Err(own), Err(record)) => assert_eq!(own.message(), record.message()),
            (own, record) => panic!("{own:?} and {record:?}"),
        }
        built += 1;
    }
    assert!(built > 50, "{built}");
}

/// What calls cannot get wrong: extents without names, and signs between items.
const OF_TEXTS: &[&str] = &[
    "extents of `KM` could be read in two orders",
    "extent `_` is not known",
    "element type or fields are missing after the extents",
    "items are separated by commas and by `;`",
    "`;` puts items into a buffer each",
    "`b` is not a mark",
];

#[test]
fn mistakes_have_the_words_of_texts() {
    let mut wrong = 0;
    for (text, sentence) in super::wrong::plain_texts() {
        if OF_TEXTS.iter().any(|of| sentence.starts_with(of)) {
            continue;
        }
        let Some(builder) = calls(&text) else { continue };
        let (own, place) = (builder.text(), Record::parse(&text).unwrap_err().range());
        let error = builder.build().expect_err(&text);
        assert_eq!(error.message().as_str(), sentence, "{own}");
        let (here, there) = (&own[error.range().unwrap()], &text[place.unwrap()]);
        let bare = |part: &str| part.split_whitespace().collect::<String>();
        assert_eq!(bare(here), bare(there), "{own}: {error}");
        wrong += 1;
    }
    assert!(wrong > 40, "{wrong}");
}

#[test]
fn parts_do_not_end_what_is_around_them() {
    let new = || RecordBuilder::new("N").extents(&[('N', 4)]);
    let f32 = ElementType::F32;
    for builder in [
        RecordBuilder::new("N<2>").field("x", "", f32),
        new().field("x: u8, y", "", f32),
        new().field("x", "2n u8, y:", f32),
        new().field("x", "} {", f32),
        new().field("x", "", f32).value("x, y: u8"),
        new().field("x", "", f32).value("x } = x"),
        new().field("x", "", f32).mark("pad(N = last, N = keep)"),
        new().group("k; q", "").field("x", "", f32),
    ] {
        let error = builder.build().unwrap_err();
        assert!(error.message().as_str().contains("is not an axis, block"), "{error}");
    }
    assert!(new().field("x", "", ElementType::U8).value("x << 4 | 3").build().is_ok());
    assert!(new().build().is_err());
    assert!(new().field("x", "", f32).end().end().build().is_err());
}
