use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f16, bm1684x::continuous, strides = [147, 49, 7, 1]);
type Padded = layout!(MN<3, 7>, f16, bm1684x::matrix(w = 3), strides = [7, 1]);

fn main() {}
