use tensor_layout::layout;

type Bad = layout!(NC<1 3, 7>, f32);

fn main() {}
