use tensor_layout::layout;

type Bad = layout!(NCHW64<1, 3, 7, 7>, i4, pad = 8);

fn main() {}
