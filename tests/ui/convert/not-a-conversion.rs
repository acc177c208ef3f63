use tensor_layout::{Relayout, layout};

type Camera = layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, u8);
type Input = layout!(NCHW<1, 3, 4, 4>, f32);

#[derive(Relayout)]
#[relayout(Camera => Input, convert = 0.5)]
struct Prepare;

fn main() {}
