//! Layouts that no table can hold: every question is answered or refused, without a panic and soon.

use super::{Verdict, ensure};
use crate::library;
use crate::notation::Notation;
use crate::random::Random;
use crate::step::Step;
use crate::table::Table;

/// A layout of extents that no memory backs, and steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The layout.
    pub root: Notation,
    /// The steps, which may be wrong.
    pub steps: Vec<Step>,
}

/// Extents that numbers run over at.
const EXTENTS: [usize; 13] = [
    0,
    1,
    2,
    3,
    1 << 16,
    (1 << 26) + 1,
    usize::MAX >> (usize::BITS / 2 + 1),
    1 << (usize::BITS / 2),
    usize::MAX / 3,
    usize::MAX >> 1,
    (usize::MAX >> 1) + 1,
    usize::MAX - 1,
    usize::MAX,
];

/// A random extent.
pub fn extent(random: &mut Random) -> usize {
    random.pick(&EXTENTS)
}

/// A random step, right or wrong.
pub fn random_step(random: &mut Random, letters: &[char]) -> Step {
    let axis = random.pick(letters);
    let other = random.pick(letters);
    let tiles = |random: &mut Random| {
        let count = random.between(0, 3);
        ['P', 'Q', 'R'].into_iter().take(count).map(|letter| (letter, extent(random))).collect()
    };
    match random.below(14) {
        0 => Step::Permute([axis, other].iter().collect()),
        1 | 2 => {
            let step = random.pick(&[1, -1, 2, -2, 3, isize::MIN, isize::MAX, 0]);
            Step::Slice { axis, start: extent(random), step, length: extent(random) }
        }
        3 => Step::Split { axis, at: extent(random), is_high: random.once_in(2) },
        4 => Step::Index(axis, extent(random)),
        5 => Step::Flip(axis),
        6 => Step::Tile { axis, tiles: tiles(random) },
        7 => Step::Merge([axis, other].iter().collect(), 'P'),
        8 => Step::Reshape(tiles(random)),
        9 => Step::Unsqueeze('U', random.below(9)),
        10 => Step::Broadcast(axis, extent(random)),
        11 => Step::Diagonal(axis, other, 'P'),
        12 => Step::Windows { axis, size: extent(random), step: extent(random), into: 'W' },
        _ => {
            let axes = vec![('X', extent(random)), ('Y', extent(random))];
            let strides =
                vec![random.pick(&[0, 1, -1, 7, isize::MAX]), random.pick(&[1, 2, 1 << 20])];
            let inner = Notation {
                strides: Some(strides),
                ..Notation::dense(axes, crate::element::Element::Named("u8"))
            };
            Step::Compose(Box::new(inner))
        }
    }
}

/// Asks all questions, whatever the answers are.
///
/// # Errors
/// Facts that contradict one another; panics and delays are found by the caller.
pub fn check(case: &Extreme) -> Result<Verdict, String> {
    let Ok(mut layout) = library::layout(&case.root) else { return Ok(Verdict::Refused) };
    ask(&layout)?;
    for step in &case.steps {
        if let Ok(next) = library::step(&layout, step) {
            layout = next;
            ask(&layout).map_err(|error| format!("after {step}: {error}"))?;
        }
    }
    Ok(Verdict::Done)
}

fn ask(layout: &library::Layout) -> Result<(), String> {
    let facts = library::facts(layout);
    library::format(layout);
    library::questions(layout)?;
    ensure!(library::is_same_map(layout, layout), "is not the same map as itself");
    let first = vec![0; facts.extents.len()];
    match facts.count {
        0 => {
            ensure!(facts.range == (0..0), "no elements from {:?}", facts.range);
            ensure!(
                library::checked_offset(layout, &first).is_none() || facts.extents.is_empty(),
                "an element of none"
            );
        }
        _ => {
            let last: Vec<usize> = facts.extents.iter().map(|extent| extent - 1).collect();
            for coordinate in [first, last] {
                let offset = library::checked_offset(layout, &coordinate);
                let inside = offset
                    .is_some_and(|offset| facts.range.contains(&offset) && offset < facts.length);
                ensure!(
                    inside,
                    "{coordinate:?} has offset {offset:?} of {:?}, length {}",
                    facts.range,
                    facts.length
                );
            }
        }
    }
    #[cfg(feature = "moves")]
    {
        let _ = library::plan(layout, layout);
        for &axis in facts.letters.iter().filter(|_| facts.length == 0) {
            let _ = library::first_parts(layout, axis, 1);
        }
    }
    // Tables are for what is small.
    let small = facts.extents.iter().try_fold(1usize, |count, extent| count.checked_mul(*extent));
    if small.is_some_and(|count| count < 1000) {
        let offset = |coordinate: &[usize]| library::offset(layout, coordinate);
        let table = Table::from_fn(facts.letters, facts.extents, offset);
        ensure!(table.is_unique() == facts.is_unique, "`is_unique` is {}", facts.is_unique);
    }
    Ok(())
}
