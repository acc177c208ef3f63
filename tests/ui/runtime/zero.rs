use tensor_layout::layout;

type Bad = layout!(NCHW<_, 0, 3, 3>, f16);

fn main() {}
