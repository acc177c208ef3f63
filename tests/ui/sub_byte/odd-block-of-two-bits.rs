use tensor_layout::layout;

type Bad = layout!(HW3w<4, 12>, u2);

fn main() {}
