use tensor_layout::{Relayout, layout};

type Dst = layout!(NCHW4<1, 4, 7, 7>, f32);

#[derive(Relayout)]
#[relayout(layout!(NCHW<1, 3, 7>, f32) => Dst)]
struct Move;

fn main() {}
