//! Functions that allocate as much as layouts and files decide. Each of their allocations is refused in turn.

use std::fmt::Display;

use tensor_layout::adapters::{
    Array, ArrayOrder, ByteOrder, dlpack, npy, safetensors, storage, storage_mut, storage_shape,
};
use tensor_layout::{
    Conversion, Dynamic, ElementType, Layout, LayoutType, Rounding, Tensor, layout,
};

use crate::allocator::{measured, refusing_from, sizes};

/// A function of the listing, and how to call it.
pub(crate) struct Case {
    /// Its path in the listing without type arguments.
    pub(crate) name: &'static str,
    /// The bytes of the elements that it reads, copies and returns, but none that the caller has.
    bytes: usize,
    call: fn(&Inputs) -> Result<(), String>,
}

/// Extents that are odd, so that nothing is a whole number of pages.
const O: usize = 251;
const I: usize = 1021;
const COUNT: usize = O * I;

type Floats = layout!(OI<_, _>, f32);
type Bytes = layout!(OI4i<_, _>, i8, pad);
/// The bytes of such a tensor.
const PADDED: usize = O * I.next_multiple_of(4);

/// What the functions are given.
pub(crate) struct Inputs {
    extents: [usize; 2],
    floats: Tensor<Floats>,
    bytes: Tensor<Bytes>,
    /// Files of the floats and of integers that are converted through `f64`.
    npy: Vec<u8>,
    wide: Vec<u8>,
    safetensors: Vec<u8>,
    /// The same file at an address that is not aligned.
    shifted: Vec<u8>,
}

impl Inputs {
    fn new(extents: [usize; 2]) -> Self {
        let floats = Tensor::from_fn_in(Floats::new(extents).unwrap(), |[o, i]| {
            (o as f32 - 100.0) * (i % 61) as f32
        });
        let floats = floats.unwrap();
        let mut npy = Vec::new();
        npy::write(&floats, &mut npy).unwrap();
        let mut wide = Vec::new();
        let integers = floats.convert_to::<layout!(OI<_, _>, i32)>(&Conversion::cast());
        npy::write(&integers.unwrap(), &mut wide).unwrap();
        let mut safetensors = Vec::new();
        let entry = safetensors::Entry::new(&floats).unwrap();
        safetensors::write([("weights", entry)], &mut safetensors).unwrap();
        // The elements end where the file does.
        let end = safetensors.as_ptr().addr() + safetensors.len();
        assert_eq!(end % 4, 0, "a block of the allocator begins at a multiple of 4");
        let shifted = [&[0], &safetensors[..]].concat();
        let bytes = floats.convert_to(&Conversion::cast()).unwrap();
        Self { extents, floats, bytes, npy, wide, safetensors, shifted }
    }

    fn layout(&self) -> Floats {
        Floats::new(self.extents).unwrap()
    }

    fn array(&self) -> Array<'_> {
        safetensors::File::new(&self.safetensors).unwrap().array("weights").unwrap()
    }

    fn shifted_array(&self) -> Array<'_> {
        safetensors::File::new(&self.shifted[1..]).unwrap().array("weights").unwrap()
    }
}

fn said<T>(result: Result<T, impl Display>) -> Result<(), String> {
    result.map(drop).map_err(|error| error.to_string())
}

/// A case of a name.
macro_rules! case {
    ($name:literal, $bytes:expr, $call:expr) => {
        Case { name: $name, bytes: $bytes, call: $call }
    };
}

const FLOATS: usize = 4 * COUNT;
/// A number and a scale, and a zero point, of each row, and sums.
const SCALES: usize = O * (8 + 4 + 4 + 8);

