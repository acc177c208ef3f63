//! Tensors in .safetensors files: against files that its Python package wrote (`files/make.py`),
//! and back.

use std::fs;

use tensor_layout::adapters::{AdapterError, Cause, safetensors};
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, bf16, f4e2m1, f8e4m3, layout};

/// The bytes of a file, and one more before them for each step away from a multiple of 8.
fn file(name: &str, steps: usize) -> Vec<u64> {
    let path = format!("{}/files/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut words = vec![0; (bytes.len() + steps).div_ceil(8)];
    bytemuck::cast_slice_mut::<u64, u8>(&mut words)[steps..][..bytes.len()].copy_from_slice(&bytes);
    words
}

fn length(name: &str) -> usize {
    let path = format!("{}/files/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::metadata(path).unwrap().len() as usize
}

#[test]
fn files_that_its_package_wrote() {
    for steps in 0..8 {
        let words = file("numpy.safetensors", steps);
        let bytes = &bytemuck::cast_slice(&words)[steps..][..length("numpy.safetensors")];
        let file = safetensors::File::new(bytes).unwrap();
        assert_eq!(file.names(), ["bias", "conv.packed", "conv.weight", "empty", "scalar"]);
        assert_eq!(file.shape("conv.weight"), Some(vec![2, 1, 3, 3]));
        assert_eq!(file.shape("conv.bias"), None);

        type Weights = layout!(OIHW<2, 1, 3, 3>, f32);
        let weights = file.read("conv.weight", Weights::default()).unwrap();
        assert_eq!(weights[[1, 0, 2, 0]], 9.0 + 6.0);
        let borrowed = matches!(weights.into_buffer(), safetensors::Units::InFile(_));
        assert_eq!(borrowed, steps % 4 == 0, "a copy where it need not be, or none");

        type Packed = layout!(OIHW4i2o<2, _, 1, 1>, i8, pad);
        let packed = file.read("conv.packed", Packed::new([7]).unwrap()).unwrap();
        assert_eq!(packed[[1, 6, 0, 0]], 8 + 2 * 2 + 1);
        let scalar = file.read("scalar", <layout!(SCALAR, i64)>::default()).unwrap();
        assert_eq!(scalar[[]], 7);
        let empty = Layout::of("HW", &[0, 4], ElementType::U8).unwrap();
        let empty = file.read("empty", Dynamic::<u8, 2>::new(empty).unwrap()).unwrap();
        assert!(empty.buffer().is_empty());
    }
    let words = file("raw.safetensors", 0);
    let bytes = &bytemuck::cast_slice(&words)[..length("raw.safetensors")];
    let file = safetensors::File::new(bytes).unwrap();
    let halves = file.read("bf16", <layout!(N<N = 2>, bf16)>::default()).unwrap();
    assert_eq!(halves.buffer(), [bf16::from_f32(1.0), bf16::from_f32(-2.0)]);
    let eighths = file.read("f8", <layout!(N<N = 3>, f8e4m3)>::default()).unwrap();
    assert_eq!(eighths[[2]], f8e4m3::from_bits(3));
}

#[test]
fn layouts_that_ask_for_more_than_a_file_gives_are_copied() {
    type Lines = layout!(HW<2, 64>, u8, align(H = 64));
    let lines = Tensor::<Lines>::from_fn(|[h, w]| (64 * h + w) as u8);
    let mut bytes = Vec::new();
    safetensors::write([("lines", safetensors::Entry::new(&lines).unwrap())], &mut bytes).unwrap();
    let mut steps_in_file = 0;
    for steps in 0..64 {
        let mut memory = vec![0; bytes.len() + 128];
        let start = memory.as_ptr().align_offset(64) + steps;
        memory[start..][..bytes.len()].copy_from_slice(&bytes);
        let file = safetensors::File::new(&memory[start..][..bytes.len()]).unwrap();
        let same = file.read("lines", Lines::default()).unwrap();
        assert_eq!(same.buffer(), lines.buffer());
        assert_eq!(same.buffer().as_ptr().addr() % 64, 0);
        steps_in_file += usize::from(matches!(same.into_buffer(), safetensors::Units::InFile(_)));
    }
    assert_eq!(steps_in_file, 1);
}

#[test]
fn a_file_that_does_not_fit_names_both_sides() {
    let words = file("numpy.safetensors", 0);
    let bytes = &bytemuck::cast_slice(&words)[..length("numpy.safetensors")];
    let file = safetensors::File::new(bytes).unwrap();
    let says = |error: AdapterError, text: &str| {
        assert!(error.to_string().starts_with(text), "{error}");
    };
    type Weights = layout!(OIHW<2, 1, 3, 3>, f32);
    says(
        file.read("conv.weights", Weights::default()).unwrap_err(),
        "file has no tensor `conv.weights`; write one of `bias`, `conv.packed`, `conv.weight`, ",
    );
    says(
        file.read("bias", Weights::default()).unwrap_err(),
        ".safetensors file holds `F64` but layout `OIHW<2, 1, 3, 3>, f32` holds `f32`; ",
    );
    says(
        file.read("conv.weight", <layout!(OIHW<2, 2, 3, 3>, f32)>::default()).unwrap_err(),
        "array has shape [2, 1, 3, 3] but layout `OIHW<2, 2, 3, 3>, f32` is stored with \
         shape [2, 2, 3, 3], slowest first; ",
    );
    says(
        file.read("bias", <layout!(N<N = 6>, i4)>::default()).unwrap_err(),
        "a .safetensors file cannot hold `i4` of layout `N<6>, i4`; ",
    );
    for length in 0..bytes.len() {
        let error = safetensors::File::new(&bytes[..length]).unwrap_err();
        assert!(
            matches!(error, AdapterError(Cause::File { kind: ".safetensors file", .. })),
            "{error}"
        );
    }
}

/// A file of this header.
fn safetensors(header: &str, tensors: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), tensors].concat()
}

