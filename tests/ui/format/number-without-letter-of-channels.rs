use tensor_layout::layout;

type Bad = layout!(NHWC8<N = 1, C = 7, H = 7, W = 8>, f32);

fn main() {}
