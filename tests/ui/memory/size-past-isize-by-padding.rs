use tensor_layout::layout;

type Bad = layout!(NCHW9223372036854775807c<2, 3, 7, 7>, i8, pad);

fn main() {}
