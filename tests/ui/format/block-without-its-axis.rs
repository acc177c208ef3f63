use tensor_layout::layout;

type Bad = layout!(NHW4c<1, 7, 7>, f32);

fn main() {}
