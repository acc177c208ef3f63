use tensor_layout::named_format;

named_format!(TILED = NCHW4c, NCHW8c);

fn main() {}
