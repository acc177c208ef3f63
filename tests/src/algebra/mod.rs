//! Relations of layouts, composition, complement, division, products and inverses: their laws for every
//! coordinate of random layouts. An error means that no result exists.

mod cute;
mod errors;
mod inverses;
mod products;

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Format, Layout, LayoutError, Plan, algebra};

use crate::support::oracle::expressible;
use crate::support::random::{self, Case};

/// All coordinates of a layout, the last axis fastest.
fn coordinates(layout: &Layout) -> Vec<Vec<usize>> {
    test_support::coordinates(layout.extents()).collect()
}

/// The offsets of all coordinates, the last axis fastest.
fn offsets(layout: &Layout) -> Vec<usize> {
    coordinates(layout).iter().map(|c| layout.offset(c)).collect()
}

/// What the oracle says of all coordinates, the last axis fastest.
fn walked(case: &Case) -> Vec<usize> {
    let memory = case.memory();
    memory.coordinates().iter().map(|c| memory.offset(c)).collect()
}

fn any_case() -> impl Strategy<Value = Case> {
    (random::axes(), random::element())
        .prop_flat_map(|(axes, element)| random::layout_of(axes, element, true))
}

/// Axes of other letters, with strides that nest or do not.
fn strided() -> impl Strategy<Value = Layout> {
    let axis =
        (select(vec![1usize, 2, 2, 3, 4, 4, 6]), select(vec![1isize, 2, 3, 4, 6, 8, 12, 24]));
    vec((axis, any::<bool>()), 0..4).prop_filter_map("overlap", |axes| {
        let letters = &"xyz"[..axes.len()];
        let extents: Vec<usize> = axes.iter().map(|axis| axis.0.0).collect();
        let sign = |negative: bool| if negative { -1 } else { 1 };
        let strides: Vec<isize> =
            axes.iter().map(|&((_, stride), negative)| stride * sign(negative)).collect();
        Layout::from_strides(letters, &extents, &strides, ElementType::U8).ok()
    })
}

/// Whether copies of `tile`, which begins at 0, cover each of `count` offsets exactly once: the lowest offset that is
/// left must be the first of a copy.
fn tiles(tile: &[usize], count: usize) -> Option<Vec<usize>> {
    let mut covered = vec![false; count];
    let mut starts = Vec::new();
    while let Some(start) = covered.iter().position(|covered| !covered) {
        starts.push(start);
        for offset in tile {
            let place = covered.get_mut(start + offset)?;
            if std::mem::replace(place, true) {
                return None;
            }
        }
    }
    Some(starts)
}

