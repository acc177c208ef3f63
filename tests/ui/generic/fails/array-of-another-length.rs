use tensor_layout::{Tensor, layout};

type Image = layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, u8);

fn main() {
    let _: Tensor<Image, _> = [0; 47].into();
}
