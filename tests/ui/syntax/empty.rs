use tensor_layout::layout;

type Bad = layout!();

fn main() {}
