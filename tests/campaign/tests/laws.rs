//! Laws of operations that take two layouts or a format, by trying all coordinates.

use campaign::element::Element;
use campaign::generate;
use campaign::isolation::limit;
use campaign::library;
use campaign::memory::Memory;
use campaign::notation::{Notation, Part};
use campaign::step::Step;
use campaign::table::{Table, for_each_coordinate, position};
use test_support::Random;

const BYTE: Element = Element::Named("u8");

/// A small tile: axes whose strides nest with gaps, some reversed in order.
fn tile(random: &mut Random) -> Notation {
    let (mut axes, mut strides, mut next) = (Vec::new(), Vec::new(), random.pick(&[1, 1, 2, 3]));
    for letter in ['S', 'T'].into_iter().take(random.between(1, 2)) {
        let extent = random.between(1, 4);
        axes.push((letter, extent));
        strides.push(next as isize);
        next *= extent * random.between(1, 2);
    }
    if random.once_in(2) {
        axes.reverse();
        strides.reverse();
    }
    Notation { strides: Some(strides), ..Notation::dense(axes, BYTE) }
}

/// The table of a layout as the library answers.
fn answered(layout: &library::Layout) -> Table {
    let facts = library::facts(layout);
    Table::from_fn(facts.letters, facts.extents, |coordinate| library::offset(layout, coordinate))
}

/// A tile and its complement hold every offset below the count once.
#[test]
fn complements_fill_the_gaps_of_tiles() {
    let mut made = 0;
    for number in 0..2000 {
        limit(20);
        let mut random = Random::new(3, number);
        let notation = tile(&mut random);
        let count = random.pick(&[1, 2, 4, 6, 8, 12, 16, 24, 36, 48]);
        let tile = Memory::new(&notation).expect("small").table;
        let layout = library::layout(&notation).expect("strides that nest");
        let Ok(rest) = library::complement(&layout, count, 'R') else { continue };
        made += 1;
        let rest = answered(&rest);
        let sums = tile.offsets.iter().flat_map(|a| rest.offsets.iter().map(move |b| a + b));
        let mut sums: Vec<usize> = sums.collect();
        sums.sort_unstable();
        assert!(sums.into_iter().eq(0..count), "{notation} in {count}: {rest:?}");
    }
    assert!(made > 300, "{made} complements");
}

/// Dense tiles that divide the count have a complement.
#[test]
fn dense_tiles_have_complements() {
    for extent in 1..=8 {
        for times in 1..=5 {
            let notation = Notation::dense(vec![('T', extent)], BYTE);
            let layout = library::layout(&notation).expect("one axis");
            let rest = library::complement(&layout, extent * times, 'R').expect("a multiple");
            let expected: Vec<usize> = (0..times).map(|i| i * extent).collect();
            assert_eq!(answered(&rest).offsets, expected);
            assert!(extent == 1 || library::complement(&layout, extent * times + 1, 'R').is_err());
        }
    }
}

/// Tiles and what counts them hold the elements of the layout that a tile and its complement number.
#[test]
fn divisions_have_the_elements_of_tiles() {
    let mut made = 0;
    for number in 0..1500 {
        limit(20);
        let mut random = Random::new(4, number);
        let axes = vec![('A', random.pick(&[2, 4, 6, 12])), ('B', random.pick(&[1, 2, 3, 4]))];
        let mut root = Notation::dense(axes, BYTE);
        random.shuffle(&mut root.order);
        let notation = tile(&mut random);
        let layout = library::layout(&root).expect("two axes");
        let inner = library::layout(&notation).expect("strides that nest");
        let Ok(divided) = library::divide(&layout, &inner, 'R') else { continue };
        made += 1;
        let whole = Memory::new(&root).expect("small").table;
        let tile = Memory::new(&notation).expect("small").table;
        let rest = answered(&library::complement(&inner, whole.count(), 'R').expect("it divides"));
        let found = answered(&divided);
        for_each_coordinate(&found.extents, |coordinate| {
            let (last, first) = coordinate.split_last().expect("the axis that counts");
            let number = tile.offsets[position(&tile.extents, first)] + rest.offsets[*last];
            assert_eq!(found.at(coordinate), whole.offsets[number], "{root} by {notation}");
        });
    }
    assert!(made > 100, "{made} divisions");
}

/// A layout matches a format exactly where the format's own table is the same but for its beginning.
#[test]
fn formats_match_by_their_tables() {
    let mut matched = 0;
    for number in 0..1500 {
        limit(20);
        let mut random = Random::new(5, number);
        let count = random.between(1, 3);
        let axes: Vec<(char, usize)> = ['A', 'B', 'C']
            .into_iter()
            .take(count)
            .map(|letter| (letter, random.pick(&[1, 2, 3, 4, 8])))
            .collect();
        let own = generate::notation(&mut random, axes.clone(), BYTE);
        let (Some(memory), Ok(layout)) = (Memory::new(&own), library::layout(&own)) else {
            continue;
        };
        let mut other = Notation { pad: Some(0), ..Notation::dense(axes.clone(), BYTE) };
        random.shuffle(&mut other.order);
        if random.once_in(2) {
            let (letter, _) = random.pick(&axes);
            other.order.push(Part::Block(letter, random.pick(&[2, 4])));
        }
        if random.once_in(3) {
            other.order.clone_from(&own.order);
        }
        let dense = Memory::new(&other).expect("small").table.offsets;
        let first = memory.table.offsets[0];
        let same =
            memory.table.offsets.iter().zip(&dense).all(|(own, dense)| *own == first + dense);
        assert_eq!(
            library::matches(&layout, &other.format()),
            Some(same),
            "{own} in {}",
            other.format()
        );
        matched += usize::from(same);
        let listed = library::formats(&layout);
        let is_order = !other.order.iter().any(|part| !matches!(part, Part::Axis(_)));
        assert!(
            !same || !is_order || listed.contains(&other.format()),
            "{own} does not list {}",
            other.format()
        );
        for listed in listed {
            assert_eq!(library::matches(&layout, &listed), Some(true), "{own} lists {listed}");
        }
    }
    assert!(matched > 100, "{matched} matches");
}

