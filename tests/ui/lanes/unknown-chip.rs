use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f16, bm1684::aligned);

fn main() {}
