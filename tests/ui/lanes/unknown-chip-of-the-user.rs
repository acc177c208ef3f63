use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, i8, YOURS::aligned);

fn main() {}
