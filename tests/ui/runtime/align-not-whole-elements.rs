use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, _, _>, f32, align(H = 6));

fn main() {}
