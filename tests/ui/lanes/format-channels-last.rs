use tensor_layout::layout;

type Bad = layout!(NHWC<1, 3, 7, 7>, i8, bm1684x::aligned);

fn main() {}
