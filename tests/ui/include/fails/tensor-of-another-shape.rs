use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/numpy.safetensors", "bias", O => O<O = 4>, f64);
}
