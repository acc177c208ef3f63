use tensor_layout::layout;

const ROW: usize = 96;

type Bad = layout!(MK<2, 48>, u8, align(M = ROW), swizzle(vec = 2, per_phase = 1, max_phase = 4));

const _: usize = Bad::LEN;

fn main() {}