/// A composition has the offsets of `all` at the offsets of `inner`, in the buffer of `outer`. It is an error
/// if no layout has these offsets.
fn check_composition(
    outer: &Layout,
    inner: &Layout,
    all: &[usize],
    at: &[usize],
) -> Result<(), TestCaseError> {
    let expected: Option<Vec<usize>> = at.iter().map(|&i| all.get(i).copied()).collect();
    let exists = expected.filter(|found| expressible::is_a_layout(inner.extents(), found, true));
    match (algebra::compose(outer, inner), exists) {
        (Ok(composed), Some(expected)) => {
            prop_assert_eq!(offsets(&composed), &expected[..], "{} of {}", outer, inner);
            prop_assert_eq!(composed.len(), outer.len());
            prop_assert_eq!(composed.letters(), inner.letters());
            let distinct: HashSet<&usize> = expected.iter().collect();
            prop_assert_eq!(composed.is_unique(), distinct.len() == expected.len());
            prop_assert_eq!(composed.span(), expected.iter().max().map_or(0, |last| last + 1));
            for &offset in &expected {
                let found = composed.coordinate(offset).map(|c| composed.offset(&c));
                prop_assert_eq!(found, Some(offset), "{} of {}", outer, inner);
            }
        }
        (Ok(composed), None) => {
            prop_assert!(false, "{} of {} is {}", outer, inner, composed);
        }
        (Err(LayoutError(Rule::ViewBlocks { .. })), _) | (Err(_), None) => {}
        (Err(error), Some(expected)) => {
            prop_assert!(false, "{}: {} of {}, {:?}", error, outer, inner, expected);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(random::cases(1000))]

    /// Two layouts have the same map if every coordinate has one offset in both.
    #[test]
    fn the_same_map_is_the_same_offsets(
        (first, second) in (random::axes(), Just((ElementType::U8, 8)))
            .prop_flat_map(|(axes, element)| (
                random::layout_of(axes.clone(), element, true),
                random::layout_of(axes, element, true),
            )),
        shift in 0..3usize,
    ) {
        let (a, b) = (first.layout(), second.layout());
        prop_assert_eq!(a.same_map(&b), walked(&first) == walked(&second), "{} and {}", a, b);
        prop_assert!(a.same_map(&a));
        // The same elements in another coordinate order; another part of a longer axis.
        if let Some(last) = a.rank().checked_sub(1) {
            let turned: String = (0..=last).rev().map(|axis| a.letters().at(axis)).collect();
            let turned = a.permute(&turned).unwrap();
            prop_assert!(a.same_map(&turned) && turned.same_map(&a));
            let extent = a.extents()[0];
            if extent > shift {
                let length = extent - shift;
                let (low, high) = (a.slice('0', 0, 1, length), a.slice('0', shift, 1, length));
                if let (Ok(low), Ok(high)) = (low, high) {
                    let same = offsets(&low) == offsets(&high);
                    prop_assert_eq!(low.same_map(&high), same, "{} and {}", low, high);
                }
            }
        }
    }

    /// `offset(compose, c) == offset(self, d)` for the coordinate `d` that `offset(inner, c)`
    /// others come before.
    #[test]
    fn composition_is_one_layout_at_the_offsets_of_the_other(
        case in any_case(),
        inner in prop_oneof![strided(), any_case().prop_map(|case| case.layout())],
    ) {
        let outer = case.layout();
        let all = walked(&case);
        check_composition(&outer, &inner, &all, &offsets(&inner))?;
    }

    /// Every offset is the sum of one offset of the tile and one of its complement. If a complement is an error, none
    /// exists.
    #[test]
    fn complements_cover_what_is_left(tile in strided(), times in 1..8usize, extra in 0..2usize) {
        let count = tile.len() * times + extra;
        let own = offsets(&tile);
        match algebra::complement(&tile, count, 'R') {
            Ok(rest) => {
                prop_assert_eq!(tiles(&own, count), Some(offsets(&rest)), "{} in {}", tile, count);
                prop_assert_eq!(rest.len(), count);
            }
            Err(error) => prop_assert_eq!(tiles(&own, count), None, "{}", error),
        }
    }

    /// `offset(divide, [t.., r])` is that of the coordinate that `offset(tile, t)` and
    /// `offset(complement, r)` others come before.
    #[test]
    fn division_counts_tiles(case in any_case(), tile in strided()) {
        let layout = case.layout();
        let all = walked(&case);
        if all.is_empty() {
            // There is nothing to tile, but a tile with gaps is still an error.
            prop_assert!(algebra::divide(&layout, &tile, 'R').is_ok_and(|none| none.numel() == 0)
                || tiles(&offsets(&tile), tile.len()).is_none());
            return Ok(());
        }
        let Some(starts) = tiles(&offsets(&tile), all.len()) else {
            prop_assert!(algebra::divide(&layout, &tile, 'R').is_err(), "{} by {}", layout, tile);
            return Ok(());
        };
        let places = |t: usize| starts.iter().map(move |r| t + r);
        let expected: Vec<usize> =
            offsets(&tile).into_iter().flat_map(places).map(|i| all[i]).collect();
        let extents = [tile.extents(), &[starts.len()]].concat();
        let divided = match algebra::divide(&layout, &tile, 'R') {
            Err(error) => {
                prop_assert!(!expressible::is_a_layout(&extents, &expected, true), "{}", error);
                return Ok(());
            }
            Ok(divided) => divided,
        };
        prop_assert_eq!(divided.extents(), &extents);
        prop_assert_eq!(&offsets(&divided), &expected);
        let reached: HashSet<usize> = expected.into_iter().collect();
        prop_assert_eq!(reached, all.into_iter().collect());
    }
}

/// A layout of `u8` with these strides.
fn with_strides(
    letters: &str,
    extents: &[usize],
    strides: &[isize],
) -> Result<Layout, LayoutError> {
    Layout::from_strides(letters, extents, strides, ElementType::U8)
}

/// Layouts with blocks, padding, shared elements, gaps and starts inside of blocks.
fn outers() -> [Layout; 14] {
    let of = |format: &str, extents: &[usize]| {
        Layout::builder(format, ElementType::U8).pad(0).extents(extents).unwrap()
    };
    [
        of("A", &[24]),
        of("AB", &[4, 6]),
        of("BA", &[4, 6]),
        of("BA4b", &[3, 8]),
        of("BA4b", &[3, 7]),
        of("BAC4b", &[2, 6, 2]),
        of("A6a", &[24]).slice('A', 4, 1, 17).unwrap(),
        of("BA", &[4, 6]).flip('B').unwrap(),
        with_strides("AB", &[4, 6], &[1, 5]).unwrap(),
        with_strides("AB", &[4, 5], &[0, 1]).unwrap(),
        with_strides("ABC", &[2, 3, 4], &[16, 0, 3]).unwrap(),
        // From inside a group of shared elements to inside another.
        with_strides("AB", &[6, 4], &[2, 0])
            .and_then(|groups| groups.merge("AB", 'A')?.slice('A', 3, 1, 20))
            .unwrap(),
        with_strides("AB", &[6, 4], &[2, 0])
            .and_then(|rows| rows.merge("BA", 'A')?.slice('A', 4, 1, 19))
            .unwrap(),
        with_strides("ABC", &[2, 2, 6], &[-7, 20, 1]).unwrap(),
    ]
}

/// All strides of few coordinates, from any of the first on, over layouts of each kind.
#[test]
fn compositions_are_refused_where_there_is_none() {
    let (mut made, mut refused) = (0, 0);
    for outer in outers() {
        let all = offsets(&outer);
        let mut check = |inner: Layout| {
            check_composition(&outer, &inner, &all, &offsets(&inner)).unwrap();
            let Ok(composed) = algebra::compose(&outer, &inner) else {
                refused += 1;
                return;
            };
            made += 1;
            let (from, to) = (offsets(&composed), composed.in_format(composed_format(&composed)));
            let mut moved = vec![0; from.len()];
            let buffer: Vec<u8> = (0..composed.len()).map(|i| i as u8).collect();
            Plan::new(&composed, &to.unwrap()).unwrap().run(&buffer, &mut moved).unwrap();
            assert!(moved.iter().eq(from.iter().map(|&i| &buffer[i])), "{outer} of {inner}");
        };
        for stride in -9..=9 {
            for extent in 1..=9 {
                if let Ok(inner) = with_strides("X", &[extent + 3], &[stride]) {
                    (0..3).for_each(|from| check(inner.slice('X', from, 1, extent).unwrap()));
                }
            }
            for (other, [x, y]) in (-6..=6)
                .flat_map(|other| [[2, 2], [2, 3], [3, 3], [4, 2]].map(|extents| (other, extents)))
            {
                if let Ok(inner) = with_strides("XY", &[x + 1, y], &[stride, other]) {
                    (0..2).for_each(|from| check(inner.slice('X', from, 1, x).unwrap()));
                }
            }
        }
    }
    assert!(made > 4000 && refused > 4000, "{made} made, {refused} refused");
}

/// A repeated part may end with the step with which it goes on, so that twice its length looks like one digit.
#[test]
fn parts_of_an_axis_that_repeats_itself_are_layouts() {
    let mut made = 0;
    for (fast, repeats, next) in (1..=4)
        .flat_map(|fast| (2..=3).map(move |repeats| (fast, repeats)))
        .flat_map(|(fast, repeats)| (1..=9).map(move |next| (fast, repeats, next)))
    {
        let strides = [next, 0, 1];
        let Ok(digits) = with_strides("ABC", &[5, repeats, fast], &strides) else { continue };
        let all = offsets(&digits);
        for (start, step) in (0..12).flat_map(|start| (1..=3).map(move |step| (start, step))) {
            for extent in 1..=all.len().saturating_sub(start).div_ceil(step) {
                let inner = with_strides("X", &[all.len()], &[1])
                    .and_then(|axis| axis.slice('X', start, step as isize, extent))
                    .unwrap();
                check_composition(&digits, &inner, &all, &offsets(&inner)).unwrap();
                made += usize::from(algebra::compose(&digits, &inner).is_ok());
            }
        }
    }
    assert!(made > 10_000, "{made}");
}

/// The format of a layout of these axes in coordinate order.
fn composed_format(layout: &Layout) -> Format {
    let letters: String = (0..layout.rank()).map(|axis| layout.letters().at(axis)).collect();
    Format::parse(&letters).unwrap()
}

/// An axis with steps of 1 and of 5 in turn begins with either of them.
#[test]
fn one_map_cut_in_two_ways_is_one_map() {
    let pairs = |strides: &[isize]| {
        Layout::from_strides("AB", &[40, 2], strides, ElementType::U8).unwrap().merge("AB", 'X')
    };
    let (ones, fives) = (pairs(&[6, 1]).unwrap(), pairs(&[6, 5]).unwrap());
    for length in 2..70 {
        let ones = ones.slice('X', 0, 1, length).unwrap();
        let fives = fives.slice('X', 1, 1, length).unwrap();
        let from =
            |layout: &Layout| offsets(layout).iter().map(|i| i - layout.offset(&[0])).collect();
        let (a, b): (Vec<usize>, Vec<usize>) = (from(&ones), from(&fives));
        assert_eq!(a, b);
        let moved = ones.offset(&[0]) == fives.offset(&[0]);
        assert_eq!(ones.same_map(&fives), moved, "{ones} and {fives}");
    }
}

/// Steps through blocks give the same result for more coordinates than are checked as for few, if they repeat
/// soon.
#[test]
fn long_slices_are_as_short_ones() {
    let (mut made, mut refused) = (0, 0);
    for block in 2..=13usize {
        let rows = Layout::from_strides("AB", &[9000, block], &[20, 1], ElementType::U8).unwrap();
        let rows = rows.merge("AB", 'X').unwrap();
        for step in 1..=26usize {
            let length = rows.numel() / step;
            let short = rows.slice('X', 3, step as isize, 100);
            match rows.slice('X', 3, step as isize, length - 3) {
                Ok(long) => {
                    made += 1;
                    for i in (0..length - 3).step_by(7) {
                        assert_eq!(
                            long.offset(&[i]),
                            rows.offset(&[3 + step * i]),
                            "{block} {step}"
                        );
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert_eq!(error, short.unwrap_err(), "{block} {step}");
                }
            }
        }
    }
    assert!(made > 150 && refused > 50, "{made} made, {refused} refused");
}

/// The time of operations does not depend on the number of coordinates: each of these would take minutes if it
/// did.
#[test]
fn time_does_not_depend_on_extents() {
    let strided = |letters: &str, extents: &[usize], strides: &[isize]| {
        Layout::from_strides(letters, extents, strides, ElementType::U8).unwrap()
    };
    const LONG: usize = 1 << 40;
    let stride = LONG as isize;
    // Rows of an odd length with gaps between them, counted through.
    let rows = strided("AB", &[1 << 10, LONG - 1], &[stride, 1]).merge("AB", 'X').unwrap();
    let error = rows.slice('X', 5, 7, LONG).unwrap_err().to_string();
    assert_eq!(
        error,
        "steps along axis `X` land at positions in blocks that do not repeat within 1024 coordinates; \
         take at most 1024 coordinates, write steps that divide a block or are a multiple of it, or \
         move the tensor to another format first",
    );
    assert!(rows.slice('X', 5, 7, 1000).is_ok());
    let (low, high) = (rows.slice('X', 1, 1, LONG).unwrap(), rows.slice('X', 2, 1, LONG).unwrap());
    assert!(low.same_map(&low) && !low.same_map(&high) && low.formats().count() < 9);
    let columns = strided("AB", &[LONG, 7], &[8, 1]).merge("AB", 'X').unwrap();
    let threes = columns.slice('X', 1, 6, LONG).unwrap();
    assert_eq!(threes.offset(&[LONG - 1]), columns.offset(&[1 + 6 * (LONG - 1)]));
    assert!(columns.slice('X', 1, 3, LONG).is_err());
    let both = strided("AB", &[LONG, 8], &[8, 1]).merge("AB", 'X').unwrap();
    assert!(both.is_contiguous());
    // Compositions that carry, of one axis and of two.
    assert!(algebra::compose(&rows, &strided("X", &[LONG], &[7])).is_err());
    assert!(algebra::compose(&rows, &strided("XY", &[LONG / 8, 3], &[7, LONG as isize])).is_err());
    let composed = algebra::compose(&columns, &strided("X", &[LONG], &[6])).unwrap();
    assert_eq!(composed.offset(&[LONG - 2]), columns.offset(&[6 * (LONG - 2)]));
    let outer = strided("AB", &[LONG, 8], &[9, 1]);
    for inner in [
        strided("XY", &[LONG - 8, 3], &[7, 2]),
        strided("XY", &[LONG - 8, 2], &[7, 3]),
        strided("XY", &[LONG / 2, 5], &[9, 1]),
        strided("XY", &[LONG / 2, 8], &[12, 1]),
    ] {
        let Ok(composed) = algebra::compose(&outer, &inner) else { continue };
        for (x, y) in [(0, 0), (1, 1), (LONG / 4, 1), (LONG / 2 - 1, 0)] {
            let index = inner.offset(&[x, y]);
            assert_eq!(composed.offset(&[x, y]), outer.offset(&[index / 8, index % 8]));
        }
    }
    // Elements that coordinates share, in each of many coordinates.
    let groups = strided("AB", &[LONG, 4], &[1, 0]);
    for inner in [strided("X", &[LONG], &[3]), strided("XY", &[LONG / 4, 2], &[6, 3])] {
        let _ = algebra::compose(&groups, &inner).map(|composed| composed.is_unique());
    }
    let _ = groups.merge("AB", 'X').unwrap().slice('X', 1, 3, LONG).map(|slice| slice.is_unique());
    let diagonal = columns.unsqueeze('Y', 1).unwrap();
    assert!(diagonal.diagonal('X', 'Y', 'D').is_ok());
}

/// Searches for interleaved strides and shared elements stop after a fixed number of steps.
#[test]
fn searches_end() {
    const LONG: usize = 1 << 40;
    // Eight digits with unordered strides: finding out whether coordinates share an offset takes longest.
    let extents = [4, 2, 3, 4, 3, 3, 4, 2];
    let strides = [19730, -19171, 18655, 18114, 11864, -11767, -9996, 5196];
    let refused = Layout::from_strides("ABCDEFGH", &extents, &strides, ElementType::U8);
    let text = refused.map(|layout| layout.to_string()).unwrap_or_else(|error| error.to_string());
    assert!(text.starts_with("ABCDEFGH") || text.starts_with("could not prove in 10000 steps"));
    let outer =
        with_strides("ABCDEF", &[4, 2, 3, 4, 3, 3], &[19730, 19171, 18655, 18114, 11864, 11767]);
    let outer = outer.unwrap();
    for inner in [
        with_strides("XYZ", &[215, 2, 2], &[2, 1, 0]).unwrap(),
        with_strides("XY", &[288, 3], &[1, 288]).unwrap(),
    ] {
        if let Ok(composed) = algebra::compose(&outer, &inner) {
            assert!(composed.letters() == inner.letters());
        }
    }
    // Blocks of 2^40 elements, some of which are shared, are cut, divided, multiplied and recast.
    let shared = with_strides("AB", &[LONG, 3], &[5, 0]).unwrap().merge("AB", 'X').unwrap();
    let _ = shared.slice('X', 1, 2, LONG).map(|slice| slice.is_unique());
    let row = with_strides("X", &[LONG], &[1]).unwrap();
    let tile = with_strides("T", &[LONG / 4], &[4]).unwrap();
    let tiles = algebra::zipped_divide(&row, &[('X', &tile, 'R')]).unwrap();
    assert_eq!((tiles.extents(), tiles.offset(&[LONG / 4 - 1, 3])), (&[LONG / 4, 4][..], LONG - 1));
    assert!(
        algebra::divide_axes(&row, &[('X', &with_strides("T", &[3], &[1]).unwrap(), 'R')]).is_err()
    );
    let copies = with_strides("R", &[1 << 20], &[1]).unwrap();
    assert!(
        algebra::product(&tile, &copies)
            .is_ok_and(|product| product.extents() == [LONG / 4, 1 << 20])
    );
    let words = row.recast(ElementType::F64, 'X').unwrap();
    assert_eq!((words.extents(), words.recast(ElementType::U8, 'X')), (&[LONG / 8][..], Ok(row)));
    assert!(row.slice('X', 1, 1, LONG - 1).unwrap().recast(ElementType::F64, 'X').is_err());
}
