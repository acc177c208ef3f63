use tensor_layout::layout;

type Bad = layout!(NHWC<1, 3, 224, 224, 4>, f32);

fn main() {}
