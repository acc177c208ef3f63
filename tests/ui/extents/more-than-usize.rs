use tensor_layout::layout;

type Bad = layout!(NCHW<1, 18446744073709551616, 7, 7>, f32);

fn main() {}
