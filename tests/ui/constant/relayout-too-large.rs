use tensor_layout::{Relayout, layout};

#[derive(Relayout)]
#[relayout(layout!(NCHW<1, 64, 256, 256>, u8) => layout!(NHWC<N = 1, C = 64, H = 256, W = 256>, u8))]
struct Move;

const MOVED: [u8; 4194304] = Move::constant(&[0; 4194304]);

fn main() {}
