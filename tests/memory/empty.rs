//! Tensors without elements, one of whose extents is any number.

use tensor_layout::adapters::npy;
use tensor_layout::{Conversion, Dynamic, ElementType, Layout, Number, Rounding, Tensor, layout};

use crate::allocator::measured;

type Integers = layout!(OI<_, _>, i8);

/// A tensor without elements, with this extent of O.
fn empty<E: Number<Unit = E>>(extent: usize) -> Tensor<Dynamic<E, 2>, Vec<E>> {
    let layout = Layout::of("OI", &[extent, 0], E::TYPE).unwrap();
    Tensor::with_layout(Dynamic::new(layout).unwrap(), Vec::new()).unwrap()
}

/// A file of such a tensor of floats.
fn file(extent: usize) -> Vec<u8> {
    let mut file = Vec::new();
    npy::write(&empty::<f32>(extent), &mut file).unwrap();
    file
}

const LARGE: [usize; 4] = [(1 << 16) + 1, 1 << 27, 1 << 40, isize::MAX as usize];

#[test]
fn scales_and_sums_of_nothing_take_no_memory() {
    let refused = |text: String, extent: usize| {
        let fact = format!("tensor has no elements, so the {extent} coordinates of axis `O` get");
        assert!(text.starts_with(&fact) && text.contains("; pass `None` "), "{text}");
    };
    for extent in LARGE {
        let (floats, integers, file) = (empty::<f32>(extent), empty::<i8>(extent), file(extent));
        let array = npy::File::open(&file[..]).unwrap().array().unwrap();
        let ((), counts) = measured(|| {
            let to = floats.quantize_to::<Integers>('O', Rounding::HalfEven);
            refused(to.map(drop).unwrap_err().to_string(), extent);
            refused(integers.sums('O').unwrap_err().to_string(), extent);
            let packed = array.quantize::<Integers>("OI", 'O', Rounding::HalfEven);
            refused(packed.map(drop).unwrap_err().to_string(), extent);
            // One number of all, and one for each coordinate of an axis that has none.
            assert_eq!(integers.sums(None), Ok(vec![0]));
            assert_eq!(integers.sums('I'), Ok(vec![]));
            let all = floats.quantize_to::<Integers>(None, Rounding::HalfEven).unwrap();
            assert_eq!((&all.scales[..], &all.sums[..]), (&[1.0][..], &[0][..]));
            let none = array.quantize::<Integers>("OI", 'I', Rounding::HalfEven).unwrap();
            assert_eq!((none.scales.len(), none.sums.len()), (0, 0));
            let cast = array.convert_to::<Integers>("OI", &Conversion::cast()).unwrap();
            assert_eq!(cast.extents(), [extent, 0]);
            let moved = array.to_layout::<layout!(IO<O = _, I = _>, f32)>("OI").unwrap();
            assert_eq!(moved.buffer(), [0f32; 0]);
            assert_eq!(floats.to_format("IO").unwrap().extents(), [extent, 0]);
            let layout = Integers::new([extent, 0]).unwrap();
            assert_eq!(floats.map_in(layout, |float| float as i8).unwrap().extents(), [extent, 0]);
        });
        assert!(counts.peak < 64 << 10, "{extent}: {counts:?}");
    }
}

#[test]
fn few_coordinates_have_scales_and_sums_of_nothing() {
    for extent in [0, 1, 5, 1 << 16] {
        assert_eq!(empty::<i8>(extent).sums('O').unwrap(), vec![0; extent]);
        let quantized = empty::<f32>(extent).quantize_to::<Integers>('O', Rounding::HalfEven);
        let quantized = quantized.unwrap();
        assert_eq!(quantized.scales, vec![1.0; extent]);
        assert_eq!(quantized.sums, vec![0; extent]);
    }
}

/// Coordinates that share an element take no memory either, and have no sums.
#[test]
fn shared_elements_take_no_memory() {
    let layout = Layout::of("OI", &[1, 2], ElementType::I8).unwrap();
    let layout = layout.broadcast('O', 1 << 40).unwrap();
    let shared = Tensor::with_layout(Dynamic::<i8, 2>::new(layout).unwrap(), [1, 2]).unwrap();
    let (error, counts) = measured(|| shared.sums('O').unwrap_err().to_string());
    assert!(error.starts_with("coordinates of the destination share elements"), "{error}");
    assert!(counts.peak < 64 << 10, "{counts:?}");
}
