use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 6, 0, 2>, floot, pads, strides = [1]);

fn main() {}
