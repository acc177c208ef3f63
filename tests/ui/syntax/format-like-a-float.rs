use tensor_layout::layout;

type Bad = layout!(4eABCDE<1, 2, 3, 4, 8>, f32);

fn main() {
    let _ = Bad::default();
}
