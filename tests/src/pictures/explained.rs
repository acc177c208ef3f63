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
        prop_assert_eq!(explanation.count, coordinates.len());
        prop_assert_eq!(explanation.len, memory.cells.len());
        prop_assert_eq!(explanation.addresses.len(), coordinates.len().min(8));
        for (address, coordinate) in explanation.addresses.iter().zip(&coordinates) {
            prop_assert_eq!(&address.coordinate, coordinate);
            prop_assert_eq!(address.offset, memory.offset(coordinate));
            prop_assert_eq!(address.byte, address.offset * case.bits / 8);
        }
        let empty = memory.cells.iter().filter(|cell| cell.is_none()).count();
        let (padding, gaps) = if memory.strided { (0, empty) } else { (empty, 0) };
        prop_assert_eq!((explanation.padding, explanation.gaps), (Some(padding), Some(gaps)));
        let text = explanation.to_string();
        prop_assert!(text.starts_with(&layout.to_string()), "{}", text);
    }
}

#[test]
fn names_and_formats_are_listed() {
    let act: Layout = "NCHW16c<1, 32, 7, 7>, f16".parse().expect("a layout");
    let text = explain(&act).to_string();
    assert!(text.contains("\n  oneDNN aBcd16b\n"), "{text}");
    assert!(text.contains("\nformats\n  NCHW16c"), "{text}");
    assert!(text.contains("no padding, no gaps, unique, not contiguous"), "{text}");
}
