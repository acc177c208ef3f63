use tensor_layout::layout;

type Bad = layout!(MK<16, 64>, f16, swizzle(vec = 6, per_phase = 1, max_phase = 4));

fn main() {}
