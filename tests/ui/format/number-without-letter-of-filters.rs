use tensor_layout::layout;

type Bad = layout!(OIHW16<16, 16, 3, 3>, f32);

fn main() {}
