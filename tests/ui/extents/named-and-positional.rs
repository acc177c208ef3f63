use tensor_layout::layout;

type Bad = layout!(NCHW<N = 1, C = 3, 7, 7>, f32);

fn main() {}
