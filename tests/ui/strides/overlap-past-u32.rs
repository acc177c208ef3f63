use tensor_layout::layout;

type Bad = layout!(MK<10000000000, 2>, i8, strides = [1, 6000000000]);

fn main() {}
