//! Pictures of random layouts: every cell agrees with the oracle.

use proptest::prelude::*;
use tensor_layout::access::Banks;
use tensor_layout::show::{Color, Picture};
use tensor_layout::{ElementType, Layout};

use super::scan::{self, Cell};
use crate::support::oracle::Memory;
use crate::support::random::{self, Case};

fn any_case() -> impl Strategy<Value = Case> {
    let shape = (random::axes(), random::element(), random::swizzle());
    shape.prop_flat_map(|(axes, element, swizzle)| {
        random::layout_of(axes, element, true).prop_map(move |case| case.swizzled(swizzle))
    })
}

fn any_pair() -> impl Strategy<Value = (Case, Case)> {
    let shape = (random::axes(), random::element());
    shape.prop_flat_map(|(axes, element)| {
        let destination = random::layout_of(axes.clone(), element, false);
        (random::layout_of(axes, element, true), destination)
    })
}

/// A cell for each coordinate, in coordinate order, and no hatched cell that a coordinate has.
fn check_grid(cells: &[Cell], picture: &str, memory: &Memory) -> Result<(), TestCaseError> {
    let numbers = |hatched| {
        let of = cells.iter().filter(move |cell| cell.1 == hatched);
        of.map(|(text, _)| text.parse::<usize>().expect("a number")).collect::<Vec<_>>()
    };
    let expected: Vec<usize> =
        memory.coordinates().iter().map(|coordinate| memory.offset(coordinate)).collect();
    let elements = numbers(false);
    if picture.contains("folded:") {
        prop_assert!(elements.len() < expected.len());
        prop_assert!(elements.iter().all(|offset| expected.contains(offset)));
    } else {
        prop_assert_eq!(elements, expected);
    }
    for offset in numbers(true) {
        prop_assert_eq!(&memory.cells[offset], &None, "offset {} is hatched", offset);
    }
    Ok(())
}

proptest! {
    #![proptest_config(random::cases(600))]

    /// Each number is the offset of its coordinate, in each form.
    #[test]
    fn numbers_are_offsets(case in any_case()) {
        let (layout, memory) = (case.layout(), case.memory());
        for color in [Color::Blocks, Color::Order, Color::Lane, Color::Banks(Banks::NVIDIA)] {
            let picture = Picture::of(&layout).color(color);
            let svg = picture.to_svg();
            prop_assert!(!svg.contains('\n') && svg.len() < 200_000, "{} bytes", svg.len());
            check_grid(&scan::svg(&svg), &svg, &memory)?;
        }
        let picture = Picture::of(&layout);
        let html = picture.to_html();
        check_grid(&scan::html(&html), &html, &memory)?;
        prop_assert_eq!(scan::html(&html), scan::svg(&picture.to_svg()));
    }

    /// Each cell of memory has the coordinate that lies there.
    #[test]
    fn memory_has_its_coordinates(case in any_case()) {
        let (layout, memory) = (case.layout(), case.memory());
        let svg = Picture::memory(&layout).to_svg();
        let long = |axis: &usize| layout.extents()[*axis] != 1;
        let text = |coordinate: &Vec<usize>| {
            let long: Vec<String> =
                (0..layout.rank()).filter(long).map(|axis| coordinate[axis].to_string()).collect();
            if long.is_empty() { "0".into() } else { long.join(",") }
        };
        let expected: Vec<String> = memory.cells.iter().flatten().map(text).collect();
        let found: Vec<String> = scan::svg(&svg).into_iter().map(|(text, _)| text).collect();
        if svg.contains("folded:") {
            prop_assert_eq!(&found[..], &expected[..found.len()]);
        } else {
            prop_assert_eq!(found, expected);
        }
    }

    /// Cells of both buffers have the offset in the source of the element that lies there.
    #[test]
    fn relayouts_have_offsets_of_the_source((source, destination) in any_pair()) {
        let layouts = (source.layout(), destination.layout());
        let svg = Picture::relayout(&layouts.0, &layouts.1).expect("the same axes").to_svg();
        let (source, destination) = (source.memory(), destination.memory());
        let cells = |memory: &Memory| -> Vec<String> {
            let coordinates = memory.cells.iter().flatten();
            coordinates.map(|coordinate| source.offset(coordinate).to_string()).collect()
        };
        let expected = [cells(&source), cells(&destination)].concat();
        let found: Vec<String> = scan::svg(&svg).into_iter().map(|(text, _)| text).collect();
        if !svg.contains("folded:") {
            prop_assert_eq!(found, expected);
        }
    }

    /// Text of a picture with labels of rows, which random ones may lack.
    #[test]
    fn text_has_the_numbers(extents in (1..9usize, 2..9usize, 2..9usize)) {
        let (c, h, w) = extents;
        let text = format!("NCHW4<1, {c}, {h}, {w}>, i8, pad");
        let layout: Layout = text.parse().expect("a layout");
        let picture = Picture::with_axes(&layout, "C", "HW").expect("axes");
        prop_assert_eq!(scan::text(&picture.to_text(), "C"), scan::svg(&picture.to_svg()));
    }
}

