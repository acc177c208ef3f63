use tensor_layout::layout;

const CHANNELS: i32 = 3;
type Bad = layout!(NCHW<1, CHANNELS, 7, 7>, f32);

fn main() {}
