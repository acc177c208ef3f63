use tensor_layout::{Relayout, layout};

#[derive(Relayout)]
#[relayout(layout!(NHWC<_, 3, 4, _>, u8) => layout!(NCHW<_, 3, 5, 4>, u8))]
struct Pack;

fn main() {}
