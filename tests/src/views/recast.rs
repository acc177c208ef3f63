//! The same bytes as elements of another width: every coordinate of random layouts, against counted bits.

use proptest::prelude::*;
use proptest::sample::select;
use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError};
use test_support::coordinates;

use crate::support::random::{self, cases};

const TYPES: [ElementType; 7] = [
    ElementType::I4,
    ElementType::U8,
    ElementType::F16,
    ElementType::F32,
    ElementType::F64,
    ElementType::Plain { bytes: 3, align: 1 },
    ElementType::Plain { bytes: 12, align: 4 },
];

/// Fails unless each element of `fine` is a part of one of `coarse`, which has `parts` of them along an axis.
fn check(coarse: &Layout, fine: &Layout, axis: usize, parts: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(fine.extents()[axis], coarse.extents()[axis] * parts);
    prop_assert_eq!(fine.len(), coarse.len() * parts);
    for c in coordinates(fine.extents()) {
        let mut whole = c.clone();
        whole[axis] /= parts;
        let expected = coarse.offset(&whole) * parts + c[axis] % parts;
        prop_assert_eq!(fine.offset(&c), expected, "{} as {} at {:?}", coarse, fine, c);
    }
    Ok(())
}

/// Whether elements lie side by side in groups of `parts` along an axis, each at a multiple.
fn has_groups(layout: &Layout, axis: usize, parts: usize) -> bool {
    layout.extents()[axis] % parts == 0
        && layout.len() % parts == 0
        && coordinates(layout.extents()).all(|c| {
            let mut first = c.clone();
            first[axis] -= c[axis] % parts;
            let start = layout.offset(&first);
            start % parts == 0 && layout.offset(&c) == start + c[axis] % parts
        })
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn elements_are_parts_of_others(
        case in (random::axes(), select(TYPES.to_vec())).prop_flat_map(|(axes, element)| {
            random::layout_of(axes, (element, element.bits()), true)
        }),
        to in select(TYPES.to_vec()),
        axis in any::<prop::sample::Index>(),
    ) {
        let layout = case.layout();
        if layout.rank() == 0 || layout.numel() == 0 || layout.fill().is_some_and(|bits| bits != 0) {
            return Ok(());
        }
        let axis = axis.index(layout.rank());
        let letter = layout.letters().at(axis);
        let (from_bits, to_bits) = (layout.element().bits(), to.bits());
        if let (Ok(recast), true) =
            (layout.recast(to, letter), layout.align() > layout.element().align())
        {
            // What is aligned for more than its elements stays so.
            prop_assert_eq!(recast.align(), layout.align().max(to.align()), "{}", layout);
        }
        match layout.recast(to, letter) {
            Ok(fine) if to_bits <= from_bits => {
                check(&layout, &fine, axis, from_bits / to_bits)?;
                prop_assert_eq!((fine.bytes(), fine.element()), (layout.bytes(), to));
                prop_assert_eq!(fine.to_string().parse(), Ok(fine), "{}", fine);
                let back = fine.recast(layout.element(), letter).unwrap();
                prop_assert!(back.same_map(&layout) && back.len() == layout.len());
            }
            Ok(coarse) => {
                check(&coarse, &layout, axis, to_bits / from_bits)?;
                prop_assert_eq!(coarse.to_string().parse(), Ok(coarse), "{}", coarse);
            }
            Err(LayoutError(Rule::RecastWidth { .. })) => {
                prop_assert!(from_bits % to_bits != 0 && to_bits % from_bits != 0);
            }
            Err(LayoutError(Rule::RecastParts { .. })) => {
                prop_assert!(!has_groups(&layout, axis, to_bits / from_bits), "{} as {:?}", layout, to);
            }
            Err(LayoutError(Rule::ViewBlocks { .. })) => {}
            Err(error) => prop_assert!(false, "{}: {} as {:?}", error, layout, to),
        }
    }
}

