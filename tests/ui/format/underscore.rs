use tensor_layout::layout;

type Bad = layout!(NC_HW<1, 4, 7, 7>, f32);

fn main() {}
