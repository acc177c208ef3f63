use tensor_layout::layout;

type Bad = layout!(MK<4, 3>, f32, strides = [2, 3]);

fn main() {}
