use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 3, 7, 7>, f16, pad = 1e9);

fn main() {}
