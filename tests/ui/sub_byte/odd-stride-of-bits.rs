use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, u1, strides = [12, 1]);

fn main() {}
