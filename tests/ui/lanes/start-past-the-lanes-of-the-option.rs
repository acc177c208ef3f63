use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f16, lanes(C, 8, start = 9));

fn main() {}
