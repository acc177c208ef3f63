use tensor_layout::tensor::Space;
use tensor_layout::{Tensor, layout};

struct Gpu;
impl Space for Gpu {}

type Image = layout!(NCHW<1, 3, 4, 2>, f32);

fn main() {
    let _ = Tensor::<Image, _, Gpu>::in_space(Image::default(), [0.0f32; 24]);
}
