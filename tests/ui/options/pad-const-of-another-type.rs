use tensor_layout::layout;

const ZERO: u8 = 0;
type Bad = layout!(NCHW4<1, 3, 7, 7>, i8, pad = ZERO);

fn main() {}
