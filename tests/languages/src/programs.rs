//! Random layouts, the source text of their functions, and a function `test_K` of one number in the same
//! language. Its results are compared with what the library finds.
//!
//! | number | result |
//! |---|---|
//! | below the count of coordinates | the offset of that coordinate in coordinate order, if the functions find it to be inside |
//! | from there on, an offset | the coordinate that lies there, by its number, or `NONE` |
//! | from there on, an axis | whether the coordinate after the axis's last one is inside |
//! | from there on, one of 8 offsets, of 4-bit elements | three elements of [`WORD`] after one was written |

use std::fmt::{Display, Write};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tensor_layout::source::{Language, Source};
use tensor_layout::spec::{AxisExtent, Factor, Length, Spec};
use tensor_layout::{ElementType, Layout};

use crate::support::random::{Case, axes, element, layout_of, swizzle};

/// No coordinate.
pub const NONE: u32 = u32::MAX;

/// Not inside of the extents.
const OUTSIDE: u32 = u32::MAX - 1;

/// Eight elements of 4 bits.
pub const WORD: u32 = 0x79e4_821f;

/// A layout with a name, and which of its extents are parameters.
pub struct Subject {
    /// Of the functions: `l` and a number.
    pub name: String,
    case: Case,
    /// With all its extents.
    pub layout: Layout,
    open: Vec<bool>,
}

/// This number of random layouts: memory orders and strides, then views of such layouts, then layouts with
/// parameters.
pub fn subjects(count: usize) -> Vec<Subject> {
    let mut runner = TestRunner::deterministic();
    let case = (axes(), element());
    let case = case.prop_flat_map(|(axes, element)| layout_of(axes, element, true));
    let case = (case, swizzle()).prop_map(|(case, swizzle)| case.swizzled(swizzle));
    let case = (case, any::<u64>());
    let mut subjects = Vec::new();
    while subjects.len() < count {
        let (case, seed) = case.new_tree(&mut runner).expect("a case").current();
        let Ok(layout) = case.try_layout() else { continue };
        let name = format!("l{}", subjects.len());
        let kind = subjects.len() % 4;
        let layout = if kind == 2 { viewed(layout, seed) } else { layout };
        let open = (0..layout.rank()).map(|axis| kind == 3 && seed >> axis & 1 == 1).collect();
        let subject = Subject { name, case, layout, open };
        if !subject.is_fixed() && !subject.is_valid_type() {
            continue;
        }
        match subject.source().functions(Language::C) {
            Ok(_) => subjects.push(subject),
            // Nothing else of a layout this small is refused.
            Err(error) => assert!(error.to_string().contains("another alignment"), "{error}"),
        }
    }
    subjects
}

/// A view by some of the operations.
fn viewed(mut layout: Layout, seed: u64) -> Layout {
    for step in 0..3 {
        let bits = seed >> (step * 16);
        let rank = layout.rank();
        if rank == 0 {
            return layout;
        }
        let axis = bits as usize / 8 % rank;
        let letter = layout.letters().at(axis);
        let extent = layout.extents()[axis];
        let next = layout.letters().at((axis + 1) % rank);
        let (start, by) = (bits as usize / 64 % extent.max(1), bits as usize / 1024 % 3 + 1);
        let view = match bits % 8 {
            0 => layout.flip(letter),
            1 => {
                layout.slice(letter, start, by as isize, (extent - start.min(extent)).div_ceil(by))
            }
            2 => layout.slice(letter, start, -(by as isize), start / by + usize::from(extent > 0)),
            3 => layout.diagonal(letter, next, letter),
            4 => layout.merge(&format!("{letter}{next}"), letter),
            5 if extent % 2 == 0 && rank < 8 => {
                layout.tile(letter, &[(letter, extent / 2), ('Z', 2)])
            }
            6 => layout.slice(letter, start, 1, extent - start.min(extent)),
            _ => layout.merge(&format!("{next}{letter}"), next),
        };
        layout = view.unwrap_or(layout);
    }
    // As parts of tensors are, whose buffers may end inside of a block.
    let (range, cuts) = (layout.range(), seed >> 60 & 1 == 1 && layout.swizzle().is_none());
    if cuts { layout.part(range.start, range.len()).expect("a part") } else { layout }
}

