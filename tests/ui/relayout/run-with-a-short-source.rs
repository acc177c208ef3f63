use tensor_layout::{Relayout, layout};

type Src = layout!(NCHW<1, 3, 2, 2>, f32);
type Dst = layout!(NCHW4<1, 3, 2, 2>, f32, pad);

#[derive(Relayout)]
#[relayout(Src => Dst)]
struct Pack;

fn pack(destination: &mut [f32; 16]) {
    Pack::run_arrays(&[0.0; 11], destination);
}

fn main() {}
