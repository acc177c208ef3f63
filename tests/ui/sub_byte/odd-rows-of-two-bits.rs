use tensor_layout::layout;

type Bad = layout!(HW<4, 6>, u2);

fn main() {}
