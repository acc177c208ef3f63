use tensor_layout::layout;

type Bad = layout!(f32, NCHW<1, 3, 7, 7>);

fn main() {}
