tensor_layout::named_format!(SCALES = RC32r4r/16 4c);

fn main() {}
