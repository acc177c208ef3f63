use tensor_layout::layout;

type Bad = layout!(NCHW4<1, 3, 7, 7>, f32, pad = "zero");

fn main() {}
