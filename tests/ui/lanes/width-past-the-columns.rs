use tensor_layout::layout;

type Bad = layout!(MN<2, 40>, f16, bm1684x::matrix(w = 41));

fn main() {}
