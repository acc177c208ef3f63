use tensor_layout::{Relayout, layout};

#[derive(Relayout)]
#[relayout(layout!(NCHW<1, 2, 2, 2>, u8) => layout!(NHWC<N = 1, C = 2, H = 2, W = 2>, u8))]
struct Move;

fn main() {
    Move::run_in_place(&mut [0; 7]);
}
