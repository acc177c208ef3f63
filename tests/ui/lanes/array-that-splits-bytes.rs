use tensor_layout::layout;

type Bad = layout!(MK<M = 8, K = 2>, i4, lanes(16));

fn main() {}
