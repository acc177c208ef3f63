use tensor_layout::{Relayout, layout};

#[derive(Relayout)]
#[relayout(layout!(NCHW<1, 3, 2, 2>, u8) => layout!(NCHW4<1, 3, 2, 2>, u8, pad))]
struct Move;

fn main() {
    Move::run_in_place(&mut [0; 16]);
}
