use tensor_layout::layout;

type Bad = layout!(OIHW<64, 64, 3, 3>, i16, bm1684x::ic);

fn main() {}
