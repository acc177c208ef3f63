//! Smaller cases than one that fails: fewer steps, smaller extents, simpler formats.

use std::time::{Duration, Instant};

use crate::case::Case;
use crate::check::files::File;
use crate::check::moves::Move;
use crate::check::parts::Parts;
use crate::element::Element;
use crate::extreme::Extreme;
use crate::generate;
use crate::notation::{Notation, Part};
use crate::step::{Step, Viewed};

/// The smallest case that still fails, and how it fails.
pub fn reduced(
    case: &Case,
    failure: String,
    time: Duration,
    fails: impl Fn(&Case) -> Option<String>,
) -> (Case, String) {
    let end = Instant::now() + time;
    let (mut case, mut failure) = (case.clone(), failure);
    'smaller: while Instant::now() < end {
        for candidate in smaller(&case) {
            if Instant::now() >= end {
                break;
            }
            if let Some(found) = fails(&candidate) {
                (case, failure) = (candidate, found);
                continue 'smaller;
            }
        }
        break;
    }
    (case, failure)
}

/// Cases that are a little smaller, the smallest first.
fn smaller(case: &Case) -> Vec<Case> {
    match case {
        Case::View(viewed) => smaller_views(viewed).into_iter().map(Case::View).collect(),
        Case::Form(own) => smaller_layouts(own).into_iter().map(Case::Form).collect(),
        Case::Move(own) => {
            let moved =
                |(source, destination)| Case::Move(Move { source, destination, ..own.clone() });
            smaller_pairs(&own.source, &own.destination, true).into_iter().map(moved).collect()
        }
        Case::Convert(own) => {
            let pairs = smaller_pairs(&own.source, &own.destination, false).into_iter();
            let converted = |(source, destination)| {
                let mut case = own.clone();
                (case.source, case.destination) = (source, destination);
                // One set of parameters for each coordinate that is left.
                if let Some(table) = case.how.axis.and(generate::table(&case.destination)) {
                    let extent = case.how.axis.and_then(|axis| table.extent(axis)).unwrap_or(1);
                    case.how.parameters.truncate(extent.max(1));
                }
                Case::Convert(case)
            };
            let mut simple = own.clone();
            simple.how.axis = None;
            simple.how.parameters.truncate(1);
            let simple = (own.how.axis.is_some()).then_some(Case::Convert(simple));
            simple.into_iter().chain(pairs.map(converted)).collect()
        }
        Case::Parts(own) => {
            let with = |viewed| Case::Parts(Parts { viewed, ..own.clone() });
            of_type(&own.viewed).into_iter().map(with).collect()
        }
        Case::File(own) => {
            let with = |viewed| Case::File(File { viewed, data: own.data });
            of_type(&own.viewed).into_iter().map(with).collect()
        }
        Case::Extreme(Extreme { root, steps }) => {
            let with =
                |viewed: Viewed| Case::Extreme(Extreme { root: viewed.root, steps: viewed.steps });
            let viewed = Viewed { root: root.clone(), steps: steps.clone() };
            smaller_views(&viewed).into_iter().map(with).collect()
        }
        Case::Static(_) => Vec::new(),
    }
}

/// Fewer steps, simpler steps, a simpler layout.
fn smaller_views(viewed: &Viewed) -> Vec<Viewed> {
    let mut all = Vec::new();
    for at in 0..viewed.steps.len() {
        let mut fewer = viewed.clone();
        fewer.steps.remove(at);
        all.push(fewer);
    }
    let count = viewed.root.count().unwrap_or(0);
    all.extend(
        smaller_layouts(&viewed.root).into_iter().map(|root| Viewed { root, ..viewed.clone() }),
    );
    for at in 0..viewed.steps.len() {
        for step in smaller_steps(&viewed.steps[at], count) {
            let mut simpler = viewed.clone();
            simpler.steps[at] = step;
            all.push(simpler);
        }
    }
    all
}

/// [`smaller_views`] of the same element type.
fn of_type(viewed: &Viewed) -> Vec<Viewed> {
    let mut all = smaller_views(viewed);
    all.retain(|smaller| smaller.root.element == viewed.root.element);
    all
}

