use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!(OIHW => OIHW<8, 4, 3, 3>, f32);
}
