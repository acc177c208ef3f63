use tensor_layout::layout;

type Bad = layout!(NCHW<_, 3, 2, 2>, f16, strides = [12, 1, 2, 1]);

fn main() {}
