use tensor_layout::layout;

type Bad = layout!(NCHW3c<1, 6, 8, 8>, i4);

fn main() {}
