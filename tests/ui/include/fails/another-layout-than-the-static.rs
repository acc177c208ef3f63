use tensor_layout::{Tensor, include_tensor, layout};

static CONV: Tensor<layout!(OIHW<8, 4, 3, 3>, f32), &[f32; 288]> =
    include_tensor!("tests/files/weights_f32.npy", OIHW => OHWI<O = 8, I = 4, H = 3, W = 3>, f32);

fn main() {
    let _ = CONV;
}
