//! Literals in the syntax of Rust: `64`, `-1`, `0x40`, `1_000usize`, `0.5`, `1e-3f32`.

use super::big::Big;
use super::cursor::end_of_quoted;

/// A text as a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Literal<'a> {
    /// An integer with its type suffix. The value is `None` if it does not fit in `i128`.
    Whole { value: Option<i128>, suffix: &'a str },
    /// A number with a point or an exponent, or too long for `i128`, rounded to nearest.
    Float { value: f64, suffix: &'a str },
    /// A number with more digits than are read.
    TooLong,
    /// Anything else.
    Other,
}

impl<'a> Literal<'a> {
    /// Parses all of `text`.
    pub(super) const fn read(text: &'a str) -> Self {
        let mut bytes = text.as_bytes();
        let mut negative = false;
        if let [b'-', rest @ ..] = bytes {
            (negative, bytes) = (true, trimmed(rest));
        }
        match bytes {
            [b'0', b'x', rest @ ..] => whole(rest, 16, negative),
            [b'0', b'o', rest @ ..] => whole(rest, 8, negative),
            [b'0', b'b', rest @ ..] => whole(rest, 2, negative),
            [first, ..] if first.is_ascii_digit() => decimal(bytes, negative),
            _ => Self::Other,
        }
    }
}

/// The text without leading white space.
const fn trimmed(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes {
        if !first.is_ascii_whitespace() {
            break;
        }
        bytes = rest;
    }
    bytes
}

const fn as_text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

/// Parses the digits of an integer, and its suffix.
const fn whole(bytes: &[u8], radix: u32, negative: bool) -> Literal<'_> {
    let mut value = Some(0i128);
    let mut digits = 0;
    let mut rest = bytes;
    while let [byte, after @ ..] = rest {
        if let Some(digit) = (*byte as char).to_digit(radix) {
            value = match value {
                Some(high) => match high.checked_mul(radix as i128) {
                    Some(high) => high.checked_add(digit as i128),
                    None => None,
                },
                None => None,
            };
            digits += 1;
        } else if *byte != b'_' {
            break;
        }
        rest = after;
    }
    match (digits > 0 && is_suffix(rest), value) {
        (false, _) => Literal::Other,
        (true, Some(value)) => {
            let value = Some(if negative { -value } else { value });
            Literal::Whole { value, suffix: as_text(rest) }
        }
        (true, None) => Literal::Whole { value: None, suffix: as_text(rest) },
    }
}

/// Whether this is empty or the name of a type.
const fn is_suffix(bytes: &[u8]) -> bool {
    each!(i, 0..bytes.len(), {
        let letter = bytes[i].is_ascii_alphabetic() || (i > 0 && bytes[i].is_ascii_alphanumeric());
        if !letter {
            return false;
        }
    });
    true
}

/// Parses a number that begins with a decimal digit.
const fn decimal(bytes: &[u8], negative: bool) -> Literal<'_> {
    let (before, mut rest) = Digits::split(bytes);
    let mut fraction: &[u8] = &[];
    let mut exponent = 0i32;
    let mut is_float = false;
    if let [b'.', after @ ..] = rest {
        match after {
            [next, ..] if !next.is_ascii_digit() => return Literal::Other,
            _ => {}
        }
        is_float = true;
        (fraction, rest) = Digits::split(after);
    }
    if let [b'e' | b'E', after @ ..] = rest {
        let (sign, after) = match after {
            [b'-', after @ ..] => (-1, after),
            [b'+', after @ ..] => (1, after),
            _ => (1, after),
        };
        let mut count = 0;
        rest = after;
        while let [byte, after @ ..] = rest {
            match *byte {
                b'0'..=b'9' => {
                    // With a larger exponent, the number is 0 or larger than all floats.
                    exponent = if exponent < 10_000 {
                        exponent * 10 + (*byte - b'0') as i32
                    } else {
                        exponent
                    };
                    count += 1;
                }
                b'_' => {}
                _ => break,
            }
            rest = after;
        }
        if count == 0 {
            return Literal::Other;
        }
        (is_float, exponent) = (true, sign * exponent);
    }
    if !is_suffix(rest) {
        return Literal::Other;
    }
    if !is_float {
        let found = whole(bytes, 10, negative);
        if !matches!(found, Literal::Whole { value: None, .. }) {
            return found;
        }
    }
    let digits = Digits::of(before, fraction);
    if digits.count > MOST_DIGITS {
        return Literal::TooLong;
    }
    let value = digits.float(exponent);
    Literal::Float { value: if negative { -value } else { value }, suffix: as_text(rest) }
}

