use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/numpy.safetensors", "conv1.weight", OIHW => OIHW<2, 1, 3, 3>, f32);
}
