//! Loop nests between random views, against tables of offsets.

use std::collections::BTreeSet;

use campaign::check::views::{Built, build};
use campaign::check::{bytes, read, write};
use campaign::element::Element;
use campaign::generate;
use campaign::isolation::limit;
use campaign::table::for_each_coordinate;
use tensor_layout::nests::{Boxes, Nest, Padding, Pair, move_bits, move_elements};
use tensor_layout::spec::Rule;
use tensor_layout::{Layout, LayoutError};
use test_support::Random;

/// How many random pairs.
const CASES: u64 = 700;

/// The offsets of each coordinate of the destination in the source and in the destination, and its index on
/// an axis.
fn places(from: &Built, to: &Built, axis: usize) -> BTreeSet<(usize, usize, usize)> {
    let mut all = BTreeSet::new();
    let letters = &from.table.letters;
    for_each_coordinate(&to.table.extents, |coordinate| {
        let index = |letter: &char| coordinate[to.table.axis(*letter).expect("the same axes")];
        let source: Vec<usize> = letters.iter().map(index).collect();
        let parameter = coordinate.get(axis).copied().unwrap_or(0);
        all.insert((from.table.at(&source), to.table.at(coordinate), parameter));
    });
    all
}

/// Random views of one element type, which mostly have the same axes.
fn pair(random: &mut Random, element: Element) -> Option<(Built, Built)> {
    let nothing = |_: &Built| Ok(());
    let views = random.pick(&[0, 0, 2, 4]);
    let source = generate::viewed(random, element, 120, views);
    let destination = generate::destination(random, &generate::table(&source)?, element);
    let from = build(&source, nothing).expect("a view that is not refused")?;
    Some((from, build(&destination, nothing).expect("a view that is not refused")?))
}

/// Runs `check` for random pairs of layouts with the same axes, and returns their number.
fn pairs(seed: u64, element: Element, check: impl Fn(&Built, &Built, &Pair, &mut Random)) -> usize {
    let mut made = 0;
    for number in 0..CASES {
        limit(20);
        let mut random = Random::new(seed, number);
        let Some((from, to)) = pair(&mut random, element) else { continue };
        let (mut one, mut other) = (from.table.letters.clone(), to.table.letters.clone());
        (one.sort_unstable(), other.sort_unstable());
        let extents = |letter: &char| from.table.extent(*letter) == to.table.extent(*letter);
        let goes = one == other && one.iter().all(extents) && to.table.is_unique();
        let found = Pair::new(&from.layout, &to.layout);
        assert_eq!(found.is_ok(), goes, "{} to {}: {found:?}", from.layout, to.layout);
        if let Ok(pair) = found {
            check(&from, &to, &pair, &mut random);
            made += 1;
        }
    }
    made
}

#[test]
fn elements_move_to_their_places() {
    let made = pairs(11, Element::Named("u8"), |from, to, pair, _| {
        let source: Vec<usize> = (1..=from.length).collect();
        let mut moved = vec![0; to.length];
        move_elements(pair, &source, &mut moved);
        let mut expected = vec![0; to.length];
        places(from, to, 0).iter().for_each(|&(from, to, _)| expected[to] = source[from]);
        assert_eq!(moved, expected, "{} to {}", from.layout, to.layout);
    });
    assert!(made > 400, "{made} pairs");
}

#[test]
fn elements_of_less_than_a_byte_move_to_their_places() {
    let types = [Element::Named("i4"), Element::Named("u1"), Element::HighFirst("u2")];
    for (seed, element) in (12..).zip(types) {
        let made = pairs(seed, element, |from, to, pair, random| {
            let source = bytes(random, element.bytes_of(from.length));
            let mut expected = bytes(random, element.bytes_of(to.length));
            let mut moved = expected.clone();
            move_bits(pair, &source, &mut moved);
            for (from, to, _) in places(from, to, 0) {
                write(&mut expected, element, to, &read(&source, element, from));
            }
            assert_eq!(moved, expected, "{} to {}", from.layout, to.layout);
        });
        assert!(made > 80, "{made} pairs");
    }
}