/// The largest number of significant digits of a float that are read.
const MOST_DIGITS: usize = 200;

/// The digits of a number before and after its point.
struct Digits<'a> {
    before: &'a [u8],
    after: &'a [u8],
    /// The number of significant digits, and their value if they are 19 at most.
    count: usize,
    value: u64,
}

impl<'a> Digits<'a> {
    const fn of(before: &'a [u8], after: &'a [u8]) -> Self {
        let mut digits = Self { before, after, count: 0, value: 0 };
        digits.count_all(before);
        digits.count_all(after);
        digits
    }

    /// The bytes up to the first one that is neither a digit nor `_`, and the others.
    const fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
        let mut end = 0;
        while end < bytes.len() && (bytes[end].is_ascii_digit() || bytes[end] == b'_') {
            end += 1;
        }
        bytes.split_at(end)
    }

    const fn count_all(&mut self, bytes: &[u8]) {
        each!(i, 0..bytes.len(), {
            if bytes[i] != b'_' {
                if self.count > 0 || bytes[i] != b'0' {
                    self.count += 1;
                }
                self.value = self.value.wrapping_mul(10).wrapping_add((bytes[i] - b'0') as u64);
            }
        });
    }

    /// The digits as an integer.
    const fn number(&self) -> Big {
        let mut number = Big::ZERO;
        push_all(&mut number, self.before);
        push_all(&mut number, self.after);
        number
    }

    /// The nearest float to the digits times 10 to this power, ties to even.
    ///
    /// The number is a fraction of two integers. The nearest float is the least one that is at most as far below the
    /// number as the next one is above it. Where both integers are floats, one division rounds as well.
    const fn float(&self, exponent: i32) -> f64 {
        let mut exponent = exponent;
        each!(i, 0..self.after.len(), {
            exponent = exponent.saturating_sub((self.after[i] != b'_') as i32);
        });
        if self.count == 0 || exponent < -(MOST_DIGITS as i32) - 330 {
            return 0.0;
        }
        if exponent > 310 {
            return f64::INFINITY;
        }
        let tens = exponent.unsigned_abs() as usize;
        // 10^22 is 5^22 * 2^22, and 5^22 has 52 bits.
        if self.count < 16 && tens <= 22 {
            let mut power = 1.0;
            each!(_, 0..tens, {
                power *= 10.0;
            });
            let value = self.value as f64;
            return if exponent < 0 { value / power } else { value * power };
        }
        let (mut above, mut below) = (self.number(), Big::ZERO);
        below.multiply_add(0, 1);
        each!(_, 0..tens, {
            if exponent > 0 { &mut above } else { &mut below }.multiply_add(10, 0);
        });
        let (mut low, mut high) = (0, f64::INFINITY.to_bits());
        while low < high {
            let middle = low.midpoint(high);
            (low, high) = match is_nearer_to_next(&above, &below, middle) {
                true => (middle + 1, high),
                false => (low, middle),
            };
        }
        f64::from_bits(low)
    }
}

