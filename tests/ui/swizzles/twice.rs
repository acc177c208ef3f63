use tensor_layout::layout;

type Bad = layout!(MK<128, 64>, f16, swizzle(3, 3, 3), swizzle(2, 3, 3));

fn main() {}
