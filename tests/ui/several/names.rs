use tensor_layout::layout;

type Bad = layout!(NCHW<N = 1, C = 3, X = 7, N = 7>, float);

fn main() {}
