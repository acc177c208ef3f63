use tensor_layout::layout;

type Bad = layout!(HW<_, 3>, i4);

fn main() {}
