use tensor_layout::layout;

type Bad = layout!(NHWC<1, 3, 7, 8>, u4);

fn main() {}
