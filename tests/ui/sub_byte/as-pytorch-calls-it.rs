use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, uint2);

fn main() {}
