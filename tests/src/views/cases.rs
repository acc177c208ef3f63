//! Views written down one by one: what they print, share and overlap, and reshapes that numpy knows.

use std::collections::HashSet;

use tensor_layout::{ElementType, Layout, Plan};

use super::random::coordinates;
use crate::support::oracle::expressible;

/// A layout of this format.
fn layout(format: &str, extents: &[usize]) -> Layout {
    Layout::of(format, extents, ElementType::F32).unwrap()
}

#[test]
fn views_print_where_they_lie() {
    let act = layout("NCHW4", &[2, 8, 3, 3]);
    for (view, text) in [
        (
            act.permute("NHWC"),
            "NCHW4c<N = 2, H = 3, W = 3, C = 8>, f32, strides = [72, 36, 12, 4, 1], coordinates(N, H, W, C)",
        ),
        (act.index('N', 1), "CHW4c<8, 3, 3>, f32, strides = [36, 12, 4, 1], from 72 of 144"),
        (act.index('C', 5), "NHW<2, 3, 3>, f32, strides = [72, 12, 4], from 37 of 144"),
        (act.flip('H'), "NCHW4c<2, 8, 3, 3>, f32, strides = [72, 36, -12, 4, 1]"),
        (
            act.slice('C', 3, 1, 4),
            "NCHW4c<2, 4, 3, 3>, f32, strides = [72, 36, 12, 4, 1], C from 3, from 3 of 144",
        ),
        (
            act.slice('W', 0, 1, 0),
            "NCHW4c<2, 8, 3, 0>, f32, strides = [72, 36, 12, 4, 1], from 0 of 144",
        ),
        (layout("MK", &[1, 4]).broadcast('M', 9), "MK<9, 4>, f32, strides = [0, 1], broadcast(M)"),
    ] {
        let view = view.unwrap();
        assert_eq!(view.to_string(), text);
    }
}

/// Digits of ragged axes that differ by multiples of one another, and layouts without elements.
#[test]
fn ragged_and_empty_views_are_read_as_themselves() {
    let of = |text: &str| text.parse::<Layout>().unwrap_or_else(|error| panic!("{text}: {error}"));
    let raked = tensor_layout::algebra::raked_product(
        &of("NCM<N = 12, C = 2, M = 6>, u8, strides = [14, 168, 336]"),
        &of("UVW<U = 2, V = 7, W = 6>, u8, strides = [1, 10, 70]"),
    );
    for view in [
        of("BP5s2uUS5u/2<S = 15, P = 7, B = 12, U = 10>, f32").slice('S', 13, -3, 5),
        of("5bWBP2wH4wL<P = 2, H = 12, W = 16, B = 80, L = 7>, u8, pad").diagonal('H', 'W', 'C'),
        of("B<1048576>, bool, lanes(B, 64, start = 47)").tile('B', &[('U', 8), ('A', 131072)]),
        raked,
        of("Q<0>, u8, broadcast(Q)").recast(ElementType::U1, 'Q'),
        of("OC<C = 0, O = 0>, u2, pad").recast(ElementType::U1, 'O'),
        of("KI<I = 2305843009213693949, K = 0>, f64, pad")
            .recast(ElementType::U8, 'K')
            .and_then(|bytes| bytes.within(8, 647)),
    ] {
        let view = view.unwrap();
        let text = view.to_string();
        assert_eq!(of(&text), view, "{text}");
    }
    // The start of a view without elements can be any number.
    of("KN<K = 0, N = 2>, u8, strides = [1, 1], from -9223372036854775808 of 0");
    // Tiles have more digits than their axis, and the search for shared offsets takes more steps.
    let rows = of("HCDNMWKO<H = 4, C = 5, D = 5, N = 16, M = 1, W = 7, K = 7, O = 3>, u8, \
         strides = [-636480, 2652, 746625, 39780, 6, 657337, 660122, 884]");
    let tiles = rows.tile('N', &[('Z', 8), ('V', 2)]).unwrap();
    assert_eq!(of(&tiles.to_string()), tiles);
}

