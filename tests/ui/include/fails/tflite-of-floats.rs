use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/small.tflite", "floats", OI => OI<2, 3>, i8);
}
