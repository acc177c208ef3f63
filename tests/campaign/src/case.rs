//! A case: what is tried, made from a seed and a number.

use std::fmt;

use crate::check::converts::{self, Conversion};
use crate::check::extremes;
use crate::check::files::{self, File};
use crate::check::moves::{self, Move};
use crate::check::parts::{self, Parts};
use crate::check::statics::{self, Static};
use crate::check::{Verdict, forms, views};
use crate::element::Element;
use crate::extreme::{self, Extreme};
use crate::generate;
use crate::library::{PAIRS, STATICS, Threads};
use crate::notation::Notation;
use crate::small::{Bounds, Choices, small};
use crate::step::Viewed;
use test_support::Random;

/// The kinds of cases, by the names of the command line.
pub const KINDS: [&str; 9] =
    ["views", "forms", "moves", "converts", "parts", "statics", "files", "extremes", "threads"];

/// What is tried.
#[derive(Clone, PartialEq, Debug)]
pub enum Case {
    /// A chain of views.
    View(Viewed),
    /// A layout in all forms at run time.
    Form(Notation),
    /// A relayout.
    Move(Move),
    /// A conversion.
    Convert(Conversion),
    /// Chunks that are written at once.
    Parts(Parts),
    /// A derived relayout.
    Static(Static),
    /// A file.
    File(File),
    /// Extents that no memory backs.
    Extreme(Extreme),
}

impl Case {
    /// The case of these random numbers, of one of these kinds.
    pub fn random(random: &mut Random, kinds: &[&str]) -> Self {
        let element = random.pick(&Element::ALL);
        let float = Element::Named("f32");
        let data = random.bits();
        match random.pick(kinds) {
            "views" => Self::View(generate::viewed(random, element, 600, 9)),
            "forms" => Self::Form(random_form(random)),
            "moves" => Self::Move(random_move(random, element, data)),
            "converts" => {
                let pair = random.below(PAIRS.len());
                Self::Convert(random_conversion(random, data, pair))
            }
            "parts" => {
                let viewed = generate::viewed(random, float, 2000, 3);
                let table = generate::table(&viewed);
                let letters =
                    table.map(|table| table.letters).filter(|letters| !letters.is_empty());
                let axis = letters.map_or('A', |letters| random.pick(&letters));
                Self::Parts(Parts {
                    viewed,
                    axis,
                    size: random.pick(&[0, 1, 1, 2, 3, 5, 100]),
                    data,
                })
            }
            "statics" => Self::Static(Static { index: random.below(STATICS.len()), data }),
            "files" => Self::File(File { viewed: generate::viewed(random, float, 2000, 1), data }),
            "extremes" => Self::Extreme(extreme::random(random)),
            "threads" => with_threads(random, element, data),
            kind => panic!("{kind} is not one of {KINDS:?}"),
        }
    }

    /// Whether what must hold holds.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<Verdict, String> {
        match self {
            Self::View(case) => views::check_closely(case),
            Self::Form(case) => forms::check(case).map(|(verdict, _)| verdict),
            Self::Move(case) => moves::check(case),
            Self::Convert(case) => converts::check(case),
            Self::Parts(case) => parts::check(case),
            Self::Static(case) => statics::check(case),
            Self::File(case) => files::check(case),
            Self::Extreme(case) => extremes::check(case),
        }
    }
}

/// A layout: small, or in the conventional order of its letters.
fn random_form(random: &mut Random) -> Notation {
    if random.once_in(2) {
        return small(&mut Choices::random(random.clone()), Bounds::ALL);
    }
    let element = random.pick(&Element::ALL);
    let mut axes = generate::axes(random, 100);
    for (axis, letter) in axes.iter_mut().zip('A'..) {
        axis.0 = letter;
    }
    generate::notation(random, axes, element)
}