/// Slices of an axis that is partly broadcast. Every result knows which elements it shares, and an error means that
/// no layout exists.
#[test]
fn slices_of_repeated_elements_know_what_they_share() {
    let (mut made, mut refused) = (0, 0);
    for (count, repeats) in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (5, 2), (6, 3)] {
        let row = layout("M", &[count]).unsqueeze('B', 0).unwrap();
        let rows = row.broadcast('B', repeats).unwrap();
        for order in ["BM", "MB"] {
            let all = rows.merge(order, 'X').unwrap();
            let extent = count * repeats;
            for start in 0..extent {
                for step in (1..extent as isize).flat_map(|step| [step, -step]) {
                    for length in 2..=extent {
                        let last = start as isize + (length as isize - 1) * step;
                        if !(0..extent as isize).contains(&last) {
                            break;
                        }
                        let offsets: Vec<usize> = (0..length as isize)
                            .map(|i| all.offset(&[(start as isize + i * step) as usize]))
                            .collect();
                        let Ok(slice) = all.slice('X', start, step, length) else {
                            assert!(
                                !expressible::is_a_layout(&[length], &offsets, true),
                                "{offsets:?}"
                            );
                            refused += 1;
                            continue;
                        };
                        made += 1;
                        assert!((0..length).map(|i| slice.offset(&[i])).eq(offsets.clone()));
                        let distinct = offsets.iter().collect::<HashSet<_>>().len();
                        assert_eq!(slice.is_unique(), distinct == length, "{slice}: {offsets:?}");
                        for (i, offset) in offsets.iter().enumerate() {
                            let found = slice.coordinate(*offset).unwrap()[0];
                            assert!(found <= i && offsets[found] == *offset, "{slice}: {i}");
                        }
                        check_tiles(&slice, &offsets);
                    }
                }
            }
        }
    }
    assert!(made > 500 && refused > 50, "{made} made, {refused} refused");
}

/// Every cut of the only axis in two: the tiles are unique if the offsets are, or the cut is an error.
fn check_tiles(axis: &Layout, offsets: &[usize]) {
    let distinct = offsets.iter().collect::<HashSet<_>>().len();
    for inner in (1..=offsets.len()).filter(|inner| offsets.len() % inner == 0) {
        let tiles = [('A', offsets.len() / inner), ('B', inner)];
        for tiled in [axis.tile('X', &tiles), axis.reshape(&tiles)].into_iter().flatten() {
            let at = |i: usize| tiled.offset(&[i / inner, i % inner]);
            assert!((0..offsets.len()).map(at).eq(offsets.iter().copied()), "{tiled}");
            assert_eq!(tiled.is_unique(), distinct == offsets.len(), "{tiled}: {offsets:?}");
        }
    }
}

/// Offsets 0 1 1 2 in tiles of two are 0 1 and 1 2. Neither tile is broadcast, and the two share an element, so
/// no digits can describe them, and nothing can be moved to them.
#[test]
fn tiles_of_repeated_elements_do_not_overlap_unnoticed() {
    let pairs = Layout::from_strides("WR", &[3, 2], &[1, 0], ElementType::I8).unwrap();
    let some = pairs.merge("WR", 'P').unwrap().slice('P', 1, 1, 4).unwrap();
    let tiles = [('A', 2), ('B', 2)];
    assert_eq!(
        some.tile('P', &tiles).unwrap_err().to_string(),
        "axis `P` starts at position 1 in a block of 2, where no tile of 2 starts; slice axis `P` from 1, or move the tensor to another format first",
    );
    assert!(some.reshape(&tiles).is_err());
    let dense = Layout::from_strides("P", &[4], &[1], ElementType::I8).unwrap();
    let error = Plan::new(&dense, &some).unwrap_err().to_string();
    assert!(error.contains("share"), "{error}");
}