impl Subject {
    fn is_fixed(&self) -> bool {
        !self.open.contains(&true)
    }

    fn axes(&self) -> Vec<AxisExtent> {
        let axes = self.case.axes.iter().zip(&self.open);
        let extent = |(&(letter, extent), open): (&(char, usize), &bool)| AxisExtent {
            letter,
            extent: if *open { Length::Unknown } else { Length::Runtime(extent) },
        };
        axes.map(extent).collect()
    }

    fn with_spec<T>(&self, use_it: impl FnOnce(&Spec<'_>) -> T) -> T {
        let axes = self.axes();
        let Case { element, factors, fill, .. } = &self.case;
        use_it(&Spec { element: *element, axes: &axes, factors, fill: *fill })
    }

    /// Whether a type of this layout compiles.
    fn is_valid_type(&self) -> bool {
        self.with_spec(|spec| Layout::check(spec).is_empty())
    }

    /// The layout under its name.
    pub fn source(&self) -> Source<'_> {
        match self.is_fixed() {
            true => Source::new(&self.name, self.layout),
            false => self.with_spec(|spec| Source::of_spec(&self.name, spec)),
        }
    }

    /// How many offsets are asked for their coordinate: the buffer, what follows it, and the last of all.
    fn probes(&self) -> usize {
        self.layout.len() + 3
    }

    /// How many numbers the test function takes.
    pub fn numbers(&self) -> usize {
        self.elements_from()
            + if self.is_sub_byte() { 32 / self.layout.element().bits() } else { 0 }
    }

    fn elements_from(&self) -> usize {
        self.layout.numel() + self.probes() + self.layout.rank()
    }

    fn is_sub_byte(&self) -> bool {
        self.layout.element().bits() < 8
    }

    /// One element before another is written there, the other one, and the one that follows it.
    fn expected_element(&self, offset: u32) -> u32 {
        let (bits, mask, is_signed) = self.bits();
        let sign = if is_signed { mask / 2 + 1 } else { 0 };
        let byte = |own: u32| if own & sign > 0 { own | (0xff & !mask) } else { own };
        let own = |offset: u32| {
            let (byte_of, first) = (offset * bits % 32 / 8, offset * bits % 8);
            let is_high = matches!(self.layout.element(), ElementType::HighFirst(_));
            let place = if is_high { 8 - bits - first } else { first };
            byte(WORD >> (8 * byte_of + place) & mask)
        };
        own(offset) | byte((offset * 5 + 9) & mask) << 8 | own(offset + 1) << 16
    }

    /// The bits of an element, one whose bits are all 1, and whether it has a sign.
    fn bits(&self) -> (u32, u32, bool) {
        let element = self.layout.element();
        let is_signed = element.integer_range().is_some_and(|(low, _)| low < 0);
        (element.bits() as u32, (1 << element.bits()) - 1, is_signed)
    }

    /// What the test function returns for a number.
    pub fn expected(&self, number: usize) -> u32 {
        let extents = self.layout.extents();
        if number < self.layout.numel() {
            let mut rest = number;
            let mut coordinate = vec![0; extents.len()];
            for axis in (0..extents.len()).rev() {
                coordinate[axis] = rest % extents[axis];
                rest /= extents[axis];
            }
            return self.layout.offset(&coordinate) as u32;
        }
        if number >= self.elements_from() {
            return self.expected_element((number - self.elements_from()) as u32);
        }
        let offset = number - self.layout.numel();
        if offset >= self.probes() {
            return 0;
        }
        if offset + 1 == self.probes() {
            return NONE;
        }
        match self.layout.coordinate(offset) {
            None => NONE,
            Some(at) => at.iter().zip(extents).fold(0, |all, (at, n)| all * *n as u32 + *at as u32),
        }
    }

    /// The functions and the test function.
    pub fn program(&self, language: Language) -> String {
        let mut text = self.source().functions(language).expect("functions").to_string();
        if self.is_fixed() {
            text += &self.source().strides(language).expect("a struct").to_string();
        }
        text + &self.test(Syntax(language))
    }

