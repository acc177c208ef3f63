//! Products and axes divided: their laws for every coordinate of random layouts.

use proptest::prelude::*;
use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError, Swizzle, algebra};

use super::{any_case, coordinates, offsets, strided, tiles, with_strides};
use crate::support::random;

/// The first offsets of all copies of the tile, from 0 on; `None` if it does not tile.
fn starts(tile: &Layout, needed: usize) -> Option<Vec<usize>> {
    let own = offsets(tile);
    (1..=1024)
        .map(|count| count * own.len())
        .find_map(|count| tiles(&own, count).filter(|starts| starts.len() >= needed))
}

/// Renames axes to A, B, C.
fn renamed(layout: Layout) -> Layout {
    (0..layout.rank()).fold(layout, |layout, axis| {
        let from = layout.letters().at(axis);
        layout.rename(from, (b'A' + axis as u8) as char).unwrap()
    })
}

proptest! {
    #![proptest_config(random::cases(300))]

    /// A copy of the tile lies at each of these offsets.
    #[test]
    fn products_are_tiles_at_places(tile in strided(), copies in strided()) {
        let copies = renamed(copies);
        let Some(starts) = starts(&tile, copies.span()) else {
            prop_assert!(algebra::product(&tile, &copies).is_err(), "{} times {}", tile, copies);
            return Ok(());
        };
        let places = offsets(&copies);
        let expected: Vec<usize> = offsets(&tile)
            .into_iter()
            .flat_map(|own| places.iter().map(|&i| own + starts[i]).collect::<Vec<_>>())
            .collect();
        match algebra::product(&tile, &copies) {
            Ok(product) => prop_assert_eq!(offsets(&product), expected, "{} by {}", tile, copies),
            Err(LayoutError(Rule::ComposeBlock { .. } | Rule::ViewBlocks { .. })) => {}
            Err(error) => prop_assert!(false, "{}: {} times {}", error, tile, copies),
        }
    }

    /// Indices of both layouts make one, those of the tile inside or outside.
    #[test]
    fn joined_products_have_the_offsets_of_products(tile in strided(), copies in strided()) {
        let Ok(product) = algebra::product(&tile, &renamed(copies)) else { return Ok(()) };
        for raked in [false, true] {
            let joined = if raked { algebra::raked_product(&tile, &copies) } else { algebra::blocked_product(&tile, &copies) };
            let joined = match joined {
                Ok(joined) => joined,
                Err(LayoutError(Rule::MergeBlock { .. } | Rule::ViewBlocks { .. })) => continue,
                Err(error) => return Err(TestCaseError::fail(format!("{error}: {tile} {copies}"))),
            };
            let extent = |layout: &Layout, axis| layout.extents().get(axis).copied().unwrap_or(1);
            for c in coordinates(&joined) {
                let (mut own, mut copy) = (Vec::new(), Vec::new());
                for (axis, &i) in c.iter().enumerate() {
                    let (a, b) = (extent(&tile, axis), extent(&copies, axis));
                    let (o, k) = if raked { (i / b, i % b) } else { (i % a, i / a) };
                    if axis < tile.rank() { own.push(o) }
                    if axis < copies.rank() { copy.push(k) }
                }
                own.extend(copy);
                prop_assert_eq!(joined.offset(&c), product.offset(&own));
            }
        }
    }

    /// A swizzle of the tile is one of the product.
    #[test]
    fn products_of_swizzled_tiles_are_swizzled(
        tile in strided(),
        copies in strided(),
        (bits, base, far) in (1..3usize, 0..3usize, 0..3usize),
        is_back in any::<bool>(),
    ) {
        let shift = bits + far;
        let (read, changed) = if is_back { (base, base + shift) } else { (base + shift, base) };
        let swizzle = Swizzle::new(bits, base, if is_back { -(shift as isize) } else { shift as isize });
        let names: String = (0..tile.rank()).map(|axis| tile.letters().at(axis)).collect();
        let Some(strides) = tile.strides() else { return Ok(()) };
        let builder = Layout::builder(names.as_str(), tile.element()).strides(&strides);
        let Ok(swizzled) = builder.swizzle(swizzle).extents(tile.extents()) else { return Ok(()) };
        let copies = renamed(copies);
        let plain = algebra::product(&tile, &copies);
        let product = algebra::product(&swizzled, &copies);
        let Ok(plain) = plain else {
            prop_assert!(product.is_err());
            return Ok(());
        };
        let product = product.unwrap();
        // One that changes no offset of the tile is none.
        let flips = if swizzled.swizzle().is_some() { bits } else { 0 };
        let expected: Vec<usize> = offsets(&plain)
            .into_iter()
            .map(|offset| (0..flips).fold(offset, |own, i| own ^ (offset >> (read + i) & 1) << (changed + i)))
            .collect();
        prop_assert_eq!(offsets(&product), expected, "{} by {}", swizzled, copies);
        prop_assert!(offsets(&product).iter().all(|&offset| offset < product.len()));
    }

    /// Tiles of one axis leave the others as they are.
    #[test]
    fn an_axis_is_divided_beside_others(case in any_case(), tile in strided(), at in 0..8usize) {
        let layout = case.layout();
        if layout.rank() == 0 || layout.numel() == 0 || layout.rank() > 3
            || "XYZR".chars().any(|taken| layout.letters().position(taken).is_some()) {
            return Ok(());
        }
        let at = at % layout.rank();
        let extent = layout.extents()[at];
        let letter = layout.letters().at(at);
        match (algebra::divide_axes(&layout, &[(letter, &tile, 'R')]), tiles(&offsets(&tile), extent)) {
            (Ok(divided), Some(starts)) => {
                let own = offsets(&tile);
                let inner: Vec<usize> =
                    own.iter().flat_map(|own| starts.iter().map(move |start| own + start)).collect();
                let rank = tile.rank() + 1;
                let sizes = &divided.extents()[at..at + rank];
                for c in coordinates(&divided) {
                    let i = c[at..at + rank].iter().zip(sizes).fold(0, |i, (c, size)| i * size + c);
                    let whole = [&c[..at], &[inner[i]], &c[at + rank..]].concat();
                    prop_assert_eq!(divided.offset(&c), layout.offset(&whole), "{} {}", layout, tile);
                }
            }
            (Ok(divided), None) => prop_assert!(false, "{} by {} is {}", layout, tile, divided),
            (Err(_), None) => {}
            (Err(LayoutError(Rule::ComposeBlock { .. } | Rule::ViewBlocks { .. })), _) => {}
            (Err(error), _) => prop_assert!(false, "{}: {} by {}", error, layout, tile),
        }
    }
}

