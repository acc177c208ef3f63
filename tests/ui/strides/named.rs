use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f32, strides = [N = 147, C = 49, H = 7, H = 1]);

fn main() {}
