use tensor_layout::layout;

type Bad = layout!(NHWC8<1, 7, 7, 8>, half);

fn main() {}
