//! Random views as elements of another width, against tables of offsets.

use campaign::check::views::{Built, build};
use campaign::element::Element;
use campaign::generate;
use campaign::isolation::limit;
use campaign::table::for_each_coordinate;
use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError};
use test_support::Random;

/// Calls `check` with random views and an axis of each.
fn views(seed: u64, element: Element, mut check: impl FnMut(&Built, usize)) {
    for number in 0..900 {
        limit(20);
        let mut random = Random::new(seed, number);
        let most = random.pick(&[0, 1, 2, 3, 5]);
        let viewed = generate::viewed(&mut random, element, 200, most);
        let built = build(&viewed, |_| Ok(())).expect("a view that is not refused");
        let Some(built) = built else { continue };
        if !built.table.offsets.is_empty() && !built.table.extents.is_empty() {
            check(&built, random.below(built.table.extents.len()));
        }
    }
}

/// Whether the elements of each `parts` coordinates of an axis are one wider element.
fn has_groups(Built { table, length, .. }: &Built, axis: usize, parts: usize) -> bool {
    let mut all = table.extents[axis] % parts == 0 && length % parts == 0;
    for_each_coordinate(&table.extents, |coordinate| {
        let mut first = coordinate.to_vec();
        first[axis] -= coordinate[axis] % parts;
        let start = table.at(&first);
        all &= start % parts == 0 && table.at(coordinate) == start + coordinate[axis] % parts;
    });
    all
}

#[test]
fn wider_elements_are_groups() {
    let (mut made, mut refused) = (0, 0);
    for (seed, to, parts) in [(61, ElementType::U16, 2), (62, ElementType::U32, 4)] {
        views(seed, Element::Named("u8"), |built, axis| {
            let Built { layout, table, .. } = built;
            if layout.fill().is_some_and(|bits| bits != 0) {
                return;
            }
            let groups = has_groups(built, axis, parts);
            match layout.recast(to, table.letters[axis]) {
                Ok(wide) => {
                    assert!(groups, "{layout} as {wide}");
                    for_each_coordinate(&table.extents, |coordinate| {
                        let mut whole = coordinate.to_vec();
                        whole[axis] /= parts;
                        let expected = table.at(coordinate) / parts;
                        assert_eq!(wide.offset(&whole), expected, "{layout} as {wide}");
                    });
                    made += 1;
                }
                // A swizzle need not be one of wider elements.
                Err(error) => {
                    assert!(!groups || layout.swizzle().is_some(), "{layout}: {error}");
                    refused += 1;
                }
            }
        });
    }
    assert!(made > 60 && refused > 600, "{made} made, {refused} refused");
}

#[test]
fn narrower_elements_are_parts() {
    let mut made = 0;
    for (seed, to, parts) in [(63, ElementType::U16, 2), (64, ElementType::I4, 8)] {
        views(seed, Element::Named("u32"), |built, axis| {
            let Built { layout, table, length, .. } = built;
            if layout.fill().is_some_and(|bits| bits != 0) {
                return;
            }
            let narrow = match layout.recast(to, table.letters[axis]) {
                Ok(narrow) => narrow,
                Err(LayoutError(Rule::ViewBlocks { .. })) => return,
                Err(error) => panic!("{layout} as {to:?}: {error}"),
            };
            assert_eq!(narrow.len(), length * parts, "{layout}");
            let mut extents = table.extents.clone();
            extents[axis] *= parts;
            for_each_coordinate(&extents, |coordinate| {
                let mut whole = coordinate.to_vec();
                whole[axis] /= parts;
                let expected = table.at(&whole) * parts + coordinate[axis] % parts;
                assert_eq!(narrow.offset(coordinate), expected, "{layout} as {narrow}");
            });
            made += 1;
        });
    }
    assert!(made > 800, "{made}");
}

/// A group may span blocks, as long as they lie side by side.
#[test]
fn groups_span_blocks() {
    for text in ["MK2k<4, 8>, u8", "MK2k2k<4, 16>, u8", "KM2k<M = 1, K = 8>, u8", "MK2m<4, 8>, u8"]
    {
        let layout = Layout::parse(text).expect("a layout");
        let offset = |i: usize| layout.offset(&[1 % layout.extents()[0], i]);
        let groups = (0..8).all(|i| offset(i) == offset(i - i % 4) + i % 4);
        assert_eq!(layout.recast(ElementType::U32, 'K').is_ok(), groups, "{text}");
    }
}