#[test]
fn headers_are_not_believed() {
    let whole = r#"{"a":{"dtype":"U8","shape":[2,1],"data_offsets":[0,2]}}"#;
    let bytes = safetensors(whole, &[7, 8]);
    let file = safetensors::File::new(&bytes).unwrap();
    assert_eq!(file.read("a", <layout!(HW<2, 1>, u8)>::default()).unwrap().buffer(), [7, 8]);
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    let refused = [
        // More than the file holds, than memory can hold, and than numbers can count.
        whole.replace("[0,2]", "[0,3]").replace("2,1", "3,1"),
        whole.replace("[0,2]", "[0,1125899906842624]").replace("2,1", "1125899906842624,1"),
        whole.replace("2,1", "4294967296,4294967296"),
        whole.replace("2,1", "18446744073709551616,1"),
        whole.replace("2,1", "-1,2"),
        // Other offsets, reversed offsets, and a length that differs from the shape's.
        whole.replace("[0,2]", "[1,3]"),
        whole.replace("[0,2]", "[2,0]"),
        whole.replace("2,1", "2,2"),
        whole.replace("U8", "U16"),
        whole.replace("U8", "UTF-8"),
        deep,
    ];
    for header in refused {
        let error = safetensors::File::new(&safetensors(&header, &[7, 8])).unwrap_err();
        assert!(matches!(error, AdapterError(Cause::File { .. })), "{header:.80}: {error}");
    }
    let mut long = bytes.clone();
    long[..8].fill(0xff);
    assert!(safetensors::File::new(&long).is_err());
    let none = whole.replace("2,1", "0,9223372036854775807").replace("[0,2]", "[0,0]");
    let none = safetensors(&none, &[]);
    let file = safetensors::File::new(&none).unwrap();
    let layout = Layout::of("HW", &file.shape("a").unwrap(), ElementType::U8);
    let layout = Dynamic::<u8, 2>::new(layout.unwrap()).unwrap();
    assert_eq!(file.read("a", layout).unwrap().to_string(), "[]");
}

