//! The notation of layouts, read and written without the library.

use std::fmt;

use crate::element::Element;

/// A part of a memory order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What the blocks of an axis leave of it.
    Axis(char),
    /// A block of an axis, outside of those listed later.
    Block(char, usize),
    /// A block of an axis, and how many coordinates one step of it is.
    Weighted(char, usize, usize),
}

/// A layout as it is written down: `NCHW4c<N = 1, C = 6, H = 2, W = 3>, u8, pad = 7, align(H = 64)`. It prints as
/// text that the library reads too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notation {
    /// The element type.
    pub element: Element,
    /// The axes with their extents, in coordinate order.
    pub axes: Vec<(char, usize)>,
    /// The memory order, slowest first.
    pub order: Vec<Part>,
    /// What padding holds, if there may be padding.
    pub pad: Option<u64>,
    /// What is faster than an axis begins at multiples of this many bytes.
    pub align: Vec<(char, usize)>,
    /// Each step of an axis is exactly this many bytes.
    pub pitch: Vec<(char, usize)>,
    /// Axes that take no memory.
    pub broadcast: Vec<char>,
    /// The axis that is distributed over lanes, how many lanes, and the first lane.
    pub lanes: Option<(char, usize, usize)>,
    /// Strides in elements, in coordinate order, instead of the memory order.
    pub strides: Option<Vec<isize>>,
    /// How many bits of the offset are XORed into others, the lowest bit that does not stay, and how far
    /// above the bits that change those are that are read; below them where it is negative.
    pub swizzle: Option<(usize, usize, isize)>,
}

impl Notation {
    /// The axes in order, each one as far apart as the faster ones take.
    pub fn dense(axes: Vec<(char, usize)>, element: Element) -> Self {
        let order = axes.iter().map(|axis| Part::Axis(axis.0)).collect();
        let (align, pitch, broadcast) = (Vec::new(), Vec::new(), Vec::new());
        let (pad, lanes, strides, swizzle) = (None, None, None, None);
        Self { element, axes, order, pad, align, pitch, broadcast, lanes, strides, swizzle }
    }

    /// The extent of an axis.
    pub fn extent(&self, letter: char) -> usize {
        self.axes.iter().find(|axis| axis.0 == letter).expect("an axis").1
    }

    /// The product of the blocks of an axis.
    pub fn block(&self, letter: char) -> usize {
        let size = |part: &Part| match *part {
            Part::Block(own, size) | Part::Weighted(own, size, _) if own == letter => size,
            _ => 1,
        };
        self.order.iter().map(size).product()
    }

