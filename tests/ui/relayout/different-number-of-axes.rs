use tensor_layout::{Relayout, layout};

type Src = layout!(NCHW<1, 4, 7, 7>, f32);
type Dst = layout!(NCDHW<1, 4, 1, 7, 7>, f32);

#[derive(Relayout)]
#[relayout(Src => Dst)]
struct Move;

fn main() {}
