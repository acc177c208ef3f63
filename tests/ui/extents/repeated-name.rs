use tensor_layout::layout;

type Bad = layout!(NCHW<N = 1, C = 3, C = 7, W = 7>, f32);

fn main() {}
