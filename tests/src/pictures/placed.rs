//! Where cells stand: read by their labels, each is the offset of its coordinate.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tensor_layout::show::Picture;
use tensor_layout::{ElementType, Layout};

use super::scan::{self, Text};
use crate::support::oracle::Memory;
use crate::support::random;

/// `N = 0, C = 3`, or letters with their indices, as coordinates of axes.
fn read_indices(coordinate: &mut BTreeMap<char, usize>, letters: &str, indices: &str) {
    let numbers = indices.split(',').filter_map(|index| index.parse().ok());
    coordinate.extend(letters.chars().zip(numbers));
}

/// The offset that a cell shows, by its coordinate: the labels on its left and above it, and the caption.
fn cells(svg: &str, layout: &Layout) -> BTreeMap<Vec<usize>, usize> {
    let texts = scan::texts(svg);
    let labels: Vec<&Text> = texts.iter().filter(|text| text.is_label).collect();
    let mut found = BTreeMap::new();
    for Text { x, y, text: number, .. } in texts.iter().filter(|text| !text.is_label) {
        // The last label above in the same column, the last on the left in the same line.
        let column = labels.iter().filter(|label| label.x == *x && label.y < *y);
        let column = column.max_by_key(|label| label.y).expect("a label of the column");
        let row = labels.iter().filter(|label| label.y == *y && label.x < *x);
        let row = row.max_by_key(|label| label.x);
        let left = || labels.iter().filter(|label| label.x < *x);
        let corner = left().filter(|label| label.y == column.y && label.text.contains(['↓', '→']));
        let corner = corner.max_by_key(|label| label.x);
        let caption = left().filter(|label| label.y == column.y - 22 && label.text.contains(" = "));
        let caption = caption.max_by_key(|label| label.x);

        let mut coordinate = BTreeMap::new();
        for part in caption.map_or("", |caption| &caption.text).split(", ") {
            if let Some((letter, index)) = part.split_once(" = ") {
                read_indices(&mut coordinate, letter, index);
            }
        }
        for part in corner.map_or("", |corner| &corner.text).split(' ') {
            match part.strip_suffix('↓') {
                Some(rows) => {
                    read_indices(&mut coordinate, rows, &row.expect("a row's label").text)
                }
                None => read_indices(&mut coordinate, part.trim_end_matches('→'), &column.text),
            }
        }
        let axes = (0..layout.rank()).map(|axis| layout.letters().at(axis));
        let at = axes.map(|letter| coordinate.get(&letter).copied().unwrap_or(0)).collect();
        let number = number.parse().expect("an offset");
        assert_eq!(found.insert(at, number), None, "two cells of one coordinate: {svg}");
    }
    found
}

proptest! {
    #![proptest_config(random::cases(300))]

    #[test]
    fn a_cell_has_the_offset_of_its_labels(
        (case, swizzle) in (random::axes(), random::element()).prop_flat_map(|(axes, element)| {
            (random::layout_of(axes, element, true), random::swizzle())
        })
    ) {
        let case = case.swizzled(swizzle);
        let (layout, memory): (_, Memory) = (case.layout(), case.memory());
        let svg = Picture::of(&layout).to_svg();
        // A scalar has no labels.
        let is_long = |extent: &usize| *extent != 1;
        prop_assume!(!svg.contains("folded:") && layout.extents().iter().any(is_long));
        let found = cells(&svg, &layout);
        for coordinate in memory.coordinates() {
            prop_assert_eq!(found.get(&coordinate), Some(&memory.offset(&coordinate)), "{:?}", coordinate);
        }
        // What else there is stands outside of the extents, as padding.
        for (coordinate, offset) in &found {
            let is_inside = coordinate.iter().zip(layout.extents()).all(|(index, extent)| index < extent);
            prop_assert!(is_inside || memory.cells[*offset].is_none(), "{:?}", coordinate);
        }
    }
}

#[test]
fn chosen_axes_label_their_cells() {
    let layout = Layout::of("NCHW4c", &[2, 8, 2, 3], ElementType::I8).expect("a layout");
    for (rows, columns) in [("C", "HW"), ("WN", "C"), ("H", "N"), ("NCHW", ""), ("", "CW")] {
        let picture = Picture::with_axes(&layout, rows, columns).expect("axes").fold(96, 96);
        let found = cells(&picture.to_svg(), &layout);
        assert_eq!(found.len(), layout.numel(), "{rows}, {columns}");
        for (coordinate, offset) in found {
            assert_eq!(offset, layout.offset(&coordinate), "{rows}, {columns}: {coordinate:?}");
        }
    }
}
