//! What errors of divisions and compositions say.

use tensor_layout::{ElementType, Layout, algebra};

use super::with_strides;

/// A layout of `u8` with these extents and strides, of axes X, Y and Z.
fn xyz(extents: &[usize], strides: &[isize]) -> Layout {
    with_strides(&"XYZ"[..extents.len()], extents, strides).unwrap()
}

#[test]
fn what_does_not_divide_is_an_error() {
    let row = xyz(&[24], &[1]);
    let cases = [
        // CuTe takes these, and addresses what is not there.
        (
            algebra::divide(&row, &xyz(&[5], &[1]), 'R'),
            "tile takes 5 elements, which do not divide 24; write a multiple of 5",
        ),
        (
            algebra::divide(&row, &xyz(&[4], &[4]), 'R'),
            "tile takes 16 elements, which do not divide 24; write a multiple of 16",
        ),
        (
            algebra::divide(&row, &xyz(&[2, 2], &[2, 3]), 'R'),
            "axis `Y` of the tile has stride 3, which is not a multiple of the 4 elements that its faster axes span; write a multiple of 4",
        ),
        (
            algebra::divide(&row, &row.slice('X', 1, 1, 2).unwrap(), 'R'),
            "tile begins at offset 1; use a tile that begins at offset 0",
        ),
        (
            algebra::divide(&row, &xyz(&[2, 0], &[1, 2]), 'R'),
            "axis `Y` of the tile has extent 0, so tiles cover no elements; write an extent of at least 1",
        ),
        (
            algebra::divide(
                &row,
                &xyz(&[12], &[1])
                    .tile('X', &[('X', 3), ('Y', 4)])
                    .unwrap()
                    .merge("YX", 'Z')
                    .unwrap()
                    .slice('Z', 0, 1, 5)
                    .unwrap(),
                'R',
            ),
            "axis `Z` of the tile, of extent 5, starts or ends inside a block of 3, so tiles would leave gaps; use a tile of whole blocks",
        ),
        (
            algebra::divide(&row, &xyz(&[2], &[0]), 'R'),
            "axis `X` of the tile is broadcast, so its elements would count twice; index the axis first",
        ),
        (
            algebra::divide(&row, &xyz(&[2], &[1]), 'X'),
            "axis `X` already exists; give the new axis another letter",
        ),
    ];
    for (found, text) in cases {
        assert_eq!(found.map(|layout| layout.to_string()).unwrap_err().to_string(), text);
    }
}

#[test]
fn what_does_not_compose_is_an_error() {
    let row = xyz(&[24], &[1]);
    let cases = [
        (
            algebra::compose(&row, &xyz(&[4], &[8])),
            "inner layout spans 25 elements but the outer layout has 24 coordinates; use an inner layout that spans at most 24",
        ),
        (
            algebra::compose(&xyz(&[4, 8], &[10, 1]), &xyz(&[9], &[3])),
            "steps along axis `X` of the inner layout land at different positions in the outer layout's blocks of 8; write strides and extents that divide the block, or move the tensor to another format first",
        ),
        // The outer layout has axes X and Y, of which the text says nothing.
        (
            algebra::compose(
                &xyz(&[4, 6], &[8, 1]),
                &Layout::from_strides("PQ", &[2, 2], &[4, 3], ElementType::U8).unwrap(),
            ),
            "steps along axis `Q` of the inner layout land at different positions in the outer layout's blocks of 6; write strides and extents that divide the block, or move the tensor to another format first",
        ),
        (
            algebra::compose(&xyz(&[4, 6], &[8, 1]), &xyz(&[2, 2], &[4, 3])),
            "steps along axis `Y` of the inner layout land at different positions in the outer layout's blocks of 6; write strides and extents that divide the block, or move the tensor to another format first",
        ),
    ];
    for (found, text) in cases {
        assert_eq!(found.map(|layout| layout.to_string()).unwrap_err().to_string(), text);
    }
}
