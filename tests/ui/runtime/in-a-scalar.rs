use tensor_layout::layout;

type Bad = layout!(SCALAR<_>, f32);

fn main() {}
