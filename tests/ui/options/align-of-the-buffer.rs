use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f32, align = 6);

fn main() {}
