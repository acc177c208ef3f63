use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 3, 7, 7>, f8e4m3, pad = 500);

fn main() {}