    /// The number of coordinates; `None` past `usize::MAX`.
    pub fn count(&self) -> Option<usize> {
        if self.axes.iter().any(|axis| axis.1 == 0) {
            return Some(0);
        }
        self.axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.1))
    }

    /// Whether gaps belong to somebody else.
    pub fn is_view(&self) -> bool {
        self.strides.is_some() || !self.pitch.is_empty()
    }

    /// Whether blocks divide extents or may end in padding, alignments and pitches are whole elements, broadcast
    /// axes have no blocks, a pitch is beside nothing that it contradicts, and padding holds an element: the rules that
    /// need no strides.
    pub fn is_allowed(&self) -> bool {
        let bits = self.element.bits();
        let divides = |axis: &(char, usize)| self.pad.is_some() || axis.1 % self.block(axis.0) == 0;
        let has_block = |letter: &char| {
            self.order.iter().any(|part| {
                matches!(part, Part::Block(own, _) | Part::Weighted(own, ..) if own == letter)
            })
        };
        let is_fill = |pad: u64| match self.element {
            Element::Bytes(_) => pad == 0,
            _ => bits >= 64 || pad >> bits == 0,
        };
        let is_whole = |bytes: &(char, usize)| bytes.1 > 0 && 8 * bytes.1 % bits == 0;
        let others = self.pad.is_some() || self.strides.is_some() || self.lanes.is_some();
        let is_alone = |(letter, bytes): &(char, usize)| {
            let align = self.align.iter().find(|align| align.0 == *letter);
            !self.broadcast.contains(letter)
                && align.is_none_or(|align| bytes % align.1.max(1) == 0)
        };
        self.axes.iter().all(divides)
            && self.align.iter().chain(&self.pitch).all(is_whole)
            && (self.pitch.is_empty() || !others && self.pitch.iter().all(is_alone))
            && !self.broadcast.iter().any(has_block)
            && self.pad.is_none_or(is_fill)
    }

    /// Strides are those of all axes, one each.
    ///
    /// # Errors
    /// More strides or fewer.
    pub fn check_stride_count(&self) -> Result<(), String> {
        let (axes, given) = (self.axes.len(), self.strides.as_ref().map(Vec::len));
        match given.unwrap_or(axes) == axes {
            true => Ok(()),
            false => Err(format!("{axes} axes have {given:?} strides")),
        }
    }

    /// The order as a format: `NCHW4c`.
    pub fn format(&self) -> String {
        let part = |part: &Part| match part {
            Part::Axis(letter) => letter.to_string(),
            Part::Block(letter, size) => format!("{size}{}", letter.to_ascii_lowercase()),
            Part::Weighted(letter, size, weight) => {
                format!("{size}{}/{weight} ", letter.to_ascii_lowercase())
            }
        };
        match self.order.is_empty() {
            true => "SCALAR".to_string(),
            false => self.order.iter().map(part).collect::<String>().trim_end().to_string(),
        }
    }

    /// The letters of the memory order, and of the coordinates.
    fn letters(&self) -> (String, String) {
        let letters = self.order.iter().filter_map(|part| match part {
            Part::Axis(letter) => Some(letter),
            _ => None,
        });
        (letters.collect(), self.axes.iter().map(|axis| axis.0).collect())
    }

    /// Whether a list without names can be read in one way only.
    pub fn is_positional(&self) -> bool {
        let (letters, coordinates) = self.letters();
        letters == coordinates || "ABCDEFGHIJKL".starts_with(&coordinates)
    }

    /// Whether the coordinate order is the one of these letters, so that no option says it.
    fn is_usual(&self) -> bool {
        let (letters, coordinates) = self.letters();
        let families = ["NGCDHW", "GOIDHW", "MKN", &"ABCDEFGHIJKL"[..letters.len()]];
        let family = families.iter().find(|family| letters.chars().all(|own| family.contains(own)));
        let usual = family.map_or(letters.clone(), |family| {
            family.chars().filter(|own| letters.contains(*own)).collect()
        });
        usual == coordinates
    }

    /// Reads the notation. Extents have names, as in `<N = 1, C = 3>`, or stand in the order that
    /// `unnamed` gives.
    pub fn parse(text: &str, unnamed: &str) -> Option<Self> {
        let (format, rest) = text.split_at(text.find(['<', ','])?);
        let order = parse_order(format.trim())?;
        let (axes, rest) = match rest.strip_prefix('<') {
            Some(rest) => {
                let (extents, rest) = rest.split_once('>')?;
                (parse_axes(extents, unnamed)?, rest)
            }
            None => (Vec::new(), rest),
        };
        let mut words = split_words(rest.trim().strip_prefix(',')?).into_iter();
        let mut notation = Self { order, ..Self::dense(axes, Element::parse(words.next()?)?) };
        for word in words {
            notation.option(word.trim())?;
        }
        let has_axis = |part: &Part| {
            let (Part::Axis(own) | Part::Block(own, _) | Part::Weighted(own, ..)) = part;
            notation.axes.iter().any(|axis| axis.0 == *own)
        };
        notation.order.iter().all(has_axis).then_some(notation)
    }

    /// Reads one option.
    fn option(&mut self, word: &str) -> Option<()> {
        let inside = |name: &str| {
            let word: String = word.split_whitespace().collect();
            Some(word.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?.to_string())
        };
        if word == "high_first" {
            self.element = self.element.ordered(true);
        } else if word == "pad" {
            self.pad = Some(0);
        } else if let Some(value) = word.strip_prefix("pad =") {
            let bits = value.split_once("::from_bits(").and_then(|both| both.1.strip_suffix(')'));
            let value: i128 = bits.unwrap_or(value).trim().parse().ok()?;
            self.pad = Some(value as u64 & (u64::MAX >> (64 - self.element.bits().min(64))));
        } else if let Some(value) = word.strip_prefix("strides =") {
            self.strides(value)?;
        } else if let Some(text) = inside("coordinates") {
            let place =
                |axis: &(char, usize)| text.split(',').position(|own| letter(own) == Some(axis.0));
            // Strides without names would be those of other axes.
            if self.strides.is_some()
                && self.axes.windows(2).any(|pair| place(&pair[0]) > place(&pair[1]))
            {
                return None;
            }
            self.axes.sort_by_key(place);
        } else if let Some(text) = inside("align") {
            for word in text.split(',') {
                let (axis, bytes) = word.split_once('=')?;
                self.align.push((letter(axis)?, bytes.parse().ok()?));
            }
        } else if let Some(text) = inside("pitch") {
            for word in text.split(',') {
                let (axis, bytes) = word.split_once('=')?;
                self.pitch.push((letter(axis)?, bytes.parse().ok()?));
            }
        } else if let Some(text) = inside("broadcast") {
            for word in text.split(',') {
                self.broadcast.push(letter(word)?);
            }
        } else if let Some(text) = inside("lanes") {
            let mut numbers = text.split(',');
            let (axis, lanes) = (letter(numbers.next()?)?, numbers.next()?.parse().ok()?);
            let start =
                numbers.next().map_or(Some(0), |start| start.strip_prefix("start=")?.parse().ok());
            self.lanes = Some((axis, lanes, start?));
        } else if let Some(text) = inside("swizzle") {
            let mut numbers = text.split(',');
            let (bits, base) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
            self.swizzle = Some((bits, base, numbers.next()?.parse().ok()?));
        } else {
            return None;
        }
        Some(())
    }

    /// The option `strides`, whose values may have names.
    fn strides(&mut self, value: &str) -> Option<()> {
        let list = value.trim().strip_prefix('[')?.strip_suffix(']')?;
        let mut strides = Vec::new();
        for (at, text) in list.split(',').enumerate() {
            let (axis, text) = match text.split_once('=') {
                Some((name, text)) => {
                    let name = letter(name)?;
                    (self.axes.iter().position(|axis| axis.0 == name)?, text)
                }
                None => (at, text),
            };
            strides.push((axis, text.replace(' ', "").parse().ok()?));
        }
        strides.sort_by_key(|stride| stride.0);
        self.strides = Some(strides.into_iter().map(|stride| stride.1).collect());
        Some(())
    }
}

