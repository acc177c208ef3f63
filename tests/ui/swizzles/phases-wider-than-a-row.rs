use tensor_layout::layout;

type Bad = layout!(MK<16, 32>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8));

fn main() {}
