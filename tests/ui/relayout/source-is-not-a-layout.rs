use tensor_layout::{Relayout, layout};

type Dst = layout!(NCHW4<1, 4, 7, 7>, f32);

#[derive(Relayout)]
#[relayout([f32; 196] => Dst)]
struct Move;

fn main() {}
