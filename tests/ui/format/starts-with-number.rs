use tensor_layout::layout;

type Bad = layout!(4NCHW<1, 4, 7, 7>, f32);

fn main() {}
