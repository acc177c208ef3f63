use tensor_layout::layout;

type Bad = layout!(MK<128, 64>, f16, swizzle(3, 3, 99999999999999999999));

fn main() {}
