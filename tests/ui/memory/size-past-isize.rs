use tensor_layout::layout;

type Bad = layout!(NCHW<4294967296, 4294967296, 7, 7>, f32);

fn main() {}
