use tensor_layout::layout;

const CHANNELS: usize = 60;

const LENGTH: usize = <layout!(OIHW4i16o4i<64, CHANNELS, 3, 3>, f32)>::LEN;

fn main() {}
