use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/weights_nan_f16.npy", OIHW => OIHW<8, 4, 3, 3>, i8, quantize(O));
}