/// Two layouts are the same map exactly where every coordinate has the same offset.
#[test]
fn maps_are_compared_by_their_offsets() {
    let (mut same, mut other) = (0, 0);
    for number in 0..3000 {
        limit(20);
        let mut random = Random::new(6, number);
        let count = random.between(1, 3);
        let mut axes: Vec<(char, usize)> = ['A', 'B', 'C']
            .into_iter()
            .take(count)
            .map(|letter| (letter, random.pick(&[1, 2, 2, 4])))
            .collect();
        let one = generate::notation(&mut random, axes.clone(), BYTE);
        random.shuffle(&mut axes);
        let two = match random.once_in(2) {
            true => generate::notation(&mut random, axes, BYTE),
            false => Notation { axes, strides: None, ..one.clone() },
        };
        let (Ok(a), Ok(b)) = (library::layout(&one), library::layout(&two)) else { continue };
        let (one_table, two_table) =
            (Memory::new(&one).expect("small").table, Memory::new(&two).expect("small").table);
        let mut equal = true;
        for_each_coordinate(&one_table.extents, |coordinate| {
            let index = |letter: &char| coordinate[one_table.axis(*letter).expect("the same axes")];
            let moved: Vec<usize> = two_table.letters.iter().map(index).collect();
            equal &= one_table.at(coordinate) == two_table.at(&moved);
        });
        // Of two swizzles, one that changes none of the offsets is another.
        let found = library::is_same_map(&a, &b);
        let unlike = one.swizzle != two.swizzle && !found;
        assert!(found == equal || unlike, "{one} and {two}: {found}");
        same += usize::from(equal);
        other += usize::from(!equal);
    }
    assert!(same > 200 && other > 200, "{same} the same, {other} not");
}

/// A dense layout matches the format of its own order alone, where no axis has one coordinate.
#[test]
fn orders_are_compared_by_their_letters() {
    let orders = ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"];
    for (one, two) in orders.into_iter().flat_map(|one| orders.map(|two| (one, two))) {
        let axes = ['A', 'B', 'C'].into_iter().zip([2, 3, 4]).collect();
        let order = one.chars().map(Part::Axis).collect();
        let notation = Notation { order, ..Notation::dense(axes, BYTE) };
        let layout = library::layout(&notation).expect("a dense layout");
        assert_eq!(library::matches(&layout, two), Some(one == two), "{one} and {two}");
    }
}

/// A slice that starts after the end of the axis is an error, whatever its step and its length.
#[test]
fn slices_from_anywhere_are_refused_or_made() {
    let numbers = [0, 1, 2, 4, 5, usize::MAX / 2, usize::MAX - 1, usize::MAX];
    let steps = [1, -1, 2, isize::MAX, -isize::MAX, isize::MIN];
    for (extent, start, step, length) in [0, 1, 5].into_iter().flat_map(|extent| {
        let starts = numbers.into_iter().flat_map(move |start| steps.map(|step| (start, step)));
        starts.flat_map(move |(start, step)| numbers.map(|length| (extent, start, step, length)))
    }) {
        let layout = library::layout(&Notation::dense(vec![('A', extent)], BYTE)).expect("small");
        let far = (length as i128 - 1) * step as i128 + start as i128;
        let inside = |at: i128| (0..extent as i128).contains(&at);
        let fits = if length == 0 { start <= extent } else { inside(start as i128) && inside(far) };
        let made = library::step(&layout, &Step::Slice { axis: 'A', start, step, length });
        assert_eq!(made.is_ok(), fits, "{extent} {start} {step} {length}");
    }
}

/// Rows of lanes, counted from where each coordinate is.
#[test]
fn rows_of_lanes_are_counted() {
    for (lanes, extent) in (1..=5).flat_map(|lanes| (1..=12).map(move |extent| (lanes, extent))) {
        for start in 0..lanes {
            let dense = Notation::dense(vec![('A', extent), ('B', 3)], BYTE);
            let notation = Notation { lanes: Some(('A', lanes, start)), ..dense };
            let layout = library::layout(&notation).expect("lanes");
            let used: Vec<usize> = (0..extent)
                .map(|row| library::place(&layout, &[row, 0]).expect("a row").0)
                .collect();
            assert!(
                used.iter().enumerate().all(|(row, lane)| *lane == (start + row) % lanes),
                "{notation}"
            );
            let most = (start + extent).div_ceil(lanes);
            for lane in 0..lanes {
                let own = used.iter().filter(|used| **used == lane).count();
                assert_eq!(
                    library::rows(&layout, lane),
                    (own, most, start % lanes),
                    "{notation}, {lane}"
                );
            }
            assert_eq!(library::lanes_used(&layout), (start, lanes.min(extent)), "{notation}");
        }
    }
}