#[test]
fn products_of_more_than_12_axes_are_errors() {
    let tile = with_strides("ABCDEFGHI", &[1; 9], &[1; 9]).unwrap();
    let copies = with_strides("UVWX", &[1; 4], &[1; 4]).unwrap();
    assert_eq!(
        algebra::product(&tile, &copies).unwrap_err().to_string(),
        "new axis `X` exceeds the maximum of 12 axes; merge or index another axis first",
    );
    // Strides that are not multiples leave no space to repeat.
    let overlapping = with_strides("A", &[2], &[1]).unwrap();
    assert_eq!(
        algebra::product(&overlapping, &overlapping).unwrap_err().to_string(),
        "axis `A` already exists; give the new axis another letter",
    );
}

/// The strides of a tile may come in any order of its axes.
#[test]
fn complements_of_strides_in_any_order() {
    for strides in [[1, 4, 24], [4, 1, 24], [24, 4, 1], [1, 24, 4], [4, 24, 1], [24, 1, 4]] {
        let size = |stride: isize| match stride {
            1 => 2,
            4 => 3,
            _ => 5,
        };
        let tile = with_strides("XYZ", &strides.map(size), &strides).unwrap();
        let rest = algebra::complement(&tile, 240, 'R').unwrap();
        let starts: Vec<usize> = (0..8).map(|r| rest.offset(&[r])).collect();
        assert_eq!(starts, [0, 2, 12, 14, 120, 122, 132, 134], "{tile}");
        // Of steps of 1, 3 and 12, two at a time, those of 3 do not continue those of 1.
        let others =
            strides.map(|stride| if stride == 1 { 1 } else { stride / 2 + stride / 4 % 2 });
        let gaps = with_strides("XYZ", &[2, 2, 2], &others).unwrap();
        let at = others.iter().position(|stride| *stride == 3).unwrap();
        let error = algebra::complement(&gaps, 240, 'R').unwrap_err().to_string();
        assert!(error.starts_with(&format!("axis `{}` ", ["X", "Y", "Z"][at])), "{error}");
    }
}

/// The copies are at 0, 4, 14 and 24. The digits of these begin inside a block, so the offset at which all of them are 0
/// is below 0.
#[test]
fn a_swizzled_product_that_begins_inside_a_block_spans_its_offsets() {
    let tile = Layout::builder("A", ElementType::U8).strides(&[6]).swizzle(Swizzle::new(2, 0, -4));
    let copies = Layout::from_strides("B", &[4], &[4], ElementType::U8).unwrap();
    let product = algebra::product(&tile.extents(&[2]).unwrap(), &copies).unwrap();
    let plain = [0, 4, 14, 24, 6, 10, 20, 30];
    let swizzled = plain.map(|offset| offset ^ (offset & 3) << 4);
    assert_eq!(offsets(&product), swizzled);
    assert!(swizzled.iter().all(|&offset| offset < product.len()), "{}", product.len());
}
