//! Tensors in .npy files: against files that NumPy wrote (`files/make.py`), and back.

use std::fs;
use std::io::{self, Read, Write};

use tensor_layout::adapters::{AdapterError, Cause, npy};
use tensor_layout::{Dynamic, ElementType, Format, Layout, LayoutType, Tensor, f16, i4, layout};

fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/files/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read<L: LayoutType + Default>(name: &str) -> Result<Tensor<L>, AdapterError> {
    npy::read(L::default(), &file(name)[..])
}

#[test]
fn files_that_numpy_wrote() {
    // The index of an element in numpy, for each coordinate of ours.
    let image = read::<layout!(HWC<C = 3, H = 2, W = 4>, u8)>("image_hwc.npy").unwrap();
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
fn axes_of_one_coordinate_keep_their_place() {
    let numpy = file("row_i16.npy"); // numpy's [1, 3, 1]
    let row = Layout::from_strides("BMK", &[1, 3, 1], &[0, 1, 0], ElementType::I16).unwrap();
    let tensor = npy::read(Dynamic::<i16, 3>::new(row).unwrap(), &numpy[..]).unwrap();
    assert_eq!(tensor.buffer(), [0, 1, 2]);
    let mut written = Vec::new();
    npy::write(&tensor, &mut written).unwrap();
    assert_eq!(npy::File::open(&written[..]).unwrap().shape(), [1, 3, 1]);
    // A nonzero stride determines the position of the axis, as in PyTorch: a stride of 1 is that of the fastest
    // axis, so the axis follows the three coordinates of stride 1. numpy would save [1, 2, 3].
    let batch = Layout::from_strides("BMK", &[1, 2, 3], &[1, 3, 1], ElementType::U8).unwrap();
    let tensor = Tensor::with_layout(Dynamic::<u8, 3>::new(batch).unwrap(), [0; 6]).unwrap();
    let mut written = Vec::new();
    npy::write(&tensor, &mut written).unwrap();
    assert_eq!(npy::File::open(&written[..]).unwrap().shape(), [2, 3, 1]);
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
    let error = read::<layout!(CBA<A = 2, B = 4, C = 3>, f64)>("fortran_f64.npy").unwrap_err();
    assert!(matches!(error, AdapterError(Cause::Shape { .. })), "{error}");
}

#[test]
fn fortran_order_is_not_read_as_c_order() {
    // numpy's [h, w] is 3 * h + w, and equal extents do not tell which of them is slower.
    let square = read::<layout!(WH<H = 3, W = 3>, i32)>("fortran_square_i32.npy").unwrap();
    assert_eq!((square[[0, 2]], square[[2, 0]]), (2, 6));
    let error = read::<layout!(HW<3, 3>, i32)>("fortran_square_i32.npy").unwrap_err();
    assert_eq!(
        error.to_string(),
        "array of shape [3, 3], slowest first, is in Fortran order, so its first axis is the fastest, \
         unlike in layout `HW<3, 3>, i32`; write a layout with its axes reversed, as in `WH<..>` for \
         coordinates h, w, or save the array in C order with `numpy.ascontiguousarray`",
    );
    let fortran = |error| matches!(error, AdapterError(Cause::Fortran { .. }));
    assert!(fortran(read::<layout!(ABC<2, 3, 4>, f64)>("fortran_f64.npy").unwrap_err()));
    // A block is a second axis of the array, between coordinates of the first.
    assert!(fortran(read::<layout!(NC4c<1, 12>, i32)>("fortran_square_i32.npy").unwrap_err()));
    // A single axis has no order, and neither have axes of one coordinate.
    let row = npy("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 3, 1), }", &[1, 2, 3]);
    let row = npy::read(<layout!(HWC<C = 1, H = 1, W = 3>, u8)>::default(), &row[..]).unwrap();
    assert_eq!(row.buffer(), [1, 2, 3]);
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
    let empty = Layout::of(empty, &[0, 3], ElementType::I16).unwrap();
    let empty = Dynamic::<i16, 2>::new(empty).unwrap();
    assert_eq!(npy::read(empty, &file("empty_i16.npy")[..]).unwrap().buffer(), [0i16; 0]);
}

#[test]
fn a_file_that_does_not_fit_names_both_sides() {
    let says = |error: AdapterError, text: &str| {
        assert!(error.to_string().starts_with(text), "{error}");
    };
    says(
        read::<layout!(HWC<C = 3, H = 4, W = 2>, u8)>("image_hwc.npy").unwrap_err(),
        "array has shape [2, 4, 3] but layout `HWC<C = 3, H = 4, W = 2>, u8` is stored with shape \
         [4, 2, 3], slowest first; ",
    );
    says(
        read::<layout!(HWC<C = 3, H = 2, W = 4>, i8)>("image_hwc.npy").unwrap_err(),
        ".npy file holds `|u1` but layout `HWC<C = 3, H = 2, W = 4>, i8` holds `i8`; ",
    );
    says(
        read::<layout!(HW<2, 1>, u8)>("bool.npy").unwrap_err(),
        ".npy file holds `|b1` but layout `HW<2, 1>, u8` holds `u8`; ",
    );
    says(
        read::<layout!(HW<2, 1>, f64)>("record.npy").unwrap_err(),
        ".npy file holds records, several values in an element; save one field of them",
    );
    says(
        read::<layout!(HW<2, 4>, i4)>("image_hwc.npy").unwrap_err(),
        "a .npy file cannot hold `i4` of layout `HW<2, 4>, i4`; ",
    );
    says(
        read::<layout!(HW<2, 4>, u8, align(H = 16))>("image_hwc.npy").unwrap_err(),
        "storage of layout `HW<2, 4>, u8, align(H = 16)` is not an array, ",
    );
}

#[test]
fn broken_files_are_errors() {
    type Image = layout!(HWC<C = 3, H = 2, W = 4>, u8);
    let whole = file("image_hwc.npy");
    for length in 0..whole.len() {
        let error = npy::read(Image::default(), &whole[..length]).unwrap_err();
        let header = whole.len() - Image::LEN;
        match error {
            AdapterError(Cause::Short { needed: 24, given }) => assert_eq!(length, header + given),
            AdapterError(Cause::File { kind: ".npy file", .. }) => {
                assert!(length < header, "{length}")
            }
            other => panic!("{other:?} of {length} bytes"),
        }
    }
    let error = npy::read(Image::default(), &b"no numpy file at all"[..]).unwrap_err();
    assert!(error.to_string().starts_with("not a valid .npy file: "), "{error}");
}

/// A file of version 2 with this header.
fn npy(header: &str, array: &[u8]) -> Vec<u8> {
    let length = header.len() as u32;
    [b"\x93NUMPY\x02\x00", &length.to_le_bytes()[..], header.as_bytes(), array].concat()
}

/// A file of bytes in an array of this shape.
fn bytes_of(shape: &str, array: &[u8]) -> Vec<u8> {
    npy(&format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}\n"), array)
}

/// The tensor of a file, with the file's extents.
fn read_any(file: &[u8]) -> Result<Tensor<Dynamic<u8, 2>>, AdapterError> {
    let file = npy::File::open(file)?;
    let layout = Layout::of("HW", file.shape(), ElementType::U8)?;
    file.read(Dynamic::new(layout)?)
}

#[test]
fn headers_are_not_believed() {
    assert_eq!(read_any(&bytes_of("(2, 1)", &[7, 8])).unwrap().buffer(), [7, 8]);
    let refused = |file: &[u8], text: &str| {
        let error = read_any(file).map(|tensor| tensor.to_string()).unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    };
    // More bytes than any memory has.
    refused(
        &bytes_of("(1125899906842624, 1)", &[7; 4]),
        "file ends after 4 of the 1125899906842624 bytes of its ",
    );
    refused(
        &bytes_of("(16777216, 16)", &[7; 4]),
        "file ends after 4 of the 268435456 bytes of its ",
    );
    // More elements than numbers can count.
    refused(
        &bytes_of("(9223372036854775808, 1)", &[]),
        "layout takes more than `isize::MAX` bytes (9223372036854775807) ",
    );
    for shape in ["1099511627776, 1099511627776", "0, 1099511627776, 1099511627776"] {
        refused(
            &bytes_of(&format!("({shape})"), &[]),
            &format!("not a valid .npy file: its shape ({shape}) has more elements than "),
        );
    }
    refused(&bytes_of("(18446744073709551616, 1)", &[]), "not a valid .npy file: its shape (");
    refused(
        &bytes_of("(-1, 2)", &[]),
        "not a valid .npy file: its header has `-` at byte 63 where a size or `)` belongs; ",
    );
    // Extents whose product overflows, with an extent of 0 among them.
    let empty = read_any(&bytes_of("(0, 9223372036854775807)", &[])).unwrap();
    assert_eq!((empty.to_string(), empty.iter().count()), ("[]".to_owned(), 0));
    // No array at all, an array that is cut off, a header longer than the file, and one that nobody can parse.
    refused(b"hello, world", "not a valid .npy file: it does not begin with `\\x93NUMPY`; ");
    refused(
        &bytes_of("(2, 1)", &[7, 8])[..40],
        "not a valid .npy file: it ends before its header does; ",
    );
    let mut long = bytes_of("(2, 1)", &[7, 8]);
    long[8..12].fill(0xff);
    refused(&long, "not a valid .npy file: its header would be 4294967295 bytes long, ");
    let deep = npy(&format!("{{'descr': {}", "[".repeat(5000)), &[]);
    refused(&deep, "not a valid .npy file: its header ends where a closing bracket belongs; ");
    // Texts that Python accepts but NumPy does not write.
    let broken = "not a valid .npy file: its header ";
    refused(&bytes_of("(1, 2), 'sh\\x61pe': (2, 1)", &[7, 8]), broken);
    refused(&bytes_of("(1, 2), 'shape': (2, 1)", &[7, 8]), broken);
    refused(&bytes_of(&format!("(1.0 + {}, )", "9".repeat(400)), &[7, 8]), broken);
    refused(&bytes_of("None", &[7, 8]), broken);
}

/// A writer that fails after this number of bytes.
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
    type Image = layout!(HWC<C = 3, H = 2, W = 4>, u8);
    let error = npy::read(Image::default(), Failing(0)).unwrap_err();
    assert_eq!(error.to_string(), "no disk");
    let image = Tensor::<Image, _>::new([0; 24]).unwrap();
    for room in [0, 20, 130] {
        let error = npy::write(&image, Failing(room)).unwrap_err();
        assert!(matches!(&error, AdapterError(Cause::Io(_))), "{error:?}");
    }
}

