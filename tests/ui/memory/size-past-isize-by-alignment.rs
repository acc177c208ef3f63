use tensor_layout::layout;

type Bad = layout!(MK<2, 2>, i8, align(M = 9223372036854775807));

fn main() {}
