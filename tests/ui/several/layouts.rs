use tensor_layout::layout;

type First = layout!(NCHW4<1, 3, 7, 7>, f32);
type Second = layout!(NCHW<1, 3, 7>, f32);

fn main() {}
