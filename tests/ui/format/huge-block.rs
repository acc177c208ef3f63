use tensor_layout::layout;

type Bad = layout!(NCHW99999999999999999999c<1, 4, 7, 7>, f32);

fn main() {}
