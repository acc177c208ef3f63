use tensor_layout::layout;

type Bad = layout!(MK<128, 64>, f32, swizzle_bytes(3, 1, 3));

fn main() {}
