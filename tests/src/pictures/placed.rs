//! Where cells stand: read by their labels, each is the offset of its coordinate.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tensor_layout::show::Picture;
use tensor_layout::{ElementType, Layout};

use crate::support::oracle::Memory;
use crate::support::random;

/// A text of the picture: left, baseline, and whether it is a label.
type Placed = (i64, i64, bool, String);

/// The value of an attribute, such as `x`.
fn attribute(tag: &str, name: &str) -> Option<i64> {
    let rest = tag.split_once(&format!(" {name}=\""))?.1;
    rest.split_once('"')?.0.parse().ok()
}

/// Every text with its position; a `<tspan>` has the line of its `<text>`.
fn texts(svg: &str) -> Vec<Placed> {
    let mut found = Vec::new();
    for group in svg.split("<g class=\"").skip(1) {
        let is_label = group.starts_with("tl-l");
        let group = group.split("</g>").next().unwrap_or_default();
        for text in group.split("<text").skip(1) {
            let (tag, rest) = text.split_once('>').expect("a tag ends");
            let line = attribute(tag, "y").expect("a line");
            let own = rest.split('<').next().unwrap_or_default();
            if let (Some(x), false) = (attribute(tag, "x"), own.is_empty()) {
                found.push((x, line, is_label, own.to_owned()));
            }
            for span in rest.split("</text>").next().unwrap_or_default().split("<tspan").skip(1) {
                let (tag, rest) = span.split_once('>').expect("a tag ends");
                let own = rest.split('<').next().unwrap_or_default().to_owned();
                found.push((attribute(tag, "x").expect("a position"), line, is_label, own));
            }
        }
    }
    found
}

/// `N = 0, C = 3`, or letters with their indices, as coordinates of axes.
fn read_indices(coordinate: &mut BTreeMap<char, usize>, letters: &str, indices: &str) {
    let numbers = indices.split(',').filter_map(|index| index.parse().ok());
    coordinate.extend(letters.chars().zip(numbers));
}

/// The offset that a cell shows, by its coordinate: the labels on its left and above it, and the caption.
fn cells(svg: &str, layout: &Layout) -> BTreeMap<Vec<usize>, usize> {
    let texts = texts(svg);
    let labels: Vec<&Placed> = texts.iter().filter(|text| text.2).collect();
    let mut found = BTreeMap::new();
    for (x, y, _, number) in texts.iter().filter(|text| !text.2) {
        // The last label above in the same column, the last on the left in the same line.
        let column =
            labels.iter().filter(|label| label.0 == *x && label.1 < *y).max_by_key(|l| l.1);
        let row = labels.iter().filter(|label| label.1 == *y && label.0 < *x).max_by_key(|l| l.0);
        let column = column.expect("a label of the column");
        let line = column.1;
        let corner = labels.iter().filter(|label| label.1 == line && label.3.contains(['↓', '→']));
        let corner = corner.filter(|label| label.0 < *x).max_by_key(|label| label.0);
        let captions =
            labels.iter().filter(|label| label.3.contains(" = ") && label.1 == line - 22);
        let caption = captions.filter(|label| label.0 < *x).max_by_key(|label| label.0);

        let mut coordinate = BTreeMap::new();
        for part in caption.map_or("", |caption| &caption.3).split(", ") {
            if let Some((letter, index)) = part.split_once(" = ") {
                read_indices(&mut coordinate, letter, index);
            }
        }
        for part in corner.map_or("", |corner| &corner.3).split(' ') {
            match part.strip_suffix('↓') {
                Some(rows) => read_indices(&mut coordinate, rows, &row.expect("a row's label").3),
                None => read_indices(&mut coordinate, part.trim_end_matches('→'), &column.3),
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
        assert_eq!(found.len(), layout.count(), "{rows}, {columns}");
        for (coordinate, offset) in found {
            assert_eq!(offset, layout.offset(&coordinate), "{rows}, {columns}: {coordinate:?}");
        }
    }
}
