//! Every small layout with unknown extents: what its type refuses, and which layouts it takes for its own.

use std::vec;
use std::vec::Vec;

use super::Partial;
use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, Factor, Length, Spec, Swizzling, Violation};

const LETTERS: [char; 3] = ['A', 'B', 'C'];

/// All orders of `factors`.
fn orders(factors: &[Factor]) -> Vec<Vec<Factor>> {
    if factors.is_empty() {
        return vec![vec![]];
    }
    let mut all = vec![];
    for (i, &first) in factors.iter().enumerate() {
        let rest = [&factors[..i], &factors[i + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}

/// Memory orders of two or three axes with blocks, alignments and a broadcast axis, in any order, alone or with lanes
/// or a swizzle, and strides.
fn factor_lists() -> Vec<Vec<Factor>> {
    let [a, b, c] = LETTERS.map(Factor::Axis);
    let [two, three] = [2, 3].map(|size| Factor::Block('A', size));
    let sets = [
        vec![a, b],
        vec![a, b, two],
        vec![a, b, three],
        vec![a, b, three, Factor::Block('B', 2)],
        vec![a, b, Factor::Align(1)],
        vec![a, b, Factor::Align(6)],
        vec![a, b, two, Factor::Align(2)],
        vec![Factor::Broadcast('A'), b, Factor::Align(2)],
        vec![a, b, c],
        vec![a, b, c, Factor::Align(2)],
    ];
    let first = [
        Factor::Lanes('A', 2, 0),
        Factor::Lanes('A', 3, 2),
        Factor::Lanes('B', 1, 0),
        Factor::LaneArray(2),
    ];
    let last = [Swizzling::Elements(1, 0, 2), Swizzling::Elements(2, 1, -3)];
    let mut all = Vec::new();
    for order in sets.iter().flat_map(|set| orders(set)) {
        all.extend(first.iter().map(|&first| [&[first], &order[..]].concat()));
        all.extend(last.iter().map(|&last| [&order[..], &[Factor::Swizzle(last)]].concat()));
        all.push(order);
    }
    for strides in [[1, 4], [4, 1], [-8, 8], [0, 2], [2, 2], [-1, -3]] {
        all.push(vec![Factor::Stride('A', strides[0]), Factor::Stride('B', strides[1])]);
        all.push(vec![Factor::Broadcast('A'), Factor::Stride('B', strides[1])]);
    }
    all
}

/// The lists of as many numbers as there are axes, of which each is one of `choices`.
fn lists<T: Copy>(axes: usize, choices: &[T]) -> Vec<Vec<T>> {
    let mut all = vec![vec![]];
    for _ in 0..axes {
        let longer =
            |list: &Vec<T>| choices.iter().map(|&one| [&list[..], &[one]].concat()).collect();
        all = all.iter().flat_map::<Vec<_>, _>(longer).collect();
    }
    all
}

fn axes(extents: &[Length]) -> Vec<AxisExtent> {
    let letters = LETTERS.into_iter().zip(extents);
    letters.map(|(letter, &extent)| AxisExtent { letter, extent }).collect()
}

/// Calls `visit` with the factors, element and fill of each small spec, and with extents of which some are unknown.
fn every_spec(mut visit: impl FnMut(&Spec<'_>, &[Length])) {
    let known = [Length::Unknown, Length::Fixed(1), Length::Fixed(3)];
    for factors in factor_lists() {
        let rank = 2 + usize::from(factors.contains(&Factor::Axis('C')));
        for extents in lists(rank, &known) {
            if !extents.contains(&Length::Unknown) {
                continue;
            }
            let axes = axes(&extents);
            for element in [ElementType::U1, ElementType::I2, ElementType::U4, ElementType::U16] {
                for fill in [None, Some(0)] {
                    visit(&Spec { element, axes: &axes, factors: &factors, fill }, &extents);
                }
            }
        }
    }
}

/// The extents with the unknown ones from `choices`, in every way.
fn filled_in(extents: &[Length], choices: &[usize]) -> Vec<Vec<usize>> {
    let unknown = extents.iter().filter(|extent| extent.value().is_none()).count();
    let fill = |numbers: Vec<usize>| {
        let mut numbers = numbers.into_iter();
        extents.iter().map(|extent| extent.value().or_else(|| numbers.next()).unwrap()).collect()
    };
    lists(unknown, choices).into_iter().map(fill).collect()
}

/// The layout with these extents, if they break no rule.
fn layout(spec: &Spec<'_>, extents: &[usize]) -> Option<Layout> {
    let extents: Vec<_> = extents.iter().map(|&extent| Length::Runtime(extent)).collect();
    Layout::new(&Spec { axes: &axes(&extents), ..*spec }).ok()
}

#[test]
fn what_is_refused_breaks_a_rule_for_all_extents() {
    let (mut refused, mut taken) = (0, 0);
    every_spec(|spec, extents| {
        let broken = Layout::check(spec);
        let exists = |choices: &[usize]| {
            filled_in(extents, choices).iter().any(|extents| layout(spec, extents).is_some())
        };
        if broken.is_empty() {
            taken += 1;
            let some = exists(&[1, 2, 8]) || exists(&[1, 3, 4, 8, 12, 16, 20, 24, 32, 40, 48, 66]);
            // Whether lanes share a length is known at run time alone.
            let is_array = matches!(spec.factors[0], Factor::LaneArray(_));
            assert!(some || is_array, "{spec:?} is taken");
        } else {
            refused += 1;
            let rules: Vec<&Violation> = broken.iter().collect();
            let some = exists(&[1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 18, 24]);
            assert!(!some, "{rules:?} of {spec:?}");
        }
    });
    assert!(taken > 40_000 && refused > 7_000, "{taken} and {refused}");
}

/// That offsets are right is for the campaign to see, which compares all forms of a layout.
#[test]
fn a_layout_with_another_stride_is_found() {
    let mut compared = 0;
    every_spec(|spec, extents| {
        let Ok(partial) = Partial::new(spec) else { return };
        for extents in filled_in(extents, &[1, 3, 8]) {
            let Some(layout) = layout(spec, &extents).filter(|_| partial.is_complete) else {
                continue;
            };
            assert!(partial.agrees(&layout, &[]), "{layout} of {spec:?}");
            for i in (0..layout.digit_count()).filter(|&i| layout.digits()[i].size > 1) {
                let (mut digits, mut other) = (layout.digits(), layout);
                digits.list[i].stride += 1;
                other.set_digits(&digits.list, layout.digit_count());
                assert!(!partial.agrees(&other, &[]), "{layout}, digit {i}");
                compared += 1;
            }
        }
    });
    assert!(compared > 100_000, "{compared}");
}
