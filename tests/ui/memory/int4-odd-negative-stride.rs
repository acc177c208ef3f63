use tensor_layout::layout;

type Bad = layout!(MK<4, 4>, u4, strides = [-7, 1]);

fn main() {}
