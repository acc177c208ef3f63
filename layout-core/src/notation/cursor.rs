//! A cursor over text that works in a `const fn`.

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The position of its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
}

impl Span {
    /// No byte.
    pub const EMPTY: Self = Self { start: 0, end: 0 };

    /// Whether it has no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A text, and the position up to which it is read. Every position is the start of a character.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    /// The position.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of the text.
    pub const fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    /// The text of a span.
    pub const fn text(&self, span: Span) -> &'a str {
        let (before, _) = self.bytes.split_at(span.end);
        match core::str::from_utf8(before.split_at(span.start).1) {
            Ok(text) => text,
            // Spans begin and end at characters.
            Err(_) => "",
        }
    }

    /// The next byte after white space, or `None` at the end.
    pub const fn peek(&mut self) -> Option<u8> {
        while self.at < self.bytes.len() && self.bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        if self.at < self.bytes.len() { Some(self.bytes[self.at]) } else { None }
    }

    /// Whether the next byte is this one.
    pub const fn sees(&mut self, byte: u8) -> bool {
        matches!(self.peek(), Some(next) if next == byte)
    }

    /// The position after the text.
    pub(super) const fn end(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the rest has this byte.
    pub(super) const fn has(&self, byte: u8) -> bool {
        let mut at = self.at;
        while at < self.bytes.len() && self.bytes[at] != byte {
            at += 1;
        }
        at < self.bytes.len()
    }

    /// Goes past the next byte of this value. Returns false, and stays, if there is none.
    pub(super) const fn skip_past(&mut self, byte: u8) -> bool {
        let found = self.has(byte);
        while found && self.bytes[self.at] != byte {
            self.at += 1;
        }
        self.at += found as usize;
        found
    }

    /// Consumes the next byte if it is this one.
    pub const fn eat(&mut self, byte: u8) -> bool {
        let found = self.sees(byte);
        if found {
            self.at += 1;
        }
        found
    }

    /// Consumes letters, digits and `_`. The result is empty before other characters. Characters outside ASCII count
    /// as letters, so that an error can name them.
    pub const fn word(&mut self) -> Span {
        self.peek();
        let start = self.at;
        while self.at < self.bytes.len() && is_of_word(self.bytes[self.at]) {
            self.at += 1;
        }
        Span { start, end: self.at }
    }

    /// Consumes a number or a word with a sign, or something in brackets.
    pub(super) const fn operand(&mut self) -> Span {
        self.peek();
        let start = self.at;
        if self.eat(b'{') || self.eat(b'(') {
            let mut depth = 1;
            while depth > 0 && self.at < self.bytes.len() {
                match self.bytes[self.at] {
                    b'{' | b'(' => depth += 1,
                    b'}' | b')' => depth -= 1,
                    _ => {}
                }
                self.at += 1;
            }
            return Span { start, end: self.at };
        }
        let negative = self.eat(b'-');
        let word = self.word();
        if negative { Span { start, end: word.end } } else { word }
    }

    /// The next word or single character, as the span of an error. Empty at the end.
    pub const fn here(&self) -> Span {
        let mut ahead = *self;
        let word = ahead.word();
        if word.is_empty() && ahead.at < ahead.bytes.len() {
            return Span { start: ahead.at, end: ahead.at + 1 };
        }
        word
    }

    /// Consumes an expression up to the next comma or `end` outside brackets, without white space around it. `<` is a
    /// bracket after `::` and at the start, and not where `>` is the end; elsewhere it compares or shifts.
    pub const fn value(&mut self, end: u8) -> Span {
        self.up_to(end, false)
    }

    /// Consumes a type up to the next comma. `<` is a bracket.
    pub(super) const fn type_name(&mut self) -> Span {
        self.up_to(b',', true)
    }

    const fn up_to(&mut self, end: u8, is_type: bool) -> Span {
        self.peek();
        let start = self.at;
        let mut last = start;
        let (mut depth, mut angles) = (0usize, 0usize);
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            if depth == 0 && angles == 0 && (byte == b',' || byte == b';' || byte == end) {
                break;
            }
            let opens = is_type || self.at == start || self.bytes[self.at - 1] == b':';
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'<' if depth == 0 && opens && end != b'>' => angles += 1,
                b'>' if depth == 0 => angles = angles.saturating_sub(1),
                _ => {}
            }
            self.at = end_of_quoted(self.bytes, self.at);
            if !byte.is_ascii_whitespace() {
                last = self.at;
            }
        }
        Span { start, end: last }
    }

    /// Goes to the next `;` outside brackets, or to the end. Returns whether there is one.
    pub(super) const fn skip_to_semicolon(&mut self) -> bool {
        loop {
            self.value(b',');
            if !self.eat(b',') && !self.eat(b'>') {
                return self.sees(b';');
            }
        }
    }

    /// Consumes the name before `=`, if a name and `=` follow.
    pub(super) const fn name(&mut self) -> Option<Span> {
        let mut ahead = *self;
        let word = ahead.word();
        if word.is_empty() || !ahead.eat(b'=') || ahead.sees(b'=') {
            return None;
        }
        *self = ahead;
        Some(word)
    }
}

/// The end of the string or character that begins at `start`, or of the byte there. A lifetime is not a character.
pub(super) const fn end_of_quoted(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    if quote == b'\'' {
        // A character has one scalar value, or begins with `\`.
        let mut next = at + 1;
        while next < bytes.len() && (bytes[next] as i8) < -64 {
            next += 1;
        }
        let is_character =
            at < bytes.len() && (bytes[at] == b'\\' || next < bytes.len() && bytes[next] == b'\'');
        if !is_character {
            return at;
        }
    } else if quote != b'"' {
        return at;
    }
    while at < bytes.len() && bytes[at] != quote {
        at += 1 + (bytes[at] == b'\\') as usize;
    }
    if at < bytes.len() { at + 1 } else { bytes.len() }
}

const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
