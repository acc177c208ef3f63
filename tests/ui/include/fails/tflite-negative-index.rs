use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/small.tflite", -1, OI => OI<3, 4>, i8);
}
