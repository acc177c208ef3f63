use tensor_layout::layout;

type Bad = layout!(NCHW4<0, 3, -7, 2.5>, int8, pads, align(X = 64));

fn main() {}
