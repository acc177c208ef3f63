use tensor_layout::{Relayout, layout};

#[derive(Relayout)]
#[relayout(layout!(NHWC<N = _, C = 3, H = 4, W = _>, u8) => layout!(NCHW<_, 3, 5, 4>, u8))]
struct Pack;

fn main() {}
