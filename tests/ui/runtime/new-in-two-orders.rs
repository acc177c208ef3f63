use tensor_layout::layout;

type Frame = layout!(HWC<H = _, W = 3, C = _>, u8);

const FRAME: Frame = match Frame::new([1, 2]) {
    Ok(frame) => frame,
    Err(error) => error.panic(),
};

fn main() {}
