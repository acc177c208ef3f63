use tensor_layout::layout;

type Bad = layout!(NHWC<N = 1, C = 3, H = 7, W = 8>, u4);

fn main() {}
