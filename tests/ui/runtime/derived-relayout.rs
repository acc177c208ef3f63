use tensor_layout::{Relayout, layout};

type Batch = layout!(NCHW<_, 3, 4, 4>, u8);
type Last = layout!(NHWC<2, 3, 4, 4>, u8);

#[derive(Relayout)]
#[relayout(Batch => Last)]
struct ToLast;

fn main() {}
