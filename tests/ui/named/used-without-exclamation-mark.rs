use tensor_layout::{layout, named_format};

named_format!(TILED = NCHW4c16n);

type Bad = layout!(TILED<16, 4, 7, 7>, f32);

fn main() {}
