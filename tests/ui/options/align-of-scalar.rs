use tensor_layout::layout;

type Bad = layout!(SCALAR, f32, align(C = 64));

fn main() {}
