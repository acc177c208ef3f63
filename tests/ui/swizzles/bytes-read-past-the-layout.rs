use tensor_layout::layout;

type Bad = layout!(MK<4, 16>, f16, swizzle = b128);

fn main() {}
