use tensor_layout::{Relayout, layout};

type Src = layout!(NCHW<1, 4, 7, 7>, f32);

#[derive(Relayout)]
#[relayout(Src => Vec<f32>)]
struct Move;

fn main() {}
