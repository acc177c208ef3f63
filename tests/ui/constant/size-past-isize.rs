use tensor_layout::layout;

const SIDE: usize = 1 << 40;

const LENGTH: usize = <layout!(NCHW<1, 3, SIDE, SIDE>, f32)>::LEN;

fn main() {}
