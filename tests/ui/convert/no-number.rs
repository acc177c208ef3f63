use tensor_layout::{Conversion, Relayout, layout};

type Camera = layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, i24);
type Input = layout!(NCHW<1, 3, 4, 4>, f32);

#[derive(Relayout)]
#[relayout(Camera => Input, convert = Conversion::cast())]
struct Prepare;

fn main() {}
