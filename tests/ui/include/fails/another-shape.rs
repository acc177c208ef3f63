use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/weights_f32.npy", OIHW => OIHW4i4o<8, 4, 5, 5>, f32);
}
