use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f16, align(lanes = 64));

fn main() {}