    /// The test function.
    fn test(&self, syntax: Syntax) -> String {
        let mut text = String::new();
        let name = &self.name;
        let extents: Vec<u32> = self.layout.extents().iter().map(|n| *n as u32).collect();
        let letters: Vec<char> = (0..extents.len())
            .map(|axis| self.layout.letters().at(axis).to_ascii_lowercase())
            .collect();
        let open = extents.iter().zip(&self.open).filter(|(_, open)| **open);
        let open: Vec<String> = open.map(|(extent, _)| format!("{extent}u")).collect();
        let call = |function: &str, arguments: Vec<String>| {
            format!("{name}_{function}({})", [open.clone(), arguments].concat().join(", "))
        };
        let inputs = || letters.iter().map(char::to_string).collect::<Vec<_>>();
        let outputs = letters.iter().map(|letter| syntax.output(*letter));
        let (count, probes) = (self.layout.numel(), self.probes());

        let _ = write!(text, "\n{}", syntax.test(&name[1..]));
        if self.is_sub_byte() {
            text += &syntax.sub_byte(self);
        }
        for (axis, letter) in letters.iter().enumerate() {
            let below: u32 = extents[axis + 1..].iter().product();
            let (below, extent) = (below.max(1), extents[axis].max(1));
            let value = format!("number / {below}u % {extent}u");
            let _ = writeln!(text, "    {}", syntax.variable(*letter, &value));
        }
        let inside = call("contains", inputs());
        if count > 0 {
            let _ = writeln!(text, "    if (number < {count}u) {{");
            let _ = writeln!(text, "        if (!{inside}) {{ return {OUTSIDE}u; }}");
            if self.is_fixed() {
                text += &syntax.strided(name, &letters, &call("offset", inputs()));
            }
            let _ = writeln!(text, "        return {};\n    }}", call("offset", inputs()));
        }
        let _ = writeln!(text, "    if (number < {}u) {{", count + probes);
        let last = count + probes - 1;
        let offset = match syntax.0 {
            Language::Wgsl => format!("select(number - {count}u, {NONE}u, number == {last}u)"),
            _ => format!("number == {last}u ? {NONE}u : number - {count}u"),
        };
        let arguments = std::iter::once(offset).chain(outputs).collect();
        let _ =
            writeln!(text, "        if (!{}) {{ return {NONE}u; }}", call("coordinate", arguments));
        let _ = writeln!(text, "        return {};\n    }}", flat(&letters, &extents));
        for (axis, letter) in letters.iter().enumerate() {
            let number = count + probes + axis;
            let extent = extents[axis];
            let _ = writeln!(text, "    if (number == {number}u) {{ {letter} = {extent}u; }}");
        }
        if !open.is_empty() {
            text += &self.length_check(&open.join(", "));
        }
        let _ = writeln!(text, "    if ({inside}) {{ return 1u; }}\n    return 0u;\n}}");
        text
    }
}

impl Subject {
    /// The statement that returns where extents of run time are refused, or give another length.
    fn length_check(&self, open: &str) -> String {
        let (name, len) = (&self.name, self.layout.len());
        let is_swizzle = |factor: &Factor| matches!(factor, Factor::Swizzle(_));
        // What a swizzle permutes may end after the last element.
        let swizzled = len > 0 && self.case.factors.iter().any(is_swizzle);
        let is_wrong = if swizzled { "<" } else { "!=" };
        format!(
            "    if (!{name}_fits({open}) || {name}_len({open}) {is_wrong} {len}u) {{ return 2u; }}\n"
        )
    }
}

/// The number of a coordinate among all of them, the last axis fastest.
fn flat(letters: &[char], extents: &[u32]) -> String {
    let axes = letters.iter().zip(extents);
    axes.fold("0u".to_owned(), |all, (at, n)| format!("({all} * {n}u + {at})"))
}

/// What the test functions write differently.
struct Syntax(Language);

