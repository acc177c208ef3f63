use tensor_layout::{layout, named_format};

named_format!(ROWS = NCHW, align(H = 64));

type Bad = layout!(ROWS!<1, 3, 7, 7>, f16, lanes(start = 2));

fn main() {}
