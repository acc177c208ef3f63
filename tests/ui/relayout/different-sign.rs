use tensor_layout::{Relayout, layout};

type Src = layout!(NCHW<1, 4, 7, 7>, i8);
type Dst = layout!(NCHW4<1, 4, 7, 7>, u8);

#[derive(Relayout)]
#[relayout(Src => Dst)]
struct Move;

fn main() {}
