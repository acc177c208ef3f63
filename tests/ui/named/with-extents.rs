use tensor_layout::named_format;

named_format!(TILED = NCHW4c<1, 4, 7, 7>);

fn main() {}
