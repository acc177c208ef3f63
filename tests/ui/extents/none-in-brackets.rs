use tensor_layout::layout;

type Bad = layout!(NCHW<>, f32);

fn main() {}
