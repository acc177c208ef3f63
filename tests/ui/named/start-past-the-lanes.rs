use tensor_layout::{layout, named_format};

named_format!(ROWS = NCHW, lanes(H, 16), align(H = 64));

type Bad = layout!(ROWS!<1, 3, 7, 7>, f16, lanes(start = 16));

fn main() {}
