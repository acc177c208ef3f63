use tensor_layout::layout;

type Bad = layout!(MK8<16, 16>, f32);

fn main() {}
