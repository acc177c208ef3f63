use tensor_layout::layout;

type Bad = layout!(MK<3, 3>, f32, strides = [-2, 1]);

fn main() {}
