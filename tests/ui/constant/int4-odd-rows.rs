use tensor_layout::layout;

const SIDE: usize = 7;

const LENGTH: usize = <layout!(NCHW<1, 3, SIDE, SIDE>, i4)>::LEN;

fn main() {}
