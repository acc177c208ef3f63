use tensor_layout::layout;

type Bad = layout!(NCHW4<_, 63, 0, _>, f33);

fn main() {}
