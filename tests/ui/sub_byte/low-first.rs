use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, u4, low_first);

fn main() {}
