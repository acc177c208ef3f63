use tensor_layout::layout;

type Bad = layout!(MK<128, 64>, f16, swizzle(vec = 0, per_phase = 1, max_phase = 8));

fn main() {}
