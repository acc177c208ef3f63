use tensor_layout::layout;

type Bad = layout!(MK<_, _>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 3));

fn main() {}
