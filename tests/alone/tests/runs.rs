//! Runs of evenly spaced coordinates, in memory order and along an axis, against tables of offsets.

use std::collections::BTreeMap;

use campaign::check::views::{Built, build};
use campaign::element::Element;
use campaign::generate;
use campaign::isolation::limit;
use campaign::table::for_each_coordinate;
use tensor_layout::{Coordinates, ElementType, LastAxis, Layout, MemoryOrder, Run};
use test_support::Random;

/// Calls `check` with random views.
fn views(seed: u64, mut check: impl FnMut(&Built)) {
    for number in 0..600 {
        limit(20);
        let mut random = Random::new(seed, number);
        let most = random.pick(&[0, 0, 2, 4]);
        let viewed = generate::viewed(&mut random, Element::Named("u8"), 200, most);
        if let Some(built) = build(&viewed, |_| Ok(())).expect("a view that is not refused") {
            check(&built);
        }
    }
}

/// The coordinates and offsets of all runs, and the runs.
fn runs(layout: &Layout) -> (Vec<(Vec<usize>, usize)>, Vec<Run>) {
    let (mut all, mut runs) = (Vec::new(), Vec::new());
    let mut order = MemoryOrder::new(*layout);
    while let Some((coordinate, offset)) = order.cursor.current() {
        let run = order.run();
        for step in 0..run.length {
            let mut coordinate = coordinate.to_vec();
            if let Some(index) = coordinate.get_mut(run.axis) {
                *index = index.wrapping_add(run.up.wrapping_mul(step));
            }
            all.push((coordinate, offset.wrapping_add(run.stride.wrapping_mul(step))));
        }
        runs.push(run);
        order.skip(&run);
        assert!(all.len() <= layout.numel(), "{layout}");
    }
    (all, runs)
}

#[test]
fn runs_visit_every_coordinate_once_in_memory_order() {
    views(31, |built| {
        let Built { layout, table, .. } = built;
        let (all, runs) = runs(layout);
        let mut expected = BTreeMap::new();
        for_each_coordinate(&table.extents, |coordinate| {
            expected.insert(coordinate.to_vec(), table.at(coordinate));
        });
        let found: BTreeMap<_, _> = all.iter().cloned().collect();
        assert_eq!((all.len(), found), (expected.len(), expected), "{layout}");
        // One digit that counts all of an axis, without padding: no run ends before it does.
        let fastest = layout.digits().iter().rev().find(|digit| digit.size > 1).copied();
        let sizes: usize = layout.digits().iter().map(|digit| digit.size).product();
        if let (Some(digit), None, true) =
            (fastest, layout.swizzle(), sizes == layout.numel() && sizes > 0)
        {
            assert_eq!(runs.len(), sizes / digit.size, "{layout}");
        }
    });
}

/// Each block has one run, forward or backward, and its padding is in none.
#[test]
fn runs_are_the_parts_of_blocks() {
    for (block, extent) in (2..6).flat_map(|block| (1..14).map(move |extent| (block, extent))) {
        let text = format!("AB{block}a<A = {extent}, B = 2>, u8, pad");
        let whole = Layout::parse(&text).expect("a layout");
        let at = |a: usize, b: usize| a / block * 2 * block + b * block + a % block;
        for (start, length) in (0..extent).flat_map(|a| (1..=extent - a).map(move |n| (a, n))) {
            let slice = whole.slice('A', start, 1, length).expect("a slice");
            let blocks = (start + length - 1) / block - start / block + 1;
            for (layout, is_backward) in [(slice, false), (slice.flip('A').expect("an axis"), true)]
            {
                let (mut all, runs) = runs(&layout);
                let mut expected: Vec<(Vec<usize>, usize)> = (0..2 * length)
                    .map(|i| {
                        let a = if is_backward { length - 1 - i / 2 } else { i / 2 };
                        (vec![i / 2, i % 2], at(start + a, i % 2))
                    })
                    .collect();
                // A slice of two coordinates is one digit, which may be slower than the other axis.
                all.sort_unstable();
                expected.sort_unstable();
                assert_eq!(all, expected, "{layout}");
                // Blocks that begin half in are written in pairs of halves.
                assert!(runs.len() <= 4 * blocks, "{} runs in {layout}", runs.len());
            }
        }
    }
}

/// The number of coordinates left is known before each of them, and its end is one.
#[test]
fn coordinates_are_counted_down() {
    let layout = Layout::of("NHWC", &[2, 3, 2, 5], ElementType::U8).expect("a layout");
    let mut all = Coordinates::<4>::new(layout);
    for left in (0..60).rev() {
        assert_eq!(all.len(), left + 1);
        assert_eq!(all.size_hint(), (left + 1, Some(left + 1)));
        assert!(all.next().is_some());
    }
    assert_eq!((all.next(), all.len()), (None, 0));
}

