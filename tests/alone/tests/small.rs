//! Every small axis of three digits, every slice of it and every tiling of that, against a list of offsets.

use std::collections::{BTreeMap, BTreeSet};

use tensor_layout::{ElementType, Layout};

use crate::long::{at, axes as axes_of_digits, extent};

/// What each coordinate of a layout adds to its offset, the last axis fastest.
fn offsets(layout: &Layout) -> Vec<usize> {
    let mut all = vec![Vec::new()];
    for &extent in layout.extents() {
        let longer = |c: &Vec<usize>| (0..extent).map(|i| [&c[..], &[i]].concat()).collect();
        all = all.iter().flat_map::<Vec<_>, _>(longer).collect();
    }
    all.iter().map(|coordinate| layout.offset(coordinate)).collect()
}

/// What the layout says of itself follows from its offsets.
fn check(layout: &Layout, expected: &[usize]) {
    assert_eq!(offsets(layout), expected, "{layout}");
    let mut reached = vec![0; layout.len()];
    expected.iter().for_each(|offset| reached[*offset] += 1);
    let says = (layout.is_unique(), layout.is_exhaustive(), layout.is_contiguous());
    let is_contiguous = expected.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let facts = (
        reached.iter().all(|count| *count < 2),
        reached.iter().all(|count| *count > 0),
        is_contiguous,
    );
    assert_eq!(says, facts, "unique, exhaustive, contiguous: {layout} {expected:?}");
    for (offset, count) in reached.iter().enumerate() {
        let found = layout.coordinate(offset);
        assert_eq!(found.is_some(), *count > 0, "{offset} in {layout} {expected:?}");
        assert!(found.is_none_or(|found| layout.offset(&found) == offset), "{offset} in {layout}");
    }
    if let [extent] = *layout.extents() {
        let steps: Vec<isize> =
            expected.windows(2).map(|pair| pair[1] as isize - pair[0] as isize).collect();
        let is_even = steps.windows(2).all(|pair| pair[0] == pair[1]);
        let strides = layout.strides();
        assert_eq!(strides.is_some(), is_even, "{layout} {expected:?}");
        if let (Some(strides), Some(step), true) = (strides, steps.first(), extent > 1) {
            assert_eq!(strides.as_slice(), [*step], "{layout}");
        }
    }
}

/// Calls `visit` with each axis `W` of three digits of two or three values: in each memory order, with each choice of
/// digits that repeat, and with the offsets of its coordinates. Before it comes an axis `O` of two coordinates.
fn axes(mut visit: impl FnMut(&Layout, &[usize])) {
    for order in ["OABC", "OACB", "OBAC", "OBCA", "OCAB", "OCBA"] {
        for choice in 0..64 {
            let size = |axis: usize| 2 + (choice >> axis & 1);
            let repeats = |axis: usize| choice >> (3 + axis) & 1 > 0;
            let mut builder = Layout::builder(order, ElementType::U8);
            let (mut strides, mut distance) = ([0; 3], 1);
            for letter in order.chars().rev().take(3) {
                let axis = letter as usize - 'A' as usize;
                if repeats(axis) {
                    builder = builder.broadcast(letter);
                } else {
                    (strides[axis], distance) = (distance, distance * size(axis));
                }
            }
            let extents = [('O', 2), ('A', size(0)), ('B', size(1)), ('C', size(2))];
            let layout = builder.named_extents(&extents).expect("a layout");
            let axis = layout.merge("ABC", 'W').expect("whole axes");
            let all = (0..size(0) * size(1) * size(2)).map(|i| {
                let values = [i / size(2) / size(1), i / size(2) % size(1), i % size(2)];
                values.iter().zip(strides).map(|(value, stride)| value * stride).sum()
            });
            visit(&axis, &all.collect::<Vec<usize>>());
        }
    }
}