impl Syntax {
    fn test(&self, name: &str) -> String {
        match self.0 {
            Language::Wgsl => format!("fn test_{name}(number: u32) -> u32 {{\n"),
            Language::C => format!("static uint32_t test_{name}(uint32_t number)\n{{\n"),
            Language::Glsl => format!("uint test_{name}(uint number)\n{{\n"),
            Language::OpenCl => {
                format!("static uint test_{name}(uint number, __global uchar *scratch)\n{{\n")
            }
            Language::Cuda => format!(
                "static __host__ __device__ unsigned int test_{name}(unsigned int number)\n{{\n"
            ),
            _ => format!("static unsigned int test_{name}(unsigned int number)\n{{\n"),
        }
    }

    /// Fails where the function over the struct finds another offset.
    fn strided(&self, name: &str, letters: &[char], offset: &str) -> String {
        let constant = format!("{}_STRIDES", name.to_uppercase());
        let (line, layout) = match self.0 {
            Language::C => (format!("const struct {name}_strides layout = {constant};"), "layout"),
            Language::OpenCl => (format!("struct {name}_strides layout = {constant};"), "layout"),
            Language::Cuda => (format!("const {name}_strides layout = {constant};"), "layout"),
            _ => (String::new(), &*constant),
        };
        let arguments: String = letters.iter().map(|letter| format!(", {letter}")).collect();
        let same =
            ["offset", "contains"].map(|f| format!("{name}_strided_{f}({layout}{arguments})"));
        format!(
            "        {line}\n        if ({} != {offset}) {{ return 3u; }}\n        if (!{}) {{ return 4u; }}\n",
            same[0], same[1]
        )
    }

    /// Reads and writes elements of less than a byte.
    fn sub_byte(&self, subject: &Subject) -> String {
        let (name, from) = (&subject.name, subject.elements_from());
        let (bits, mask, is_signed) = subject.bits();
        let sign = mask / 2 + 1;
        let value = &*format!("((at * 5u + 9u) & {mask}u)");
        let (load, cast, value) = match (self.0, is_signed) {
            (Language::Wgsl, true) => ("word", "u32", format!("(i32({value} ^ {sign}u) - {sign})")),
            (Language::Glsl, true) => {
                ("word", "uint", format!("(int({value} ^ {sign}u) - {sign})"))
            }
            (Language::Wgsl, false) => ("word", "u32", value.into()),
            (Language::Glsl, false) => ("word", "uint", value.into()),
            (_, true) => (
                "scratch",
                "(unsigned int)",
                format!("(signed char)((int)({value} ^ {sign}u) - {sign})"),
            ),
            (_, false) => ("scratch", "(unsigned int)", format!("(unsigned char){value}")),
        };
        let loaded = |at: &str| format!("({cast}({name}_load({load}, {at})) & 255u)");
        let bytes = WORD.to_le_bytes();
        let [begin, store] = match self.0 {
            Language::Wgsl | Language::Glsl => [
                self.variable("word", &format!("{WORD}u")),
                format!("word = {name}_store(word, at, {value});"),
            ],
            _ => {
                let set = bytes.iter().enumerate();
                let set: String =
                    set.map(|(i, byte)| format!("scratch[{i}] = {byte}u; ")).collect();
                let array =
                    if self.0 == Language::OpenCl { "" } else { "unsigned char scratch[4]; " };
                [format!("{array}{set}"), format!("{name}_store(scratch, at, {value});")]
            }
        };
        format!(
            "    if (number >= {from}u) {{\n        {begin}\n        {}\n        {}\n        {store}\n        \
             return before | ({} << 8u) | ({} << 16u);\n    }}\n",
            self.variable("at", &format!("number - {from}u")),
            self.variable("before", &loaded("at")),
            loaded("at"),
            loaded(&format!("((at + 1u) & {}u)", 32 / bits - 1)),
        )
    }

    fn variable(&self, name: impl Display, value: &str) -> String {
        match self.0 {
            Language::Wgsl => format!("var {name} = {value};"),
            Language::C => format!("uint32_t {name} = {value};"),
            Language::Glsl => format!("uint {name} = {value};"),
            _ => format!("unsigned int {name} = {value};"),
        }
    }

    fn output(&self, name: char) -> String {
        match self.0 {
            Language::Metal | Language::Glsl => name.to_string(),
            _ => format!("&{name}"),
        }
    }
}
