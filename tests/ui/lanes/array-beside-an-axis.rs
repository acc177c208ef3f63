use tensor_layout::layout;

type Bad = layout!(NCHW<1, 64, 7, 7>, f16, lanes(C, 64), lanes(64));

fn main() {}
