use tensor_layout::named_format;

named_format!(TILED = NHWC8);

fn main() {}
