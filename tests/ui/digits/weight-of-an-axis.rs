use tensor_layout::layout;

type Rows = layout!(R/4 C<R = 128, C = 4>, u8);

fn main() {}