pub(crate) const CASES: &[Case] = &[
    case!("tensor_layout::tensor::Tensor::zeroed_in", FLOATS, |inputs| {
        said(Tensor::zeroed_in(inputs.layout()))
    }),
    case!("tensor_layout::tensor::Tensor::from_fn_in", FLOATS, |inputs| {
        said(Tensor::from_fn_in(inputs.layout(), |[o, _]| o as f32))
    }),
    case!("tensor_layout::tensor::Tensor::map_in", 8 * COUNT, |inputs| {
        type Doubles = layout!(IO<O = _, I = _>, f64);
        let [o, i] = inputs.floats.extents();
        said(inputs.floats.map_in(Doubles::with_extents([('O', o), ('I', i)]).unwrap(), f64::from))
    }),
    case!("tensor_layout::tensor::Tensor::fold_axis", 8 * I, |inputs| {
        said(inputs.floats.fold_axis('O', 0.0, |sum, float| sum + f64::from(float)))
    }),
    case!("tensor_layout::tensor::Tensor::sum_axis", 4 * I, |inputs| {
        said(inputs.floats.sum_axis('O'))
    }),
    case!("tensor_layout::tensor::Tensor::to_layout", FLOATS, |inputs| {
        said(inputs.floats.to_layout::<layout!(IO<O = _, I = _>, f32)>())
    }),
    case!("tensor_layout::tensor::Tensor::to_format", FLOATS, |inputs| {
        said(inputs.floats.to_format("IO"))
    }),
    case!("tensor_layout::tensor::Tensor::convert_to", PADDED, |inputs| {
        said(inputs.floats.convert_to::<Bytes>(&Conversion::cast()))
    }),
    case!("tensor_layout::tensor::Tensor::quantize_to", PADDED + SCALES, |inputs| {
        said(inputs.floats.quantize_to::<Bytes>('O', Rounding::HalfEven))
    }),
    case!("tensor_layout::tensor::Tensor::sums", 8 * I, |inputs| said(inputs.bytes.sums('I'))),
    case!("tensor_layout::adapters::npy::read", FLOATS, |inputs| {
        said(npy::read(inputs.layout(), &inputs.npy[..]))
    }),
    case!("tensor_layout::adapters::npy::File::read", FLOATS, |inputs| {
        let file = npy::File::open(&inputs.npy[..]).unwrap();
        said(file.read(inputs.layout()))
    }),
    case!("tensor_layout::adapters::npy::File::array", FLOATS, |inputs| {
        said(npy::File::open(&inputs.npy[..]).unwrap().array())
    }),
    case!("tensor_layout::adapters::npy::write", 0, |inputs| {
        said(npy::write(&inputs.floats, std::io::sink()))
    }),
    case!("tensor_layout::adapters::npy::write_storage", 0, |inputs| {
        said(npy::write_storage(&inputs.bytes, std::io::sink()))
    }),
    // Bytes in this machine's order are not copied.
    case!("tensor_layout::adapters::Array::new", 0, |inputs| {
        let bytes = inputs.floats.as_bytes();
        said(Array::new(
            bytes,
            &inputs.floats.extents(),
            ElementType::F32,
            ArrayOrder::C,
            ByteOrder::NATIVE,
        ))
    }),
    case!("tensor_layout::adapters::Array::new", FLOATS, |inputs| {
        let other = match ByteOrder::NATIVE {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        };
        let bytes = inputs.floats.as_bytes();
        said(Array::new(bytes, &inputs.floats.extents(), ElementType::F32, ArrayOrder::C, other))
    }),
    case!("tensor_layout::adapters::safetensors::File::array", 0, |inputs| {
        said(safetensors::File::new(&inputs.safetensors).unwrap().array("weights"))
    }),
    case!("tensor_layout::adapters::safetensors::File::read", FLOATS, |inputs| {
        let file = safetensors::File::new(&inputs.shifted[1..]).unwrap();
        said(file.read("weights", inputs.layout()))
    }),
    case!("tensor_layout::adapters::safetensors::File::names", 0, |inputs| {
        let names = safetensors::File::new(&inputs.safetensors).unwrap().names().len();
        (names == 1).then_some(()).ok_or_else(String::new)
    }),
    case!("tensor_layout::adapters::safetensors::File::shape", 0, |inputs| {
        let file = safetensors::File::new(&inputs.safetensors).unwrap();
        file.shape("weights").map(drop).ok_or_else(String::new)
    }),
    case!("tensor_layout::adapters::safetensors::write", 0, |inputs| {
        let entry = safetensors::Entry::new(&inputs.floats).unwrap();
        said(safetensors::write([("weights", entry)], std::io::sink()))
    }),
    case!("tensor_layout::adapters::Array::to_layout", 2 * FLOATS, |inputs| {
        said(inputs.shifted_array().to_layout::<layout!(IO<O = _, I = _>, f32)>("OI"))
    }),
    // Floats that are aligned are not copied.
    case!("tensor_layout::adapters::Array::to_layout", FLOATS, |inputs| {
        said(inputs.array().to_layout::<layout!(IO<O = _, I = _>, f32)>("OI"))
    }),
    case!("tensor_layout::adapters::Array::convert_to", FLOATS + PADDED, |inputs| {
        said(inputs.shifted_array().convert_to::<Bytes>("OI", &Conversion::cast()))
    }),
    case!("tensor_layout::adapters::Array::convert_to", PADDED, |inputs| {
        said(inputs.array().convert_to::<Bytes>("OI", &Conversion::cast()))
    }),
    // Integers of 32 bits are read, and converted through `f64`.
    case!("tensor_layout::adapters::Array::convert_to", 12 * COUNT + PADDED, |inputs| {
        let array = npy::File::open(&inputs.wide[..]).unwrap().array();
        let array = array.map_err(|error| error.to_string())?;
        said(array.convert_to::<Bytes>("OI", &Conversion::cast()))
    }),
    case!("tensor_layout::adapters::Array::quantize", FLOATS + PADDED + SCALES, |inputs| {
        said(inputs.shifted_array().quantize::<Bytes>("OI", 'O', Rounding::HalfEven))
    }),
    case!("tensor_layout::adapters::Array::quantize", PADDED + SCALES, |inputs| {
        said(inputs.array().quantize::<Bytes>("OI", 'O', Rounding::HalfEven))
    }),
    case!("tensor_layout::adapters::storage", 0, |inputs| said(storage(&inputs.floats))),
    case!("tensor_layout::adapters::storage_mut", 0, |inputs| {
        let mut one = Tensor::<layout!(O<1>, f32)>::zeroed();
        said(storage_mut(&mut one)).and(said(storage(&inputs.bytes)))
    }),
    case!("tensor_layout::adapters::storage_shape", 0, |inputs| {
        said(storage_shape(&inputs.floats.layout()))
    }),
    case!("tensor_layout::adapters::dlpack::export", FLOATS, |inputs| {
        let floats = inputs.floats.to_format("OI").map_err(|error| error.to_string())?;
        said(dlpack::export(floats))
    }),
    case!("tensor_layout::adapters::dlpack::export_legacy", FLOATS, |inputs| {
        let floats = inputs.floats.to_format("OI").map_err(|error| error.to_string())?;
        said(dlpack::export_legacy(floats))
    }),
    case!("tensor_layout::adapters::dlpack::export_mut", FLOATS, |inputs| {
        let floats = inputs.floats.to_format("OI").map_err(|error| error.to_string())?;
        said(dlpack::export_mut(floats))
    }),
];

