use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f16, lanes = 64);

fn main() {}
