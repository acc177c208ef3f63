use tensor_layout::{layout, tensor};

type Input = layout!(NCHW<1, 3, 224, 224>, f32);

/// Constants and statics lie on no stack.
static ZEROED: tensor!(Input) = <tensor!(Input)>::ZEROED;

fn main() {
    let input = <tensor!(Input)>::default();
    assert_eq!(input, ZEROED);
}
