use tensor_layout::layout;

type Bad = layout!(NCHW<_, 4294967296, 4294967296, 1>, f32);

fn main() {}
