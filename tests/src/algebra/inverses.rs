//! Inverses and coalesced layouts: their laws for every offset of random layouts.

use proptest::prelude::*;
use tensor_layout::algebra;

use super::{any_case, offsets, strided, walked, with_strides};
use crate::support::random;

proptest! {
    #![proptest_config(random::cases(1000))]

    /// Each offset of a right inverse is the count of the coordinate at that offset, up to the first offset
    /// that no coordinate has.
    #[test]
    fn right_inverses_are_coordinates_of_offsets(layout in strided()) {
        let own = offsets(&layout);
        let inverse = algebra::right_inverse(&layout, 'I').unwrap();
        for (i, count) in offsets(&inverse).into_iter().enumerate() {
            prop_assert_eq!(own[count], i, "{} of {}", inverse, layout);
        }
        // All of a layout without gaps is inverted.
        let mut sorted = own.clone();
        sorted.sort_unstable();
        if sorted.iter().copied().eq(0..own.len()) {
            prop_assert_eq!(inverse.numel(), own.len(), "{} of {}", inverse, layout);
        }
    }

    /// A left inverse maps every offset to its coordinate, and all other offsets past the end.
    #[test]
    fn left_inverses_are_counts_of_coordinates(layout in strided()) {
        let own = offsets(&layout);
        let room = layout.span();
        match algebra::left_inverse(&layout, 'I') {
            Ok(inverse) => {
                let all = offsets(&inverse);
                prop_assert!(all.len() >= room);
                for (offset, count) in all.into_iter().enumerate() {
                    let expected = own.iter().position(|&own| own == offset);
                    prop_assert!(expected == Some(count) || (expected.is_none() && count >= own.len()),
                        "{} of {}: {} is {}", inverse, layout, offset, count);
                }
            }
            // Where the strides nest, there is a left inverse.
            Err(error) => prop_assert!(
                (1..=64).all(|times| algebra::complement(&layout, layout.len() * times, 'R').is_err()), "{}", error),
        }
    }

    /// One axis has the offsets of all coordinates in order.
    #[test]
    fn coalesced_layouts_count_coordinates(case in any_case()) {
        let layout = case.layout();
        if let Ok(all) = algebra::coalesce(&layout, 'I') {
            prop_assert_eq!(offsets(&all), walked(&case));
            prop_assert_eq!(all.rank(), 1);
            prop_assert_eq!(all.len(), layout.len());
        } else {
            let names: String = (0..layout.rank()).map(|axis| layout.letters().at(axis)).collect();
            prop_assert!(layout.merge(&names, 'I').is_err(), "{}", layout);
        }
    }
}

/// Extents as large as there are, and coprime ones, have their answers from digits alone.
#[test]
fn huge_extents_are_inverted_from_their_digits() {
    let (a, b) = ((1usize << 31) - 1, (1usize << 29) - 3);
    let layout = with_strides("XY", &[a, b], &[1, a as isize]).unwrap();
    let inverse = algebra::right_inverse(&layout, 'I').unwrap();
    assert_eq!((inverse.numel(), inverse.offset(&[1]), inverse.offset(&[a])), (a * b, b, 1));
    assert!(inverse.same_map(&algebra::left_inverse(&layout, 'I').unwrap()));
    assert_eq!(algebra::coalesce(&layout, 'I').unwrap().offset(&[b]), 1);
    let tile = with_strides("T", &[a], &[1]).unwrap();
    let copies = with_strides("R", &[b], &[1]).unwrap();
    assert_eq!(algebra::product(&tile, &copies).unwrap().offset(&[a - 1, b - 1]), a * b - 1);
}

/// More coordinates than numbers count, of which those of strides other than 0 are counted last.
#[test]
fn what_cannot_be_counted_has_no_inverse() {
    let layout = with_strides("XY", &[11, 1 << 61], &[-1, 0]).unwrap();
    let error = algebra::right_inverse(&layout, 'I').unwrap_err().to_string();
    assert!(error.starts_with("layout takes more than"), "{error}");
}

#[test]
fn what_has_no_inverse_is_an_error() {
    let row = with_strides("X", &[24], &[1]).unwrap();
    let rows = with_strides("XY", &[4, 6], &[10, 1]).unwrap().merge("XY", 'Z').unwrap();
    let cases = [
        (
            algebra::right_inverse(&row.slice('X', 1, 1, 4).unwrap(), 'I'),
            "layout begins at offset 1, but inverses count from 0; use a layout that begins at offset 0",
        ),
        (
            algebra::right_inverse(&rows.slice('Z', 0, 1, 9).unwrap(), 'I'),
            "axis `Z` of extent 9 starts or ends inside a block of 6, so it has no inverse; slice it to whole blocks, or move the tensor to another format first",
        ),
        (
            algebra::left_inverse(&with_strides("XY", &[4, 2], &[1, 0]).unwrap(), 'I'),
            "axis `Y` is broadcast, so an offset does not determine its index; index the axis first, or use `right_inverse`",
        ),
        (
            algebra::left_inverse(&with_strides("XY", &[2, 2], &[2, 3]).unwrap(), 'I'),
            "axis `Y` has stride 3, which is not a multiple of the 4 elements that faster axes span; write a multiple of 4, or use `right_inverse`",
        ),
        (
            algebra::right_inverse(&row, '!'),
            "axis `!` is not an upper-case ASCII letter; name axes A to Z",
        ),
    ];
    for (found, text) in cases {
        let found = found.map(|layout| layout.to_string()).unwrap_err().to_string();
        assert_eq!(found, text);
    }
}