/// Floats of 4 bits are two a byte, the first in the low half.
#[test]
fn floats_of_4_bits() {
    type Codes = layout!(HW<2, 4>, f4e2m1);
    let header = r#"{"a":{"dtype":"F4","shape":[2,4],"data_offsets":[0,4]}}"#;
    let packed = [0x21, 0x43, 0x65, 0x87];
    let header = format!("{header:<64}");
    let bytes = safetensors(&header, &packed);
    let codes = safetensors::File::new(&bytes).unwrap().read("a", Codes::default()).unwrap();
    assert_eq!(codes.get([0, 3]), Some(f4e2m1::from_bits(4)));
    assert_eq!(codes.get([1, 2]), Some(f4e2m1::from_bits(7)));
    let mut written = Vec::new();
    let entry = safetensors::Entry::new(&codes).unwrap();
    safetensors::write([("a", entry)], &mut written).unwrap();
    let file = safetensors::File::new(&written).unwrap();
    assert_eq!(file.read("a", Codes::default()).unwrap().buffer(), packed);
    assert!(file.read("a", <layout!(HW<2, 4>, f4e2m1, high_first)>::default()).is_err());
}

#[test]
fn what_is_written_can_be_read() {
    type Weights = layout!(OIHW4i2o<2, 4, 1, 3>, f32);
    type Halves = layout!(NHWC<N = _, C = 2, H = 2, W = 2>, bf16);
    let weights =
        Tensor::<Weights, _>::new(std::array::from_fn::<_, { Weights::LEN }, _>(|i| i as f32))
            .unwrap();
    let halves = vec![bf16::from_f32(-1.5); 24];
    let halves = Tensor::with_layout(Halves::new([3]).unwrap(), halves).unwrap();
    let mut bytes = Vec::new();
    let entries = [
        ("halves".to_owned(), safetensors::Entry::new(&halves).unwrap()),
        ("weights".to_owned(), safetensors::Entry::storage(&weights).unwrap()),
    ];
    safetensors::write(entries, &mut bytes).unwrap();
    let file = safetensors::File::new(&bytes).unwrap();
    assert_eq!(file.shape("weights"), Some(vec![1, 1, 1, 3, 4, 2]));
    let same = file.read("weights", Weights::default()).unwrap();
    assert_eq!(same.buffer(), weights.buffer());
    let same = file.read("halves", Halves::new([3]).unwrap()).unwrap();
    assert_eq!(same.buffer(), halves.buffer());

    let error = safetensors::Entry::new(&weights).unwrap_err().to_string();
    assert!(
        error.contains(" of shape [1, 1, 1, 3, 4, 2], with `safetensors::Entry::storage`"),
        "{error}"
    );
    let rotary = Tensor::<layout!(O2o2o/2 I<8, 3>, f32)>::from_fn(|[o, i]| (10 * o + i) as f32);
    let mut bytes = Vec::new();
    safetensors::write([("q", safetensors::Entry::new(&rotary).unwrap())], &mut bytes).unwrap();
    let file = safetensors::File::new(&bytes).unwrap();
    let rows = file.read("q", <layout!(OI<8, 3>, f32)>::default()).unwrap();
    let order = [0, 2, 1, 3, 4, 6, 5, 7];
    assert!(rows.iter().all(|([o, i], element)| element == (10 * order[o] + i) as f32));

    type Aligned = layout!(HW<2, 3>, u8, align(H = 16));
    let aligned = Tensor::<Aligned>::zeroed();
    assert!(matches!(safetensors::Entry::new(&aligned), Err(AdapterError(Cause::NoArray { .. }))));
}

#[test]
fn names_that_a_file_cannot_have_write_nothing() {
    type Bias = layout!(N<N = 2>, f32);
    let bias = Tensor::<Bias, _>::new([1.0, 2.0]).unwrap();
    let write = |names: [&str; 2]| {
        let mut bytes = Vec::new();
        let entries = names.map(|name| (name, safetensors::Entry::new(&bias).unwrap()));
        let result = safetensors::write(entries, &mut bytes);
        assert_eq!(bytes.is_empty(), result.is_err());
        result.map_err(|error| error.to_string())
    };
    assert_eq!(write(["a", "b"]), Ok(()));
    for (names, name) in [(["a", "a"], "a"), (["a", "__metadata__"], "__metadata__")] {
        let error = write(names).unwrap_err();
        let text = format!("a .safetensors file cannot hold two tensors named `{name}`, ");
        assert!(error.starts_with(&text), "{error}");
    }
}