#[test]
fn slices_and_tiles_say_what_their_offsets_say() {
    let (mut slices, mut tiles) = (0, 0);
    axes(|both, all| {
        let axis = both.index('O', 0).expect("the first half");
        let half = both.offset(&[1, 0]);
        for (start, step) in
            (0..all.len()).flat_map(|start| [1, -1, 2, 3].map(|step| (start, step)))
        {
            let reached = |i: usize| start.checked_add_signed(i as isize * step);
            let at = |i: usize| reached(i).and_then(|i| all.get(i)).copied();
            let offsets: Vec<usize> = (0..).map_while(at).collect();
            let shortest = if step == 1 { 1 } else { offsets.len() };
            for length in shortest..=offsets.len() {
                let Ok(slice) = axis.slice('W', start, step, length) else {
                    // Steps of other digits need not be those of any.
                    assert!(step.abs() > 1, "{start} {step} {length} of {axis}");
                    continue;
                };
                check(&slice, &offsets[..length]);
                slices += 1;
                for inner in [2, 3, 4].into_iter().filter(|inner| length % inner == 0) {
                    let sizes = [('X', length / inner), ('Y', inner)];
                    if let Ok(tiled) = slice.tile('W', &sizes) {
                        check(&tiled, &offsets[..length]);
                        tiles += 1;
                        // A reshape can do what a tile can, also beside an axis of one coordinate.
                        let other = both.slice('O', 1, 1, 1).expect("the other half");
                        let other = other.slice('W', start, step, length).expect("a slice");
                        let found = other.reshape(&sizes).expect("a reshape");
                        let expected: Vec<usize> =
                            offsets[..length].iter().map(|offset| offset + half).collect();
                        assert_eq!(self::offsets(&found), expected, "{other}");
                        let beside = slice.unsqueeze('Z', 1).and_then(|all| {
                            let all = all.broadcast('Z', 2)?;
                            all.reshape(&[sizes[0], sizes[1], ('V', 2)])
                        });
                        let twice: Vec<usize> =
                            offsets[..length].iter().flat_map(|offset| [*offset; 2]).collect();
                        check(&beside.expect("a reshape"), &twice);
                    }
                }
            }
        }
    });
    assert!(slices > 50_000 && tiles > 10_000, "{slices} slices, {tiles} tiles");
}

/// A reshape can do what tiles and a merge can, also where an axis begins inside a block.
#[test]
fn reshapes_do_what_tiles_and_merges_do() {
    let mut merged = 0;
    axes(|both, all| {
        for (start, length) in (0..all.len()).flat_map(|start| [4, 6, 8, 9].map(|n| (start, n))) {
            let Ok(slice) = both.slice('W', start, 1, length) else { continue };
            let expected = offsets(&slice);
            for inner in [2, 3, 4].into_iter().filter(|inner| length % inner == 0) {
                let tiled = slice.tile('W', &[('X', length / inner), ('Y', inner)]);
                if tiled.is_ok_and(|tiled| tiled.merge("OX", 'Z').is_ok()) {
                    let sizes = [('Z', 2 * length / inner), ('Y', inner)];
                    let found = slice.reshape(&sizes).expect("a reshape");
                    assert_eq!(offsets(&found), expected, "{slice}");
                    let first = slice.unsqueeze('U', 0).and_then(|slice| slice.reshape(&sizes));
                    assert_eq!(first, Ok(found), "{slice}");
                    merged += 1;
                }
            }
        }
    });
    assert!(merged > 5000, "{merged}");
}

/// An axis that crosses one boundary of its blocks is cut there, so any tile that divides both sides is a view.
#[test]
fn tiles_of_two_sides_divide_both() {
    for (block, low, high) in (2..9).flat_map(|block| {
        (1..=block).flat_map(move |low| (1..=block).map(move |n| (block, low, n)))
    }) {
        let text = format!("PQ<P = 2, Q = {block}>, u8, strides = [20, 1]");
        let axes = Layout::parse(&text).expect("rows");
        let axis = axes.merge("PQ", 'W').expect("whole axes");
        let slice = axis.slice('W', block - low, 1, low + high).expect("a slice");
        for size in (1..=low + high).filter(|n| low % n == 0 && high % n == 0) {
            let tiles = slice.tile('W', &[('X', (low + high) / size), ('Y', size)]);
            let tiles = tiles.unwrap_or_else(|error| panic!("{error}: {slice}"));
            assert_eq!(offsets(&tiles), offsets(&slice), "{tiles}");
        }
    }
}

