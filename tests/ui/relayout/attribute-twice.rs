use tensor_layout::{Relayout, layout};

type Src = layout!(NCHW<1, 4, 7, 7>, f32);
type Dst = layout!(NCHW4<1, 4, 7, 7>, f32);

#[derive(Relayout)]
#[relayout(Src => Dst)]
#[relayout(Dst => Src)]
struct Move;

fn main() {}
