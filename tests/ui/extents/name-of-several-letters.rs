use tensor_layout::layout;

type Bad = layout!(NCHW<batch = 1, C = 3, H = 7, W = 7>, f32);

fn main() {}
