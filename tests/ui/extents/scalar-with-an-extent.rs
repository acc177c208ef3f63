use tensor_layout::layout;

type Bad = layout!(SCALAR<1>, f32);

fn main() {}
