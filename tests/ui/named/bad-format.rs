use tensor_layout::named_format;

named_format!(TILED = NCHW4x);

fn main() {}
