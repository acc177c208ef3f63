use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/small.tflite", "input", NC => NC<1, 4>, i8);
}
