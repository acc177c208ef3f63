use tensor_layout::layout;

type Bad = layout!(NCHW<_, 3, 224, 224>, f32);

fn main() {}
