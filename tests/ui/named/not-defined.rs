use tensor_layout::layout;

type Bad = layout!(TILED!<16, 4, 7, 7>, f32);

fn main() {}
