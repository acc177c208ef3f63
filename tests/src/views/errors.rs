//! What errors of views say, and that following those of slices, tiles and reshapes helps.

use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError};

fn layout(format: &str, extents: &[usize]) -> Layout {
    Layout::of(format, extents, ElementType::F32).unwrap()
}

/// The number that follows `before` in a message.
fn number(message: &str, before: &str) -> Option<usize> {
    let rest = &message[message.find(before)? + before.len()..];
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// What is refused, and the whole text of the error.
fn check(cases: &[(Result<Layout, LayoutError>, &str)]) {
    for (found, text) in cases {
        assert_eq!(found.unwrap_err().to_string(), *text);
    }
}

#[test]
fn what_is_not_a_view_says_why() {
    let act = layout("NCHW4", &[2, 64, 5, 3]);
    let eights = layout("NCHW8", &[2, 64, 5, 3]);
    let twice = layout("CW8cH2c", &[96, 2, 3]);
    check(&[
        (act.slice('X', 0, 1, 1), "layout has no axis `X`; write one of N, C, H, W"),
        (
            act.slice('4', 0, 1, 1),
            "layout has no axis at position 4; write 0 to 3, or one of N, C, H, W",
        ),
        (
            act.slice('H', 3, 1, 3),
            "slice of 3 coordinates from 3 in steps of 1 is out of bounds for axis `H` of extent 5; take at most 2",
        ),
        (
            act.slice('H', 3, -2, 3),
            "slice of 3 coordinates from 3 in steps of -2 is out of bounds for axis `H` of extent 5; take at most 2",
        ),
        (
            act.slice('H', 5, 1, 1),
            "slice of 1 coordinate from 5 in steps of 1 is out of bounds for axis `H` of extent 5; start below 5",
        ),
        (
            act.slice('H', 1, isize::MAX, usize::MAX),
            "slice of 18446744073709551615 coordinates from 1 in steps of 9223372036854775807 is out of bounds for axis `H` of extent 5; take at most 1",
        ),
        (
            act.slice('H', usize::MAX, -1, 0),
            "slice of 0 coordinates from 18446744073709551615 in steps of -1 is out of bounds for axis `H` of extent 5; start below 5",
        ),
        (
            act.slice('H', 0, 0, 1),
            "slice of axis `H` has step 0; write another step, or use `index`, `unsqueeze` and `broadcast` to repeat one coordinate",
        ),
        (
            eights.slice('C', 0, 3, 9),
            "axis `C` has blocks of 8, and steps of 3 land at different positions in each block; write a step that divides the block or is a multiple of it, or move the tensor to another format first",
        ),
        (act.index('H', 5), "coordinate 5 is out of bounds for axis `H` of extent 5; write 0 to 4"),
        (
            act.split('H', 6).map(|halves| halves.0),
            "split at 6 is out of bounds for axis `H` of extent 5; write 0 to 5",
        ),
        (act.permute("NCH"), "axis `W` is missing; name every axis once"),
        (act.permute("NCHWW"), "axis `W` is given twice; keep one"),
        (act.permute("NCHé"), "layout has no axis `NCHé`; write one of N, C, H, W"),
        (act.permute("NCHD"), "layout has no axis `D`; write one of N, C, H, W"),
        (
            twice.slice('C', 0, 3, 16),
            "axis `C` has blocks of 2, and steps of 3 land at different positions in each block; write a step that divides the block or is a multiple of it, or move the tensor to another format first",
        ),
        (
            twice.slice('C', 0, 10, 9),
            "axis `C` has blocks of 16, and steps of 10 land at different positions in each block; write a step that divides the block or is a multiple of it, or move the tensor to another format first",
        ),
    ]);
    // Steps of 3 that take three coordinates of every block are allowed.
    assert!(eights.slice('C', 0, 3, 3).is_ok() && eights.slice('C', 2, 3, 8).is_ok());
}

#[test]
fn what_does_not_tile_merge_or_reshape_says_why() {
    let act = layout("NCHW4", &[2, 64, 5, 3]);
    let partial = act.slice('C', 2, 1, 9).unwrap();
    let twice = layout("CW8cH2c", &[96, 2, 3]);
    let odd = layout("CW4c", &[12, 3]).index('W', 0).unwrap().slice('C', 3, 1, 8).unwrap();
    check(&[
        (
            act.tile('H', &[('H', 2), ('T', 3)]),
            "axis `H` has extent 5 but the tiles hold 6 coordinates; write extents whose product is 5",
        ),
        (
            act.tile('H', &[('H', 5), ('W', 1)]),
            "axis `W` already exists; give the new axis another letter",
        ),
        (
            act.tile('H', &[('H', 5), ('é', 1)]),
            "axis `é` is not an upper-case ASCII letter; name axes A to Z",
        ),
        (
            act.tile('H', &[('H', usize::MAX), ('T', 3)]),
            "axis `H` has extent 5 but the tiles hold more coordinates than `usize` can count; write extents whose product is 5",
        ),
        (
            partial.tile('C', &[('C', 3), ('T', 3)]),
            "axis `C` has blocks of 4, which tiles of 3 would cut; write tiles that divide the block or are a multiple of it, or move the tensor to another format first",
        ),
        (
            partial.merge("HC", 'P'),
            "axis `C` of extent 9 starts or ends inside a block of 4, so it can only be the slowest of the merged axes; name it first, slice it to whole blocks, or move the tensor to another format first",
        ),
        (act.merge("", 'P'), "no axis is given; name the axes to merge, slowest first"),
        (act.merge("HW", 'C'), "axis `C` already exists; give the new axis another letter"),
        (
            act.reshape(&[('A', 2), ('B', 7)]),
            "layout has 1920 coordinates but the new extents hold 14; write extents whose product is 1920",
        ),
        (
            act.index('N', 0).unwrap().reshape(&[('X', 80), ('Y', 12)]),
            "new axis `Y` ends after 12 coordinates, which cuts the old axes' blocks of 15; write extents whose products divide the block or are a multiple of it, or move the tensor to another format first",
        ),
        (
            odd.reshape(&[('A', 4), ('B', 2)]),
            "new axis `B` ends after 2 coordinates, but the old axes start at position 3 in a block of 4; slice axis `C` from 1, or move the tensor to another format first",
        ),
        (
            odd.tile('C', &[('C', 4), ('T', 2)]),
            "axis `C` starts at position 3 in a block of 4, where no tile of 2 starts; slice axis `C` from 1, or move the tensor to another format first",
        ),
        (
            twice.tile('C', &[('C', 16), ('D', 3), ('T', 2)]),
            "axis `C` has blocks of 16, which tiles of 6 would cut; write tiles that divide the block or are a multiple of it, or move the tensor to another format first",
        ),
        (
            act.tile('H', &[]),
            "axis `H` has extent 5 but the tiles hold 1 coordinate; write extents whose product is 5",
        ),
    ]);
}

#[test]
fn axes_that_views_cannot_have_say_why() {
    let act = layout("NCHW4", &[2, 64, 5, 3]);
    check(&[
        (
            act.broadcast('N', 3),
            "axis `N` has extent 2, and only extent 1 can be broadcast; use `index` and `unsqueeze` first",
        ),
        (
            act.unsqueeze('T', 5),
            "position 5 of new axis `T` is out of bounds for 4 axes; write 0 to 4",
        ),
        (act.diagonal('H', 'H', 'D'), "both axes of the diagonal are `H`; name two different axes"),
        (
            act.slice('H', 0, 1, 0).unwrap().slice('H', 0, 1, 1),
            "slice of 1 coordinate from 0 in steps of 1 is out of bounds for axis `H` of extent 0; take 0 coordinates from 0",
        ),
        (
            layout("HW4h3w", &[12, 12]).diagonal('H', 'W', 'D'),
            "blocks of axes `H` and `W` do not divide each other; slice both axes inside one block, or move the tensor to another format first",
        ),
        (
            layout("NCHW2n2c2h2w2n2c2h2w2n2c2h2w", &[32, 16, 16, 16])
                .tile('N', &[('N', 2), ('T', 16)]),
            "blocks of axis `N` exceed the maximum of 16 axes and blocks in one layout; index another axis first, or move the tensor to another format first",
        ),
    ]);
}

#[test]
fn views_of_too_many_axes_or_coordinates_say_why() {
    let twelve = layout("ABCDEFGHIJKL", &[1; 12]);
    let error = twelve.unsqueeze('M', 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "new axis `M` exceeds the maximum of 12 axes; merge or index another axis first"
    );
    let more: Vec<(char, usize)> = ('A'..='M').map(|letter| (letter, 1)).collect();
    assert_eq!(twelve.reshape(&more), Err(error));
    let wide = layout("AB", &[1, 1]).broadcast('A', usize::MAX).unwrap();
    let wide = wide.broadcast('B', usize::MAX).unwrap();
    assert!(matches!(wide.merge("AB", 'C'), Err(LayoutError(Rule::TooLarge { .. }))));
    assert!(matches!(wide.reshape(&[]), Err(LayoutError(Rule::TooLarge { .. }))));
}

/// A slice that leaves its axis is told how long it may be: not one longer.
#[test]
fn slices_may_be_as_long_as_errors_say() {
    let act = layout("HW", &[5, 3]);
    let (mut shortened, mut late) = (0, 0);
    for start in 0..8 {
        for step in [-7, -3, -2, -1, 1, 2, 3, 7] {
            for length in 1..8 {
                let Err(error) = act.slice('H', start, step, length) else { continue };
                let error = error.to_string();
                let Some(most) = number(&error, "; take at most ") else {
                    assert!(start >= 5 && error.ends_with("; start below 5"), "{error}");
                    late += 1;
                    continue;
                };
                assert!(act.slice('H', start, step, most).is_ok(), "{error}");
                assert!(act.slice('H', start, step, most + 1).is_err(), "{error}");
                shortened += 1;
            }
        }
    }
    assert!(shortened > 100 && late > 100, "{shortened} {late}");
}

/// Tiles that do not begin where blocks do, do so from the coordinate on that the error names.
#[test]
fn tiles_begin_where_errors_say() {
    let mut told = 0;
    for block in [2, 4, 6, 8, 12] {
        let act = layout(&format!("CW{block}c"), &[5 * block, 2]);
        for start in 0..block {
            for size in 2..2 * block {
                for tiles in 2..6 {
                    let axis = act.slice('C', start, 1, size * tiles);
                    let Ok(axis) = axis else { continue };
                    let Err(error) = axis.tile('C', &[('C', tiles), ('T', size)]) else { continue };
                    let Some(first) = number(&error.to_string(), "slice axis `C` from ") else {
                        continue;
                    };
                    let rest = (size * tiles - first) / size;
                    let sliced = axis.slice('C', first, 1, rest * size).unwrap();
                    let tiled = sliced.tile('C', &[('C', rest), ('T', size)]);
                    assert!(tiled.is_ok(), "{axis}, tiles of {size}: {error}");
                    told += 1;
                }
            }
        }
    }
    assert!(told > 50, "{told}");
}

/// New axes whose blocks do not begin where those of the old ones do, do so once the slowest of these
/// begins at the coordinate that the error names.
#[test]
fn reshapes_begin_where_errors_say() {
    let mut told = [0; 2];
    for (block, width) in [2, 4, 6, 12].into_iter().flat_map(|b| [1, 2, 3, 4].map(|w| (b, w))) {
        // C is the slower of the two, whatever the position of its blocks.
        let act = layout(&format!("CW{block}c"), &[6 * block, width + 1]);
        let act = act.slice('W', 0, 1, width).unwrap();
        for start in 1..block {
            let axis = act.slice('C', start, 1, 5 * block).unwrap();
            for size in 2..2 * block * width {
                let reshaped =
                    |axis: &Layout| axis.reshape(&[('A', axis.numel() / size), ('B', size)]);
                if axis.numel() % size != 0 {
                    continue;
                }
                let Err(error) = reshaped(&axis) else { continue };
                let Some(first) = number(&error.to_string(), "slice axis `C` from ") else {
                    continue;
                };
                let most = axis.extents()[0] - first;
                let rest = (1..=most).rev().find(|rest| rest * width % size == 0).unwrap();
                let sliced = axis.slice('C', first, 1, rest).unwrap();
                assert!(reshaped(&sliced).is_ok(), "{axis}, new axis of {size}: {error}");
                told[usize::from(width > 1)] += 1;
            }
        }
    }
    assert!(told.iter().all(|&told| told > 20), "{told:?}");
}

/// Heads of keys that four heads of queries share, from the second on: three of each group, which is
/// what the error speaks of.
#[test]
fn blocks_are_those_of_the_view() {
    let groups = layout("NCHW", &[1, 2, 1, 8]).unsqueeze('G', 2).unwrap();
    let heads = groups.broadcast('G', 4).unwrap().merge("CG", 'Q').unwrap();
    let six = heads.slice('Q', 1, 1, 6).unwrap();
    let head = |q| six.offset(&[0, q, 0, 0]) / 8;
    assert_eq!([0, 1, 2, 3, 4, 5].map(head), [0, 0, 0, 1, 1, 1]);
    let error = six.tile('Q', &[('Q', 3), ('T', 2)]).unwrap_err().to_string();
    assert_eq!(
        error,
        "axis `Q` has blocks of 3, which tiles of 2 would cut; write tiles that divide the block or are a multiple of it, or move the tensor to another format first",
    );
    let tiled = six.tile('Q', &[('Q', 2), ('T', 3)]).unwrap();
    assert_eq!(tiled.strides().unwrap()[1..3], [8, 0]);
}
