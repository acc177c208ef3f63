use tensor_layout::layout;

type Bad = layout!(abcdefghijklm<1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>, f32);

fn main() {}
