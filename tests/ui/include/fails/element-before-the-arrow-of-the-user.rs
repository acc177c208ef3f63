use tensor_layout::include_tensor;

#[derive(Clone, Copy)]
struct Weight(f32);

fn main() {
    let _ = include_tensor!("tests/files/weights_f32.npy", OIHW, Weight => OIHW<8, 4, 3, 3>, f32);
}
