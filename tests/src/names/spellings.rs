//! Names as programs, logs and documents of the systems spell them.

use tensor_layout::ElementType::{self, BF16, Bool, F8E4M3, F16, F32, I4, I8, U8, U16};
use tensor_layout::Layout;
use tensor_layout::names::{System, cute, mlir};

use super::coordinates;

/// Names of one layout, its extents and its text.
type Spellings = (System, &'static [&'static str], &'static [usize], ElementType, &'static str);

const SPELLINGS: &[Spellings] = &[
    (
        System::OneDnn,
        &["nChw16c", "aBcd16b", "dnnl_nChw16c", "dnnl::memory::format_tag::aBcd16b"],
        &[1, 20, 3, 5],
        F32,
        "NCHW16c<1, 20, 3, 5>, f32, pad = 0",
    ),
    (
        System::TensorRt,
        &["kCHW32", "CHW32", "trt.TensorFormat.CHW32", "nvinfer1::TensorFormat::kCHW32"],
        &[1, 20, 3, 5],
        I8,
        "NCHW32c<1, 20, 3, 5>, i8, pad = 0",
    ),
    (
        System::Ascend,
        &["FRACTAL_NZ", "NZ", "ACL_FORMAT_FRACTAL_NZ", "FORMAT_FRACTAL_NZ", "FRACTAL_NZ_C0_16"],
        &[20, 40],
        F16,
        "NM16m16n<M = 20, N = 40>, f16, pad = 0",
    ),
    (
        System::Ascend,
        &["FRACTAL_NZ_C0_4", "ACL_FORMAT_FRACTAL_NZ_C0_4"],
        &[2, 20, 40],
        F32,
        "BNM16m4n<B = 2, M = 20, N = 40>, f32, coordinates(B, M, N), pad = 0",
    ),
    (
        System::Rknn,
        &["NC1HWC2", "RKNN_TENSOR_NC1HWC2"],
        &[1, 20, 3, 5],
        U16,
        "NCHW8c<1, 20, 3, 5>, u16, pad = 0",
    ),
    (
        System::PyTorch,
        &["channels_last", "torch.channels_last"],
        &[2, 3, 4, 5],
        Bool,
        "NHWC<N = 2, C = 3, H = 4, W = 5>, bool",
    ),
    (System::Tvm, &["OIHW4o4i", "OIHW[4o4i]"], &[8, 8, 3, 3], F32, "OIHW4o4i<8, 8, 3, 3>, f32"),
];

#[test]
fn names_may_have_their_prefixes() {
    for &(system, names, extents, element, expected) in SPELLINGS {
        let expected: Layout = expected.parse().unwrap_or_else(|error| panic!("{error}"));
        for name in names {
            let layout = system.parse(name, extents, element);
            let layout = layout.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((layout.len(), layout.element()), (expected.len(), element), "{name}");
            for coordinate in coordinates(extents) {
                assert_eq!(layout.offset(&coordinate), expected.offset(&coordinate), "{name}");
            }
        }
    }
    for name in ["OIHW[4o4i", "OIHW4o]4i", "[OIHW]4o", "OIHW[]", "torch.", "dnnl_", "FORMAT_"] {
        for system in System::ALL {
            assert!(system.parse(name, &[8, 8, 3, 3], F32).is_err(), "{system} {name}");
        }
    }
}

