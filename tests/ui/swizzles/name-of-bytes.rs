use tensor_layout::layout;

type Bad = layout!(MK<128, 64>, f16, swizzle_bytes = b128);

fn main() {}
