//! Random layouts: what a system can express it prints, and reads as the same layout.

use proptest::prelude::*;
use tensor_layout::names::{self, System};

use super::coordinates;
use crate::support::random::{axes, cases, element, layout_of};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn names_are_read_as_the_layout(
        case in (axes(), element()).prop_flat_map(|(axes, element)| layout_of(axes, element, true))
    ) {
        let layout = case.layout();
        for named in names::of(&layout) {
            let text = named.name.as_str();
            // Of CuTe's digits, 8 are read.
            let numbers = text.split(|character: char| !character.is_ascii_digit());
            let count = numbers.filter(|number| !number.is_empty()).count();
            if named.system == System::Cute && count > 16 {
                continue;
            }
            let again = match named.system {
                System::Tvm => names::tvm::parse_named(text, &case.axes, layout.element()),
                system => system.parse(text, layout.extents(), layout.element()),
            };
            prop_assert!(again.is_ok(), "{} of {}: {:?}", named, layout, again);
            let again = again.unwrap();
            let says_all = !matches!(named.system, System::Cute | System::PyTorch);
            prop_assert!(!says_all || again.len() == layout.len(), "{} of {}", named, layout);
            // PyTorch says strides and not where they begin.
            let base = match (named.system, layout.count()) {
                (System::PyTorch, 1..) => layout.offset(&vec![0; layout.rank()]),
                _ => 0,
            };
            for coordinate in coordinates(layout.extents()) {
                let (own, other) = (layout.offset(&coordinate), again.offset(&coordinate));
                prop_assert_eq!(own, other + base, "{} of {}", named, layout);
            }
        }
    }
}

/// What each system has to be able to say of random orders, so that refusals are no way out.
#[test]
fn systems_print_what_they_express() {
    use tensor_layout::{ElementType, Layout};
    let of = |format: &str, extents: &[usize], element| {
        Layout::builder(format, element).pad(0).extents(extents).unwrap()
    };
    for (format, extents, element, system, name) in [
        (
            "ABCD8b4a",
            &[9, 17, 3, 4][..],
            ElementType::F32,
            System::Xla,
            "{3,2,1,0:T(4,8,1,1)(4,1,1,1)}",
        ),
        ("DCBA16b4a", &[9, 17, 3, 4], ElementType::F32, System::Xla, "{0,1,2,3:T(16,4)}"),
        (
            "CAB4b8a",
            &[9, 17, 3],
            ElementType::U8,
            System::Mlir,
            "padding_value(%zero : i8) outer_dims_perm = [2, 0, 1] inner_dims_pos = [1, 0] inner_tiles = [4, 8]",
        ),
        ("OIHW16i16o", &[32, 32, 3, 3], ElementType::I8, System::Tvm, "OIHW16i16o"),
        ("NCHW", &[2, 3, 4, 5], ElementType::F32, System::Cute, "(2,3,4,5):(60,20,5,1)"),
        ("NDHWC", &[2, 3, 4, 5, 6], ElementType::F32, System::PyTorch, "channels_last_3d"),
        ("NCDHW32c", &[1, 40, 2, 3, 4], ElementType::I8, System::TensorRt, "kCDHW32"),
        ("NHWC", &[1, 8, 3, 4], ElementType::BF16, System::TensorRt, "kHWC8"),
        ("NCHW16c", &[1, 20, 3, 4], ElementType::I8, System::Rknn, "NC1HWC2"),
        ("NHCW16c", &[1, 20, 3, 4], ElementType::I8, System::EthosU, "NHCWB16"),
        ("CHWN16n16c", &[33, 20, 3, 4], ElementType::F16, System::Ascend, "FRACTAL_Z"),
        ("MK16m32k", &[33, 70], ElementType::I8, System::Ascend, "FRACTAL_ZZ"),
    ] {
        let layout = of(format, extents, element);
        let printed = system.print(&layout).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(printed.as_str(), name, "{format}");
    }
}
