use tensor_layout::named_format;

named_format!(CONV = OIHW4i4o<8, 3, 3, 3>, i8);

fn main() {}