/// The boxes visit each coordinate exactly once, also in each part of an axis.
#[test]
fn boxes_visit_every_coordinate_once() {
    let made = pairs(15, Element::Named("u8"), |from, to, pair, random| {
        let rank = to.table.letters.len();
        let axis = random.below(rank.max(1));
        let visited = |pair: &Pair, parameters| {
            let mut boxes = Boxes::new(pair, parameters);
            let (mut all, mut count, mut rows) = (BTreeSet::new(), 0, 0);
            while let Some(nest) = boxes.next() {
                let mut places = nest.places();
                while let Some(place) = places.next() {
                    all.insert((place.source, place.destination, place.parameter));
                    count += 1;
                }
                let (mut list, mut own) = (nest.rows(), 0);
                while let Some(row) = list.next() {
                    (rows, own) = (rows + row.size, own + 1);
                }
                assert!(own <= nest.row_count(), "{nest:?}");
            }
            assert_eq!((count, rows), (all.len(), all.len()));
            all
        };
        let expected = places(from, to, axis);
        assert_eq!(
            visited(pair, (rank > 0).then_some(axis)),
            expected,
            "{} to {}",
            from.layout,
            to.layout
        );
        let without: BTreeSet<_> = expected.iter().map(|&(from, to, _)| (from, to, 0)).collect();
        assert_eq!(visited(pair, None), without);
        let extent = to.table.extents.get(axis).copied().unwrap_or(0);
        if extent > 1 {
            let start = random.below(extent);
            let length = random.between(1, extent - start);
            let inside =
                |place: &&(usize, usize, usize)| (start..start + length).contains(&place.2);
            let some = expected.iter().filter(inside).map(|&(from, to, _)| (from, to, 0)).collect();
            let narrowed = pair.narrowed(axis, start, length).expect("coordinates of the axis");
            assert_eq!(
                visited(&narrowed, None),
                some,
                "{} to {}, {start} {length}",
                from.layout,
                to.layout
            );
        }
    });
    assert!(made > 400, "{made} pairs");
}

/// A pair is narrowed to coordinates that it has.
#[test]
fn pairs_keep_to_their_coordinates() {
    let rows: Layout = "MK<4, 3>, u8".parse().expect("rows");
    let pair = Pair::new(&rows, &rows).expect("a pair");
    for (axis, start, length) in
        [(2, 0, 1), (usize::MAX, 0, 1), (0, 4, 1), (0, 0, 5), (1, 2, usize::MAX)]
    {
        let narrowed = pair.narrowed(axis, start, length);
        assert!(narrowed.is_err(), "{length} from {start} of axis {axis}");
    }
}

/// Filling covers all padding, and reports the number of elements.
#[test]
fn padding_is_filled() {
    let mut found = 0;
    for number in 0..3 * CASES {
        let mut random = Random::new(16, number);
        let types = ["u8", "u4", "u1"].map(Element::Named);
        let element = random.pick(&[types[0], types[1], types[2], Element::Bytes(3)]);
        let axes = generate::axes(&mut random, 60);
        let root = generate::notation(&mut random, axes, element);
        let built = build(&campaign::step::Viewed::plain(root), |_| Ok(())).expect("a layout");
        let Some(Built { layout, table, length, is_view: false, .. }) = built else { continue };
        let distinct: BTreeSet<usize> = table.offsets.iter().copied().collect();
        let per_unit = element.per_byte();
        let has_padding = length > 0 && distinct.len() < length;
        let padding = Padding::of(&layout);
        assert_eq!(padding.is_some(), has_padding, "{layout}");
        let Some(padding) = padding else { continue };
        found += 1;
        let mut units = vec![false; length.div_ceil(per_unit)];
        padding.fill(&mut units, true);
        let all = (0..length).filter(|offset| !distinct.contains(offset));
        assert!(all.into_iter().all(|offset| units[offset / per_unit]), "{layout}: {padding:?}");
        let inside = table.offsets.iter().filter(|offset| units[**offset / per_unit]).count();
        assert_eq!(padding.elements, inside, "{layout}: {padding:?}");
        assert_eq!(
            padding.is_everywhere(),
            units.iter().all(|unit| *unit),
            "{layout}: {padding:?}"
        );
    }
    assert!(found > 300, "{found} with padding");
}

