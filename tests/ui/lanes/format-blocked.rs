use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 4, 7, 7>, i8, bm1684x::aligned);

fn main() {}