/// The same step with smaller numbers.
fn smaller_steps(step: &Step, count: usize) -> Vec<Step> {
    match step {
        Step::Slice { axis, start, step, length } => {
            let with = |start, step, length| Step::Slice { axis: *axis, start, step, length };
            let mut all = Vec::new();
            for extent in fewer(*length) {
                all.push(with(*start, *step, extent));
            }
            for first in fewer(*start) {
                all.push(with(first, *step, *length));
            }
            if *step != 1 {
                all.push(with(0, 1, *length));
            }
            all
        }
        Step::Broadcast(axis, extent) if *extent > 2 => vec![Step::Broadcast(*axis, 2)],
        Step::Index(axis, at) => fewer(*at).into_iter().map(|at| Step::Index(*axis, at)).collect(),
        Step::Split { axis, at, is_high } => vec![match is_high {
            true => Step::Slice {
                axis: *axis,
                start: *at,
                step: 1,
                length: count.saturating_sub(*at).min(8),
            },
            false => Step::Slice { axis: *axis, start: 0, step: 1, length: *at },
        }],
        Step::Tile { axis, tiles, .. } if tiles.len() > 2 => {
            let mut two = tiles.clone();
            let last = two.pop().expect("three tiles");
            two[1].1 = two[1].1.saturating_mul(last.1);
            vec![Step::Tile { axis: *axis, tiles: two }]
        }
        Step::Tile { axis, tiles } => {
            let mut all = Vec::new();
            for at in 0..tiles.len() {
                for extent in fewer(tiles[at].1).into_iter().filter(|extent| *extent > 0) {
                    let mut tiles = tiles.clone();
                    tiles[at].1 = extent;
                    all.push(Step::Tile { axis: *axis, tiles });
                }
            }
            all
        }
        Step::Reshape(axes) if axes.len() > 1 => {
            let mut fewer = axes.clone();
            let last = fewer.pop().expect("two axes");
            let before = fewer.last_mut().expect("an axis");
            before.1 = before.1.saturating_mul(last.1);
            vec![Step::Reshape(fewer)]
        }
        Step::Windows { axis, size, step, into } => {
            let with = |size, step| Step::Windows { axis: *axis, size, step, into: *into };
            let sizes = fewer(*size).into_iter().filter(|size| *size > 0);
            let steps = fewer(*step).into_iter().filter(|step| *step > 0);
            sizes.map(|size| with(size, *step)).chain(steps.map(|step| with(*size, step))).collect()
        }
        _ => Vec::new(),
    }
}

/// Smaller numbers.
fn fewer(number: usize) -> Vec<usize> {
    let mut all = vec![0, 1, number / 2, number.saturating_sub(1)];
    all.retain(|fewer| *fewer < number);
    all.dedup();
    all
}

/// Fewer axes, smaller extents, no blocks, no options, bytes.
fn smaller_layouts(notation: &Notation) -> Vec<Notation> {
    let mut all = Vec::new();
    for at in 0..notation.axes.len() {
        all.push(without_axis(notation, at));
    }
    for at in 0..notation.axes.len() {
        for extent in fewer(notation.axes[at].1) {
            all.push(with_extent(notation, at, extent));
        }
    }
    all.extend(simpler_layouts(notation));
    all
}

/// The same axes without blocks or options.
fn simpler_layouts(notation: &Notation) -> Vec<Notation> {
    let mut all = Vec::new();
    for at in 0..notation.order.len() {
        let mut simpler = notation.clone();
        match simpler.order.remove(at) {
            Part::Axis(_) => continue,
            Part::Block(..) => {}
            Part::Weighted(letter, size, weight) => {
                let mut unweighted = notation.clone();
                for part in &mut unweighted.order {
                    if let Part::Weighted(own, size, _) = *part {
                        *part = Part::Block(own, size);
                    }
                }
                all.push(unweighted);
                // Replaces it by those above it.
                for part in &mut simpler.order {
                    if let Part::Weighted(own, _, above) = part {
                        if *own == letter && *above > weight {
                            *above /= size;
                        }
                    }
                }
            }
        }
        all.push(simpler);
    }
    let dense = Notation::dense(notation.axes.clone(), notation.element);
    all.push(Notation { align: Vec::new(), ..notation.clone() });
    all.push(Notation { pitch: Vec::new(), ..notation.clone() });
    all.push(Notation { pad: None, ..notation.clone() });
    all.push(Notation { lanes: None, ..notation.clone() });
    all.push(Notation { swizzle: None, ..notation.clone() });
    all.push(Notation { strides: None, broadcast: Vec::new(), ..notation.clone() });
    if notation.strides.is_none() {
        all.push(Notation { broadcast: Vec::new(), ..notation.clone() });
    }
    if notation.pad.is_some_and(|pad| pad > 0) {
        all.push(Notation { pad: Some(0), ..notation.clone() });
    }
    all.push(Notation { element: Element::Named("u8"), ..notation.clone() });
    all.push(dense);
    all.retain(|simpler| simpler != notation);
    all
}

