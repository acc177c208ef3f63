use tensor_layout::layout;

type Bad = layout!(NCHW);

fn main() {}
