use tensor_layout::layout;

type Bad = layout!(MK<1, 1>, f16, swizzle(3, 3, 3));

fn main() {}