fn without_axis(notation: &Notation, at: usize) -> Notation {
    let letter = notation.axes[at].0;
    let mut fewer = notation.clone();
    fewer.axes.remove(at);
    fewer
        .order
        .retain(|part| !matches!(part, Part::Axis(own) | Part::Block(own, _) | Part::Weighted(own, ..) if *own == letter));
    fewer.align.retain(|align| align.0 != letter);
    fewer.pitch.retain(|pitch| pitch.0 != letter);
    fewer.broadcast.retain(|own| *own != letter);
    fewer.lanes = fewer.lanes.filter(|lanes| lanes.0 != letter);
    if let Some(strides) = &mut fewer.strides {
        strides.remove(at);
    }
    fewer
}

fn with_extent(notation: &Notation, at: usize, extent: usize) -> Notation {
    let mut smaller = notation.clone();
    smaller.axes[at].1 = extent;
    smaller
}

/// Smaller moves: either side simpler, or an axis of both shorter.
fn smaller_pairs(
    source: &Viewed,
    destination: &Viewed,
    is_one_type: bool,
) -> Vec<(Viewed, Viewed)> {
    let mut all = Vec::new();
    for letter in 'A'..='Z' {
        let at = |viewed: &Viewed| viewed.root.axes.iter().position(|axis| axis.0 == letter);
        let (Some(from), Some(to)) = (at(source), at(destination)) else { continue };
        let both = |change: &dyn Fn(&Notation, usize) -> Notation| {
            let with =
                |viewed: &Viewed, at| Viewed { root: change(&viewed.root, at), ..viewed.clone() };
            (with(source, from), with(destination, to))
        };
        all.push(both(&without_axis));
        for extent in fewer(source.root.axes[from].1) {
            all.push(both(&|notation, at| with_extent(notation, at, extent)));
        }
    }
    for side in [source, destination] {
        if let (false, Some(table)) = (side.steps.is_empty(), generate::table(side)) {
            let axes = table.letters.into_iter().zip(table.extents).collect();
            let plain = Viewed::plain(Notation::dense(axes, side.root.element));
            all.push(match std::ptr::eq(side, source) {
                true => (plain, destination.clone()),
                false => (source.clone(), plain),
            });
        }
    }
    let same_type = |pair: &(Viewed, Viewed)| {
        pair.0.root.element == source.root.element
            && pair.1.root.element == destination.root.element
    };
    all.extend(smaller_views(source).into_iter().map(|one| (one, destination.clone())));
    all.extend(smaller_views(destination).into_iter().map(|one| (source.clone(), one)));
    all.retain(same_type);
    if is_one_type && source.root.element != Element::Named("u8") {
        let bytes = |viewed: &Viewed| Viewed {
            root: Notation {
                element: Element::Named("u8"),
                pad: viewed.root.pad.map(|pad| pad & 0xff),
                ..viewed.root.clone()
            },
            ..viewed.clone()
        };
        all.push((bytes(source), bytes(destination)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A check that fails where any axis has more than two coordinates is reduced to one such axis.
    #[test]
    fn a_failure_is_reduced_to_what_it_needs() {
        let root =
            Notation::parse("BA4aC<A = 8, B = 5, C = 7>, f32, align(B = 64)", "").expect("one");
        let steps = vec![Step::Flip('A'), Step::Permute("CAB".into())];
        let case = Case::View(Viewed { root, steps });
        let fails = |case: &Case| match case {
            Case::View(viewed) => {
                viewed.root.axes.iter().any(|axis| axis.1 > 2).then(|| "large".to_string())
            }
            _ => None,
        };
        let time = Duration::from_secs(60);
        let (small, _) = reduced(&case, String::new(), time, fails);
        let Case::View(small) = small else { panic!("another kind of case") };
        assert!(small.steps.is_empty());
        assert!(small.root.to_string().ends_with("= 3>, u8"), "{small}");
    }
}
