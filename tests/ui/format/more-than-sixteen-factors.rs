use tensor_layout::layout;

type Bad = layout!(AB2a2b2a2b2a2b2a2b2a2b2a2b2a2b2a<256, 128>, f32);

fn main() {}