/// Of more coordinates than a number counts, `usize::MAX` come.
#[test]
fn more_coordinates_than_a_number_counts_have_an_end() {
    let layout = Layout::builder("NC", ElementType::U8).broadcast('N').broadcast('C');
    for (extents, sum) in [
        ([2, usize::MAX - 1], usize::MAX),
        ([3, usize::MAX / 2], usize::MAX),
        ([usize::MAX, usize::MAX], usize::MAX),
        ([2, usize::MAX / 2], usize::MAX - 1),
    ] {
        let layout = layout.extents(&extents).expect("a layout");
        let mut order = MemoryOrder::new(layout);
        let mut all = 0usize;
        while order.cursor.current().is_some() {
            let left = order.cursor.left();
            let run = order.run();
            all += run.length.min(left);
            order.skip(&run);
        }
        assert_eq!(all, sum, "{extents:?}");
    }
}

#[test]
fn runs_along_an_axis_are_evenly_spaced() {
    let mut whole = 0;
    views(32, |built| {
        let Built { layout, table, .. } = built;
        for (axis, &extent) in table.extents.iter().enumerate().filter(|(_, extent)| **extent > 0) {
            if table.extents.contains(&0) {
                continue;
            }
            let runs = LastAxis::at(layout, axis);
            let mut coordinate = vec![0; table.extents.len()];
            let offsets: Vec<usize> = (0..extent)
                .map(|i| {
                    coordinate[axis] = i;
                    table.at(&coordinate)
                })
                .collect();
            let mut from = 0;
            while from < extent {
                let length = runs.run(from);
                assert!((1..=extent - from).contains(&length), "{length} from {from} in {layout}");
                for inside in from..from + length {
                    assert_eq!(runs.run_from(inside), from + length - inside, "{layout}");
                }
                for pair in offsets[from..from + length].windows(2) {
                    assert_eq!(pair[0].wrapping_add(runs.stride), pair[1], "{from} in {layout}");
                }
                from += length;
            }
            let is_one_digit =
                layout.digits().iter().filter(|digit| digit.axis == axis && digit.size > 1).count();
            if layout.swizzle().is_none() && is_one_digit == 1 && extent > 1 {
                assert_eq!(runs.run(0), extent, "{layout}");
                whole += 1;
            }
        }
    });
    assert!(whole > 100, "{whole} axes");
    let scalar = Layout::of("SCALAR", &[], ElementType::U8).expect("a layout");
    assert_eq!(LastAxis::of(&scalar).run(0), 1);
}

/// If the cuts that differ keep the part before them apart from the rest, all cuts do.
#[test]
fn cuts_that_differ_stand_for_all() {
    let (mut fewer, mut all_apart) = (0, 0);
    views(33, |built| {
        let Built { layout, table, .. } = built;
        for (axis, &extent) in table.extents.iter().enumerate() {
            let mut ends = vec![(usize::MAX, 0); extent];
            for_each_coordinate(&table.extents, |coordinate| {
                let (low, high) = &mut ends[coordinate[axis]];
                let offset = table.at(coordinate);
                (*low, *high) = ((*low).min(offset), (*high).max(offset));
            });
            if table.extents.contains(&0) {
                assert_eq!(layout.different_cuts(axis, 1), Some(0), "{layout}");
                continue;
            }
            for size in [1, 2, 3, 5] {
                let range = |from: usize, to: usize| {
                    let own = &ends[from..to];
                    (own.iter().map(|end| end.0).min(), own.iter().map(|end| end.1).max())
                };
                let cuts = (extent - 1) / size;
                let is_apart = |cut: usize| {
                    let (start, at) = (cut * size, (cut + 1) * size);
                    let (part, rest) = (range(start, at), range(at, extent));
                    part.1 < rest.0 || rest.1 < part.0
                };
                let different = layout.different_cuts(axis, size);
                let different = different.unwrap_or_else(|| panic!("{size} of {axis} in {layout}"));
                assert!(different <= cuts, "{different} of {cuts} in {layout}");
                fewer += usize::from(different < cuts);
                if (0..different).all(is_apart) {
                    assert!((0..cuts).all(is_apart), "{size} of {axis} in {layout}");
                    all_apart += 1;
                }
            }
        }
    });
    assert!(fewer > 100 && all_apart > 100, "{fewer}, {all_apart}");
}
