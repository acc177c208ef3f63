use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 4, 7, 7>, f32, strides = [196, 49, 7, 1]);

fn main() {}
