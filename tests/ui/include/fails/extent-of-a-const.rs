use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/weights_f32.npy", OIHW => OIHW<FILTERS, 4, 3, 3>, f32);
}
