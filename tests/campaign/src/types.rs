//! Random layout types, as source text: static ones and ones with `_`, of known elements and others, with literals and
//! with constants, and some that break a rule.

use std::fmt::Write;

use crate::element::Element;
use crate::generate;
use crate::notation::{Notation, Part, split_words};
use test_support::Random;

/// A layout as it is written in a program.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The layout of its extents.
    pub notation: Notation,
    /// Which axes are written `_`.
    pub unknown: Vec<bool>,
    /// Which axes the macro does not know: those that are written `_`, and those whose extents are constants.
    pub unseen: Vec<bool>,
    /// Whether pitches are written `_`.
    pub open_pitch: bool,
    /// The arguments of `layout!`.
    pub source: String,
}

/// The element types with a name, types of less than a byte twice.
const NAMES: [&str; 26] = [
    "u1", "u2", "u4", "i2", "i4", "u1", "u2", "u4", "i2", "i4", "bool", "i8", "u8", "i16", "u16",
    "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64", "f8e4m3", "u8", "f32",
];

/// Letters in their conventional order, and some that have none.
const FAMILIES: [&str; 5] = ["ABCDEF", "NGCDHW", "GOIDHW", "MKN", "QRSTUV"];

impl Typed {
    /// The type of these random numbers.
    pub fn random(random: &mut Random) -> Self {
        let named = Element::Named(random.pick(&NAMES)).ordered(random.once_in(2));
        let element =
            if random.once_in(9) { Element::Bytes(random.pick(&[3, 12, 16])) } else { named };
        let mut axes = generate::axes(random, 60);
        axes.truncate(6);
        let family = random.pick(&FAMILIES).chars();
        let skipped = if family.clone().next() == Some('A') { 0 } else { random.below(3) };
        let letters: Vec<char> = family.skip(skipped).collect();
        axes.truncate(letters.len());
        for (axis, letter) in axes.iter_mut().zip(letters) {
            *axis = (letter, axis.1.max(1));
        }
        let mut notation = match random.once_in(4) {
            true => generate::small_blocks(random, element),
            false => generate::notation(random, axes, element),
        };
        if element == Element::Named("bool") {
            notation.pad = notation.pad.map(|pad| pad & 1);
        }
        if random.once_in(4) {
            spoil(random, &mut notation);
        }
        let half = random.once_in(2);
        let unknown = notation.axes.iter().map(|_| half && random.once_in(2)).collect::<Vec<_>>();
        // The layout of an empty tensor does not say a pitch that is shorter than its rows.
        if random.once_in(12) && notation.pitch.is_empty() {
            let empty = notation.axes.iter_mut().zip(&unknown).filter(|(_, unknown)| **unknown);
            empty.for_each(|(axis, _)| axis.1 = 0);
        }
        let open_pitch = !notation.pitch.is_empty() && random.once_in(2);
        let (source, unseen) = source(random, &notation, &unknown, open_pitch);
        Self { notation, unknown, unseen, open_pitch, source }
    }

    /// Whether a number is written `_`.
    pub fn is_open(&self) -> bool {
        self.open_pitch || self.unknown.contains(&true)
    }

    /// The extents that are written `_`, and the pitches, slowest first.
    pub fn given(&self) -> Vec<usize> {
        let axes = self.notation.axes.iter().zip(&self.unknown);
        let extents = axes.filter(|(_, unknown)| **unknown).map(|(axis, _)| axis.1);
        let pitch = |part: &Part| {
            self.notation
                .pitch
                .iter()
                .find(|pitch| *part == Part::Axis(pitch.0))
                .map(|pitch| pitch.1)
        };
        let pitches = self.notation.order.iter().filter_map(pitch).filter(|_| self.open_pitch);
        extents.chain(pitches).collect()
    }
}

/// Changes a number, which mostly breaks a rule.
fn spoil(random: &mut Random, notation: &mut Notation) {
    let at = random.below(notation.axes.len().max(1));
    let Some(axis) = notation.axes.get_mut(at) else { return };
    match random.below(8) {
        0 => axis.1 += 1,
        1 if notation.broadcast.is_empty() => {
            notation.align = vec![(axis.0, random.pick(&[0, 3, 6, 48, 1024]))]
        }
        2 => notation.swizzle = Some(random.pick(&[(2, 0, 1), (1, 10, 0), (1, 0, 10), (3, 62, 3)])),
        3 => notation.lanes = Some((axis.0, random.pick(&[0, 2, 3, 64]), random.pick(&[0, 2, 64]))),
        4 if notation.align.is_empty() => notation.broadcast = vec![axis.0],
        // Of floats, the compiler refuses bits that do not fit.
        5 if notation.element.to_string().contains('f') => {
            notation.pad = Some(random.below(3) as u64)
        }
        5 => notation.pad = Some(random.pick(&[0, 1, 2, 16, 300, 70_000])),
        6 if notation.strides.is_none() => {
            notation.order.push(Part::Block(axis.0, random.pick(&[0, 1, 7])));
        }
        7 => {
            let strides = notation.axes.iter().map(|_| random.pick(&[0, 1, 1, 2, 3, -4, 6, 8]));
            notation.strides = Some(strides.collect());
            // Text has strides of blocks, which types have not.
            notation.order.retain(|part| matches!(part, Part::Axis(_)));
        }
        _ => {}
    }
}

