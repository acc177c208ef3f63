//! Text that a `const fn` can build, so that a rule prints the same in a compile error, in const evaluation and at run
//! time.

use core::fmt;

/// UTF-8 text of at most `CAPACITY` bytes, held by value.
///
/// Text that does not fit is truncated at a character and ends in `…`, so no operation fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<const CAPACITY: usize> {
    bytes: [u8; CAPACITY],
    length: u16,
    cut: bool,
}

/// A name from the user's source: an axis, a format, an option.
pub type Name = Text<32>;

/// The values of a list from the user's source.
pub type ListText = Text<64>;

/// One error message.
pub type Message = Text<400>;

const ELLIPSIS: &str = "…";

impl<const CAPACITY: usize> Text<CAPACITY> {
    /// The empty text.
    #[doc(hidden)]
    pub const EMPTY: Self = Self { bytes: [0; CAPACITY], length: 0, cut: false };

    /// `text`, truncated if it is longer than `CAPACITY` bytes.
    #[doc(hidden)]
    pub const fn new(text: &str) -> Self {
        let mut new = Self::EMPTY;
        new.push(text);
        new
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length as usize).0) {
            Ok(text) => text,
            // `push_bytes` copies only whole characters, so this arm is never taken.
            Err(_) => "",
        }
    }

    /// Whether the text is truncated.
    #[doc(hidden)]
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether there is no text.
    #[doc(hidden)]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The text in upper case.
    pub(super) const fn upper(mut self) -> Self {
        self.bytes.make_ascii_uppercase();
        self
    }

    /// Appends `text`.
    #[doc(hidden)]
    pub const fn push(&mut self, text: &str) {
        self.push_bytes(text.as_bytes());
    }

    /// Appends `bytes`, which must be UTF-8.
    pub(super) const fn push_bytes(&mut self, bytes: &[u8]) {
        if self.cut {
            return;
        }
        if self.length as usize + bytes.len() <= CAPACITY {
            self.copy(bytes, bytes.len());
            return;
        }
        self.cut = true;
        if CAPACITY < ELLIPSIS.len() {
            return;
        }
        while self.length as usize + ELLIPSIS.len() > CAPACITY {
            self.length = character_start(&self.bytes, self.length as usize - 1) as u16;
        }
        let room = CAPACITY - ELLIPSIS.len() - self.length as usize;
        self.copy(bytes, character_start(bytes, room));
        self.copy(ELLIPSIS.as_bytes(), ELLIPSIS.len());
    }

    /// Appends one character.
    #[doc(hidden)]
    pub const fn push_char(&mut self, character: char) {
        self.push(character.encode_utf8(&mut [0; 4]));
    }

    /// Appends a number in decimal.
    #[doc(hidden)]
    pub const fn push_number(&mut self, number: usize) {
        let mut digits = [0u8; 20];
        let mut start = digits.len();
        let mut rest = number;
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push_bytes(digits.split_at(start).1);
    }

    /// [`push_number`](Self::push_number), for an address that may not fit in `usize`.
    pub(super) const fn push_wide(&mut self, number: u64) {
        // A target of 32 bits divides 64 bits by a long function, which numbers of `usize` do not need.
        if number <= usize::MAX as u64 {
            return self.push_number(number as usize);
        }
        self.push_wide(number / 10);
        self.push_number((number % 10) as usize);
    }

    /// Appends a number in decimal, with its sign if it is negative.
    #[doc(hidden)]
    pub const fn push_signed(&mut self, number: isize) {
        if number < 0 {
            self.push("-");
        }
        self.push_number(number.unsigned_abs());
    }

    /// Appends bits in hexadecimal, with `0x` before them.
    #[doc(hidden)]
    pub const fn push_bits(&mut self, bits: u64) {
        self.push("0x");
        let mut digits = 1;
        while digits < 16 && bits >> (4 * digits) != 0 {
            digits += 1;
        }
        while digits > 0 {
            digits -= 1;
            let digit = (bits >> (4 * digits)) as u32 & 0xf;
            match char::from_digit(digit, 16) {
                Some(digit) => self.push_char(digit),
                None => unreachable!(),
            }
        }
    }

    /// Appends a block in the notation of formats: `4c`, or `4r/32` for a weight above 1.
    pub(super) const fn push_block(&mut self, letter: char, size: usize, weight: usize) {
        self.push_number(size);
        self.push_char(letter.to_ascii_lowercase());
        if weight > 1 {
            self.push("/");
            self.push_number(weight);
        }
    }

    /// A block in the notation of formats.
    pub(super) const fn of_block(letter: char, size: usize, weight: usize) -> Self {
        let mut text = Self::EMPTY;
        text.push_block(letter, size, weight);
        text
    }

    /// Appends `[1, 2, 3]`.
    #[doc(hidden)]
    pub const fn push_list(&mut self, numbers: &[u32]) {
        self.push("[");
        each!(i, 0..numbers.len(), {
            if i > 0 {
                self.push(", ");
            }
            self.push_number(numbers[i] as usize);
        });
        self.push("]");
    }

    const fn copy(&mut self, bytes: &[u8], count: usize) {
        each!(i, 0..count, {
            self.bytes[self.length as usize] = bytes[i];
            self.length += 1;
        });
    }
}

/// `==` on texts in a `const fn`.
#[doc(hidden)]
pub const fn same_text(a: &str, b: &str) -> bool {
    same_bytes(a.as_bytes(), b.as_bytes())
}

/// The index of a name.
pub(crate) const fn position(names: &[&str], name: &str) -> Option<usize> {
    each!(i, 0..names.len(), {
        if same_text(names[i], name) {
            return Some(i);
        }
    });
    None
}

/// `==` on bytes in a `const fn`.
pub(super) const fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    let mut same = a.len() == b.len();
    let mut i = 0;
    while same && i < a.len() {
        same = a[i] == b[i];
        i += 1;
    }
    same
}

/// The start of the character that byte `at` of UTF-8 text belongs to.
const fn character_start(bytes: &[u8], mut at: usize) -> usize {
    while at > 0 && at < bytes.len() && bytes[at] & 0b1100_0000 == 0b1000_0000 {
        at -= 1;
    }
    at
}

impl<const CAPACITY: usize> fmt::Display for Text<CAPACITY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// Never fails, since text that does not fit is truncated.
impl<const CAPACITY: usize> fmt::Write for Text<CAPACITY> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

impl<const CAPACITY: usize> fmt::Debug for Text<CAPACITY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(Text::<8>::new("12345678").as_str(), "12345678");
        assert_eq!(Text::<8>::new("123456789").as_str(), "12345…");
        assert_eq!(Text::<8>::new("1234ééé").as_str(), "1234…");
        assert_eq!(Text::<3>::new("1234").as_str(), "…");
        assert_eq!(Text::<2>::new("123").as_str(), "");
        let mut text = Text::<8>::new("1234567");
        text.push("89");
        text.push("0");
        assert_eq!(text.as_str(), "12345…");
    }

    #[test]
    fn numbers_and_lists() {
        let mut text = Message::EMPTY;
        text.push_number(0);
        text.push_char(' ');
        text.push_signed(isize::MIN);
        text.push_list(&[]);
        text.push_list(&[1, u32::MAX]);
        assert_eq!(text.as_str(), "0 -9223372036854775808[][1, 4294967295]");
    }
}
