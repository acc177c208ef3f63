use tensor_layout::named_format;

named_format!(TILED = );

fn main() {}
