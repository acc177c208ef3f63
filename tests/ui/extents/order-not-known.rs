use tensor_layout::layout;

type Bad = layout!(BSHD<8, 128, 12, 64>, f32);

fn main() {}
