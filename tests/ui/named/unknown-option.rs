use tensor_layout::named_format;

named_format!(ROWS = NCHW, lane(H, 16));

fn main() {}
