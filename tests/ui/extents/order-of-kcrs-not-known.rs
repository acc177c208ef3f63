use tensor_layout::layout;

type Bad = layout!(KCRS<64, 3, 7, 7>, f32);

fn main() {}
