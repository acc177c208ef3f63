use tensor_layout::layout;

type Bad = layout!(NCHW4c<1, 4, 7, 7>, f32, broadcast(C));

fn main() {}
