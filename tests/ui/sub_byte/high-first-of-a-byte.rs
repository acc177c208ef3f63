use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, u8, high_first);

fn main() {}
