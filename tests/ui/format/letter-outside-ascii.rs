use tensor_layout::layout;

type Bad = layout!(NCHÖW<1, 4, 7, 7>, f32);

fn main() {}
