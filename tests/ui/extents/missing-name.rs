use tensor_layout::layout;

type Bad = layout!(NCHW<N = 1, C = 3, H = 7>, f32);

fn main() {}
