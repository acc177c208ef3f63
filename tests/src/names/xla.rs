//! XLA's tiles, against its rule applied to one coordinate after another.

use proptest::prelude::*;
use tensor_layout::ElementType;
use tensor_layout::names::xla;
use test_support::Random;

use super::coordinates;
use crate::support::random::cases;

/// The offset of a coordinate, and the length of the buffer: each list of sizes cuts the last dimensions of the shape
/// so far into quotients and remainders, rounded up.
fn tiled(
    minor_to_major: &[usize],
    tiles: &[Vec<usize>],
    extents: &[usize],
    coordinate: &[usize],
) -> (usize, usize) {
    let memory = minor_to_major.iter().rev();
    let mut shape: Vec<(usize, usize)> = memory.map(|&d| (coordinate[d], extents[d])).collect();
    for tile in tiles {
        let kept = shape.len() - tile.len();
        let cut: Vec<_> = shape.drain(kept..).collect();
        let outer = cut.iter().zip(tile).map(|(&(i, n), &t)| (i / t, n.div_ceil(t)));
        shape.extend(outer);
        shape.extend(cut.iter().zip(tile).map(|(&(i, _), &t)| (i % t, t)));
    }
    shape.iter().fold((0, 1), |(offset, length), &(i, n)| (offset * n + i, length * n))
}

/// Extents, an order of the dimensions, and lists of tiles that divide the ones before them.
fn any_tiles() -> impl Strategy<Value = (Vec<usize>, Vec<usize>, Vec<Vec<usize>>)> {
    let shape = prop::collection::vec(1..40usize, 1..4);
    (shape, any::<u64>(), 0..4usize).prop_map(|(extents, seed, count)| {
        let mut random = Random::new(seed, 0);
        let mut order: Vec<usize> = (0..extents.len()).collect();
        random.shuffle(&mut order);
        let mut next = |end: usize| random.below(end);
        // What the next list may cut: 0 for a whole dimension, else the size of a digit.
        let mut shape = vec![0; extents.len()];
        let mut tiles = Vec::new();
        for _ in 0..count {
            let length = 1 + next(shape.len().min(3));
            let cut: Vec<usize> = shape.drain(shape.len() - length..).collect();
            let pick = |&size: &usize| match size {
                0 => [1, 2, 4, 6, 8, 12][next(6)],
                size => [1, 2, 3, 4, size][next(5)],
            };
            let sizes: Vec<usize> = cut.iter().map(pick).collect();
            let fits = |(&size, &all): (&usize, &usize)| if all % size == 0 { size } else { 1 };
            let sizes: Vec<usize> = sizes.iter().zip(&cut).map(fits).collect();
            shape.extend(cut.iter().zip(&sizes).map(|(&all, &size)| all / size));
            shape.extend(&sizes);
            tiles.push(sizes);
        }
        (extents, order, tiles)
    })
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn tiles_are_read_as_the_rule_says((extents, order, tiles) in any_tiles()) {
        let list = |sizes: &[usize]| {
            sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
        };
        let mut text = format!("{{{}", list(&order));
        if !tiles.is_empty() {
            text += ":T";
            tiles.iter().for_each(|sizes| text += &format!("({})", list(sizes)));
        }
        text += "}";
        let layout = xla::parse(&text, &extents, ElementType::BF16);
        prop_assert!(layout.is_ok(), "{} over {:?}: {:?}", text, extents, layout);
        let layout = layout.unwrap();
        for coordinate in coordinates(&extents) {
            let (offset, length) = tiled(&order, &tiles, &extents, &coordinate);
            prop_assert_eq!(layout.offset(&coordinate), offset, "{} at {:?}", text, coordinate);
            prop_assert_eq!(layout.len(), length, "{}", text);
        }
        // Another text may be of the same layout.
        let printed = xla::print(&layout);
        prop_assert!(printed.is_ok(), "{}: {:?}", text, printed);
        let printed = printed.unwrap();
        let again = xla::parse(printed.as_str(), &extents, ElementType::BF16).expect("a layout");
        prop_assert!(again.same_map(&layout) && again.len() == layout.len(), "{}, {}", text, printed);
    }
}

/// What programs for TPUs have.
#[test]
fn tiles_of_one_dimension_print_as_they_are_read() {
    for text in [
        "bf16[3000]{0:T(1024)(128)(2,1)}",
        "u8[4096]{0:T(4096)(128)(4,1)}",
        "f32[300]{0:T(512)}",
        "bf16[20,300]{1,0:T(8,128)(2,1)}",
        "s8[2,40,300]{2,1,0:T(32,128)(4,1)}",
        "f32[2,3,20,300]{3,2,1,0:T(8,128)}",
        "s4[64,256]{1,0:T(64,128)(8,1)E(4)}",
        "u2[4,8]{0,1:E(2)}",
        "pred[3,5]{0,1}",
        "f32[]{}",
    ] {
        let layout = xla::parse_shape(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let printed = xla::print_shape(&layout).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(printed.as_str(), text);
    }
    let packed = xla::parse("{1,0:E(4)}", &[4, 6], ElementType::I4.high_first().unwrap()).unwrap();
    assert_eq!(xla::print_shape(&packed).unwrap().as_str(), "s4[4,6]{1,0:E(4)}");
}
