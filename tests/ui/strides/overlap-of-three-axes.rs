use tensor_layout::layout;

type Bad = layout!(MKN<2, 2, 2>, f32, strides = [3, 2, 1]);

fn main() {}
