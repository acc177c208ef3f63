use tensor_layout::layout;

type Bad = layout!(MK<8, 64>, f16, swizzle(vec = 8, per_phase = 8, max_phase = 4));

fn main() {}
