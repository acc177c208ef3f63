use tensor_layout::layout;

type Bad = layout!(MK<16, 32>, f16, align(M = 72), swizzle(vec = 8, per_phase = 1, max_phase = 4));

fn main() {}