/// The axis that a text names.
fn letter(text: &str) -> Option<char> {
    let mut characters = text.trim().chars();
    let letter = characters.next()?.to_ascii_uppercase();
    characters.next().is_none().then_some(letter)
}

/// Letters are axes, numbers with letters are blocks, and the number after `/` is the weight of the block
/// before it.
fn parse_order(text: &str) -> Option<Vec<Part>> {
    if text == "SCALAR" {
        return Some(Vec::new());
    }
    let (mut order, mut number) = (Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '/' {
            let mut weight = String::new();
            while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                weight.push(digit);
            }
            let Part::Block(letter, size) = order.pop()? else { return None };
            order.push(Part::Weighted(letter, size, weight.parse().ok()?));
            continue;
        }
        if character.is_ascii_whitespace() {
            continue;
        }
        if character.is_ascii_digit() {
            number.push(character);
            continue;
        }
        let letter = character.to_ascii_uppercase();
        order.push(match number.is_empty() {
            true => Part::Axis(letter),
            false => Part::Block(letter, number.parse().ok()?),
        });
        number.clear();
    }
    number.is_empty().then_some(order)
}

/// The extents between `<` and `>`.
fn parse_axes(text: &str, unnamed: &str) -> Option<Vec<(char, usize)>> {
    let mut names = unnamed.chars();
    let axis = |word: &str| match word.split_once('=') {
        Some((name, extent)) => Some((letter(name)?, extent.trim().parse().ok()?)),
        None => Some((names.next()?, word.trim().parse().ok()?)),
    };
    text.split(',').map(axis).collect()
}

