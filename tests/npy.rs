//! Tensors in .npy files: against files that NumPy wrote (`files/make.py`), and back.
#![cfg(feature = "npy")]

use std::fs;
use std::io::{self, Read, Write};

use tensor_layout::adapters::{AdapterError, npy};
use tensor_layout::{
    Dynamic, ElementType, Format, Layout, LayoutType, Tensor, UnitOf, f16, i4, layout,
};

fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/files/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read<L: LayoutType + Default>(name: &str) -> Result<Tensor<L, Vec<UnitOf<L>>>, AdapterError> {
    npy::read(L::default(), &file(name)[..])
}

#[test]
fn files_that_numpy_wrote() {
    // The index of an element in numpy, for each coordinate of ours.
    let image = read::<layout!(HWC<3, 2, 4>, u8)>("image_hwc.npy").unwrap();
    assert_eq!(image[[2, 1, 3]], 12 + 3 * 3 + 2);
    let planes = read::<layout!(NCHW<1, 3, 2, 4>, f16)>("planes_f16.npy").unwrap();
    assert_eq!(planes[[0, 2, 1, 3]], f16::from_f32(23.0));
    let blocked = read::<layout!(NCHW4<2, 8, 3, 1>, i8)>("blocked_i8.npy").unwrap();
    assert_eq!(blocked[[1, 6, 2, 0]], 24 + 12 + 2 * 4 + 2);
    let padded = read::<layout!(NCHW4<2, 7, 3, 1>, i8, pad)>("blocked_i8.npy").unwrap();
    assert_eq!(padded[[1, 6, 2, 0]], 24 + 12 + 2 * 4 + 2);
    let scalar = read::<layout!(SCALAR, u32)>("scalar_u32.npy").unwrap();
    assert_eq!(scalar[[]], 7);
}