/// The last blocks of one axis, or the whole buffer: distance, start, length and elements.
#[test]
fn padding_is_the_last_block_of_one_axis_or_anywhere() {
    for (text, part) in [
        ("NCHW4c<2, 6, 3, 5>, f32, pad", Some((120, 60, 60, 60))),
        ("NCHW4c<2, 3, 3, 5>, u8, pad", Some((120, 0, 120, 90))),
        ("CHWN4c<N = 5, C = 8, H = 3, W = 3>, u8, pad", None),
        ("NCHW8c<2, 8, 3, 5>, u8, pad", None),
        ("NHWC4c<N = 2, C = 6, H = 3, W = 5>, u8, pad", Some((8, 4, 4, 60))),
        ("NCHW4c4h<2, 6, 3, 5>, u8, pad", Some((320, 0, 320, 180))),
        ("NCHW4c<2, 6, 3, 5>, i4, pad", Some((120, 0, 120, 180))),
    ] {
        let layout = tensor_layout::Layout::parse(text).expect("a layout");
        let found =
            Padding::of(&layout).map(|own| (own.every.get(), own.start, own.length, own.elements));
        assert_eq!(found, part, "{layout}");
    }
}

/// The loops over three layouts visit each coordinate once in all of them.
#[test]
fn boxes_of_three_visit_every_coordinate_once() {
    let made = pairs(17, Element::Named("u8"), |from, to, _, _| {
        let layouts = [&to.layout, &from.layout, &to.layout];
        let mut boxes = Boxes::over(layouts).expect("the same axes");
        let (mut all, mut count) = (BTreeSet::new(), 0);
        while let Some(found) = boxes.next().copied() {
            let (offsets, loops) = (found.offsets(), found.levels());
            check_loops(&found);
            let swizzles = boxes.swizzles(&found);
            let steps: Vec<usize> = loops.iter().map(|own| own.size).collect();
            for_each_coordinate(&steps, |steps| {
                let offset = |i: usize| {
                    let far =
                        steps.iter().zip(loops).map(|(step, own)| *step as isize * own.strides[i]);
                    let plain = (offsets[i] as isize + far.sum::<isize>()) as usize;
                    swizzles[i].map_or(plain, |swizzle| swizzle.apply(plain))
                };
                assert_eq!(offset(0), offset(2));
                all.insert((offset(1), offset(0), 0));
                count += 1;
            });
        }
        assert_eq!(count, all.len(), "{} and {}", from.layout, to.layout);
        let expected: BTreeSet<_> =
            places(from, to, 0).iter().map(|&(a, b, _)| (a, b, 0)).collect();
        assert_eq!(all, expected, "{} and {}", from.layout, to.layout);
    });
    assert!(made > 400, "{made} pairs");
}

/// No two adjacent loops are one, and the innermost of long rows is short only if the one around it is shorter.
fn check_loops(found: &Nest<3>) {
    for (inside, own) in found.levels().iter().rev().enumerate() {
        let around = found.loop_around(inside);
        assert_eq!((around.size, around.strides), (own.size, own.strides), "{found:?}");
    }
    assert_eq!(found.loop_around(found.levels().len()).size, 1);
    for pair in found.levels().windows(2) {
        let is_one =
            (0..3).all(|i| pair[1].strides[i] * pair[1].size as isize == pair[0].strides[i]);
        assert!(!is_one, "{found:?}");
    }
    let long = found.with_long_rows();
    let sorted = |loops: &Nest<3>| {
        let mut all: Vec<_> = loops.levels().iter().map(|own| (own.size, own.strides)).collect();
        all.sort_unstable();
        all
    };
    assert_eq!((sorted(&long), long.offsets()), (sorted(found), found.offsets()));
    if let [.., outer, inner] = long.levels() {
        assert!(inner.size >= 16 || inner.size >= outer.size, "{long:?}");
        let is_long = found.levels()[found.levels().len() - 1].size >= 16;
        assert!(!is_long || format!("{long:?}") == format!("{found:?}"), "{long:?}");
    }
}

