use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/text.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, f32);
}