/// A relayout from a view to a layout of its axes, or to a part of one.
fn random_move(random: &mut Random, element: Element, data: u64) -> Move {
    let limit = random.pick(&[60, 600, 600, 4000, 20_000]);
    let most = random.pick(&[0, 0, 0, 2, 6]);
    let source = generate::viewed(random, element, limit, most);
    let mut destination = match generate::table(&source) {
        Some(table) => generate::destination(random, &table, element),
        None => source.clone(),
    };
    if random.once_in(6) && source.steps.is_empty() {
        // The same order with groups of 16 bytes swizzled, as tiles of shared memory are.
        let bits = random.between(1, 3);
        let base = (128 / element.bits()).ilog2() as usize;
        let swizzle = Some((bits, base, random.between(bits, 4) as isize));
        let root = Notation { swizzle, lanes: None, ..source.root.clone() };
        destination = Viewed::plain(root);
    }
    if random.once_in(3) {
        let is_high_first = destination.root.element == element.ordered(true);
        destination.root.element = element.ordered(!is_high_first);
    }
    if random.once_in(30) {
        // A view as the destination, mostly one that shares elements.
        return Move { source: destination, destination: source, data, threads: None };
    }
    Move { source, destination, data, threads: None }
}

/// A relayout or a conversion by some threads, in parts as small as a few elements.
fn with_threads(random: &mut Random, element: Element, data: u64) -> Case {
    let least_part = random.pick(&[1, 1, 16, 64, 64, 300, 1 << 10, 4 << 10]);
    let threads = Some(Threads { count: random.between(2, Threads::MOST), least_part });
    if random.once_in(3) {
        let pair = if random.once_in(2) { converts::CHUNKS } else { random.below(PAIRS.len()) };
        return Case::Convert(Conversion { threads, ..random_conversion(random, data, pair) });
    }
    Case::Move(Move { threads, ..random_move(random, element, data) })
}

fn random_conversion(random: &mut Random, data: u64, pair: usize) -> Conversion {
    let element = |name| Element::parse(name).expect("a name of the notation");
    let limit = random.pick(&[60, 600, 600, 4000, 20_000]);
    let most = random.pick(&[0, 0, 3]);
    let source = generate::viewed(random, element(PAIRS[pair].source), limit, most);
    let table = generate::table(&source);
    let destination = match &table {
        Some(table) => generate::destination(random, table, element(PAIRS[pair].destination)),
        None => source.clone(),
    };
    let axes: Vec<(char, usize)> = table
        .map(|table| {
            table.letters.into_iter().zip(table.extents).filter(|axis| axis.1 > 0).collect()
        })
        .unwrap_or_default();
    let how = converts::random(random, PAIRS[pair].kinds, &axes);
    Conversion { source, destination, pair, how, data, threads: None }
}

/// What the case tries, in words that can be written down as a test.
impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::View(viewed) => write!(formatter, "view of {viewed}"),
            Self::Form(notation) => write!(formatter, "forms of {notation}"),
            Self::Move(Move { source, destination, data, threads }) => {
                write!(formatter, "move from {source}\n  to {destination}\n  data {data:#x}")?;
                threads.map_or(Ok(()), |threads| write!(formatter, ", {threads:?}"))
            }
            Self::Convert(Conversion { source, destination, how, data, threads, .. }) => {
                write!(
                    formatter,
                    "convert from {source}\n  to {destination}\n  {how:?}, data {data:#x}"
                )?;
                threads.map_or(Ok(()), |threads| write!(formatter, ", {threads:?}"))
            }
            Self::Parts(Parts { viewed, axis, size, data }) => {
                write!(formatter, "chunks of {size} along {axis:?} of {viewed}\n  data {data:#x}")
            }
            Self::Static(Static { index, data }) => {
                let Some(chosen) = STATICS.get(*index) else { return Ok(()) };
                let (source, destination) = (chosen.source, chosen.destination);
                write!(formatter, "derived move from {source} to {destination}, data {data:#x}")
            }
            Self::File(File { viewed, data }) => {
                write!(formatter, "file of {viewed}\n  data {data:#x}")
            }
            Self::Extreme(Extreme { root, steps }) => {
                write!(
                    formatter,
                    "extremes of {}",
                    Viewed { root: root.clone(), steps: steps.clone() }
                )
            }
        }
    }
}
