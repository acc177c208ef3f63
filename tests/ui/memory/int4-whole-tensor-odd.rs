use tensor_layout::layout;

type Bad = layout!(M<7>, u4);

fn main() {}
