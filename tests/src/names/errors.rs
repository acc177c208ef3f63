//! What systems cannot express, and text that is not a name.

use tensor_layout::names::{NameError, System, cute, mlir, tensorrt, tvm, xla};
use tensor_layout::{ElementType, Layout};
use test_support::Random;

fn message<T: std::fmt::Debug>(result: Result<T, NameError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn what_a_system_cannot_express_says_so() {
    let nested = Layout::of("OIHW4i16o4i", &[16, 16, 3, 3], ElementType::I8).unwrap();
    assert_eq!(
        message(System::Tvm.print(&nested)),
        "TVM has no name for `OIHW4i16o4i<16, 16, 3, 3>, i8`: no name of the system has these strides and \
         this length; relayout to whole axes with at most one block each, such as `NCHW16c`",
    );
    let act = Layout::of("NCHW8c", &[1, 16, 4, 4], ElementType::I8).unwrap();
    for system in [System::TensorRt, System::Rknn, System::EthosU, System::PyTorch] {
        assert!(matches!(system.print(&act), Err(NameError::Inexpressible { .. })), "{system}");
    }
    let scales = Layout::of("MK32m4m/32 4k", &[256, 8], ElementType::U8).unwrap();
    assert_eq!(
        message(System::OneDnn.print(&scales)),
        "oneDNN has no name for `MK32m4m/32 4k<256, 8>, u8`: an axis has blocks that are not listed from the outer \
         to the inner; relayout to a blocking that has a tag, such as `aBcd16b`",
    );
    let tile = Layout::parse("MK<64, 64>, f16, swizzle(3, 3, 3)").unwrap();
    for system in System::ALL.into_iter().filter(|&system| system != System::Cute) {
        let error = message(system.print(&tile));
        assert!(error.contains("`: it has a swizzle; "), "{system}: {error}");
    }
    let crop = act.slice('H', 1, 1, 2).unwrap();
    for system in System::ALL {
        assert!(matches!(system.print(&crop), Err(NameError::Inexpressible { .. })), "{system}");
    }
    let ragged =
        Layout::builder("NCHW8c", ElementType::F32).pad(0).extents(&[1, 13, 4, 4]).unwrap();
    assert!(message(cute::print(&ragged)).contains("an axis begins or ends inside a block"));
}

#[test]
fn tensorrt_refuses_elements_that_it_does_not_store() {
    let act = Layout::of("NCHW4c", &[1, 16, 4, 4], ElementType::F32).unwrap();
    assert_eq!(
        message(tensorrt::print(&act)),
        "TensorRT does not store f32 as `kCHW4`; use i8 or f16"
    );
    let parse = |name, channels, element| tensorrt::parse(name, &[1, channels, 4, 4], element);
    assert_eq!(
        message(parse("kDLA_HWC4", 5, ElementType::I8)),
        "TensorRT `kDLA_HWC4` has no extent 5 of axis `C`; use 1, 3 or 4 channels",
    );
    assert_eq!(parse("kDLA_HWC4", 3, ElementType::I8).unwrap().len(), 4 * 64);
    assert!(matches!(parse("NHWC8", 8, ElementType::F16), Err(NameError::Unknown { .. })));
    assert!(matches!(
        tensorrt::parse("kCHW4", &[4, 4], ElementType::I8),
        Err(NameError::Rank { least: 3, most: 4, given: 2, .. })
    ));
}

#[test]
fn text_that_is_not_a_name_is_an_error_on_its_byte() {
    let xla = |text| xla::parse(text, &[20, 300], ElementType::F32);
    assert_eq!(
        message(xla("{1,1}")),
        "byte 1 of the XLA name: found `1,1}`; write each dimension once, the fastest first"
    );
    assert_eq!(
        message(xla("{1,0:T(8,128)S(1)}")),
        "byte 13 of the XLA name: found `S(1)}`; write `}`: a layout is in no memory space"
    );
    assert_eq!(
        message(xla("{1,99999999999999999999}")),
        "byte 3 of the XLA name: found `99999999999999999999}`; write a smaller number"
    );
    for text in [
        "",
        "{",
        "{1,0",
        "{1,0:T",
        "{1,0:T()}",
        "{1,0:T(8,128)(3,1)}",
        "{1,0:T(8,0)}",
        "{1,0:T(2,8,128)}",
        "{1,0:T(8,128)(2,1,1,1,1)}",
        "{1,0:T(8,128)(1,3)}",
        "{1,0:T(9223372036854775807,1)(1,1,1)(4,1,1,1)}",
        "{1,0:T(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)(1,1)}",
        "{1,0:T(*,8)}",
        "{1,0} ,",
        "{1,0:E(4)}",
        "{0}",
    ] {
        assert!(xla(text).is_err(), "{text}");
    }
}

#[test]
fn text_that_is_not_a_name_of_cute_is_an_error() {
    let cute = |text| cute::parse(text, ElementType::F32);
    for text in [
        "",
        "(4",
        "(4):",
        "4:(1)",
        "(4,2):(1)",
        "((4,2)):(4,2)",
        "(4):(1@0)",
        "(-4):(1)",
        "Sw<3,4,2> o 0 o (8):(1)",
        "Sw<3,4> o 0 o (8):(1)",
        "Sw<3,4,3> o (8):(1)",
        "Sw<3,4,3> o 0 o (8):(-1)",
        "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
        "Sw<3,1,3> o smem_ptr[32b](unset) o (8,64):(64,1)",
        "Sw<99999999999999999999,0,0> o 0 o (8):(1)",
        "Sw<1,0,1> o 9223372036854775807 o (8):(1)",
        "(4,(2,3)):(1,(8,4))",
        "(1,1,1,1,1,1,1,1,1,1,1,1,1):(0,0,0,0,0,0,0,0,0,0,0,0,0)",
        "(4):(99999999999999999999)",
        "(9223372036854775807,4):(1,9223372036854775807)",
        "é",
    ] {
        assert!(cute(text).is_err(), "{text}");
    }
    assert_eq!(
        message(cute("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)")),
        "byte 21 of the CuTe name: found `16b](unset) o (8,64):(64,1)`; write the bits of the layout's elements",
    );
    assert_eq!(cute("((4,2)):((4,1))").unwrap().extents(), [8]);
    assert_eq!(cute("(_4,2):(_-1,4)").unwrap().offset(&[0, 1]), 7);
}

#[test]
fn text_that_is_not_a_pack_is_an_error() {
    let mlir = |text| mlir::parse(text, &[8, 8], ElementType::F32);
    for text in [
        "",
        "inner_dims_pos = [0]",
        "inner_dims_pos = [0, 0] inner_tiles = [2, 2]",
        "inner_dims_pos = [2] inner_tiles = [2]",
        "inner_dims_pos = [0] inner_tiles = [0]",
        "outer_dims_perm = [0, 0] inner_dims_pos = [0] inner_tiles = [2]",
        "inner_dims_pos = [0] inner_tiles = [2] into",
        "padding_value(%x : f16) inner_dims_pos = [0] inner_tiles = [2]",
    ] {
        assert!(mlir(text).is_err(), "{text}");
    }
    assert!(
        mlir("linalg.pack padding_value(%x : f32) inner_dims_pos = [0] inner_tiles = [3]").is_ok()
    );
}

#[test]
fn text_that_is_not_an_index_map_is_an_error() {
    let map = |text| tvm::parse_index_map(text, &[8, 8], ElementType::F32);
    for text in [
        "",
        "lambda",
        "lambda r, c:",
        "lambda r: (r,)",
        "lambda r, r: (r, r)",
        "lambda r, c: (r, d)",
        "lambda r, c: (r)",
        "lambda r, c: (r, c, c)",
        "lambda r, c: (r, c // 4)",
        "lambda r, c: (r, c // 4, c % 2)",
        "lambda r, c: (r, c // 8, c % 4, c // 2 % 4)",
        "lambda r, c: (r, c // 0, c % 4)",
        "lambda r, c: (r, c // 4, c % 0)",
        "lambda r, c: (r, c // 4, c % 6 // 4)",
        "lambda r, c: (r, c // 4, c % 4",
        "lambda r, c: (r, c // 4, c % 4) + 1",
    ] {
        assert!(map(text).is_err(), "{text}");
    }
    let same = ["[m, k // 4, k % 2, k // 2 % 2]", "(m, k//4, k % 2, k % 4 // 2)"];
    for text in same.map(|text| format!("lambda m, k: {text}")) {
        let layout = tvm::parse_index_map(&text, &[8, 8], ElementType::F32).unwrap();
        assert_eq!(layout, Layout::of("MK2k2k/2", &[8, 8], ElementType::F32).unwrap(), "{text}");
    }
    // As TVM prints them.
    let text = "T.index_map(lambda m, k: (m, k // T.int64(4), k % T.int64(4)))";
    let printed = tvm::parse_index_map(text, &[8, 8], ElementType::F32).unwrap();
    assert_eq!(printed, Layout::of("MK4k", &[8, 8], ElementType::F32).unwrap());
    let named = tvm::parse_index_map("lambda i0, i1: (i1, i0)", &[4, 6], ElementType::F32);
    assert_eq!(named.unwrap().to_string(), "BA<4, 6>, f32");
}

#[test]
fn scale_factors_have_their_elements() {
    let parse = |name, element| System::CublasLt.parse(name, &[128, 4], element);
    assert_eq!(
        message(parse("VEC32_UE8M0", ElementType::F32)),
        "cuBLASLt does not store f32 as `VEC32_UE8M0`; use f8e8m0 or u8"
    );
    let scales = parse("CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3", ElementType::F8E4M3).unwrap();
    assert_eq!(System::CublasLt.print(&scales).unwrap().as_str(), "VEC16_UE4M3");
    assert!(matches!(parse("VEC128_32F", ElementType::F32), Err(NameError::Unknown { .. })));
    let extents = &[128, 4, 2];
    let of_three = System::HipblasLt.parse("BLK32_UE8M0_32_8", extents, ElementType::U8);
    assert!(matches!(of_three, Err(NameError::Rank { least: 2, most: 2, given: 3, .. })));
}

/// Text of any kind, with any extents, never stops the program.
#[test]
fn any_text_is_an_error_or_a_layout() {
    let pieces = [
        "a",
        "B",
        "N",
        "c",
        "16",
        "4",
        "0",
        "(",
        ")",
        "{",
        "}",
        ":",
        ",",
        "T",
        "k",
        "CHW4",
        "=",
        "[",
        "]",
        "-",
        "_",
        "é",
        "99999999999999999999",
        "inner_dims_pos",
        "inner_tiles",
        "Sw<1,0,1> o ",
        "lambda r, c: (r, c",
        " // ",
        " % ",
        "VEC32_UE8M0",
        "[4c]",
        ",)",
        "smem_ptr[16b](unset)",
        "%0",
        " into %0 : tensor<",
        "FORMAT_",
    ];
    let mut random = Random::new(1, 0);
    let mut next = |end: usize| random.below(end);
    let extents = [0, 1, 5, usize::MAX, 16, 3, 2, 7, 4, 4];
    for _ in 0..20_000 {
        let text: String = (0..next(8)).map(|_| pieces[next(pieces.len())]).collect();
        let rank = next(10);
        let list: Vec<usize> = (0..rank).map(|_| extents[next(extents.len())]).collect();
        for system in System::ALL {
            if let Ok(layout) = system.parse(&text, &list, ElementType::I8) {
                assert_eq!(layout.extents(), list, "{system} {text}");
            }
        }
        if let Ok(layout) = tvm::parse_index_map(&text, &list, ElementType::I8) {
            assert_eq!(layout.extents(), list, "{text}");
        }
    }
}

/// Shapes of CuTe in which a digit has no value, before others or after them, in any nesting.
#[test]
fn shapes_without_coordinates_are_empty_layouts() {
    for text in
        ["0:1", "(0,2):(1,2)", "((0,2)):((1,2))", "((2,0)):((1,2))", "(3,(2,0,4)):(8,(1,2,4))"]
    {
        let layout =
            cute::parse(text, ElementType::U8).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((layout.numel(), layout.len()), (0, 0), "{text}");
        assert_eq!(layout.to_string().parse(), Ok(layout), "{text}");
    }
    let wrong = ElementType::Plain { bytes: 0, align: 1 };
    assert!(
        System::ALL.iter().all(|system| system.parse("NC1HWC2", &[1, 2, 3, 4], wrong).is_err())
    );
}
