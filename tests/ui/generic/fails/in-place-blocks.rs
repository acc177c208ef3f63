use tensor_layout::{Relayout, layout};

#[derive(Relayout)]
#[relayout(layout!(NCHW4<1, 12, 2, 2>, u8) => layout!(NCHW6c<1, 12, 2, 2>, u8))]
struct Move;

fn main() {
    Move::run_in_place(&mut [0; 48]);
}
