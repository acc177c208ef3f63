use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, u3);

fn main() {}
