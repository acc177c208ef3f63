//! Weights of a file, quantized, packed and summed in one call.

use tensor_layout::adapters::{Array, safetensors};
use tensor_layout::{Rounding, layout};

use super::{load, open, path};

type Conv = layout!(OIHW4i4o<_, _, 3, 3>, i8, pad);
type Packed = layout!(ABCDEF<_, _, _, _, _, _>, i8);

#[track_caller]
fn check(array: &Array<'_>) {
    let conv = array.quantize::<Conv>("OIHW", 'O', Rounding::HalfEven).unwrap();
    assert_eq!(conv.tensor.extents(), [8, 5, 3, 3]);
    assert_eq!(conv.scales, load::<layout!(O<_>, f32)>("weights_scales", "O").buffer());
    assert_eq!(conv.sums, load::<layout!(O<_>, i64)>("weights_sums", "O").buffer());
    assert_eq!(conv.tensor.buffer(), load::<Packed>("weights_packed", "ABCDEF").buffer());
}

#[test]
fn weights_are_packed_as_with_numpy() {
    check(&open("weights").array().unwrap());
    let bytes = std::fs::read(path("weights.safetensors")).unwrap();
    check(&safetensors::File::new(&bytes).unwrap().array("conv").unwrap());
}
