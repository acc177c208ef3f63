use tensor_layout::{Relayout, layout};

#[derive(Relayout)]
#[relayout(layout!(NCHW<1, 4, 7, 7>, f32) => layout!(NCHW4<1, 4, 7, 9>, f32))]
struct Move;

fn main() {}
