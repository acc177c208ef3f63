use tensor_layout::{Conversion, Relayout, layout};

type Camera = layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, u8);
type Input = layout!(NCHW<1, 3, 4, 5>, f32);

#[derive(Relayout)]
#[relayout(Camera => Input, convert = Conversion::cast())]
struct Prepare;

fn main() {}