/// Heads of keys that several heads of queries share, from the middle of one group to that of
/// another.
#[test]
fn repeated_heads_are_sliced_anywhere() {
    let named = Layout::builder("BSHD", ElementType::F32).coordinates("BHSD").named_extents(&[
        ('B', 1),
        ('H', 2),
        ('S', 3),
        ('D', 4),
    ]);
    let keys = named.unwrap();
    let grouped = keys.unsqueeze('G', 2).unwrap().broadcast('G', 4).unwrap();
    let queries = grouped.merge("HG", 'Q').unwrap();
    assert_eq!(queries.letters().position('Q'), Some(1));
    let some = queries.slice('Q', 2, 1, 5).unwrap();
    assert_eq!(
        some.to_string(),
        "BSQD4q<B = 1, Q = 5, S = 3, D = 4>, f32, strides = [24, 8, 4, 1, 0], coordinates(B, Q, S, D), Q from 2",
    );
    let dense = some.in_format("BQSD").unwrap();
    let buffer: Vec<f32> = (0..keys.len()).map(|i| i as f32).collect();
    let mut moved = vec![0.0; dense.len()];
    Plan::new(&some, &dense).unwrap().run(&buffer, &mut moved).unwrap();
    for c in coordinates(&dense) {
        let [_, q, s, d] = c[..] else { panic!() };
        let head = (q + 2) / 4;
        assert_eq!(moved[dense.offset(&c)], buffer[keys.offset(&[0, head, s, d])], "{c:?}");
    }
    // One head twice: three coordinates of two groups.
    let three = queries.slice('Q', 3, 1, 3).unwrap();
    assert!(!three.is_unique() && queries.slice('Q', 3, 1, 2).unwrap().is_unique());
    assert_eq!(three.flip('Q').unwrap().slice('Q', 1, 1, 2).unwrap().strides().unwrap()[1], -4);
    assert_eq!(queries.slice('Q', 2, 4, 2).unwrap().strides().unwrap()[1], 4);
    let error = queries.slice('Q', 0, 3, 3).map(|slice| slice.offset(&[0, 1, 0, 0]));
    assert_eq!(error, Ok(0), "heads 0, 0 and 1");
}

/// An array with a new axis is that array, as numpy has it.
#[test]
fn a_new_axis_lies_between_its_neighbours() {
    let sizes =
        |layout: &Layout| layout.digits().iter().map(|digit| digit.size).collect::<Vec<_>>();
    let matrix = layout("MK", &[4, 8]);
    for (position, shape) in [(0, [1, 4, 8]), (1, [4, 1, 8]), (2, [4, 8, 1])] {
        let view = matrix.unsqueeze('B', position).unwrap();
        assert_eq!(sizes(&view), shape, "{view}");
    }
    let image = layout("NCHW", &[1, 2, 3, 5]);
    let again = image.index('N', 0).unwrap().unsqueeze('N', 0).unwrap();
    assert_eq!(sizes(&again), [1, 2, 3, 5], "{again}");
    assert!(again.matches("NCHW"));
}

