use tensor_layout::layout;

type Bad = layout!(NCHW<1, 64, 8, 8>, f16, bm1684x::aligned, swizzle(3, 3, 3));

fn main() {}
