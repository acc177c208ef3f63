use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 224>, f32);

fn main() {}