#[test]
fn what_is_written_is_what_numpy_writes() {
    macro_rules! same {
        ($($name:literal: $layout:ty, $write:path;)*) => {$(
            let bytes = file($name);
            let tensor = npy::read(<$layout>::default(), &bytes[..]).unwrap();
            let mut written = Vec::new();
            $write(&tensor, &mut written).unwrap();
            assert_eq!(written, bytes);
        )*};
    }
    same! {
        "image_hwc.npy": layout!(HWC<H = 2, W = 4, C = 3>, u8), npy::write;
        "image_hwc.npy": layout!(HWC<H = 2, W = 4, C = 3>, u8), npy::write_storage;
        "planes_f16.npy": layout!(NCHW<1, 3, 2, 4>, f16), npy::write;
        "blocked_i8.npy": layout!(NCHW4<2, 8, 3, 1>, i8), npy::write_storage;
        "bshd_f32.npy": layout!(BSHD<B = 2, S = 3, H = 4, D = 5>, f32), npy::write;
        "scalar_u32.npy": layout!(SCALAR, u32), npy::write;
    }
}

/// Rotary rows: row `h * 64 + 2 * j + s` of the file is row `h * 64 + s * 32 + j`.
#[test]
fn rows_in_another_order_are_a_matrix() {
    type Rows = layout!(OI<256, 8>, f32);
    type Rotary = layout!(O32o2o/32 I<256, 8>, f32);
    let rows = Tensor::<Rows>::from_fn(|[o, i]| (10 * o + i) as f32);
    let rotary = rows.to_layout::<Rotary>().unwrap();
    let expected = (0..4).flat_map(|h| {
        (0..32).flat_map(move |j| (0..2).flat_map(move |s| (0..8).map(move |i| (h, j, s, i))))
    });
    let expected: Vec<f32> =
        expected.map(|(h, j, s, i)| (10 * (h * 64 + s * 32 + j) + i) as f32).collect();

    let (mut written, mut stored) = (Vec::new(), Vec::new());
    npy::write(&rotary, &mut written).unwrap();
    npy::write_storage(&rotary, &mut stored).unwrap();
    let shape = |file: &[u8]| npy::File::open(file).unwrap().shape().to_vec();
    assert_eq!((shape(&written), shape(&stored)), (vec![256, 8], vec![4, 32, 2, 8]));
    for file in [&written, &stored] {
        let again = npy::read(Rotary::default(), &file[..]).unwrap();
        assert!(again.buffer() == expected && again == rows);
    }
    // The same file as a matrix, and back into the order of the rows.
    assert_eq!(npy::read(Rows::default(), &written[..]).unwrap().buffer(), expected);
    for file in [&written, &stored] {
        let array = npy::File::open(&file[..]).unwrap().array().unwrap();
        let back = array.to_layout::<layout!(OI<_, _>, f32)>("O32o2o/32 I").unwrap();
        assert_eq!(back.buffer(), rows.buffer());
        let error = array.to_layout::<layout!(OI<_, _>, f32)>("OI2o2o").unwrap_err();
        assert!(error.to_string().starts_with("array has shape ["), "{error}");
    }
    let error = npy::read(<layout!(O4o2o/4 I<16, 4>, f32)>::default(), &written[..]).unwrap_err();
    let text =
        "array has shape [256, 8] but layout `O4o2o/4 I<16, 4>, f32` is stored with shape [16, 4]";
    assert!(error.to_string().starts_with(text), "{error}");
}

