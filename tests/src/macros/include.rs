//! `include_tensor!` against files that NumPy wrote (`files/make.py`), element by element, with
//! addresses and arithmetic written down directly.

use std::fs;

use tensor_layout::{Tensor, bf16, i4, include_tensor, layout, named_format};

/// The weights as the files hold them, in C order: 8 filters, 4 channels, 3 x 3.
fn weights() -> Vec<f32> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/files/weights_f32.bin");
    let bytes = fs::read(path).unwrap();
    bytes.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// The offset of filter `o` and channel `i` in `OIHW4i4o` of the weights, and the index in the file.
fn places() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..8 * 4 * 9).map(|index| {
        let (o, i, hw) = (index / 36, index / 9 % 4, index % 9);
        (o, index, o / 4 * 144 + hw * 16 + i * 4 + o % 4)
    })
}

type Packed = layout!(OIHW4i4o<8, 4, 3, 3>, f32);

static OF_NPY: Tensor<Packed, &[f32; 288]> =
    include_tensor!("files/weights_f32.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, f32);

#[test]
fn each_element_is_where_the_layout_places_it() {
    let weights = weights();
    for (_, index, offset) in places() {
        assert_eq!(OF_NPY.buffer()[offset].to_bits(), weights[index].to_bits(), "{index}");
    }
}

#[test]
fn every_kind_of_file_holds_the_same() {
    let raw = include_tensor!("files/weights_f32.bin", OIHW => OIHW4i4o<8, 4, 3, 3>, f32);
    assert_eq!(raw.buffer(), OF_NPY.buffer());
    let fortran =
        include_tensor!("files/weights_fortran_f32.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, f32);
    assert_eq!(fortran.buffer(), OF_NPY.buffer());
    let other_order = include_tensor!(
        "files/weights_big_endian_f64.npy", OIHW, f64 => OIHW4i4o<8, 4, 3, 3>, f32, cast
    );
    assert_eq!(other_order.buffer(), OF_NPY.buffer());
    let named = include_tensor!(
        "files/numpy.safetensors", "conv.weight", OIHW => IHWO<O = 2, I = 1, H = 3, W = 3>, f32
    );
    let expected: [f32; 18] = std::array::from_fn(|at| (at % 2 * 9 + at / 2) as f32);
    assert_eq!(named.buffer(), expected);
    let brain = include_tensor!("files/raw.safetensors", "bf16", A => A<A = 2>, bf16);
    assert_eq!(brain.buffer(), [bf16::from_f32(1.0), bf16::from_f32(-2.0)]);
}

#[test]
fn scalars_blocks_and_other_byte_orders() {
    assert_eq!(include_tensor!("files/scalar_u32.npy", SCALAR => SCALAR, u32)[[]], 7);
    let swapped = include_tensor!("files/big_endian_i64.npy", HW => WH<H = 2, W = 3>, i64);
    assert_eq!(swapped.buffer(), [0, 3, 1, 4, 2, 5]);
    let unblocked =
        include_tensor!("files/blocked_i8.npy", NCHW4 => NHWC<N = 2, C = 8, H = 3, W = 1>, i8);
    assert_eq!(unblocked[[1, 6, 2, 0]], 24 + 12 + 2 * 4 + 2);
    let named = include_tensor!(
        "files/bshd_f32.npy", BSHD => BHSD<B = 2, S = 3, H = 4, D = 5>, f32, coordinates(B, S, H, D)
    );
    assert_eq!(named[[1, 2, 3, 4]], 119.0);
}

#[test]
fn padding_is_filled_and_alignment_kept() {
    let padded = include_tensor!(
        "files/image_hwc.npy", HWC => CHW4c<3, 2, 4>, u8, pad = 200, align(H = 32)
    );
    assert_eq!(padded.buffer().as_ptr() as usize % 32, 0);
    for pixel in 0..8 {
        let at = pixel / 4 * 32 + pixel % 4 * 4;
        let expected = [0, 1, 2].map(|c| pixel as u8 * 3 + c);
        assert_eq!(padded.buffer()[at..at + 3], expected);
        assert_eq!(padded.buffer()[at + 3], 200);
    }
    assert_eq!(OF_NPY.buffer().as_ptr() as usize % 16, 0);
}

include_tensor! {
    /// A scale for each filter.
    #[derive(Debug)]
    struct OfFilters =
        "files/weights_f32.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, i8, quantize(O)
}

include_tensor! {
    struct OfTensor = "files/weights_f32.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, i8, quantize
}

include_tensor! {
    struct OfFour = "files/weights_big_endian_f64.npy", OIHW => OHWI<O = 8, I = 4, H = 3, W = 3>, i4, quantize(O)
}

include_tensor! {
    struct Given = "files/weights_f32.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, u8,
        quantize(scale = 0.0625, zero_point = 100)
}

include_tensor! {
    struct HalfEven = "files/planes_f16.npy", NCHW => NCHW<1, 3, 2, 4>, i8, quantize(scale = 2.0)
}

include_tensor! {
    struct HalfAway = "files/planes_f16.npy", NCHW => NCHW<1, 3, 2, 4>, i8,
        quantize(scale = 2.0, rounding = half_away)
}

named_format!(TILED = OIHW4i4o);
named_format!(PACKED = OIHW4i4o<8, 4, 3, 3>, i8);

include_tensor! {
    struct Named = "files/weights_f32.npy", OIHW, f32 => PACKED!, quantize(O)
}

#[test]
fn layouts_and_formats_by_their_names() {
    let tiled = include_tensor!("files/weights_f32.npy", OIHW => TILED!<8, 4, 3, 3>, f32);
    assert_eq!(tiled.buffer(), OF_NPY.buffer());
    let named: &Tensor<layout!(PACKED!), _> = &Named::TENSOR;
    assert_eq!(named.buffer(), OfFilters::TENSOR.buffer());
    assert_eq!((Named::SCALES, Named::SUMS), (OfFilters::SCALES, OfFilters::SUMS));
}

/// The largest magnitude of each filter.
fn largest(weights: &[f32]) -> Vec<f32> {
    let of_filter = |filter: &[f32]| filter.iter().fold(0f32, |all, value| all.max(value.abs()));
    weights.chunks(36).map(of_filter).collect()
}

#[test]
fn a_scale_for_each_filter() {
    let (weights, all) = (weights(), OfFilters::TENSOR);
    let scales: Vec<f32> = largest(&weights)
        .iter()
        .map(|&most| if most == 0.0 { 1.0 } else { (f64::from(most) / 127.0) as f32 })
        .collect();
    assert_eq!(OfFilters::SCALES, scales[..]);
    for (o, index, offset) in places() {
        let expected = (weights[index] * (1.0 / scales[o])).round_ties_even();
        assert_eq!(f32::from(all.buffer()[offset]), expected, "{index}");
    }
    for (o, sum) in OfFilters::SUMS.into_iter().enumerate() {
        let of_filter = places().filter(|(filter, ..)| *filter == o);
        assert_eq!(sum, of_filter.map(|(.., offset)| i64::from(all.buffer()[offset])).sum::<i64>());
    }
    const FIRST: i8 = OfFilters::TENSOR.array()[0];
    assert_eq!(FIRST, all.buffer()[0]);
    let extremes = all.buffer().iter().filter(|value| value.unsigned_abs() == 127).count();
    assert!(extremes >= 7, "only {extremes}");
}

#[test]
fn one_scale_for_the_tensor() {
    let weights = weights();
    let most = largest(&weights).into_iter().fold(0f32, f32::max);
    assert_eq!(OfTensor::SCALE, (f64::from(most) / 127.0) as f32);
    for (_, index, offset) in places() {
        let expected = (weights[index] * (1.0 / OfTensor::SCALE)).round_ties_even();
        assert_eq!(f32::from(OfTensor::TENSOR.buffer()[offset]), expected, "{index}");
    }
    let all = OfTensor::TENSOR.buffer().iter();
    assert_eq!(OfTensor::SUM, all.map(|&integer| i64::from(integer)).sum::<i64>());
}

/// The file holds 0, 1, 2 ..: every second one lies between two steps.
#[test]
fn halves_go_where_the_rounding_says() {
    let even: [i8; 24] = std::array::from_fn(|at| (at as i8 + at as i8 / 2 % 2) / 2);
    assert_eq!(*HalfEven::TENSOR.buffer(), even);
    let away: [i8; 24] = std::array::from_fn(|at| (at as i8 + 1) / 2);
    assert_eq!(*HalfAway::TENSOR.buffer(), away);
}

#[test]
fn four_bits() {
    let weights = weights();
    for (index, &value) in weights.iter().enumerate() {
        let (o, i, hw) = (index / 36, index / 9 % 4, index % 9);
        let at = o * 36 + hw * 4 + i;
        let byte = OfFour::TENSOR.buffer()[at / 2];
        let quantized = i4::from_bits(byte >> (at % 2 * 4)).get();
        let error = f32::from(quantized) * OfFour::SCALES[o] - value;
        assert!(error.abs() <= OfFour::SCALES[o] * 0.500_01, "{index}: {quantized} of {value}");
    }
}

#[test]
fn a_scale_that_is_written() {
    assert_eq!(Given::SCALE, 0.0625);
    let weights = weights();
    for (_, index, offset) in places() {
        let expected = ((weights[index] * 16.0).round_ties_even() + 100.0).clamp(0.0, 255.0);
        assert_eq!(f32::from(Given::TENSOR.buffer()[offset]), expected, "{index}");
    }
}

#[test]
fn casts() {
    let longer = include_tensor!("files/image_hwc.npy", HWC => HWC<C = 3, H = 2, W = 4>, i64, cast);
    assert_eq!(*longer.buffer(), std::array::from_fn::<i64, 24, _>(|at| at as i64));
    let shorter = include_tensor!("files/big_endian_i64.npy", HW => WH<H = 2, W = 3>, i4, cast);
    assert_eq!(*shorter.buffer(), [0x30, 0x41, 0x52]);
    let floats = include_tensor!("files/planes_f16.npy", NCHW => CHWN<N = 1, C = 3, H = 2, W = 4>, f64, cast);
    assert_eq!(floats[[0, 2, 1, 3]], 23.0);
}

mod elsewhere {
    /// Where no name of the library is in scope, as a function's own.
    pub(super) fn sum() -> i32 {
        let tensor = tensor_layout::include_tensor!(
            "files/big_endian_i64.npy", HW, i64 => HW<2, 3>, i32, cast,
        );
        tensor.buffer().iter().sum()
    }
}

/// How often the program holds these bytes.
fn occurrences(bytes: &[u8]) -> usize {
    let program = fs::read(std::env::current_exe().unwrap()).unwrap();
    program.windows(bytes.len()).filter(|window| *window == bytes).count()
}

#[test]
fn the_program_holds_what_is_packed_and_not_the_file() {
    let packed: Vec<u8> = OfTensor::TENSOR.buffer().iter().map(|&value| value as u8).collect();
    assert_eq!(occurrences(&packed), 1);
    let file = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/files/weights_f32.bin"));
    assert_eq!(occurrences(&file.unwrap()[..64]), 0);
}

#[test]
fn inside_of_functions() {
    assert_eq!(elsewhere::sum(), 15);
}

include_tensor! {
    /// Filters with a scale each.
    struct Filters = "../examples/networks/models/speech.tflite", 8, IHWO => OIHW4o<8, 1, 10, 8>, i8
}

include_tensor! {
    /// It has no elements.
    struct Input = "files/small.tflite", "input", NC => NC<1, 4>, i8
}

/// The generator of small.tflite and a reader in Python say what is in the files.
#[test]
fn tensors_of_networks() {
    let plain = include_tensor!(
        "../examples/networks/models/speech.tflite",
        "first_weights/read",
        IHWO => IHWO<O = 8, I = 1, H = 10, W = 8>,
        i8
    );
    let mut sums = [0i64; 8];
    for ([o, i, h, w], element) in plain.iter() {
        assert_eq!(Filters::TENSOR[[o, i, h, w]], element);
        sums[o] += i64::from(element);
    }
    assert_eq!((Filters::SCALES[1], Filters::ZERO_POINTS), (0.00014269954, [0; 8]));
    // The zero point of the input is -128.
    let biases =
        include_tensor!("../examples/networks/models/speech.tflite", 0, O => O<O = 8>, i32);
    let starts = sums.map(|sum| 128 * sum as i32);
    let starts: Vec<_> = starts.iter().zip(biases.buffer()).map(|(sum, bias)| bias + sum).collect();
    assert_eq!(Filters::EPILOGUE.starts[..], starts);
    assert_eq!((Input::SCALE, Input::ZERO_POINT), (0.5, -3));
    let floats = include_tensor!("files/small.tflite", 4, OI => IO<I = 3, O = 2>, f32);
    assert_eq!(floats.buffer(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let halves = include_tensor!("files/small.tflite", "floats", OI => OI<2, 3>, i8, quantize);
    assert_eq!(halves[[1, 2]], 127);
}
