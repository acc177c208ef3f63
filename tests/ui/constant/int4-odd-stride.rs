use tensor_layout::layout;

const ROW: isize = 5;

const LENGTH: usize = <layout!(MK<4, 4>, i4, strides = [ROW, 1])>::LEN;

fn main() {}