/// The notation as `layout!` takes it, with `_` for extents and pitches, some numbers as constants, and extents with
/// names or without; and which extents are no literals.
fn source(
    random: &mut Random,
    notation: &Notation,
    unknown: &[bool],
    open_pitch: bool,
) -> (String, Vec<bool>) {
    let text = notation.to_string();
    let format = notation.format();
    // Rust reads `2e` as a number with an exponent.
    let is_odd = format.contains('E')
        && (format.contains('/') || format.starts_with(|c: char| c.is_ascii_digit()));
    let mut all = if is_odd { format!("{format:?}") } else { format };
    let is_named = random.once_in(2) || !notation.is_positional();
    let (mut extents, mut unseen) = (Vec::new(), Vec::new());
    for ((letter, extent), unknown) in notation.axes.iter().zip(unknown) {
        let name = if is_named { format!("{letter} = ") } else { String::new() };
        let extent = if *unknown { "_".to_string() } else { number(random, *extent as i128) };
        unseen.push(extent.parse::<usize>().is_err());
        extents.push(name + &extent);
    }
    if !extents.is_empty() {
        let _ = write!(all, "<{}>", extents.join(", "));
    }
    let rest = text.split_once('>').map_or(text.as_str(), |(_, rest)| rest);
    match notation.element {
        Element::Bytes(bytes) => write!(all, ", Own<{bytes}>"),
        element => write!(all, ", {element}"),
    }
    .expect("text is written");
    // The first word is empty, or the format without axes, and the second is the element.
    for option in split_words(rest).into_iter().skip(2).map(str::trim) {
        let option = match open_pitch && option.starts_with("pitch") {
            true => {
                let letters = notation.pitch.iter().map(|pitch| format!("{} = _", pitch.0));
                format!("pitch({})", letters.collect::<Vec<_>>().join(", "))
            }
            false => spelled(random, notation, option),
        };
        let _ = write!(all, ", {option}");
    }
    (all, unseen)
}

/// An option with some of its numbers as constants.
fn spelled(random: &mut Random, notation: &Notation, option: &str) -> String {
    let (element, bits) = (notation.element.to_string(), notation.element.bits());
    if let Some(value) = option.strip_prefix("pad = ") {
        // The compiler refuses a constant of more bits than its type has.
        let Some(pad) =
            notation.pad.filter(|pad| (bits >= 64 || pad >> bits == 0) && random.once_in(2))
        else {
            return option.to_string();
        };
        let value = match element.as_str() {
            "bool" => (pad != 0).to_string(),
            name if bits < 8 || name.contains('f') => format!("{element}::from_bits({pad})"),
            _ => value.to_string(),
        };
        return format!("pad = {{ const FILL: {element} = {value}; FILL }}");
    }
    // The error of a broadcast axis with a stride quotes a constant as it is written.
    if option.starts_with("strides") && !notation.broadcast.is_empty() {
        return option.to_string();
    }
    let (mut all, mut rest) = (String::new(), option);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let start = if rest[..at].ends_with('-') { at - 1 } else { at };
        let end =
            rest[at..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| at + length);
        all.push_str(&rest[..start]);
        all.push_str(&number(random, rest[start..end].parse().expect("digits")));
        rest = &rest[end..];
    }
    all + rest
}

/// A number as a literal, or as a constant.
fn number(random: &mut Random, value: i128) -> String {
    match random.below(6) {
        0 => format!("{{ {} - 1 }}", value + 1),
        _ => value.to_string(),
    }
}

/// A program that checks types of these numbers, one a line from the first on; those of `refused` are left out.
pub fn program(seed: u64, types: &[Typed], refused: &[usize]) -> String {
    let mut items = String::from(HEAD);
    let mut calls = String::new();
    for (number, typed) in types.iter().enumerate() {
        if refused.contains(&number) {
            items.push('\n');
            continue;
        }
        let (source, given) = (&typed.source, typed.given());
        let _ = match typed.is_open() {
            true => {
                let _ = writeln!(
                    items,
                    "type T{number} = layout!({source}); const _: bool = T{number}::in_coordinate_order({given:?}).is_ok();"
                );
                writeln!(
                    calls,
                    "({number}, |notation| typed::mixed(T{number}::in_coordinate_order, {given:?}, notation)),"
                )
            }
            false => {
                let _ = writeln!(
                    items,
                    "type T{number} = layout!({source}); const _: usize = T{number}::LAYOUT.len();"
                );
                writeln!(
                    calls,
                    "({number}, |notation| typed::fixed(T{number}::default(), notation)),"
                )
            }
        };
    }
    format!("{items}fn main() {{ campaign::types::run({seed}, {}, &[\n{calls}]) }}\n", types.len())
}

/// The line of the first type.
pub const FIRST_LINE: usize = 4;

/// One line above the types for each thing.
const HEAD: &str = "#![allow(unused)]
use campaign::library::typed::{self, Own};
use tensor_layout::{bf16, f16, f8e4m3, i2, i4, layout, u1, u2, u4};
";

/// The types of a seed.
pub fn types(seed: u64, count: usize) -> Vec<Typed> {
    (0..count).map(|number| Typed::random(&mut Random::new(seed, number as u64))).collect()
}

/// A check of the type of a number.
pub type Check = (usize, fn(&Notation) -> Result<(), String>);

/// Runs checks of some of the types of a seed, each in a process of its own, and prints those that fail.
pub fn run(seed: u64, count: usize, checks: &[Check]) {
    let types = types(seed, count);
    for (number, check) in checks {
        let typed = &types[*number];
        if let Err(failure) = crate::isolation::run(20, || check(&typed.notation)) {
            println!(
                "{number} of seed {seed}: {}\n  {}\n  {failure}",
                typed.source, typed.notation
            );
        }
    }
}
