use tensor_layout::layout;

type Bad = layout!(MK<2305843009213693952, 2>, f32);

fn main() {}
