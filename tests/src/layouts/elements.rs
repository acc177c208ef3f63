//! Element types as values: each door that takes one applies the same rule to a type of the user's own.

use tensor_layout::chip::{Chip, Storage};
use tensor_layout::names::{NameError, System, cute};
use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError, Swizzle};

/// Layouts of each form that prints in its own way.
const BASES: [&str; 15] = [
    "MK<4, 8>, u8",
    "MK4k<4, 8>, u8, align(M = 64)",
    "MK4k<4, 7>, u8, pad",
    "MK<4, 8>, u4",
    "MK<4, 8>, u8, strides = [16, 1]",
    "MK<4, 8>, u8, strides = [-16, 1]",
    "MK<4, 8>, u8, strides = [16, 1], swizzle(1, 0, 3)",
    "MK<4, 8>, f32, strides = [16, 1], from 3 of 100",
    "MK4k<4, 8>, u8, strides = [16, 4, 1], swizzle(1, 0, 3)",
    "MK<4, 8>, plain(12, align = 4)",
    "MK<4, 8>, u8, broadcast(M)",
    "MK<4, 8>, u8, lanes(M, 2)",
    "MK<4, 8>, u8, swizzle(1, 0, 3)",
    "MK<0, 8>, u8, strides = [1, 1]",
    "SCALAR, u8",
];

/// Whether memory can hold an array of such elements.
fn is_sound(bytes: usize, align: usize) -> bool {
    let is_power = (0..usize::BITS).any(|power| 1 << power == align);
    is_power && bytes > 0 && bytes % align == 0 && bytes <= isize::MAX as usize / 8
}

/// What each door makes of an element type.
fn doors(element: ElementType) -> Vec<Result<Layout, LayoutError>> {
    let mut found = vec![
        Layout::of("MK", &[2, 3], element),
        Layout::of("SCALAR", &[], element),
        Layout::from_strides("MK", &[2, 3], &[3, 1], element),
        Layout::builder("MK4k", element).pad(0).extents(&[2, 3]),
        Layout::builder("MK", element).align('M', 64).extents(&[2, 3]),
        Layout::builder("MK", element).byte_strides(&[64, 16]).extents(&[2, 3]),
        Layout::builder("MK", element)
            .strides(&[8, 1])
            .swizzle(Swizzle::new(1, 0, 3))
            .extents(&[2, 3]),
    ];
    for base in BASES {
        let base: Layout = base.parse().unwrap_or_else(|error| panic!("{base}: {error}"));
        found.push(base.with_element(element));
        found.extend((0..base.rank()).map(|axis| base.recast(element, base.letters().at(axis))));
    }
    found
}

#[test]
fn every_door_refuses_elements_that_no_array_holds() {
    let most = isize::MAX as usize / 8;
    let sizes = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, most, most + 1, isize::MAX as usize, usize::MAX];
    let aligns = [0, 1, 2, 3, 4, 5, 6, 8, 16, 64, 1 << (usize::BITS - 1), usize::MAX];
    let mut taken = 0;
    for (bytes, align) in sizes.iter().flat_map(|&bytes| aligns.map(|align| (bytes, align))) {
        let element = ElementType::Plain { bytes, align };
        let refused = LayoutError(Rule::ElementSize { bytes, align });
        for (door, found) in doors(element).into_iter().enumerate() {
            match found {
                Err(error) => assert!(
                    is_sound(bytes, align) == (error != refused),
                    "{element:?}, {door}: {error}"
                ),
                Ok(layout) => {
                    assert!(is_sound(bytes, align), "{element:?}, {door}: {layout}");
                    assert_eq!(layout.bytes(), layout.len() * bytes);
                    assert_eq!(layout.to_string().parse(), Ok(layout), "{element:?}, {door}");
                    taken += 1;
                }
            }
        }
        let text: Result<Layout, _> = format!("MK<2, 3>, plain({bytes}, align = {align})").parse();
        assert_eq!(text.is_ok(), is_sound(bytes, align), "{element:?}");
        for system in System::ALL {
            let name = if system == System::Cute { "(2,3):(3,1)" } else { "ND" };
            assert!(system.parse(name, &[2, 3], element).is_err() || is_sound(bytes, align));
        }
        let by_strides = cute::parse("(2,3):(3,1)", element);
        let is_refused = matches!(by_strides, Err(NameError::Layout(error)) if error == refused);
        assert_eq!(is_refused, !is_sound(bytes, align), "{element:?}");
    }
    assert!(taken > 300, "{taken} layouts");
}

/// A swizzle may lengthen the buffer past what memory holds.
#[test]
fn a_view_with_a_swizzle_keeps_the_limit_of_bytes() {
    let most = (1usize << (usize::BITS - 4)) - 2;
    for (format, strides) in [("M<2>", most.to_string()), ("M2m<4>", format!("{}, 1", most - 1))] {
        let text = format!("{format}, u8, strides = [{strides}], swizzle(1, 0, 3)");
        let bytes: Layout = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(bytes.len(), most + 2);
        let error = bytes.with_element(ElementType::F64).unwrap_err();
        assert_eq!(error, LayoutError(Rule::TooLarge { element: ElementType::F64 }));
        assert!(bytes.with_element(ElementType::F32).is_ok());
    }
}

/// The number of channels that stay together is exact, or the chip is refused.
#[test]
fn channels_together_never_saturate() {
    let chip = Chip::named("bm1684x").unwrap();
    let of = |kernel_bytes, element| Chip { kernel_bytes, ..*chip }.channels_together(element);
    for (element, bits) in [(ElementType::U4, 4), (ElementType::I8, 8), (ElementType::F16, 16)] {
        for kernel_bytes in [4, 64, usize::MAX / 8] {
            assert_eq!(of(kernel_bytes, element) as u128, kernel_bytes as u128 * 8 / bits);
        }
    }
    assert_eq!(of(4, ElementType::F64), 0);
    for kernel_bytes in [usize::MAX / 8 + 1, usize::MAX] {
        let panicked = std::panic::catch_unwind(|| of(kernel_bytes, ElementType::I8)).unwrap_err();
        let text = panicked.downcast_ref::<String>().expect("a text");
        assert!(text.contains("kernel bytes that fit in its lane bytes"), "{text}");
        let chip = Box::leak(Box::new(Chip { kernel_bytes, ..*chip }));
        let built = Layout::builder("OIHW", ElementType::I8);
        let built = built.storage(chip, Storage::named("ic").unwrap(), 0, None);
        assert!(built.extents(&[1, 2, 3, 4]).is_err());
    }
    let plain = ElementType::Plain { bytes: 0, align: 1 };
    assert!(std::panic::catch_unwind(|| of(64, plain)).is_err());
}
