use tensor_layout::layout;

const CHANNELS: usize = 0;

const LENGTH: usize = <layout!(NCHW<1, CHANNELS, 7, 7>, f32)>::LEN;

fn main() {}
