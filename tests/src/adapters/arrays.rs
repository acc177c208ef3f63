//! Arrays of files with the files' element types and extents, packed and quantized at run time, compared with
//! naive loops over the same weights.

use std::fs::File;
use std::io::BufReader;

use tensor_layout::adapters::{AdapterError, Array, ArrayOrder, ByteOrder, npy, safetensors};
use tensor_layout::{Conversion, ElementType, PlainElement, Rounding, Tensor, i4, layout};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/files/");

fn array(name: &str) -> Array<'static> {
    let file = BufReader::new(File::open(format!("{FOLDER}{name}")).unwrap());
    npy::File::open(file).unwrap().array().unwrap()
}

/// The weights as the files hold them, in C order: 8 filters, 4 channels, 3 x 3.
fn weights() -> Vec<f32> {
    let bytes = std::fs::read(format!("{FOLDER}weights_f32.bin")).unwrap();
    bytes.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// The coordinates of the weights with their index in the file.
fn coordinates() -> impl Iterator<Item = ([usize; 4], usize)> {
    (0..288).map(|index| ([index / 36, index / 9 % 4, index / 3 % 3, index % 3], index))
}

/// Extents from the file, and rows that begin at multiples of 64 bytes.
type Packed = layout!(OIHW4i4o<_, _, 3, 3>, f32);
type Aligned = layout!(OIHW<8, 4, 3, 3>, f32, align(H = 64));
type Bytes = layout!(OIHW4i4o<_, 4, 3, 3>, i8);

#[test]
fn arrays_become_any_layout_of_their_elements() {
    let weights = weights();
    for name in ["weights_f32.npy", "weights_fortran_f32.npy"] {
        let array = array(name);
        assert_eq!((array.element(), array.shape()), (ElementType::F32, &[8, 4, 3, 3][..]));
        let packed = array.to_layout::<Packed>("OIHW").unwrap();
        let aligned = array.to_layout::<Aligned>("OIHW").unwrap();
        assert_eq!(packed.extents(), [8, 4, 3, 3]);
        assert_eq!(aligned.buffer().as_ptr().addr() % 64, 0);
        for (coordinate, index) in coordinates() {
            assert_eq!(packed[coordinate], weights[index], "{name}: {coordinate:?}");
            assert_eq!(aligned[coordinate], weights[index], "{name}: {coordinate:?}");
        }
    }
    let other = array("weights_big_endian_f64.npy");
    let cast = other.convert_to::<Packed>("OIHW", &Conversion::cast()).unwrap();
    assert!(coordinates().all(|(coordinate, index)| cast[coordinate] == weights[index]));
    let blocks = array("blocked_i8.npy")
        .to_layout::<layout!(NHWC<N = _, C = _, H = _, W = _>, i8)>("NCHW4")
        .unwrap();
    assert_eq!(blocks[[1, 6, 2, 0]], 24 + 12 + 2 * 4 + 2);
    let swapped =
        array("big_endian_i64.npy").to_layout::<layout!(WH<H = 2, W = 3>, i64)>("HW").unwrap();
    assert_eq!(swapped.buffer(), [0, 3, 1, 4, 2, 5]);
    let flags =
        array("bool.npy").convert_to::<layout!(A<_>, f32)>("A", &Conversion::cast()).unwrap();
    assert_eq!(flags.buffer(), [1.0, 0.0]);
    let scalar = array("scalar_u32.npy").to_layout::<layout!(SCALAR, u32)>("SCALAR").unwrap();
    assert_eq!(scalar[[]], 7);
}

#[test]
fn weights_are_quantized_with_the_scales_that_they_ask_for() {
    let weights = weights();
    for name in ["weights_f32.npy", "weights_fortran_f32.npy"] {
        let packed = array(name).quantize::<Bytes>("OIHW", 'o', Rounding::HalfEven).unwrap();
        for (o, filter) in weights.chunks(36).enumerate() {
            let most = filter.iter().fold(0f32, |most, value| most.max(value.abs()));
            let scale = if most == 0.0 { 1.0 } else { (f64::from(most) / 127.0) as f32 };
            assert_eq!(packed.scales[o], scale);
            let mut sum = 0;
            for (i, value) in filter.iter().enumerate() {
                let expected = (value * (1.0 / scale)).round_ties_even() as i8;
                assert_eq!(packed.tensor[[o, i / 9, i / 3 % 3, i % 3]], expected, "{o}, {i}");
                sum += i64::from(expected);
            }
            assert_eq!(packed.sums[o], sum);
        }
    }
    // One scale for all, of 4-bit integers, and of the elements of a tensor.
    type Nibbles = layout!(OHWI<O = 8, I = 4, H = 3, W = 3>, i4);
    let array = array("weights_f32.npy");
    let all = array.quantize::<Nibbles>("OIHW", None, Rounding::HalfAway).unwrap();
    let most = weights.iter().fold(0f32, |most, value| most.max(value.abs()));
    assert_eq!(all.scales, [(f64::from(most) / 7.0) as f32]);
    let mut sum = 0;
    for (coordinate, index) in coordinates() {
        let expected = (weights[index] * (1.0 / all.scales[0])).round() as i8;
        assert_eq!(all.tensor.get(coordinate), i4::new(expected), "{coordinate:?}");
        sum += i64::from(expected);
    }
    assert_eq!((&all.sums[..], all.tensor.sums(None).unwrap()), (&[sum][..], vec![sum]));
    // Padding does not count.
    let tensor = array.to_layout::<layout!(OIHW5i3o<8, 4, 3, 3>, f32, pad)>("OIHW").unwrap();
    let same = tensor.quantize_to::<Nibbles>(None, Rounding::HalfAway).unwrap();
    assert_eq!(
        (same.tensor.buffer(), same.scales, same.sums),
        (all.tensor.buffer(), all.scales, all.sums)
    );
}

#[test]
fn a_file_of_many_arrays() {
    let bytes = std::fs::read(format!("{FOLDER}numpy.safetensors")).unwrap();
    let file = safetensors::File::new(&bytes).unwrap();
    let array = file.array("conv.weight").unwrap();
    let aligned = array.to_layout::<layout!(OIHW<2, 1, 3, 3>, f32, align(I = 64))>("OIHW").unwrap();
    let expected: Vec<f32> = (0..18).map(|i| i as f32).collect();
    assert!(aligned.iter().map(|(_, element)| element).eq(expected));
    let packed = array
        .quantize::<layout!(IHWO<O = _, I = _, H = _, W = _>, i8)>("OIHW", 'O', Rounding::HalfEven)
        .unwrap();
    assert_eq!(packed.scales, [8.0 / 127.0, 17.0 / 127.0]);
    assert_eq!(packed.tensor[[1, 0, 2, 2]], 127);
    assert_eq!(packed.sums, packed.tensor.sums('O').unwrap());
}

/// The bytes of `element(index in C order)` in either order of axes and of bytes.
fn bytes_of<const SIZE: usize>(
    [h, w, c]: [usize; 3],
    order: ArrayOrder,
    byte_order: ByteOrder,
    element: impl Fn(usize) -> [u8; SIZE],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut push = |i: usize, j: usize, k: usize| {
        let mut one = element((i * w + j) * c + k);
        if byte_order != ByteOrder::NATIVE {
            one.reverse();
        }
        bytes.extend(one);
    };
    match order {
        ArrayOrder::C => {
            (0..h).for_each(|i| (0..w).for_each(|j| (0..c).for_each(|k| push(i, j, k))));
        }
        ArrayOrder::Fortran => {
            (0..c).for_each(|k| (0..w).for_each(|j| (0..h).for_each(|i| push(i, j, k))));
        }
    }
    bytes
}

#[test]
fn bytes_with_a_shape_become_any_layout() {
    type Words = layout!(CHW<_, _, _>, i16);
    type Doubles = layout!(CHW<_, _, _>, f64);
    #[derive(Clone, Copy, PartialEq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
    #[repr(transparent)]
    struct Triple([u8; 3]);
    impl PlainElement for Triple {}
    type Triples = layout!(CHW<_, _, _>, Triple);
    for shape in [[2, 3, 4], [5, 1, 3], [1, 1, 1], [0, 3, 2]] {
        let extents = [shape[2], shape[0], shape[1]];
        let index = |[c, h, w]: [usize; 3]| (h * shape[1] + w) * shape[2] + c;
        for order in [ArrayOrder::C, ArrayOrder::Fortran] {
            for byte_order in [ByteOrder::Little, ByteOrder::Big] {
                // Beside one another, so that one of them is not aligned.
                for skip in 0..2 {
                    let word = |i: usize| (1000 * i as i16 - 7000).to_ne_bytes();
                    let mut bytes = vec![0; skip];
                    bytes.extend(bytes_of(shape, order, byte_order, word));
                    let array =
                        Array::new(&bytes[skip..], &shape, ElementType::I16, order, byte_order);
                    let moved = array.unwrap().to_layout::<Words>("HWC").unwrap();
                    assert_eq!(moved.extents(), extents);
                    let expected = |at| 1000 * index(at) as i16 - 7000;
                    assert!(moved.iter().all(|(at, element)| element == expected(at)));
                }
                let double = |i: usize| (i as f64 / 3.0).to_ne_bytes();
                let bytes = bytes_of(shape, order, byte_order, double);
                let array = Array::new(&bytes, &shape, ElementType::F64, order, byte_order);
                let array = array.unwrap();
                let moved = array.to_layout::<Doubles>("HWC").unwrap();
                assert!(moved.iter().all(|(at, element)| element == index(at) as f64 / 3.0));
                let cast =
                    array.convert_to::<layout!(CHW<_, _, _>, i32)>("HWC", &Conversion::cast());
                let cast = cast.unwrap();
                assert!(cast.iter().all(|(at, element)| {
                    element == (index(at) as f64 / 3.0).round_ties_even() as i32
                }));
            }
            // A type of one's own has no byte order that is known.
            let bytes = bytes_of(shape, order, ByteOrder::NATIVE, |i| [i as u8, 1, 2]);
            let own = ElementType::Plain { bytes: 3, align: 1 };
            let array = Array::new(&bytes, &shape, own, order, ByteOrder::NATIVE).unwrap();
            let moved = array.to_layout::<Triples>("HWC").unwrap();
            assert!(moved.iter().all(|(at, element)| element == Triple([index(at) as u8, 1, 2])));
        }
    }
}

#[test]
fn parts_of_elements_have_no_byte_order() {
    use num_complex::Complex;
    for byte_order in [ByteOrder::Little, ByteOrder::Big] {
        let nibbles = [0x21, 0x43, 0x65];
        let array = Array::new(&nibbles, &[6], ElementType::U4, ArrayOrder::C, byte_order).unwrap();
        let moved = array.to_layout::<layout!(A<_>, u4)>("A").unwrap();
        assert!(moved.iter().map(|(_, nibble)| nibble.to_bits()).eq(1..=6));
    }
    let parts: Vec<u8> = (0..4).flat_map(|part| (part as f32).to_ne_bytes()).collect();
    let own = ElementType::Plain { bytes: 8, align: 4 };
    let array = Array::new(&parts, &[2], own, ArrayOrder::C, ByteOrder::NATIVE).unwrap();
    let moved = array.to_layout::<layout!(A<_>, Complex<f32>)>("A").unwrap();
    assert_eq!(moved.buffer(), [Complex::new(0.0, 1.0), Complex::new(2.0, 3.0)]);
}

#[test]
fn bytes_that_are_no_array_are_an_error() {
    let refused = |bytes: usize, shape: &[usize], element, byte_order, text: &str| {
        let bytes = vec![0; bytes];
        let error = Array::new(&bytes, shape, element, ArrayOrder::C, byte_order).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    };
    let (little, big) = (ByteOrder::Little, ByteOrder::Big);
    refused(23, &[2, 3], ElementType::F32, little, "buffer has 23 bytes but ");
    refused(25, &[2, 3], ElementType::F32, big, "buffer has 25 bytes but ");
    refused(3, &[5, 1], ElementType::U1, little, "buffer has 3 bytes but ");
    refused(0, &[], ElementType::U8, little, "buffer has 0 bytes but ");
    let most = usize::MAX;
    let text =
        format!("array of shape [{most}, 2] has more elements of type `u8` than a buffer can ");
    refused(0, &[most, 2], ElementType::U8, little, &text);
    refused(0, &[most / 2, 2], ElementType::U8, little, "array of shape [");
    let own = ElementType::Plain { bytes: 4, align: 2 };
    let other = if ByteOrder::NATIVE == little { big } else { little };
    refused(8, &[2], own, other, "array of a 4-byte element cannot be put in this machine's byte ");
    let four = [0; 4];
    let array = Array::new(&four, &[2, 2], ElementType::U8, ArrayOrder::C, little).unwrap();
    let error = array.to_layout::<layout!(MK<_, _>, i8)>("MK").unwrap_err().to_string();
    assert!(
        error.starts_with("array holds `u8` but layout `MK<2, 2>, i8` holds `i8`; "),
        "{error}"
    );
}

#[test]
fn what_cannot_be_is_an_error() {
    let says = |error: AdapterError, text: &str| {
        assert!(error.to_string().starts_with(text), "{error}");
        // The error that a program prints if `main` returns it.
        assert_eq!(format!("{error:?}"), error.to_string());
    };
    let weights = array("weights_f32.npy");
    says(
        weights.to_layout::<Packed>("OHW").unwrap_err(),
        "array has shape [8, 4, 3, 3] but format `OHW` has another number of axes and blocks; ",
    );
    says(
        weights.to_layout::<Packed>("OIH2i").unwrap_err(),
        "array has shape [8, 4, 3, 3] but format `OIH2i` would have shape ",
    );
    says(
        weights.to_layout::<Bytes>("OIHW").unwrap_err(),
        ".npy file holds `f32` but layout `OIHW4i4o<8, 4, 3, 3>, i8` holds `i8`; ",
    );
    says(
        weights.to_layout::<layout!(OIHW<8, 4, 3, 5>, f32)>("OIHW").unwrap_err(),
        "axis `W` has extent ",
    );
    type Unsigned = layout!(OIHW<8, 4, 3, 3>, u8);
    says(
        weights.quantize::<Unsigned>("OIHW", 'O', Rounding::HalfEven).unwrap_err(),
        "scales can be derived for signed integers only, not for `u8`; ",
    );
    says(
        weights.quantize::<Bytes>("OIHW", 'C', Rounding::HalfEven).unwrap_err(),
        "layout has no axis `C`; ",
    );
    says(
        array("weights_nan_f16.npy")
            .quantize::<Bytes>("OIHW", 'O', Rounding::HalfEven)
            .unwrap_err(),
        "element 55 of the buffer is not finite, so no scale can be derived; ",
    );
    says(
        array("row_i16.npy")
            .quantize::<layout!(CHW<_, _, _>, i8)>("CHW", None, Rounding::HalfEven)
            .unwrap_err(),
        "`quantize` converts floats to integers of up to 32 bits, not `i16` to `i8`; ",
    );
    let record = BufReader::new(File::open(format!("{FOLDER}record.npy")).unwrap());
    let error = npy::File::open(record).and_then(npy::File::array).unwrap_err();
    says(error, ".npy file holds records, ");
    let cut = BufReader::new(File::open(format!("{FOLDER}truncated.npy")).unwrap());
    let error = npy::File::open(cut).and_then(npy::File::array).unwrap_err();
    says(error, "file ends after 872 of the 1152 bytes of its tensor; ");
    let floats: Tensor<layout!(A<A = 2>, f32), _> = [1.0, 2.0].into();
    let error = floats.sums('A').unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "only integers of up to 32 bits can be summed, not `f32`; quantize the tensor, or convert it first"
    );
}
