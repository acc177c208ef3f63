use tensor_layout::{Tensor, layout};

type Image = layout!(NHWC<1, 3, 4, 4>, u8);

fn main() {
    let _: Tensor<Image, _> = [0; 47].into();
}