/// The text between commas that stand in no brackets.
pub(crate) fn split_words(text: &str) -> Vec<&str> {
    let (mut words, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                words.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    words
}

impl fmt::Display for Notation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.format())?;
        if !self.axes.is_empty() {
            let axis = |(letter, extent): &(char, usize)| format!("{letter} = {extent}");
            let axes: Vec<String> = self.axes.iter().map(axis).collect();
            write!(formatter, "<{}>", axes.join(", "))?;
        }
        write!(formatter, ", {}", self.element)?;
        let joined = |list: Vec<String>| list.join(", ");
        if let Some(pad) = self.pad {
            write!(formatter, ", {}", self.element.filled(pad))?;
        }
        for (name, all) in [("align", &self.align), ("pitch", &self.pitch)] {
            if !all.is_empty() {
                let all = all.iter().map(|(letter, bytes)| format!("{letter} = {bytes}"));
                write!(formatter, ", {name}({})", joined(all.collect()))?;
            }
        }
        if !self.broadcast.is_empty() {
            let letters = self.broadcast.iter().map(char::to_string);
            write!(formatter, ", broadcast({})", joined(letters.collect()))?;
        }
        if let Some((letter, lanes, start)) = self.lanes {
            write!(formatter, ", lanes({letter}, {lanes}, start = {start})")?;
        }
        if let Some(strides) = &self.strides {
            match self.is_positional() || strides.len() != self.axes.len() {
                true => write!(formatter, ", strides = {strides:?}")?,
                false => {
                    let named = self.axes.iter().zip(strides);
                    let named = named.map(|(axis, stride)| format!("{} = {stride}", axis.0));
                    write!(formatter, ", strides = [{}]", joined(named.collect()))?;
                }
            }
        }
        if let Some((bits, base, shift)) = self.swizzle {
            write!(formatter, ", swizzle({bits}, {base}, {shift})")?;
        }
        if let Element::HighFirst(_) = self.element {
            formatter.write_str(", high_first")?;
        }
        if !self.is_usual() {
            let letters = self.axes.iter().map(|axis| axis.0.to_string());
            write!(formatter, ", coordinates({})", joined(letters.collect()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "NCHW4c<N = 1, C = 6, H = 2, W = 3>, u8, pad = 7, align(H = 64)",
            "AB<A = 3, B = 2>, plain(12), pad, broadcast(B)",
            "AB<A = 3, B = 2>, f32, strides = [-2, 1]",
            "AB2a4a/2 3b/2 2b<A = 8, B = 6>, u8",
            "AB<A = 8, B = 8>, f16, swizzle(3, 0, -3)",
            "AB<A = 3, B = 8>, u2, pad = 1, high_first",
            "AB2a<A = 3, B = 2>, i8, pad = -1, align(A = 4, B = 2)",
            "AB2a<A = 3, B = 2>, f16, pad = f16::from_bits(31744), broadcast(A, B)",
            "AB<A = 3, B = 2>, plain(3), lanes(A, 4, start = 1)",
            "SCALAR, f64",
            "NHWC<N = 1, C = 3, H = 2, W = 2>, u8, strides = [N = 12, C = 1, H = 6, W = 3]",
            "BSHD<B = 1, H = 3, S = 2, D = 2>, u8, coordinates(B, H, S, D)",
        ] {
            assert_eq!(Notation::parse(text, "").expect("a layout").to_string(), text);
        }
        let short = Notation::parse("OIHW4i16o4i<16, 16, 1, 1>, i8, pad", "OIHW").expect("one");
        assert_eq!(short.block('I'), 16);
        assert_eq!(short.pad, Some(0));
        assert_eq!(Notation::parse("NC4<N = 1, C = 4>, u8", ""), None);
        assert_eq!(Notation::parse("SCALAr, u8", ""), None);
        // `lanes` is not an axis L.
        assert_eq!(
            Notation::parse("LA<L = 1, A = 3>, u8, align(lanes = 2), lanes(A, 4)", ""),
            None
        );
    }
}
