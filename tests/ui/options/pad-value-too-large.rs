use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 3, 7, 7>, i8, pad = 128);

fn main() {}
