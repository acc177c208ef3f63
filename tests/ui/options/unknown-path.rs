use tensor_layout::layout;

type Bad = layout!(NCHW<1, 3, 7, 7>, f32, chip::aligned(start = 2));

fn main() {}