/// Whether a fraction is nearer to the float after the one with these bits, or in the middle and that one is even.
const fn is_nearer_to_next(above: &Big, below: &Big, bits: u64) -> bool {
    let (mut above, mut middle) = (*above, *below);
    // Middles are odd multiples of a power of two, from 2^-1075 on.
    let (mantissa, power) = match (bits & ((1 << 52) - 1), bits >> 52) {
        (subnormal, 0) => (subnormal, 0),
        (fraction, exponent) => (fraction | 1 << 52, exponent as usize - 1),
    };
    middle.multiply_add(2 * mantissa + 1, 0);
    match power < 1075 {
        true => above.shift_left(1075 - power),
        false => middle.shift_left(power - 1075),
    }
    above.is_above(&middle, bits % 2 == 1)
}

/// Appends decimal digits to a number.
const fn push_all(number: &mut Big, bytes: &[u8]) {
    each!(i, 0..bytes.len(), {
        if bytes[i] != b'_' {
            number.multiply_add(10, (bytes[i] - b'0') as u32);
        }
    });
}

/// Whether a text is a literal, of any type.
pub const fn is_literal(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes {
        b"true" | b"false" => true,
        [b'"' | b'\'', ..] => end_of_quoted(bytes, 0) == bytes.len(),
        [b'b' | b'c' | b'r', b'"' | b'\'', ..] => end_of_quoted(bytes, 1) == bytes.len(),
        _ => !matches!(Literal::read(text), Literal::Other),
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::String;

    use super::*;

    /// Compares with the float that std parses.
    fn check(text: &str) {
        let expected: f64 = text.replace('_', "").parse().unwrap();
        let found = Literal::read(text);
        let found = match found {
            Literal::Whole { value: Some(value), suffix: "" } => value as f64,
            Literal::Float { value, suffix: "" } => value,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(found.to_bits(), expected.to_bits(), "{text}: {found:e} and not {expected:e}");
    }

    #[test]
    fn floats_are_those_that_std_reads() {
        for text in [
            "0.0",
            "0.5",
            "1e0",
            "2.",
            "3.14159265358979323846264338327950288",
            "1_0.2_5e0_1",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e99999999999",
            "1e-99999999999",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "4.9406564584124654e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "9007199254740993.0",
            "9007199254740992.9999",
            "9007199254740993.0000000001",
            "340282366920938463463374607431768211456",
            "170141183460469231731687303715884105728",
            "123456789012345678901234567890e-400",
        ] {
            check(text);
        }
        check(&format!("{}e-150", "123456789".repeat(22)));
        check(&format!("0.{}1", "0".repeat(400)));
    }

    #[test]
    fn random_floats_are_those_that_std_reads() {
        // Weyl's sequence: numbers of all magnitudes, including subnormal ones, with the fewest digits and with more.
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            let float = f64::from_bits(bits & !(1 << 63));
            if float.is_finite() {
                check(&format!("{float:e}"));
                check(&format!("{float:.20e}"));
            }
        }
    }

    #[test]
    fn pieces_of_text_are_literals_or_not() {
        let whole = |value, suffix| Literal::Whole { value: Some(value), suffix };
        for (text, expected) in [
            ("64", whole(64, "")),
            ("- 7", whole(-7, "")),
            ("0x4_0usize", whole(64, "usize")),
            ("0b101", whole(5, "")),
            ("0o17isize", whole(15, "isize")),
            ("1_000", whole(1000, "")),
            ("7i8", whole(7, "i8")),
            ("0.5f16", Literal::Float { value: 0.5, suffix: "f16" }),
            ("-1e1f32", Literal::Float { value: -10.0, suffix: "f32" }),
            ("0x", Literal::Other),
            ("", Literal::Other),
            ("-", Literal::Other),
            ("--1", Literal::Other),
            ("1.e5", Literal::Other),
            ("1e", Literal::Other),
            ("1 2", Literal::Other),
            ("x", Literal::Other),
            ("4é", Literal::Other),
            (&"9".repeat(201), Literal::TooLong),
        ] {
            assert_eq!(Literal::read(text), expected, "{text}");
        }
        let many: String = "f".repeat(40);
        let hex = format!("0x{many}");
        assert_eq!(Literal::read(&hex), Literal::Whole { value: None, suffix: "" });
    }
}