/// What errors, texts, headers and lists of axes take.
const BESIDE: usize = 64 << 10;

#[test]
fn memory_is_that_of_the_elements() {
    let inputs = Inputs::new([O, I]);
    for Case { name, bytes, call } in CASES {
        let (result, counts) = measured(|| call(&inputs));
        assert_eq!(result, Ok(()), "{name}");
        assert!(counts.is_even(), "{name}: {counts:?}");
        let most = bytes + bytes / 8 + BESIDE;
        assert!(counts.peak as usize <= most, "{name}: {most} bytes, and not {counts:?}");
        assert_eq!(counts.counted == 0, *bytes < BESIDE / 4, "{name}: {counts:?}");
    }
}

/// The indices of allocations whose size follows from the number of elements: a call with other extents has none of
/// that size, or fewer.
fn sized_by_elements(call: impl Fn(&Inputs), [inputs, others]: [&Inputs; 2]) -> Vec<usize> {
    let all = [inputs, others].map(|inputs| sizes(|| call(inputs)));
    let count = |of: &[usize], size| of.iter().filter(|own| **own == size).count();
    let differs = |size: usize| count(&all[0], size) > count(&all[1], size);
    (0..all[0].len()).filter(|&index| differs(all[0][index])).collect()
}

#[test]
fn each_refusal_is_an_error() {
    let (inputs, others) = (Inputs::new([O, I]), Inputs::new([O + 2, I + 10]));
    let mut refusals = 0;
    for Case { name, call, .. } in CASES {
        for refused in sized_by_elements(|inputs| drop(call(inputs)), [&inputs, &others]) {
            let (result, counts) = refusing_from(0, refused, || call(&inputs));
            let error = result.expect_err(name);
            assert!(error.starts_with("could not allocate "), "{name}, {refused}: {error}");
            assert!(error.contains("; "), "{name}: {error}");
            assert_eq!(counts.held as usize, error.capacity(), "{name}: {counts:?}");
            refusals += 1;
        }
    }
    assert!(refusals > 30, "{refusals}");
}

/// Every offset from a multiple of the alignment at which a block can begin, and sizes next to the powers of two.
#[test]
fn buffers_are_aligned_and_freed_as_they_were_allocated() {
    for align in (0..22).map(|bits| 1usize << bits) {
        for bytes in [0, 1, 63, 64, 65, 4095, 4097, 1 << 20] {
            let text = format!("HW<1, {bytes}>, u8, align(H = {align})");
            let layout = Layout::parse(text.strip_suffix(", align(H = 1)").unwrap_or(&text));
            let layout = Dynamic::<u8, 2>::new(layout.unwrap()).unwrap();
            let (_, counts) = measured(|| {
                let mut one = Tensor::zeroed_in(layout).unwrap();
                let between = vec![1u8; bytes % 61];
                let is_aligned = |bytes: &[u8]| bytes.as_ptr().addr() % align.max(64) == 0;
                assert!(is_aligned(one.buffer()) || bytes == 0, "{text}");
                assert!(one.buffer().iter().all(|&byte| byte == 0), "{text}");
                one.buffer_mut().fill(7);
                let other = one.clone();
                drop(between);
                assert!(is_aligned(other.buffer()) || bytes == 0, "{text}");
                assert_eq!(other.buffer(), one.buffer());
                assert!(other.buffer().len() >= bytes && layout.layout().bytes() >= bytes);
            });
            assert!(counts.is_even(), "{text}: {counts:?}");
        }
    }
}
