use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/weights_f32.npy", OIHW, f16 => OIHW4i4o<8, 4, 3, 3>, i8, cast);
}