/// The errors of tiles name a block that they would cut, or a coordinate from which they fit.
#[test]
fn errors_of_tiles_say_where_tiles_fit() {
    let number = |text: &str, before: &str| -> Option<usize> {
        let (_, rest) = text.split_once(before)?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let (mut cut, mut moved) = (0, 0);
    axes(|both, all| {
        let axis = both.index('O', 0).expect("the first half");
        for (start, length) in (0..all.len()).flat_map(|start| [4, 6, 8, 9, 12].map(|n| (start, n)))
        {
            let Ok(slice) = axis.slice('W', start, 1, length) else { continue };
            for size in [2, 3, 4].into_iter().filter(|size| length % size == 0) {
                let Err(error) = slice.tile('W', &[('X', length / size), ('Y', size)]) else {
                    continue;
                };
                let text = error.to_string();
                if let Some(block) = number(&text, "has blocks of ") {
                    assert!(block % size > 0 && size % block > 0 && block < all.len(), "{text}");
                    cut += 1;
                } else if let Some(first) = number(&text, "slice axis `W` from ") {
                    let rest = (length - first) / size * size;
                    let rest = slice.slice('W', first, 1, rest).expect("a slice");
                    let tiles = rest.tile('W', &[('X', rest.numel() / size), ('Y', size)]);
                    assert!(tiles.is_ok(), "{text}: {slice}, then {tiles:?}");
                    moved += 1;
                }
            }
        }
    });
    assert!(cut > 100 && moved > 100, "{cut}, {moved}");
}

/// An axis of one coordinate may begin at any lane.
#[test]
fn reshapes_keep_the_first_lane() {
    for lane in 0..4 {
        let text = format!("COPQ<C = 1, O = 2, P = 5, Q = 3>, u8, lanes(C, 4, start = {lane})");
        let axes = Layout::parse(&format!("{text}, align(P = 4)")).expect("lanes");
        let axes =
            axes.merge("PQ", 'W').and_then(|axes| axes.slice('W', 1, 1, 6)).expect("a slice");
        let reshaped = axes.reshape(&[('Z', 4), ('Y', 3)]).expect("tiles begin at the same place");
        assert_eq!(offsets(&reshaped), offsets(&axes), "{axes}");
    }
}

/// Two layouts are the same map where all offsets are equal, however their digits are cut.
#[test]
fn slices_of_equal_offsets_are_the_same_map() {
    let mut by_offsets: BTreeMap<Vec<usize>, Vec<Layout>> = BTreeMap::new();
    axes(|both, all| {
        let axis = both.index('O', 0).expect("the first half");
        for start in 0..all.len() {
            for length in [2, 3, 4, 5, 7, 8, 9, 12] {
                if let Ok(slice) = axis.slice('W', start, 1, length) {
                    let same = by_offsets.entry(all[start..start + length].to_vec()).or_default();
                    if same.iter().all(|other| other != &slice) {
                        same.push(slice);
                    }
                }
            }
        }
    });
    let (mut several, mut before): (usize, Option<(&Vec<usize>, &Layout)>) = (0, None);
    for (offsets, same) in &by_offsets {
        for (one, other) in same.iter().flat_map(|one| same.iter().map(move |other| (one, other))) {
            assert!(one.same_map(other), "{one} and {other}: {offsets:?}");
            several += usize::from(one != other);
        }
        // Neighbors in this order begin with the same offsets.
        if let Some((others, layout)) = before {
            if others.len() == offsets.len() {
                assert!(same.iter().all(|own| !own.same_map(layout)), "{others:?} {offsets:?}");
            }
        }
        before = Some((offsets, &same[0]));
    }
    assert!(several > 100, "{several}");
}

/// Along a diagonal of two axes of several digits, both count up. Digits of the two may lie in any order in memory,
/// repeat, and begin inside of a block.
#[test]
fn diagonals_add_the_steps_of_both_axes() {
    let mut random = test_support::Random::new(41, 0);
    let (mut made, mut refused) = (0, 0);
    for _ in 0..4000 {
        let sizes: [usize; 6] = std::array::from_fn(|_| random.pick(&[1, 2, 2, 3, 4]));
        let (mut layout, digits) = axes_of_digits(&mut random, sizes);
        let mut lists =
            digits.map(|own| (0..extent(&own)).map(|i| at(&own, i)).collect::<Vec<_>>());
        for (letter, list) in ['X', 'Y'].into_iter().zip(&mut lists) {
            let start = random.below(list.len());
            let length = random.between(1, list.len() - start);
            layout = layout.slice(letter, start, 1, length).expect("a slice");
            *list = list[start..start + length].to_vec();
        }
        let expected: Vec<usize> = lists[0].iter().zip(&lists[1]).map(|(a, b)| a + b).collect();
        match layout.diagonal('X', 'Y', 'D') {
            Ok(diagonal) => {
                check(&diagonal, &expected);
                made += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(made > 3000, "{made} diagonals, {refused} refused");
}

/// Axes whose blocks have sizes without a common divisor are compared at the coordinates where both change.
#[test]
fn slices_of_other_blocks_are_the_same_map_if_their_offsets_are() {
    let axes: [(&[usize], &[isize]); 10] = [
        (&[3, 2, 2, 2], &[16, 2, 8, 1]),
        (&[2, 2, 3, 2], &[30, 2, 5, 1]),
        (&[6, 2], &[6, 1]),
        (&[6, 2], &[6, 5]),
        (&[5, 2, 3], &[1, 0, 5]),
        (&[3, 2, 4], &[0, 7, 1]),
        (&[3, 3, 3], &[-1, 4, 20]),
        (&[4, 6], &[9, 1]),
        (&[3, 10], &[11, 1]),
        (&[5, 6], &[7, 1]),
    ];
    let axes = axes.map(|(extents, strides)| {
        let letters = &"ABCD"[..extents.len()];
        let layout = Layout::from_strides(letters, extents, strides, ElementType::U8);
        layout.and_then(|layout| layout.merge(letters, 'X')).expect("strides that nest")
    });
    let (mut same, mut cut_otherwise) = (0, 0);
    for length in [2, 3, 4, 5, 6, 7, 9, 11, 14, 19] {
        let mut all: Vec<(Layout, Vec<usize>)> = Vec::new();
        for axis in &axes {
            for start in 0..(axis.numel() + 1).saturating_sub(length) {
                let slice = axis.slice('X', start, 1, length).expect("a slice");
                for view in [slice, slice.flip('X').expect("an axis")] {
                    let range = view.range();
                    let view = view.part(range.start, range.end - range.start).expect("a part");
                    if all.iter().all(|(other, _)| *other != view) {
                        all.push((view, offsets(&view)));
                    }
                }
            }
        }
        for (one, its) in &all {
            for (other, theirs) in &all {
                assert_eq!(one.same_map(other), its == theirs, "{one} and {other}");
                same += usize::from(its == theirs);
                cut_otherwise += usize::from(its == theirs && one.digits() != other.digits());
            }
        }
    }
    assert!(same > 500 && cut_otherwise > 50, "{same}, {cut_otherwise}");
}

/// Slices of axes of four and five digits, any of which repeat: how many offsets they have.
#[test]
fn repeats_at_any_depth_are_counted() {
    let mut random = test_support::Random::new(42, 0);
    let mut repeated = 0;
    for _ in 0..6000 {
        let letters = ["ABCD", "ABCDE"][random.below(2)];
        let sizes: Vec<usize> = letters.chars().map(|_| random.pick(&[2, 2, 3, 4])).collect();
        let mut builder = Layout::builder(letters, ElementType::U8);
        let (mut strides, mut distance) = (vec![0; sizes.len()], 1);
        for (axis, letter) in letters.char_indices().rev() {
            if random.once_in(2) {
                builder = builder.broadcast(letter);
            } else {
                (strides[axis], distance) = (distance, distance * sizes[axis]);
            }
        }
        let axis = builder.extents(&sizes).and_then(|layout| layout.merge(letters, 'W'));
        let axis = axis.expect("whole axes");
        let all: usize = sizes.iter().product();
        let (start, end) = (random.below(all), random.below(all));
        let (start, length) = (start.min(end), start.abs_diff(end) + 1);
        let offsets: Vec<usize> = (start..start + length)
            .map(|mut index| {
                let mut offset = 0;
                for (size, stride) in sizes.iter().zip(&strides).rev() {
                    offset += index % size * stride;
                    index /= size;
                }
                offset
            })
            .collect();
        let distinct: BTreeSet<usize> = offsets.iter().copied().collect();
        let (low, high) = (distinct.first().expect("an offset"), distinct.last().expect("one"));
        let slice = axis.slice('W', start, 1, length).expect("a slice");
        let slice = slice.part(*low, high - low + 1).expect("a part");
        let says = (slice.is_unique(), slice.is_exhaustive());
        let facts = (distinct.len() == length, distinct.len() == high - low + 1);
        assert_eq!(says, facts, "{slice} {offsets:?}");
        repeated += usize::from(!says.0);
    }
    assert!(repeated > 1000, "{repeated}");
}
