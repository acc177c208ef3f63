use tensor_layout::layout;

type Bad = layout!(NCHW<1, 64, 8, 8>, u4, bm1684x::aligned, high_first);

fn main() {}
