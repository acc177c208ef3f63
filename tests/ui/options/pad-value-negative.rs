use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 3, 7, 7>, u8, pad = -1);

fn main() {}
