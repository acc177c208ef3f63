use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/small.tflite", 1, OIHW => OIHW<3, 4, 1, 1>, i8);
}
