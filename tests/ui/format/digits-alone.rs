use tensor_layout::layout;

type Bad = layout!(4<1>, f32);

fn main() {}
