use tensor_layout::named_format;

named_format!(ROWS = NCHW, lanes(H), align(64));

fn main() {}
