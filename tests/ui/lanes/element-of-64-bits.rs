use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f64, bm1684x::aligned);

fn main() {}
