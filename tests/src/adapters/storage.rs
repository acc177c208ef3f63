//! Tensors as arrays of a shape and a slice, and back.

use tensor_layout::adapters::{from_storage, storage, storage_mut};
use tensor_layout::{Tensor, layout};

#[test]
fn storages_are_arrays_where_they_are() {
    macro_rules! stored {
        ($($layout:ty, $shape:expr;)*) => {$(
            let units = <$layout>::LAYOUT.units();
            let mut tensor = Tensor::<$layout, _>::new(vec![7u8; units]).unwrap();
            let address = tensor.buffer().as_ptr();
            let (shape, elements) = storage(&tensor).unwrap();
            assert_eq!((&shape[..], elements.as_ptr(), elements.len()), (&$shape[..], address, units));
            let back = from_storage(<$layout>::default(), &shape, elements).unwrap();
            assert_eq!(back.buffer().as_ptr(), address);
            assert_eq!(storage_mut(&mut tensor).unwrap().1.as_mut_ptr().cast_const(), address);
        )*};
    }
    stored! {
        layout!(NCHW<1, 3, 4, 6>, u8), [1, 3, 4, 6];
        layout!(NHWC<N = 1, C = 3, H = 4, W = 6>, u8), [1, 4, 6, 3];
        layout!(NCHW4c<1, 6, 4, 6>, u8, pad), [1, 2, 4, 6, 4];
        layout!(SCALAR, u8), [];
        layout!(HW<3, 4>, u4), [3, 4];
    }
}

#[test]
fn another_array_is_an_error() {
    type Mask = layout!(NHWC<N = 1, C = 2, H = 4, W = 6>, u8);
    for shape in [&[1, 2, 4, 6][..], &[4, 6, 2], &[1, 4, 6, 2, 1], &[1, 4, 6, 3]] {
        let error = from_storage(Mask::default(), shape, [0; Mask::LEN]).unwrap_err().to_string();
        let text = format!(
            "array has shape {shape:?} but layout `NHWC<N = 1, C = 2, H = 4, W = 6>, u8` is stored"
        );
        assert!(error.starts_with(&text), "{error}");
    }
    let error = from_storage(Mask::default(), &[1, 4, 6, 2], [0; 47]).unwrap_err().to_string();
    assert!(error.starts_with("buffer has length 47 but its layout takes 48; "), "{error}");
    let swizzled = Tensor::<layout!(MK<8, 64>, u8, swizzle(1, 2, 3)), _>::new([0; 512]).unwrap();
    let error = storage(&swizzled).unwrap_err().to_string();
    assert!(error.starts_with("an array cannot take a layout with a swizzle; "), "{error}");
}
