use tensor_layout::layout;

type Bad = layout!(NCHW<0, 3, 7, 7>, f32, strides = [147, 0, 7, 1], align(H = 6));

fn main() {}
