use tensor_layout::layout;

type Bad = layout!(HW<4, 8>, bool, high_first);

fn main() {}