/// What `NvInferRuntime.h` of TensorRT 10 says about elements.
#[test]
fn tensorrt_stores_these_elements() {
    let stored: &[(&str, &[ElementType])] = &[
        (
            "kLINEAR",
            &[F32, F16, BF16, I8, U8, Bool, F8E4M3, I4, ElementType::I32, ElementType::I64],
        ),
        ("kCHW2", &[F16, BF16]),
        ("kHWC8", &[F16, BF16]),
        ("kCHW4", &[I8, F16]),
        ("kCHW16", &[F16]),
        ("kCHW32", &[F32, F16, I8]),
        ("kDHWC8", &[F16, BF16]),
        ("kCDHW32", &[F16, I8]),
        ("kHWC", &[F32, U8]),
        ("kDLA_LINEAR", &[F16, I8]),
        ("kDLA_HWC4", &[F16, I8]),
        ("kHWC16", &[F16, I8, F8E4M3]),
        ("kDHWC", &[F32]),
    ];
    let all = [F32, F16, BF16, I8, U8, Bool, F8E4M3, I4, U16, ElementType::I32, ElementType::I64];
    for (name, takes) in stored {
        for element in all {
            let is_volume = name.contains("DHW");
            let extents: &[usize] = if is_volume { &[1, 4, 2, 4, 6] } else { &[1, 4, 2, 6] };
            let layout = System::TensorRt.parse(name, extents, element);
            assert_eq!(layout.is_ok(), takes.contains(&element), "{name} {}", element.name());
        }
    }
}

/// What CUTLASS and pycute print beside plain layouts.
#[test]
fn layouts_of_cute_may_have_pointers() {
    let parse = |text| cute::parse(text, F16).unwrap_or_else(|error| panic!("{text}: {error}"));
    let atom = parse("Sw<3,3,3> o 0 o (8,64):(64,1)");
    for text in [
        "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
        "Sw<3,4,3> o smem_ptr[16b](0x7f8800000400) o (_8,_64):(_64,_1)",
        "Sw<3,4,3>_smem_ptr[16b](0x7f8800000400) o (_8,_64):(_64,_1)",
    ] {
        assert_eq!(parse(text), atom, "{text}");
    }
    let plain = parse("(4,2):(1,4)");
    for text in ["gmem_ptr[16b](0x7f00) o (_4,_2):(_1,_4)", "ptr[16b](0x7f00) o (4,2):(1,4)"] {
        assert_eq!(parse(text), plain, "{text}");
    }
    assert_eq!(parse("(4,):(1,)"), parse("4:1"));
    assert_eq!(parse("((4,),2):((1,),4)"), plain);
    for text in
        ["(,4):(,1)", "(4,,):(1,,)", "(4,):1", "ptr[32b](0x7f00) o (4,2):(1,4)", "ptr o 4:1"]
    {
        assert!(cute::parse(text, F16).is_err(), "{text}");
    }
}

/// Packs as MLIR prints them.
#[test]
fn whole_packs_are_read() {
    let lists = "inner_dims_pos = [0, 1] inner_tiles = [8, 4]";
    let bare = mlir::parse(lists, &[16, 8], U8).unwrap();
    for around in [
        "LISTS",
        "linalg.pack LISTS",
        "linalg.pack %arg0 LISTS into %dest : tensor<16x8xi8> -> tensor<2x2x8x4xi8>",
        "%0 = tensor.pack %arg0 LISTS into %1 : tensor<?x8xi8> -> tensor<?x2x8x4xi8>",
    ] {
        let text = around.replace("LISTS", lists);
        assert_eq!(mlir::parse(&text, &[16, 8], U8).unwrap(), bare, "{text}");
    }
    let permuted = "%pack = linalg.pack %a padding_value(%cst : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] \
                    inner_tiles = [4] into %b : tensor<3x7xf32> -> tensor<2x3x4xf32>";
    assert_eq!(mlir::parse(permuted, &[3, 7], F32).unwrap().to_string(), "BA4b<3, 7>, f32, pad");
    for wrong in [
        "into",
        "into %d",
        "into %d : tensor<16x9xi8> -> tensor<2x2x8x4xi8>",
        "into %d : tensor<16x8xi8> -> tensor<2x2x4x8xi8>",
        "into %d : tensor<16x8xi16> -> tensor<2x2x8x4xi16>",
        "into %d : tensor<16x8xi8> -> tensor<2x2x8x4xi8> more",
    ] {
        assert!(mlir::parse(&format!("{lists} {wrong}"), &[16, 8], U8).is_err(), "{wrong}");
    }
}
