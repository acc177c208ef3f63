use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, u4, high_first(u4));

fn main() {}