/// A layout that numpy reshapes without a copy has one stride for each axis here too, and no other layout has.
/// `files/make.py` records numpy's results.
#[test]
fn reshapes_are_those_of_numpy() {
    let numbers = |column: &str| -> Vec<isize> {
        column.split_whitespace().map(|number| number.parse().unwrap()).collect()
    };
    let sizes = |column: &str| -> Vec<usize> {
        numbers(column).into_iter().map(|size| size.try_into().unwrap()).collect()
    };
    let (mut views, mut copies) = (0, 0);
    for line in include_str!("../../files/reshapes.csv").lines() {
        let [shape, strides, new, found] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (shape, new) = (sizes(shape), sizes(new));
        let letters: String = ('A'..).take(shape.len()).collect();
        let layout =
            Layout::from_strides(&letters, &shape, &numbers(strides), ElementType::U8).unwrap();
        let axes: Vec<(char, usize)> = ('P'..).zip(new.iter().copied()).collect();
        let reshaped = layout.reshape(&axes);
        if shape.len() == 1 {
            assert_eq!(layout.tile('A', &axes), reshaped, "{line}");
        }
        if found == "-" {
            let is_strided = reshaped.is_ok_and(|layout| layout.strides().is_some());
            assert!(!is_strided, "{line}");
            copies += 1;
            continue;
        }
        let reshaped = reshaped.unwrap();
        let own = reshaped.strides().unwrap_or_else(|| panic!("{line}: {reshaped}"));
        assert_eq!(reshaped.extents(), new, "{line}");
        for (axis, stride) in numbers(found).into_iter().enumerate() {
            assert!(
                new[axis] < 2 || reshaped.numel() == 0 || own[axis] == stride,
                "{line}: {own:?}"
            );
        }
        // What is an array of its shape is one of the new shape, as a file will say.
        let listed = |layout: &Layout| -> Vec<usize> {
            layout.digits().iter().map(|digit| digit.size).collect()
        };
        if layout.is_contiguous() && listed(&layout) == shape {
            assert_eq!(listed(&reshaped), new, "{line}: {reshaped}");
        }
        views += 1;
    }
    assert!(views > 500 && copies > 100, "{views} views, {copies} copies");
}

/// Axes that keep their extents are not joined with others, which one that ends inside a block cannot be.
#[test]
fn axes_that_stay_need_no_merge() {
    let padded = Layout::parse("NCH4c<N = 2, C = 6, H = 3>, u8, pad").unwrap();
    let renamed = padded.reshape(&[('A', 2), ('B', 6), ('D', 3)]).unwrap();
    for (n, c, h) in (0..2).flat_map(|n| (0..18).map(move |i| (n, i / 3, i % 3))) {
        assert_eq!(renamed.offset(&[n, c, h]), padded.offset(&[n, c, h]));
    }
    assert!(padded.reshape(&[('A', 12), ('D', 3)]).is_err());
}

/// An axis that begins and ends in the middle of a block is the same as one of whole blocks that are written so.
#[test]
fn halves_of_blocks_are_blocks() {
    let blocks = Layout::of("AB4a", &[16, 25], ElementType::U8).unwrap().index('B', 0).unwrap();
    let halves = blocks.slice('A', 2, 1, 8).unwrap();
    let offsets: Vec<usize> = (0..8).map(|a| halves.offset(&[a])).collect();
    assert_eq!(offsets, [2, 3, 100, 101, 102, 103, 200, 201]);
    let written = Layout::from_strides("XYZ", &[2, 2, 2], &[100, 98, 1], ElementType::U8).unwrap();
    let written = written.merge("XYZ", 'A').unwrap().within(2, 400).unwrap();
    assert!(written.same_map(&halves) && halves.same_map(&written), "{halves} and {written}");
    // So that nothing begins inside of a block.
    assert!(halves.digits().iter().all(|digit| digit.shift == 0), "{halves}");
}

/// Five steps of two blocks each, which begin inside a block: blocks of 3 go on from one step to the next.
#[test]
fn blocks_that_go_on_from_step_to_step_are_one_axis() {
    let text = "3cAC<A = 5, C = 6>, i8, strides = [-114, 24, 12], C from 1, from 120 of 360";
    let layout: Layout = text.parse().unwrap();
    let tiles = layout.reshape(&[('P', 10), ('Q', 3)]).unwrap();
    let merged = layout.merge("AC", 'M').unwrap();
    for i in 0..30 {
        let offset = layout.offset(&[i / 6, i % 6]);
        assert_eq!((merged.offset(&[i]), tiles.offset(&[i / 3, i % 3])), (offset, offset));
    }
    // Steps of another distance end inside a block.
    let apart: Layout = text.replace("24", "1000").replace("360", "5000").parse().unwrap();
    assert!(apart.merge("AC", 'M').is_err());
}
