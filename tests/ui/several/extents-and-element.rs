use tensor_layout::layout;

type Bad = layout!(NCHW4<0, 3, 7, 7>, float32);

fn main() {}