/// Whole blocks that divide one another are one nest, whatever their order.
#[test]
fn blocks_that_nest_are_one_box() {
    for number in 0..CASES {
        limit(20);
        let mut random = Random::new(18, number);
        let made = [(); 3].map(|()| {
            let mut order = vec!["A".to_string(), "B".to_string()];
            let mut weights = [1, 1];
            for _ in 0..random.below(5) {
                let (axis, size) = (random.below(2), random.pick(&[2, 4, 8]));
                if weights[axis] * size <= 64 {
                    weights[axis] *= size;
                    let letter = ["a", "b"][axis];
                    let first = ["A", "B"][axis];
                    let after = order.iter().position(|part| part == first).expect("an axis") + 1;
                    let at = random.between(after, order.len());
                    order.insert(at, format!("{size}{letter}"));
                }
            }
            if random.once_in(2) && order[0] == "A" && order[1] == "B" {
                order.swap(0, 1);
            }
            let text = format!("{}<A = 192, B = 64>, u8", order.concat());
            tensor_layout::Layout::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        let pair = Pair::new(&made[0], &made[1]).expect("a pair");
        let mut boxes = Boxes::new(&pair, None);
        assert!(boxes.next().is_some() && boxes.next().is_none(), "{} {}", made[0], made[1]);
        let mut boxes = Boxes::over([&made[0], &made[1], &made[2]]).expect("the same axes");
        let loops = boxes.next().copied().expect("a box");
        assert_eq!(boxes.next().map(|_| ()), None, "{made:?}");
        assert_eq!(loops.levels().iter().map(|own| own.size).product::<usize>(), 192 * 64);
    }
}

#[test]
fn pairs_that_do_not_go_together_say_why() {
    let layout = |text: &str| tensor_layout::Layout::parse(text).expect("a layout");
    let image = layout("NCHW<2, 3, 4, 5>, u8");
    let refused = |other: &str| {
        let LayoutError(rule) = Pair::of_equal_elements(&image, &layout(other)).unwrap_err();
        rule
    };
    assert!(matches!(refused("NCW<2, 3, 4>, u8"), Rule::RelayoutAxes { .. }));
    assert!(matches!(refused("NCHX<N = 2, C = 3, H = 4, X = 5>, u8"), Rule::RelayoutAxes { .. }));
    assert!(matches!(
        refused("NCHW<2, 3, 4, 6>, u8"),
        Rule::RelayoutExtent { letter: 'W', source: 5, destination: 6, permuted: false }
    ));
    assert!(matches!(refused("NCHW<2, 3, 4, 5>, i8"), Rule::RelayoutElement { .. }));
    assert!(matches!(refused("NCHW<2, 3, 4, 5>, u8, broadcast(N)"), Rule::RelayoutOverlap));
    assert!(
        Pair::of_equal_elements(&image, &layout("NHWC<N = 2, C = 3, H = 4, W = 5>, u8")).is_ok()
    );
}

/// Blocks of the two sides that do not divide each other are named.
#[test]
fn unlike_blocks_are_named() {
    let layout = |text: &str| tensor_layout::Layout::parse(text).expect("a layout");
    let unlike = |from: &str, to: &str| {
        let (from, to) = (layout(from), layout(to));
        let pair = Pair::new(&from, &to).expect("a pair");
        Boxes::new(&pair, None).unlike_blocks()
    };
    assert_eq!(unlike("NC4c<2, 24>, u8", "NC8c<2, 24>, u8"), None);
    assert_eq!(unlike("NC4c<2, 24>, u8", "NC6c<2, 24>, u8"), Some(('C', [4, 6])));
    assert_eq!(unlike("NC<2, 24>, u8", "NC6c<2, 24>, u8"), None);
}

/// The loops have the order of most of the layouts, or of the last one if two orders are equally frequent.
#[test]
fn loops_nest_as_most_layouts_do() {
    let layout = |text: &str| tensor_layout::Layout::parse(text).expect("a layout");
    let (rows, columns) =
        (layout("NC<40, 30>, u8"), layout("CN<N = 40, C = 30>, u8, coordinates(N, C)"));
    let shared = layout("NC<40, 30>, u8, broadcast(C)");
    let innermost = |layouts: [&tensor_layout::Layout; 3]| {
        let mut boxes = Boxes::over(layouts).expect("the same axes");
        let loops = boxes.next().copied().expect("a box");
        loops.levels().last().expect("a loop").strides
    };
    assert_eq!(innermost([&rows, &rows, &columns]), [1, 1, 40]);
    assert_eq!(innermost([&columns, &columns, &rows]), [1, 1, 30]);
    assert_eq!(innermost([&rows, &columns, &columns]), [30, 1, 1]);
    // Layouts that stay where they are have no say.
    assert_eq!(innermost([&shared, &rows, &columns]), [1, 30, 1]);
    assert_eq!(innermost([&shared, &columns, &rows]), [0, 40, 1]);
}

/// More steps than a number counts are those of several loops.
#[test]
fn loops_are_joined_as_far_as_numbers_go() {
    let layout =
        tensor_layout::Layout::parse("NCH<4294967296, 4294967296, 8>, u8, broadcast(N, C)");
    let layout = layout.expect("a layout");
    let mut boxes = Boxes::over([&layout, &layout]).expect("the same axes");
    let loops = boxes.next().copied().expect("a box");
    let sizes: Vec<usize> = loops.levels().iter().map(|own| own.size).collect();
    assert_eq!(sizes.iter().map(|size| *size as u128).product::<u128>(), 8 << 64, "{sizes:?}");
}

/// Layouts that begin inside of a block at one place are cut at its ends only, not at the end of each block.
#[test]
fn views_that_begin_alike_have_few_boxes() {
    let boxes = |layouts: [&tensor_layout::Layout; 2]| {
        let mut boxes = Boxes::over(layouts).expect("the same axes");
        std::iter::from_fn(|| boxes.next().copied()).count()
    };
    let view =
        |text: &str| tensor_layout::Layout::parse(text).expect("a layout").slice('C', 1, 1, 20);
    let blocked = view("NCH4c<N = 2, C = 24, H = 3>, u8").expect("a view");
    let twice = view("CH2cN2c<N = 2, C = 24, H = 3>, u8, coordinates(N, C, H)").expect("a view");
    assert_eq!(boxes([&blocked, &blocked]), 3);
    assert_eq!(boxes([&blocked, &twice]), 4);
}

/// Layouts of one swizzle that are visited whole and in order are moved as if they had none.
#[test]
fn swizzles_that_all_have_are_left_out_of_whole_moves() {
    let layout = |text: &str| tensor_layout::Layout::parse(text).expect("a layout");
    let rows = layout("MK<16, 64>, f16, swizzle(3, 3, 3)");
    let other = layout("MK<16, 64>, f16, swizzle(2, 3, 3)");
    let plain = layout("MK<16, 64>, f16");
    let columns = layout("KM<M = 16, K = 64>, f16, swizzle(3, 3, 3), coordinates(M, K)");
    let found = |layouts: [&tensor_layout::Layout; 2]| {
        let mut boxes = Boxes::over(layouts).expect("the same axes");
        let loops = boxes.next().copied().expect("a box");
        boxes.swizzles(&loops)
    };
    assert_eq!(found([&rows, &rows]), [None; 2]);
    for (one, two) in [(&rows, &rows), (&rows, &plain), (&plain, &rows), (&plain, &plain)] {
        let pair = Pair::new(one, two).expect("a pair");
        assert_eq!(pair.is_swizzled(), one.swizzle().or(two.swizzle()).is_some(), "{one} {two}");
    }
    for other in [&other, &plain, &columns] {
        assert_eq!(found([&rows, other]), [rows.swizzle(), other.swizzle()], "{other}");
        assert_eq!(found([other, &rows]), [other.swizzle(), rows.swizzle()], "{other}");
    }
    for (axis, start, step, length) in
        [('M', 0, 1, 8), ('M', 8, 1, 8), ('M', 0, 2, 8), ('K', 0, 2, 32), ('K', 0, 1, 1)]
    {
        let part = rows.slice(axis, start, step, length).expect("a slice");
        assert_eq!(found([&part, &part]), [rows.swizzle(); 2], "{part}");
    }
}
