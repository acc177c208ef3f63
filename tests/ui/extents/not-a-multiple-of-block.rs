use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 3, 224, 224>, u8);

fn main() {}
