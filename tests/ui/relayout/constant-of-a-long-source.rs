use tensor_layout::{Relayout, layout};

type Src = layout!(NCHW<1, 3, 2, 2>, f32);
type Dst = layout!(NCHW4<1, 3, 2, 2>, f32, pad);

#[derive(Relayout)]
#[relayout(Src => Dst)]
struct Pack;

const PACKED: [f32; Dst::LEN] = Pack::constant(&[0.0; 13]);

fn main() {}
