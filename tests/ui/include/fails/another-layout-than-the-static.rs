use tensor_layout::{Tensor, include_tensor, layout};

static CONV: Tensor<layout!(OIHW<8, 4, 3, 3>, f32), &[f32; 288]> =
    include_tensor!("tests/files/weights_f32.npy", OIHW => OHWI<8, 4, 3, 3>, f32);

fn main() {
    let _ = CONV;
}
