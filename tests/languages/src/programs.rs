//! Random layouts, the source text of their functions, and a function `test_K` of one number in the same
//! language. Its results are compared with what the library finds.
//!
//! | number | result |
//! |---|---|
//! | below the count of coordinates | the offset of that coordinate in coordinate order, if the functions find it to be inside |
//! | from there on, an offset | the coordinate that lies there, by its number, or `NONE` |
//! | from there on, an axis | whether the coordinate after the axis's last one is inside |

use std::fmt::Write;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tensor_layout::Layout;
use tensor_layout::source::{Language, Source};
use tensor_layout::spec::{AxisExtent, Length, Spec};

use crate::support::random::{Case, axes, element, layout_of};

/// No coordinate.
pub const NONE: u32 = u32::MAX;

/// Not inside of the extents.
const OUTSIDE: u32 = u32::MAX - 1;

/// A layout with a name, and which of its extents are parameters.
pub struct Subject {
    /// Of the functions: `l` and a number.
    pub name: String,
    case: Case,
    /// With all its extents.
    pub layout: Layout,
    open: Vec<bool>,
}

/// So many random layouts: memory orders and strides, then views of such layouts, then layouts with
/// parameters.
pub fn subjects(count: usize) -> Vec<Subject> {
    let mut runner = TestRunner::deterministic();
    let case = (axes(), element());
    let case = case.prop_flat_map(|(axes, element)| layout_of(axes, element, true));
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
        let is_valid = subject.is_fixed() || subject.is_valid_type();
        if is_valid && subject.source().functions(Language::C).is_ok() {
            subjects.push(subject);
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
            _ => layout.transpose(letter, next),
        };
        layout = view.unwrap_or(layout);
    }
    layout
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

    /// How many offsets are asked for their coordinate: the buffer, and what follows it.
    fn probes(&self) -> usize {
        self.layout.len() + 3
    }

    /// How many numbers the test function takes.
    pub fn numbers(&self) -> usize {
        self.layout.count() + self.probes() + self.layout.rank()
    }

    /// What the test function returns for a number.
    pub fn expected(&self, number: usize) -> u32 {
        let extents = self.layout.extents();
        if number < self.layout.count() {
            let mut rest = number;
            let mut coordinate = vec![0; extents.len()];
            for axis in (0..extents.len()).rev() {
                coordinate[axis] = rest % extents[axis];
                rest /= extents[axis];
            }
            return self.layout.offset(&coordinate) as u32;
        }
        let offset = number - self.layout.count();
        if offset >= self.probes() {
            return 0;
        }
        match self.layout.coordinate(offset) {
            None => NONE,
            Some(at) => at.iter().zip(extents).fold(0, |all, (at, n)| all * *n as u32 + *at as u32),
        }
    }

    /// The functions and the test function.
    pub fn program(&self, language: Language) -> String {
        let mut text = self.source().functions(language).expect("functions").to_string();
        let syntax = Syntax(language);
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
        let (count, probes) = (self.layout.count(), self.probes());

        let _ = write!(text, "\n{}", syntax.test(&name[1..]));
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
            let _ = writeln!(text, "        return {};\n    }}", call("offset", inputs()));
        }
        let _ = writeln!(text, "    if (number < {}u) {{", count + probes);
        let arguments = std::iter::once(format!("number - {count}u")).chain(outputs).collect();
        let _ =
            writeln!(text, "        if (!{}) {{ return {NONE}u; }}", call("coordinate", arguments));
        let flat = letters.iter().zip(&extents);
        let flat = flat.fold("0u".to_owned(), |all, (at, n)| format!("({all} * {n}u + {at})"));
        let _ = writeln!(text, "        return {flat};\n    }}");
        for (axis, letter) in letters.iter().enumerate() {
            let number = count + probes + axis;
            let extent = extents[axis];
            let _ = writeln!(text, "    if (number == {number}u) {{ {letter} = {extent}u; }}");
        }
        if !open.is_empty() {
            let fits = format!("{name}_fits({})", open.join(", "));
            let len = format!("{name}_len({}) != {}u", open.join(", "), self.layout.len());
            let _ = writeln!(text, "    if (!{fits} || {len}) {{ return 2u; }}");
        }
        let _ = writeln!(text, "    if ({inside}) {{ return 1u; }}\n    return 0u;\n}}");
        text
    }
}

/// What the test functions write differently.
struct Syntax(Language);

impl Syntax {
    fn test(&self, name: &str) -> String {
        match self.0 {
            Language::Wgsl => format!("fn test_{name}(number: u32) -> u32 {{\n"),
            Language::C => format!("static uint32_t test_{name}(uint32_t number)\n{{\n"),
            Language::Glsl => format!("uint test_{name}(uint number)\n{{\n"),
            _ => format!("static unsigned int test_{name}(unsigned int number)\n{{\n"),
        }
    }

    fn variable(&self, name: char, value: &str) -> String {
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
