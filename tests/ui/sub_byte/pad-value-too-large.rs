use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, u2, pad = 4);

fn main() {}
