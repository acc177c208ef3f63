//! Explanations of random layouts against the oracle.

use proptest::prelude::*;
use tensor_layout::Layout;
use tensor_layout::show::explain;

use crate::support::random;

proptest! {
    #![proptest_config(random::cases(600))]

    /// Addresses, lengths, padding and gaps.
    #[test]
    fn facts_are_those_of_the_oracle(
        (case, swizzle) in (random::axes(), random::element()).prop_flat_map(|(axes, element)| {
            (random::layout_of(axes, element, true), random::swizzle())
        })
    ) {
        let case = case.swizzled(swizzle);
        let (layout, memory) = (case.layout(), case.memory());
        let explanation = explain(&layout);
        let coordinates = memory.coordinates();
        prop_assert_eq!(explanation.numel, coordinates.len());
        prop_assert_eq!(explanation.len, memory.cells.len());
        prop_assert_eq!(explanation.addresses.len(), coordinates.len().min(8));
        for (address, coordinate) in explanation.addresses.iter().zip(&coordinates) {
            prop_assert_eq!(&address.coordinate, coordinate);
            prop_assert_eq!(address.offset, memory.offset(coordinate));
            prop_assert_eq!(address.byte, address.offset * case.bits / 8);
            let first = address.offset * case.bits % 8;
            let is_high = layout.element().is_high_first();
            let bit = if is_high { 8 - case.bits - first } else { first };
            prop_assert_eq!((address.bit, address.bits), (bit, case.bits));
        }
        let empty = memory.cells.iter().filter(|cell| cell.is_none()).count();
        let (padding, gaps) = if memory.strided { (0, empty) } else { (empty, 0) };
        prop_assert_eq!((explanation.padding, explanation.gaps), (Some(padding), Some(gaps)));
        prop_assert_eq!(explanation.lanes, layout.lanes());
        let text = explanation.to_string();
        prop_assert!(text.starts_with(&layout.to_string()), "{}", text);
    }
}

#[test]
fn facts_of_few_and_of_small_elements_read_well() {
    let text = |text: &str| explain(&text.parse::<Layout>().expect("a layout")).to_string();
    let scalar = text("SCALAR, u8");
    assert!(
        scalar.contains("\n  1 coordinate, 1 element, 1 byte, span 1, alignment 1\n"),
        "{scalar}"
    );
    let bits = text("A<12>, u1, high_first, pad");
    assert!(bits.contains("\n  [1]  offset 1, byte 0, bit 6\n"), "{bits}");
    let crumbs = text("A<12>, i2");
    assert!(crumbs.contains("\n  [5]  offset 5, byte 1, bits 2 to 3\n"), "{crumbs}");
    let lanes = text("NCHW<1, 3, 1, 2>, f16, bm1684x::compact(start = 63)");
    assert!(lanes.contains("64 lanes of 8 bytes, 3 of them used from lane 63 on"), "{lanes}");
}

#[test]
fn names_and_formats_are_listed() {
    let act: Layout = "NCHW16c<1, 32, 7, 7>, f16".parse().expect("a layout");
    let text = explain(&act).to_string();
    assert!(text.contains("\n  oneDNN aBcd16b\n"), "{text}");
    assert!(text.contains("\nformats\n  NCHW16c"), "{text}");
    assert!(text.contains("no padding, no gaps, unique, not contiguous"), "{text}");
}
