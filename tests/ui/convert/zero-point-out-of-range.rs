use tensor_layout::{Conversion, Relayout, layout};

type Act = layout!(NCHW<1, 4, 4, 4>, f32);
type Quantised = layout!(NCHW4<1, 4, 4, 4>, i8);

#[derive(Relayout)]
#[relayout(Act => Quantised, convert = Conversion::quantise(0.5, 128))]
struct Quantise;

fn main() {}
