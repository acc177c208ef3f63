use tensor_layout::layout;

type Bad = layout!(MK<4, 4>, i4, strides = [5, 1]);

fn main() {}
