//! Random layouts: a layout that a system can express prints, and reads back as the same layout.

use proptest::prelude::*;
use tensor_layout::names::{self, System};

use super::coordinates;
use crate::support::random::{axes, cases, element, layout_of, swizzle};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn names_are_read_as_the_layout(
        (case, swizzle) in (axes(), element()).prop_flat_map(|(axes, element)| {
            (layout_of(axes, element, true), swizzle())
        })
    ) {
        let layout = case.swizzled(swizzle).layout();
        let axes: Vec<_> =
            (0..layout.rank()).map(|i| (layout.letters().at(i), layout.extents()[i])).collect();
        for named in names::of(&layout) {
            let text = named.name.as_str();
            let again = match named.system {
                System::Tvm => names::tvm::parse_named(text, &axes, layout.element()),
                system => system.parse(text, layout.extents(), layout.element()),
            };
            prop_assert!(again.is_ok(), "{} of {}: {:?}", named, layout, again);
            let again = again.unwrap();
            let says_all = !matches!(named.system, System::Cute | System::PyTorch);
            prop_assert!(!says_all || again.len() == layout.len(), "{} of {}", named, layout);
            // PyTorch states strides but no start.
            let base = match (named.system, layout.numel()) {
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

proptest! {
    #![proptest_config(cases(300))]

    /// Memory orders with blocks of an axis in any order.
    #[test]
    fn index_maps_are_read_as_the_layout(
        case in (axes(), element()).prop_flat_map(|(axes, element)| layout_of(axes, element, false))
    ) {
        let layout = case.layout();
        let Ok(text) = names::tvm::index_map(&layout) else { return Ok(()) };
        let again = names::tvm::parse_index_map(text.as_str(), layout.extents(), layout.element());
        prop_assert!(again.is_ok(), "{} of {}: {:?}", text, layout, again);
        let again = again.unwrap();
        prop_assert!(again.letters() == layout.letters() && again.len() == layout.len(), "{}", text);
        for coordinate in coordinates(layout.extents()) {
            prop_assert_eq!(layout.offset(&coordinate), again.offset(&coordinate), "{} of {}", text, layout);
        }
    }
}

/// More digits than a layout has axes, and a swizzle over them.
#[test]
fn cute_has_sixteen_digits() {
    use tensor_layout::{ElementType, Layout};
    let bits = |from: u32, to: u32| -> String {
        let list: Vec<String> = (from..to).map(|bit| (1 << bit).to_string()).collect();
        list.join(",")
    };
    // Sixteen digits of two values; every other stride belongs to the other axis.
    let twos = ["2"; 8].join(",");
    let even: Vec<String> = (0..8).map(|bit| (1 << (2 * bit)).to_string()).collect();
    let odd: Vec<String> = (0..8).map(|bit| (2 << (2 * bit)).to_string()).collect();
    let text = format!("(({twos}),({twos})):(({}),({}))", even.join(","), odd.join(","));
    let morton = names::cute::parse(&text, ElementType::U8).unwrap();
    assert_eq!((morton.extents(), morton.len()), (&[256, 256][..], 1 << 16));
    assert_eq!(morton.offset(&[0b1011_0001, 0]), 0b0100_0101_0000_0001);
    assert_eq!(names::cute::print(&morton).unwrap().as_str(), text);
    let swizzled = names::cute::parse(&format!("Sw<2,0,4> o 0 o {text}"), ElementType::U8).unwrap();
    for coordinate in [[1, 2], [200, 13], [255, 255]] {
        let offset = morton.offset(&coordinate);
        assert_eq!(swizzled.offset(&coordinate), offset ^ (offset >> 4 & 3));
    }
    let seventeen = format!(
        "(({}),({twos})):(({}),({}))",
        ["2"; 9].join(","),
        even.join(",") + ",131072",
        odd.join(",")
    );
    let error = names::cute::parse(&seventeen, ElementType::U8).unwrap_err().to_string();
    assert!(error.contains("16"), "{error}");
    // One digit where each follows the one before.
    let row = names::cute::parse(
        &format!("(({})):(({}))", ["2"; 12].join(","), bits(0, 12)),
        ElementType::U8,
    );
    assert_eq!(row.unwrap(), Layout::from_strides("A", &[4096], &[1], ElementType::U8).unwrap());
    // Factors share an element with all that they scale.
    let scales = "(((32,4),1),((32,4),1)):(((16,4),0),((0,1),0))";
    let scales = names::cute::parse(scales, ElementType::U8).unwrap();
    assert_eq!((scales.offset(&[33, 64]), scales.len()), (16 + 4 + 2, 512));
    // A start, which only a swizzle has in print.
    let started = names::cute::parse("Sw<1,0,3> o 16 o (4,2):(1,8)", ElementType::U8).unwrap();
    assert_eq!((started.offset(&[0, 0]), started.offset(&[2, 1])), (16, (24 + 2) ^ 1));
    assert_eq!(names::cute::print(&started).unwrap().as_str(), "Sw<1,0,3> o 16 o (4,2):(1,8)");
    let flipped = Layout::from_strides("MK", &[4, 8], &[-8, 1], ElementType::U8).unwrap();
    let text = "Sw<1,0,3> o 24 o (4,8):(-8,1)";
    let swizzled = names::cute::parse(text, ElementType::U8).unwrap();
    for coordinate in [[0, 0], [1, 5], [3, 7]] {
        let offset = flipped.offset(&coordinate);
        assert_eq!(swizzled.offset(&coordinate), offset ^ (offset >> 3 & 1));
    }
    assert_eq!(names::cute::print(&swizzled).unwrap().as_str(), text);
}

/// The number of random orders that each system must be able to express, so that not everything can be an error.
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
        ("MK32m4m/32 4k", &[130, 5], ElementType::F8E4M3, System::CublasLt, "VEC16_UE4M3"),
        ("MK4k16m2k/4 2m/16", &[40, 9], ElementType::U8, System::HipblasLt, "BLK32_UE8M0_32_8"),
        (
            "MK32m4m/32 4k",
            &[256, 8],
            ElementType::U8,
            System::Cute,
            "((32,4,2),(4,2)):((16,4,1024),(1,512))",
        ),
    ] {
        let layout = of(format, extents, element);
        let printed = system.print(&layout).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(printed.as_str(), name, "{format}");
    }
}
