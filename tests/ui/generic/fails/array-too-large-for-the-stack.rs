use tensor_layout::{Conversion, Relayout, Tensor, layout};

type Frame = layout!(NHWC<N = 1, C = 3, H = 224, W = 224>, u8);
type Input = layout!(NCHW<1, 3, 224, 224>, f32);

#[derive(Relayout)]
#[relayout(Frame => Input, convert = Conversion::normalize(127.5, 1.0 / 127.5))]
struct ToModel;

static FRAME: [u8; Frame::LEN] = [0; Frame::LEN];

fn main() {
    let frame = Tensor::<Frame, _>::from(&FRAME);
    let _ = ToModel::array(&frame);
}