/// 64 x 64 elements in each color.
#[test]
fn pictures_are_small() {
    let tile: Layout = "MK<64, 64>, f32".parse().expect("a layout");
    let apart = Layout::from_strides("MK", &[64, 64], &[200_000, 3001], ElementType::U8);
    for layout in [tile, apart.expect("a layout")] {
        for color in [Color::Blocks, Color::Order, Color::Banks(Banks::NVIDIA)] {
            let picture = Picture::of(&layout).color(color);
            let sizes = [picture.to_svg().len(), picture.to_html().len()];
            assert!(sizes.iter().all(|&bytes| bytes < 200_000), "{layout}, {color:?}: {sizes:?}");
            assert_eq!(scan::svg(&picture.to_svg()).len(), 4096);
        }
    }
}

/// Cells of padding between those of elements, in 48 panels.
#[test]
fn pictures_of_padding_are_small() {
    let text = "DC3cBA3i4c/3 I<A = 2, B = 24, C = 2, I = 2, D = 2>, f16, pad = 1, swizzle(3, 2, 5), coordinates(A, B, C, I, D)";
    let bytes = Picture::of(&text.parse().expect("a layout")).to_svg().len();
    assert!((100_000..160_000).contains(&bytes), "{bytes} bytes");
}

/// A note says what is left out, for any extents.
#[test]
fn large_layouts_are_folded() {
    let large: Layout = "NCHW<10000, 10000, 10000, 10000>, u8".parse().expect("a layout");
    for picture in [Picture::of(&large), Picture::memory(&large)] {
        let svg = picture.to_svg();
        assert!(svg.contains("folded: ") && svg.contains("more row"), "{svg}");
        assert!(svg.len() < 200_000, "{} bytes", svg.len());
        assert!(picture.to_text().contains("folded: "));
    }
    // As many as a picture may have, whatever is asked for.
    let wide = Layout::of("MK", &[30, 200], ElementType::U8).expect("a layout");
    let svg = Picture::of(&wide).fold(usize::MAX, usize::MAX).to_svg();
    assert_eq!(scan::svg(&svg).len(), 20 * 200);
    assert!(svg.contains("\u{22ee} 10 more rows<") && svg.contains("folded: 4000 of 6000"));
    let text = Picture::of(&large).fold(2, 3).to_text();
    assert!(text.contains("\u{22ee} 9998 more rows, \u{22ef} 9997 more columns\n"), "{text}");
}

#[test]
fn layouts_without_coordinates_say_so() {
    let none: Layout = "NCHW4<2, 0, 3, 3>, i8".parse().expect("a layout");
    for picture in [Picture::of(&none), Picture::memory(&none)] {
        assert!(picture.to_text().contains("no coordinates: an extent is 0"));
        assert_eq!(scan::svg(&picture.to_svg()), []);
    }
    let scalar: Layout = "SCALAR, f32".parse().expect("a layout");
    assert_eq!(scan::svg(&Picture::of(&scalar).to_svg()), [("0".to_owned(), false)]);
}

/// An element has one color on both sides of a relayout.
#[test]
fn colors_follow_elements() {
    let [source, destination]: [Layout; 2] = ["NCHW<1, 8, 2, 2>, i8", "NCHW4<1, 8, 2, 2>, i8"]
        .map(|text| text.parse().expect("a layout"));
    let text = Picture::relayout(&source, &destination).expect("the same axes").to_ansi();
    let mut colors = std::collections::BTreeMap::new();
    let mut seen = 0;
    for cell in text.split("\u{1b}[48;2;").skip(1) {
        let (color, rest) = cell.split_once('m').expect("a color");
        let number =
            rest.split_once('m').expect("ink").1.split('\u{1b}').next().expect("a cell").trim();
        assert_eq!(colors.entry(number.to_owned()).or_insert(color), &color, "{number}");
        seen += 1;
    }
    assert_eq!((colors.len(), seen), (32, 64));
    let colors: std::collections::BTreeSet<_> = colors.values().collect();
    assert!(colors.len() > 8, "{colors:?}");
}
