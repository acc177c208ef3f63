use tensor_layout::{Tensor, layout};

type Rows = layout!(HW<4, 16>, f32, align(H = 64));

fn main() {
    let _: Tensor<Rows, _> = [0.0; Rows::LEN].into();
}
