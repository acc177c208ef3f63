use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/weights_f32.npy", OIHW => OIHW<8, 4, 3, 3>, i8, quantize(C));
}
