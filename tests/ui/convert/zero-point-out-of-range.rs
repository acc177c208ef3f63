use tensor_layout::{Conversion, Relayout, layout};

type Act = layout!(NCHW<1, 4, 4, 4>, f32);
type Quantized = layout!(NCHW4<1, 4, 4, 4>, i8);

#[derive(Relayout)]
#[relayout(Act => Quantized, convert = Conversion::quantize(0.5, 128))]
struct Quantize;

fn main() {}
