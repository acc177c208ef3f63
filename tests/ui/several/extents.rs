use tensor_layout::layout;

type Bad = layout!(OIHW4i16o4i<60, 60, 0, 3>, i8);

fn main() {}
