use tensor_layout::layout;

const BITS: usize = 3;

type Bad = layout!(MK<4, 16>, f16, swizzle(BITS, 3, 3));

const _: usize = Bad::LEN;

fn main() {}
