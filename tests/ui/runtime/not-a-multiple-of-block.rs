use tensor_layout::layout;

type Bad = layout!(NCHW4<_, 63, 3, 3>, f16);

fn main() {}