#[test]
fn storage_is_not_written_without_a_word() {
    macro_rules! refused {
        ($($layout:ty, $storage:expr, $shape:literal;)*) => {$(
            let tensor = Tensor::<$layout>::zeroed();
            let mut written = Vec::new();
            let error = npy::write(&tensor, &mut written).unwrap_err();
            let text = format!(
                "axes of layout `{}` are not an array, since blocks of an axis lie apart or an axis is \
                 padded; write an array of its storage, of shape {}, with `npy::write_storage`, or ",
                tensor.layout(), $shape,
            );
            assert!(error.to_string().starts_with(&text) && written.is_empty(), "{error}");
            npy::write_storage(&tensor, &mut written).unwrap();
            let open = npy::File::open(&written[..]).unwrap();
            assert_eq!(open.shape(), $storage);
            assert_eq!(open.read(<$layout>::default()).unwrap().buffer(), tensor.buffer());
        )*};
    }
    refused! {
        layout!(NCHW4<2, 8, 3, 1>, i8), [2, 2, 3, 1, 4], "[2, 2, 3, 1, 4]";
        // Extents play no part.
        layout!(NCHW4<1, 4, 1, 1>, i8), [1, 1, 1, 1, 4], "[1, 1, 1, 1, 4]";
        layout!(C4c<C = 6>, i8, pad), [2, 4], "[2, 4]";
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
    // Elements of blocks that a view leaves out are not padding.
    type Blocked = layout!(NC4c<2, 8>, u8);
    let blocked = Tensor::<Blocked, _>::new([0; 16]).unwrap();
    for (start, length) in [(0, 7), (1, 7), (0, 4), (4, 0)] {
        let part = blocked.view::<2>(|layout| layout.slice('C', start, 1, length)).unwrap();
        let error = npy::write(&part, &mut written).unwrap_err();
        assert!(matches!(error, AdapterError(Cause::NoArray { .. })), "{error}");
    }
    assert!(written.is_empty());
    npy::write(&blocked.view::<2>(|layout| layout.permute("CN")).unwrap(), &mut written).unwrap();
}
