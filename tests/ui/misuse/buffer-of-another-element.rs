use tensor_layout::{Tensor, layout};

type Image = layout!(M<4>, f32);

fn wrap() {
    let _ = Tensor::<Image, _>::new([0i32; 4]);
}

fn main() {}
