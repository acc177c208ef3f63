use tensor_layout::layout;

type Bad = layout!(NHWC<N = 1, C = 3, H = 7, W = 7>, i8, bm1684x::aligned);

fn main() {}
