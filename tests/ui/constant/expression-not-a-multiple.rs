use tensor_layout::layout;

const CHANNELS: usize = 3;

const LENGTH: usize = <layout!(NCHW4<1, { CHANNELS * 2 }, 7, 7>, f32)>::LEN;

fn main() {}
