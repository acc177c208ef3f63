use tensor_layout::layout;

type Bad = layout!(HW<4, 12>, u1, high_first);

fn main() {}