#[test]
fn either_byte_order() {
    let floats = read::<layout!(HW<2, 3>, f32)>("big_endian_f32.npy").unwrap();
    assert_eq!(floats.buffer(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let integers = read::<layout!(HW<2, 3>, i64)>("big_endian_i64.npy").unwrap();
    assert_eq!(integers.buffer(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn fortran_order_is_the_reversed_memory_order() {
    // numpy's [a, b, c] of 2 x 3 x 4, the first axis fastest.
    type Fortran = layout!(CBA<A = 2, B = 3, C = 4>, f64);
    let tensor = read::<Fortran>("fortran_f64.npy").unwrap();
    assert_eq!(tensor[[1, 2, 3]], 23.0);
    assert_eq!(tensor[[1, 0, 2]], 12.0 + 2.0);
    assert_eq!(tensor.buffer()[1], 12.0);
    let error = read::<layout!(ABC<2, 3, 4>, f64)>("fortran_f64.npy").unwrap_err();
    assert!(matches!(error, AdapterError::Shape { .. }), "{error}");
}

#[test]
fn extents_out_of_the_file() {
    type Attention = layout!(BSHD<B = _, S = _, H = 4, D = 5>, f32);
    let bytes = file("bshd_f32.npy");
    let open = npy::File::open(&bytes[..]).unwrap();
    assert_eq!((open.shape(), open.element()), (&[2, 3, 4, 5][..], "<f4"));
    let layout = Attention::new([open.shape()[0], open.shape()[1]]).unwrap();
    let tensor = open.read(layout).unwrap();
    assert_eq!(tensor[[1, 2, 3, 4]], 119.0);
    assert_eq!(tensor[[1, 0, 2, 1]], 60.0 + 2.0 * 5.0 + 1.0);

    let empty: Format = "HW".parse().unwrap();
    let empty = Layout::of(&empty, &[0, 3], ElementType::I16).unwrap();
    let empty = Dynamic::<i16, 2>::new(empty).unwrap();
    assert_eq!(npy::read(empty, &file("empty_i16.npy")[..]).unwrap().buffer(), [0i16; 0]);
}

#[test]
fn a_file_that_does_not_fit_names_both_sides() {
    let says = |error: AdapterError, text: &str| {
        assert!(error.to_string().starts_with(text), "{error}");
    };
    says(
        read::<layout!(HWC<3, 4, 2>, u8)>("image_hwc.npy").unwrap_err(),
        "file holds an array of [2, 4, 3] but the storage of layout `HWC<3, 4, 2>, u8` is one of \
         [4, 2, 3], slowest first; ",
    );
    says(
        read::<layout!(HWC<3, 2, 4>, i8)>("image_hwc.npy").unwrap_err(),
        ".npy file holds `|u1` but layout `HWC<3, 2, 4>, i8` holds `i8`; ",
    );
    says(
        read::<layout!(HW<2, 1>, u8)>("bool.npy").unwrap_err(),
        ".npy file holds `|b1` but layout `HW<2, 1>, u8` holds `u8`; ",
    );
    says(
        read::<layout!(HW<2, 1>, f64)>("record.npy").unwrap_err(),
        ".npy file holds `[(a, <i4), (b, <f4), ]` but layout `HW<2, 1>, f64` holds `f64`; ",
    );
    says(
        read::<layout!(HW<2, 4>, i4)>("image_hwc.npy").unwrap_err(),
        "a .npy file cannot hold `i4` of layout `HW<2, 4>, i4`; ",
    );
    says(
        read::<layout!(HW<2, 4>, u8, align(H = 16))>("image_hwc.npy").unwrap_err(),
        "storage of layout `HW<2, 4>, u8, align(H = 16)` is no array, ",
    );
}

#[test]
fn broken_files_are_errors() {
    type Image = layout!(HWC<3, 2, 4>, u8);
    let whole = file("image_hwc.npy");
    for length in 0..whole.len() {
        let error = npy::read(Image::default(), &whole[..length]).unwrap_err();
        let header = whole.len() - Image::LEN;
        match error {
            AdapterError::Short { needed: 24 } => assert!(length >= header),
            AdapterError::File { kind: ".npy file", .. } => assert!(length < header, "{length}"),
            other => panic!("{other:?} of {length} bytes"),
        }
    }
    let error = npy::read(Image::default(), &b"no numpy file at all"[..]).unwrap_err();
    assert!(error.to_string().starts_with("this is no .npy file: "), "{error}");
}

/// Fails after so many bytes.
struct Failing(usize);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("no disk"))
    }
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 => Err(io::Error::other("disk full")),
            count => {
                self.0 -= count;
                Ok(count)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn failing_readers_and_writers_are_reported() {
    type Image = layout!(HWC<3, 2, 4>, u8);
    let error = npy::read(Image::default(), Failing(0)).unwrap_err();
    assert_eq!(error.to_string(), "no disk");
    let image = Tensor::<Image, _>::new([0; 24]).unwrap();
    for room in [0, 20, 130] {
        let error = npy::write(&image, Failing(room)).unwrap_err();
        assert!(matches!(&error, AdapterError::Io(_)), "{error:?}");
    }
}

/// The header's dictionary without spaces and last commas, and the array's bytes.
fn parts(file: &[u8]) -> (String, &[u8]) {
    assert_eq!(file[..8], *b"\x93NUMPY\x01\x00");
    let length = u16::from_le_bytes([file[8], file[9]]).into();
    assert_eq!((10 + length) % 16, 0, "the array is aligned");
    let (header, array) = file[10..].split_at(length);
    let header = std::str::from_utf8(header).unwrap().replace([' ', '\n'], "");
    (header.replace(",}", "}").replace(",)", ")"), array)
}

#[test]
fn what_is_written_is_what_numpy_writes() {
    macro_rules! same {
        ($($name:literal: $layout:ty;)*) => {$(
            let bytes = file($name);
            let tensor = npy::read(<$layout>::default(), &bytes[..]).unwrap();
            let mut written = Vec::new();
            npy::write(&tensor, &mut written).unwrap();
            assert_eq!(parts(&written), parts(&bytes));
        )*};
    }
    same! {
        "image_hwc.npy": layout!(HWC<3, 2, 4>, u8);
        "planes_f16.npy": layout!(NCHW<1, 3, 2, 4>, f16);
        "blocked_i8.npy": layout!(NCHW4<2, 8, 3, 1>, i8);
        "bshd_f32.npy": layout!(BSHD<B = 2, S = 3, H = 4, D = 5>, f32);
        "scalar_u32.npy": layout!(SCALAR, u32);
    }
}

#[test]
fn a_tensor_that_no_file_can_hold_writes_nothing() {
    let mut written = Vec::new();
    type Nibbles = layout!(HW<2, 4>, i4);
    let nibbles = Tensor::<Nibbles, _>::new([0; Nibbles::BYTES]).unwrap();
    assert_eq!(nibbles.get([1, 3]), Some(i4::from_bits(0)));
    assert!(npy::write(&nibbles, &mut written).is_err());
    type Spread = layout!(HW<2, 4>, u8, strides = [8, 2]);
    let spread = Tensor::<Spread, _>::new([0; Spread::LEN]).unwrap();
    assert!(npy::write(&spread, &mut written).is_err());
    type Backwards = layout!(HW<2, 4>, u8, strides = [4, -1]);
    let backwards = Tensor::<Backwards, _>::new([0; Backwards::LEN]).unwrap();
    assert!(npy::write(&backwards, &mut written).is_err());
    assert!(written.is_empty());
}
