use tensor_layout::layout;

type Bad = layout!(MK<4, 16>, f16, strides = [16, 1], swizzle(3, 3, 3));

fn main() {}