/// What CuTe's recast gives: strides times and by the ratio, and swizzles of other units.
#[test]
fn recast_of_tiles() {
    let tile = Layout::parse("MK<8, 64>, f16, swizzle = b128").unwrap();
    for (to, text) in [
        (ElementType::U8, "MK<8, 128>, u8, swizzle(3, 4, 3)"),
        (ElementType::I4, "MK<8, 256>, i4, swizzle(3, 5, 3)"),
        (ElementType::U64, "MK<8, 16>, u64, swizzle(3, 1, 3)"),
        (ElementType::I16, "MK<8, 64>, i16, swizzle(3, 3, 3)"),
    ] {
        let other = tile.recast(to, 'K').unwrap();
        assert_eq!(other.to_string(), text);
        assert_eq!(other.recast(ElementType::F16, 'K'), Ok(tile));
    }
    // Groups of 8 bytes stay contiguous, and 32 bytes are more than that.
    let wide = ElementType::Plain { bytes: 32, align: 16 };
    assert!(matches!(tile.recast(wide, 'K'), Err(LayoutError(Rule::RecastParts { .. }))));
    let twelve = ElementType::Plain { bytes: 12, align: 4 };
    assert!(matches!(tile.recast(twelve, 'K'), Err(LayoutError(Rule::RecastParts { .. }))));
    let three = ElementType::Plain { bytes: 3, align: 1 };
    assert!(matches!(tile.recast(three, 'K'), Err(LayoutError(Rule::RecastWidth { .. }))));
    let padded = Layout::parse("MK4k<8, 6>, f16, pad = 1").unwrap();
    assert!(matches!(
        padded.recast(ElementType::U8, 'K'),
        Err(LayoutError(Rule::FillOfAnother { .. }))
    ));
    // The lanes of a fragment hold words of two elements.
    let a = Layout::parse("8m4k KM2k<M = 16, K = 16>, f16, lanes(32)").unwrap();
    let words = a.recast(ElementType::U32, 'K').unwrap();
    assert_eq!(words.to_string(), "8m4kKM<M = 16, K = 8>, u32, lanes(32)");
    // Nobody takes the stride of one coordinate, which is another in smaller elements.
    let apart = Layout::from_strides("MNI", &[1, 8, 1], &[isize::MAX, 11, 37], ElementType::F32);
    let bytes = apart.unwrap().recast(ElementType::U8, 'N').unwrap();
    assert_eq!(bytes.to_string().parse(), Ok(bytes), "{bytes}");
    // Huge extents.
    let most = Layout::parse("MK<M = 2305843009213693952, K = 1>, u8").unwrap();
    assert!(most.recast(ElementType::I4, 'K').is_ok_and(|fine| fine.extents()[1] == 2));
    assert!(most.recast(ElementType::I4, 'M').is_ok());
    let bits = Layout::parse("X<X = 9223372036854775807>, u8").unwrap();
    assert!(bits.recast(ElementType::I4, 'X').is_err());
}

/// A view that begins inside a block may have its first element before the base of its digits, which then is below 0.
#[test]
fn recast_of_views_that_begin_inside_a_block() {
    for (from, to, parts) in [("u8", ElementType::U16, 2), ("u16", ElementType::U64, 4)] {
        let text = format!("I2iK<I = 3, K = 4>, {from}, strides = [104, 96, 1], I from 1");
        for start in [0, 8, 96] {
            let narrow: Layout =
                format!("{text}, from {start} of {}", start + 108).parse().unwrap();
            let wide = narrow.recast(to, 'K').unwrap();
            check(&wide, &narrow, 1, parts).unwrap();
            assert_eq!(narrow.offset(&[0, 0]), start);
            let back = wide.recast(narrow.element(), 'K').unwrap();
            check(&wide, &back, 1, parts).unwrap();
            assert!(back.same_map(&narrow), "{back} and {narrow}");
        }
    }
}

/// The stride of a block's second half, which is padding, is not a whole number of new elements.
#[test]
fn recast_beside_padding() {
    let layout = Layout::parse("AC2cB3b<A = 7, B = 16, C = 1>, plain(3), pad").unwrap();
    let recast = layout.recast(TYPES[6], 'B').unwrap();
    check(&recast, &layout, 1, 4).unwrap();
    assert_eq!(
        recast.to_string(),
        "ABC<7, 4, 1>, plain(12, align = 4), strides = [9, 1, 1], from 0 of 63"
    );
}

/// As many digits as a layout has room for, of which one axis would get more if all were normalized.
#[test]
fn recast_of_the_most_digits() {
    let text = "AGFEDCB2g2f2e2d2c2b4aK2k<A = 8, G = 4, F = 4, E = 4, D = 4, C = 4, B = 4, K = 4>, u8, \
                strides = [65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 4, 2, 1], \
                A from 2";
    let layout = Layout::parse(text).unwrap();
    let recast = layout.recast(ElementType::U32, 'K').unwrap();
    check(&recast, &layout, layout.axis('K').unwrap(), 4).unwrap();
}

/// The second window begins one element after the first: as many parts as an element has.
#[test]
fn recast_of_windows_that_overlap() {
    let row = Layout::of("NW", &[2, 12], ElementType::U32).unwrap();
    let windows = row.windows('W', 3, 1, 'K').unwrap();
    for axis in ['N', 'W', 'K'] {
        for (to, parts) in [(ElementType::U16, 2), (ElementType::I4, 8)] {
            if let Ok(recast) = windows.recast(to, axis) {
                check(&windows, &recast, windows.axis(axis).unwrap(), parts).unwrap();
            }
        }
    }
    assert!(windows.recast(ElementType::U16, 'W').is_ok());
}
